package dev.weir.connector.sqlite;

import dev.weir.connector.TableName;
import java.util.Collection;
import java.util.stream.Collectors;

/** Spells identifiers and text for SQLite. */
final class Sql {

    private Sql() {}

    /** The identifier in quotes. SQLite takes one it does not know for a text: names are looked up before. */
    static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    static String quote(Collection<String> identifiers) {
        return identifiers.stream().map(Sql::quote).collect(Collectors.joining(", "));
    }

    /** The table in the file itself. */
    static String quote(TableName table) {
        return "main." + quote(table.table());
    }

    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
