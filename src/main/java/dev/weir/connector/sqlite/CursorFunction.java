package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.Unrepresentable;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.Function;
import org.sqlite.core.Codes;

/**
 * The functions through which SQLite sees a cursor as weir does: times to the microsecond whichever way they are spelled,
 * decimals to their last digit.
 */
final class CursorFunction extends Function {

    /** Gives a value's key, see {@link CursorUnits#key}; fails on a value that is none of the type. */
    static final String KEY = "weir_key";

    /** Tells whether a value is one of the type. */
    static final String IS = "weir_is_cursor";

    /** What the message of a failed key begins with. */
    static final String FAILED = KEY + ": ";

    private final CursorUnits units;
    private final boolean testing;

    private CursorFunction(CursorUnits units, boolean testing) {
        this.units = units;
        this.testing = testing;
    }

    /** Makes both functions known to a connection, in place of those of another cursor. */
    static void register(Connection connection, CursorUnits units) throws SQLException {
        Function.create(connection, KEY, new CursorFunction(units, false), 1, Function.FLAG_DETERMINISTIC);
        Function.create(connection, IS, new CursorFunction(units, true), 1, Function.FLAG_DETERMINISTIC);
    }

    @Override
    protected void xFunc() throws SQLException {
        Object value = argument();
        if (value == null) {
            result();
            return;
        }
        try {
            answer(value);
        } catch (Unrepresentable e) {
            if (!testing) {
                throw new SQLException(FAILED + e.value() + " " + e.reason());
            }
            result(0);
        }
    }

    private void answer(Object value) throws SQLException {
        if (testing) {
            units.of(value);
            result(1);
            return;
        }
        Object key = units.key(value);
        if (key == null) {
            result();
        } else if (key instanceof byte[] bytes) {
            result(bytes);
        } else {
            result((Long) key);
        }
    }

    private @Nullable Object argument() throws SQLException {
        return switch (value_type(0)) {
            case Codes.SQLITE_INTEGER -> value_long(0);
            case Codes.SQLITE_FLOAT -> value_double(0);
            case Codes.SQLITE_TEXT -> value_text(0);
            case Codes.SQLITE_BLOB -> value_blob(0);
            default -> null;
        };
    }
}
