package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.connector.sqlite.DeclaredType.Affinity;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sqlite.Function;

/**
 * Tells which of two values is the greater where SQLite keeps them as texts whose letters do not: times in any spelling,
 * decimals.
 */
final class OrderFunction extends Function {

    /** {@code weir_is_above(a, b)}: of two values that are not NULL. */
    private static final String NAME = "weir_is_above";

    private final DuckType type;

    private OrderFunction(DuckType type) {
        this.type = type;
    }

    /** A condition that holds where the first is greater than the second; a NULL is lower than every value. */
    static String above(Connection connection, DeclaredType column, String first, String second) throws SQLException {
        Optional<DuckType> spelled = column.natural().filter(type -> isSpelled(column, type.kind()));
        if (spelled.isPresent()) {
            Function.create(connection, NAME, new OrderFunction(spelled.get()), 2, Function.FLAG_DETERMINISTIC);
        }
        String above = spelled.isPresent()
                ? NAME + "(" + first + ", " + second + ")"
                : first + " COLLATE BINARY > " + second + " COLLATE BINARY";
        return "(" + first + " IS NOT NULL AND (" + second + " IS NULL OR " + above + "))";
    }

    /** Whether one value of the type has many texts. */
    static boolean isSpelled(DeclaredType column, Kind kind) {
        return switch (kind) {
            case DATE, TIME, TIMESTAMP, TIMESTAMP_S, TIMESTAMP_MS, TIMESTAMP_NS, TIMESTAMPTZ -> true;
            case DECIMAL, UBIGINT, HUGEINT, UHUGEINT, BIGNUM -> column.affinity() == Affinity.TEXT;
            default -> false;
        };
    }

    @Override
    protected void xFunc() throws SQLException {
        try {
            BigDecimal first = number(0);
            BigDecimal second = number(1);
            result(first != null && second != null && first.compareTo(second) > 0 ? 1 : 0);
        } catch (Unrepresentable e) {
            throw new SQLException("the order column of the table holds " + e.value() + ", which " + e.reason());
        }
    }

    private @Nullable BigDecimal number(int argument) throws SQLException {
        String text = value_text(argument);
        if (text == null) {
            return null;
        }
        return switch (type.kind()) {
            case TIME -> BigDecimal.valueOf(TimeText.ofDay(text));
            case DECIMAL, UBIGINT, HUGEINT, UHUGEINT, BIGNUM -> Numbers.exact(text, type.sql());
            default ->
                TimeText.of(text, type.sql(), type.kind() == Kind.TIMESTAMPTZ).nanos();
        };
    }
}
