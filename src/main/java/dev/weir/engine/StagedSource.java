package dev.weir.engine;

import dev.weir.connector.Column;
import dev.weir.connector.RawRows;
import dev.weir.slicing.CursorValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of a source, as pipelines see them.
 *
 * <p>Other connections see the relation once the snapshot it was read from is closed.
 *
 * @param relation the qualified and quoted name in the session
 * @param columns its columns in order, a hidden cursor left out
 * @param rows how many rows it holds, exactly
 * @param max the greatest cursor among them, floored to the whole microsecond; empty: no rows, or no cursor
 * @param raw the rows as the source has sent them; empty: they are in the relation
 * @param unique as of {@link dev.weir.connector.Staged}
 */
public record StagedSource(
        String relation,
        List<Column> columns,
        long rows,
        Optional<CursorValue> max,
        Optional<RawRows> raw,
        Set<List<String>> unique) {

    public StagedSource {
        columns = List.copyOf(columns);
        unique = Set.copyOf(unique);
    }

    /** Rows that are in DuckDB. */
    public StagedSource(String relation, List<Column> columns, long rows, Optional<CursorValue> max) {
        this(relation, columns, rows, max, Optional.empty(), Set.of());
    }

    /** The same, once some of its columns were compared. */
    StagedSource withUnique(Set<List<String>> compared) {
        return new StagedSource(relation, columns, rows, max, raw, compared);
    }
}
