package dev.weir.project;

import java.util.regex.Pattern;

/** Writes values of users as SQL literals of DuckDB that nothing can break out of. */
final class SqlLiterals {

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
    private static final Pattern BOOLEAN = Pattern.compile("true|false");

    private SqlLiterals() {}

    /** A number or a boolean as it is written without quotes; any other text as a string. */
    static String of(Value.Scalar scalar) {
        String text = scalar.text();
        boolean plain = !scalar.quoted()
                && (NUMBER.matcher(text).matches() || BOOLEAN.matcher(text).matches());
        if (!plain) {
            return string(text);
        }
        return text.startsWith("-") ? "(" + text + ")" : text;
    }

    /** A string; one with line breaks as an escape string, so that no line of the SQL moves. */
    static String string(String text) {
        String doubled = text.replace("'", "''");
        if (text.indexOf('\n') < 0 && text.indexOf('\r') < 0) {
            return "'" + doubled + "'";
        }
        return "E'" + doubled.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r") + "'";
    }
}
