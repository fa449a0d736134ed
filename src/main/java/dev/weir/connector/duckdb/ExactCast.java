package dev.weir.connector.duckdb;

import static dev.weir.connector.DuckSession.literal;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import java.util.Optional;
import java.util.Set;

/**
 * Casts a column to the type it is wanted as, exactly, or fails naming the value and the row.
 *
 * <p>DuckDB's own cast rounds without a word: 1.239 to 1.24, 2.7 to 3, a time to its day, 1e400 to infinity. A value is
 * taken when it comes back as itself; a text when it is written as one value of the type and no digit of it is lost. Only
 * to a FLOAT or DOUBLE numbers round.
 *
 * @param column the column, quoted
 * @param name its name, for the message
 * @param from its type, as DuckDB prints it
 * @param to the wanted type, as DuckDB prints it
 */
record ExactCast(String column, String name, String from, String to) {

    private static final String TEXT = "VARCHAR";
    private static final Set<String> ROUNDED = Set.of("FLOAT", "DOUBLE");

    /** How much of a value is told: it may be of any length. */
    private static final int SHOWN = 100;

    /**
     * The SQL of it.
     *
     * @param row an SQL expression whose text tells which row it is; empty: none can
     */
    String sql(Optional<String> row) {
        if (from.equals(to)) {
            return column;
        }
        String cast = "CAST(" + given() + " AS " + to + ")";
        if (to.equals(TEXT) && isPrintedExactly()) {
            return cast;
        }
        String where = row.map(text -> " || " + literal(" (row with ") + " || " + text + " || ')'")
                .orElse("");
        return "CASE WHEN " + column + " IS NULL THEN NULL WHEN " + condition() + " THEN " + cast
                + " ELSE CAST(error(" + literal("column " + name + ": ") + " || left(" + text(column) + ", " + SHOWN
                + ") || " + literal(" is no exact " + to) + where + ") AS " + to + ") END";
    }

    private static String text(String expression) {
        return "CAST(" + expression + " AS " + TEXT + ")";
    }

    private static String tried(String expression, String type) {
        return "TRY_CAST(" + expression + " AS " + type + ")";
    }

    /** DuckDB itself dies of a BIGNUM that does not fit, so that digits are cast in its place. */
    private boolean isText() {
        return from.equals(TEXT) || (from + to).contains(Kind.BIGNUM.name());
    }

    private String given() {
        return isText() && !from.equals(TEXT) ? text(column) : column;
    }

    /** Whether different values have different texts, which a UNION's and a VARIANT's do not. */
    private boolean isPrintedExactly() {
        Kind kind = DuckType.named(from).kind();
        return kind != Kind.OTHER && kind != Kind.LIST;
    }

    private String condition() {
        String tried = tried(given(), to);
        if (ROUNDED.contains(to)) {
            return tried + " IS NOT NULL AND " + isNear(tried);
        }
        if (isText()) {
            return tried + " IS NOT NULL AND "
                    + Spelling.of(to).map(pattern -> matches(given(), pattern)).orElse(text(tried) + " = " + given());
        }
        String back = tried(tried, from);
        String equal = back + " = " + column;
        return isEqualWithoutBeingTheSame() ? equal + " AND " + text(back) + " = " + text(column) : equal;
    }

    /** Whether a number is finite where it was, and a text is written as one. */
    private String isNear(String tried) {
        if (ROUNDED.contains(from)) {
            return "true";
        }
        String finite = "NOT isinf(" + tried + ")";
        return isText()
                ? "(" + matches(given(), Spelling.INFINITE) + " OR " + matches(given(), Spelling.NUMBER) + " AND "
                        + finite + ")"
                : finite;
    }

    /** To DuckDB 0.0 equals -0.0, a month equals 30 days, and so do lists of them. */
    private boolean isEqualWithoutBeingTheSame() {
        return switch (DuckType.named(from).kind()) {
            case FLOAT, DOUBLE, INTERVAL, LIST, OTHER -> true;
            default -> false;
        };
    }

    private static String matches(String text, String pattern) {
        return "regexp_full_match(" + text + ", " + literal(pattern) + ")";
    }
}
