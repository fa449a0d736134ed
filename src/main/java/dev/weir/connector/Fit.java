package dev.weir.connector;

import java.util.List;

/**
 * How columns that are to be written go into a table that may have others.
 *
 * @param written the columns that are written, in their order
 * @param added those of them that the table lacks and is to get
 * @param widened those of them whose type in the table is to become theirs
 * @param ignored the columns that are not written, since the table lacks them
 * @param kept the table's columns that are not produced: they keep their values, and are left to their defaults in new rows
 */
public record Fit(
        List<Column> written, List<Column> added, List<Column> widened, List<Column> ignored, List<String> kept) {

    public Fit {
        written = List.copyOf(written);
        added = List.copyOf(added);
        widened = List.copyOf(widened);
        ignored = List.copyOf(ignored);
        kept = List.copyOf(kept);
    }

    /** All the columns, into a table that is made for them. */
    public static Fit whole(List<Column> columns) {
        return new Fit(columns, List.of(), List.of(), List.of(), List.of());
    }

    /** Whether the table must be altered first. */
    public boolean alters() {
        return !added.isEmpty() || !widened.isEmpty();
    }

    /** Of staged rows, what is written. */
    public Staged of(Staged rows) {
        return ignored.isEmpty() ? rows : new Staged(rows.relation(), written, rows.rows());
    }
}
