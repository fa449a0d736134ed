package dev.weir.connector;

import java.util.Map;
import java.util.function.Supplier;

/**
 * What a pipeline that only picks columns makes of rows that nobody has decoded.
 *
 * @param rows the rows it picks from
 * @param names the column each of its own columns is, by name
 * @param decoded the same rows decoded, where they cannot go as they came
 */
public record RawPick(RawRows rows, Map<String, String> names, Supplier<Staged> decoded) {

    public RawPick {
        names = Map.copyOf(names);
    }

    /** How many rows have a NULL in a column of the pipeline. */
    public long nulls(String column) {
        return rows.nulls(names.get(column));
    }
}
