package dev.weir.connector;

/** What a source reads from. */
public sealed interface Entity {

    /** The name users gave it, for messages. */
    String name();

    /** A table or view, by its own name. */
    record Table(TableName table) implements Entity {
        @Override
        public String name() {
            return table.toString();
        }
    }

    /**
     * Any SELECT of the source, read as a derived table.
     *
     * @param sql the statement as its author wrote it
     */
    record Query(String name, String sql) implements Entity {}
}
