package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Unrepresentable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sqlite.Function;

/**
 * Looks whether the keys a table holds already are spelled as weir spells them.
 *
 * <p>SQLite tells rows apart by the letters of a key. One moment spelled in two ways would be two rows, and a merge would
 * double what it is to replace.
 */
final class SpelledKeys extends Function {

    private static final String NAME = "weir_is_spelled";

    private final DuckType type;

    private SpelledKeys(DuckType type) {
        this.type = type;
    }

    /** @throws dev.weir.fault.RunException when a stored key is spelled otherwise */
    static void check(Connection connection, Failures failures, String place, Target target, List<String> keys)
            throws SQLException {
        for (String key : keys) {
            Optional<String> other = other(connection, target, key);
            if (other.isPresent()) {
                throw failures.of(
                        place,
                        "the key " + key + " of a stored row is " + other.get() + ", which weir spells otherwise, so a"
                                + " row with that key would not be found to be the same",
                        "spell the stored keys as weir does: see the table of SQLite's types in the documentation");
            }
        }
    }

    private static Optional<String> other(Connection connection, Target target, String key) throws SQLException {
        DeclaredType column = target.type(key);
        Optional<DuckType> type = column.natural().filter(natural -> isSpelled(column, natural.kind()));
        if (type.isEmpty()) {
            return Optional.empty();
        }
        Function.create(connection, NAME, new SpelledKeys(type.get()), 1, Function.FLAG_DETERMINISTIC);
        String quoted = Sql.quote(key);
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT quote(" + quoted + ") FROM " + target.sql()
                        + " WHERE " + quoted + " IS NOT NULL AND NOT " + NAME + "(" + quoted + ") LIMIT 1")) {
            return result.next() ? Optional.of(result.getString(1)) : Optional.empty();
        }
    }

    private static boolean isSpelled(DeclaredType column, Kind kind) {
        return kind == Kind.UUID || kind == Kind.BOOLEAN || OrderFunction.isSpelled(column, kind);
    }

    @Override
    protected void xFunc() throws SQLException {
        String text = value_text(0);
        try {
            result(text != null && text.equals(spelled(text)) ? 1 : 0);
        } catch (Unrepresentable | NumberFormatException e) {
            result(0);
        }
    }

    private String spelled(String text) {
        return switch (type.kind()) {
            case UUID -> text.toLowerCase(Locale.ROOT);
            case BOOLEAN -> text.equals("0") ? text : "1";
            case DATE -> TimeText.date(Reading.day(text));
            case TIME -> TimeText.clock(TimeText.ofDay(text) / 1_000);
            case DECIMAL ->
                new BigDecimal(Numbers.unscaled(text, type.precision(), type.scale()), type.scale()).toPlainString();
            case UBIGINT, HUGEINT, UHUGEINT -> Numbers.whole(text, type.kind()).toString();
            case BIGNUM -> new BigInteger(text).toString();
            default -> Encoding.spelled(TimeText.of(text, type.sql(), type.kind() == Kind.TIMESTAMPTZ), type.kind());
        };
    }
}
