package dev.weir.connector;

import java.util.List;

/**
 * Rows that wait in DuckDB for a sink: a pipeline's output, keys checked, duplicates gone.
 *
 * @param relation the table's qualified and quoted name in the {@link DuckSession}
 * @param columns its columns in order
 * @param rows how many rows it holds, exactly
 */
public record Staged(String relation, List<Column> columns, long rows) {

    public Staged {
        columns = List.copyOf(columns);
    }
}
