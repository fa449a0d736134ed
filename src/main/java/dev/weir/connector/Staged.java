package dev.weir.connector;

import java.util.List;
import java.util.Optional;

/**
 * Rows that wait for a sink: a pipeline's output, keys checked, duplicates gone.
 *
 * @param relation the table's qualified and quoted name in the {@link DuckSession}; there is none of that name while the rows
 *     are raw
 * @param columns its columns in order
 * @param rows how many rows it holds, exactly
 * @param raw the rows as their source sent them, whose keys were not compared; empty: they are in DuckDB
 */
public record Staged(String relation, List<Column> columns, long rows, Optional<RawPick> raw) {

    public Staged {
        columns = List.copyOf(columns);
    }

    /** Rows that wait in DuckDB. */
    public Staged(String relation, List<Column> columns, long rows) {
        this(relation, columns, rows, Optional.empty());
    }
}
