package dev.weir.connector;

import dev.weir.slicing.CursorRange;
import java.util.List;
import java.util.Optional;

/** How staged rows go into a sink's table. Columns are matched by name, never by place. */
public sealed interface SinkWrite {

    /** Adds the rows. */
    record Append() implements SinkWrite {}

    /** Swaps the whole table for the rows; the table keeps its definition. */
    record Replace() implements SinkWrite {}

    /**
     * Replaces whole rows by their keys; the staged rows hold each key once and no NULL key.
     *
     * @param keys the key columns, at least one
     * @param orderBy the column by which a stored row with a greater value is kept; empty: the staged row always wins.
     *     A NULL is lower than every value
     * @param keepColumns whether columns of the table that the rows do not have keep their values in replaced rows
     */
    record Merge(List<String> keys, Optional<String> orderBy, boolean keepColumns) implements SinkWrite {}

    /**
     * Deletes the rows of a cursor range and inserts the staged rows.
     *
     * @param cursor the cursor's column in the table
     * @param range what is deleted
     */
    record Window(String cursor, CursorRange range) implements SinkWrite {}
}
