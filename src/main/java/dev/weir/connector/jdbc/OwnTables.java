package dev.weir.connector.jdbc;

import java.util.Optional;

/** The names of the tables weir keeps for itself beside those it loads. */
public final class OwnTables {

    private OwnTables() {}

    /** What weir keeps in a table of that name, in whatever case it is written; empty: such a table is the user's own. */
    public static Optional<String> kept(String table) {
        if (table.equalsIgnoreCase(MarkTable.NAME)) {
            return Optional.of("its marks");
        }
        return table.equalsIgnoreCase(ChunkTable.NAME) ? Optional.of("the chunks of its backfills") : Optional.empty();
    }
}
