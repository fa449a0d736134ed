package dev.weir.connector.postgres;

import dev.weir.connector.TableName;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.stream.Collectors;

/** Spells identifiers and text for Postgres. */
final class Sql {

    /** Postgres cuts longer names off, with a notice nobody reads. */
    static final int NAME_BYTES = 63;

    private Sql() {}

    /** The identifier in quotes, exactly as it is spelled. */
    static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    static String quote(Collection<String> identifiers) {
        return identifiers.stream().map(Sql::quote).collect(Collectors.joining(", "));
    }

    /** The table's schema and name in quotes; a leading database is left out. */
    static String quote(TableName table) {
        int size = table.parts().size();
        return table.parts().subList(Math.max(0, size - 2), size).stream()
                .map(Sql::quote)
                .collect(Collectors.joining("."));
    }

    static boolean isTooLong(String identifier) {
        return identifier.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES;
    }
}
