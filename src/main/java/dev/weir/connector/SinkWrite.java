package dev.weir.connector;

import dev.weir.slicing.CursorRange;
import java.util.List;
import java.util.Optional;

/** How staged rows go into a sink's table. Columns are matched by name, never by place. */
public sealed interface SinkWrite {

    /**
     * Whether columns of the table that the rows do not have keep their values in replaced rows, and are left to their
     * defaults in new ones; if not, a table with such columns is refused.
     */
    boolean keepColumns();

    /** Adds the rows. */
    record Append(boolean keepColumns) implements SinkWrite {

        public Append() {
            this(false);
        }
    }

    /** Swaps the whole table for the rows; the table keeps its definition. */
    record Replace(boolean keepColumns) implements SinkWrite {

        public Replace() {
            this(false);
        }
    }

    /**
     * Replaces whole rows by their keys; the staged rows hold each key once and no NULL key.
     *
     * @param keys the key columns, at least one
     * @param orderBy the column by which a stored row with a greater value is kept; empty: the staged row always wins.
     *     A NULL is lower than every value
     */
    record Merge(List<String> keys, Optional<String> orderBy, boolean keepColumns) implements SinkWrite {}

    /**
     * Deletes the rows of a cursor range and inserts the staged rows.
     *
     * @param cursor the cursor's column in the table
     * @param range what is deleted
     */
    record Window(String cursor, CursorRange range, boolean keepColumns) implements SinkWrite {

        public Window(String cursor, CursorRange range) {
            this(cursor, range, false);
        }
    }
}
