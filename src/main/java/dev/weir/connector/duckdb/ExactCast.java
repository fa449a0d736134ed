package dev.weir.connector.duckdb;

import static dev.weir.connector.DuckSession.literal;

import java.util.Optional;
import java.util.Set;

/**
 * Casts a column to the type it is wanted as, exactly, or fails naming the value and the row.
 *
 * <p>DuckDB's own cast rounds without a word: 1.239 to 1.24, 2.7 to 3, a time to its day. A value is taken when it comes
 * back as itself; a text when it is written as one value of the type and no digit of it is lost.
 */
final class ExactCast {

    private static final Set<String> ROUNDED = Set.of("FLOAT", "DOUBLE");
    private static final Set<String> INTEGERS = Set.of(
            "TINYINT",
            "SMALLINT",
            "INTEGER",
            "BIGINT",
            "HUGEINT",
            "UTINYINT",
            "USMALLINT",
            "UINTEGER",
            "UBIGINT",
            "UHUGEINT");

    private ExactCast() {}

    /**
     * @param column the column, quoted
     * @param name its name, for the message
     * @param row an SQL expression whose text tells which row it is; empty: none can
     */
    static String of(String column, String name, String from, String to, Optional<String> row) {
        if (from.equals(to)) {
            return column;
        }
        String cast = "CAST(" + column + " AS " + to + ")";
        String condition;
        if (to.equals("VARCHAR")) {
            return cast;
        } else if (ROUNDED.contains(to)) {
            condition = "TRY_CAST(" + column + " AS " + to + ") IS NOT NULL";
        } else if (from.equals("VARCHAR")) {
            condition = "TRY_CAST(" + column + " AS " + to + ") IS NOT NULL AND " + written(column, to);
        } else {
            condition = "TRY_CAST(TRY_CAST(" + column + " AS " + to + ") AS " + from + ") = " + column;
        }
        String where = row.map(text -> " || " + literal(" (row with ") + " || " + text + " || ')'")
                .orElse("");
        return "CASE WHEN " + column + " IS NULL THEN NULL WHEN " + condition + " THEN " + cast + " ELSE CAST(error("
                + literal("column " + name + ": ") + " || CAST(" + column + " AS VARCHAR) || "
                + literal(" is no exact " + to) + where + ") AS " + to + ") END";
    }

    /** How a text must be written so that its cast loses nothing. */
    private static String written(String column, String to) {
        String pattern;
        if (INTEGERS.contains(to)) {
            pattern = "[+-]?[0-9]+";
        } else if (to.startsWith("DECIMAL(")) {
            String scale = to.substring(to.indexOf(',') + 1, to.length() - 1);
            pattern = "[+-]?[0-9]+([.][0-9]{0," + scale + "}0*)?";
        } else if (to.equals("DATE")) {
            pattern = "[0-9]{4,}-[0-9]{2}-[0-9]{2}( [(]BC[)])?|-?infinity";
        } else if (to.startsWith("TIMESTAMP")) {
            String offset = to.equals("TIMESTAMP WITH TIME ZONE") ? "(Z|[+-][0-9:]+)?" : "(Z|[+]00(:?00)?)?";
            pattern = "[0-9]{4,}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{0," + digits(to) + "}0*)?"
                    + offset + ")?( [(]BC[)])?|-?infinity";
        } else {
            return "true";
        }
        return "regexp_full_match(" + column + ", " + literal(pattern) + ")";
    }

    private static int digits(String timestamp) {
        return switch (timestamp) {
            case "TIMESTAMP_S" -> 0;
            case "TIMESTAMP_MS" -> 3;
            case "TIMESTAMP_NS" -> 9;
            default -> 6;
        };
    }
}
