package dev.weir.connector;

import dev.weir.slicing.Cursor;
import java.util.List;
import java.util.Optional;

/**
 * What is read of an entity.
 *
 * @param entity what is read
 * @param columns the columns in the order of the staged table, with the DuckDB types they are wanted as. A type other
 *     than the catalog's is a cast that must be exact or fail naming the value, except to {@code FLOAT} and {@code
 *     DOUBLE}, which round
 * @param cursor the column that orders the rows; empty for a full read
 */
public record ReadRequest(Entity entity, List<Column> columns, Optional<Cursor> cursor) {

    /** The staged column that holds the cursor when {@code columns} does not name it. */
    public static final String HIDDEN_CURSOR = "_weir_cursor";

    public ReadRequest {
        columns = List.copyOf(columns);
    }

    /** Whether the cursor is staged under {@link #HIDDEN_CURSOR}, last, and not shown to pipelines. */
    public boolean hidesCursor() {
        return cursor.isPresent()
                && columns.stream()
                        .noneMatch(column -> column.name().equals(cursor.get().column()));
    }
}
