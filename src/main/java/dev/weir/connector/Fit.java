package dev.weir.connector;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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

    /** Whether the table must be altered first. */
    public boolean alters() {
        return !added.isEmpty() || !widened.isEmpty();
    }

    /** Of staged rows, what is written: as what it was staged, which the table is to be asked about. */
    public Staged of(Staged rows) {
        Set<String> left = ignored.stream().map(Column::name).collect(Collectors.toSet());
        List<Column> taken = rows.columns().stream()
                .filter(column -> !left.contains(column.name()))
                .toList();
        return rows.only(taken);
    }
}
