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
 * @param catalog all the columns of the entity, as they were when the request was made; empty: not known
 */
public record ReadRequest(
        Entity entity, List<Column> columns, Optional<Cursor> cursor, List<SourceColumn> catalog) {

    /** The staged column that holds the cursor when {@code columns} does not name it. */
    public static final String HIDDEN_CURSOR = "_weir_cursor";

    public ReadRequest {
        columns = List.copyOf(columns);
        catalog = List.copyOf(catalog);
    }

    /** One that is good whatever columns the entity has beside those it names. */
    public ReadRequest(Entity entity, List<Column> columns, Optional<Cursor> cursor) {
        this(entity, columns, cursor, List.of());
    }

    /**
     * Compares the entity's columns as a snapshot sees them with those the request was made for.
     *
     * @throws ColumnsChangedException when they differ in anything
     */
    public void checkColumns(String place, List<SourceColumn> found) {
        if (!catalog.isEmpty() && !catalog.equals(found)) {
            throw new ColumnsChangedException(place, catalog, found);
        }
    }

    /** The same of another entity. */
    public ReadRequest of(Entity other) {
        return new ReadRequest(other, columns, cursor, catalog);
    }

    /** Whether the cursor is staged under {@link #HIDDEN_CURSOR}, last, and not shown to pipelines. */
    public boolean hidesCursor() {
        return cursor.isPresent()
                && columns.stream()
                        .noneMatch(column -> column.name().equals(cursor.get().column()));
    }
}
