package dev.weir.connector;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rows that wait for a sink: a pipeline's output, keys checked, duplicates gone.
 *
 * @param relation the table's qualified and quoted name in the {@link DuckSession}; there is none of that name while the rows
 *     are raw
 * @param columns its columns in order
 * @param rows how many rows it holds, exactly
 * @param raw the rows as their source sent them, whose keys were not compared; empty: they are in DuckDB
 * @param unique columns that were compared already: none is NULL anywhere, and no two rows have the same values in them
 */
public record Staged(
        String relation, List<Column> columns, long rows, Optional<RawPick> raw, Set<List<String>> unique) {

    public Staged {
        columns = List.copyOf(columns);
        unique = Set.copyOf(unique);
    }

    /** Rows that wait in DuckDB. */
    public Staged(String relation, List<Column> columns, long rows) {
        this(relation, columns, rows, Optional.empty(), Set.of());
    }

    /** The same, once some of its columns were compared. */
    public Staged withUnique(Set<List<String>> compared) {
        return new Staged(relation, columns, rows, raw, compared);
    }

    /** The same with fewer columns. */
    public Staged only(List<Column> fewer) {
        return new Staged(relation, fewer, rows, raw, unique);
    }
}
