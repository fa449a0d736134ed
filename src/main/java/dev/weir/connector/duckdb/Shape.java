package dev.weir.connector.duckdb;

import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A table or view as the file's catalog tells it.
 *
 * @param columns in the table's own order
 */
record Shape(boolean view, List<Field> columns) {

    /**
     * One column.
     *
     * @param type as DuckDB prints it
     * @param generated whether its values are computed, so that none can be written
     */
    record Field(String name, String type, boolean generated) {}

    /**
     * Looks a table up by its exact name.
     *
     * @throws RunException when there is one whose name differs in case only: to DuckDB it would be the same
     */
    static Optional<Shape> of(
            DuckSql sql, Connection connection, String catalog, TableName table, Code code, String place)
            throws SQLException {
        List<Spelled> found = sql.query(
                connection,
                "SELECT schema_name, table_name, false FROM duckdb_tables() WHERE database_name = $1 AND"
                        + " lower(schema_name) = lower($2) AND lower(table_name) = lower($3) UNION ALL SELECT"
                        + " schema_name, view_name, true FROM duckdb_views() WHERE database_name = $1 AND"
                        + " lower(schema_name) = lower($2) AND lower(view_name) = lower($3)",
                row -> new Spelled(row.getString(1), row.getString(2), row.getBoolean(3)),
                catalog,
                DuckFile.schema(table),
                table.table());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Spelled spelled = found.get(0);
        if (!spelled.schema.equals(DuckFile.schema(table)) || !spelled.table.equals(table.table())) {
            throw new RunException(
                    code,
                    place,
                    "there is no " + table + ", but " + new TableName(List.of(spelled.schema, spelled.table))
                            + ", which DuckDB takes for the same name",
                    "spell it as the file does");
        }
        List<Field> fields = sql.query(
                connection,
                "SELECT column_name, data_type, coalesce(is_generated, false) FROM duckdb_columns() WHERE"
                        + " database_name = ? AND schema_name = ? AND table_name = ? ORDER BY column_index",
                row -> new Field(row.getString(1), row.getString(2), row.getBoolean(3)),
                catalog,
                spelled.schema,
                spelled.table);
        return Optional.of(new Shape(spelled.view, fields));
    }

    private record Spelled(String schema, String table, boolean view) {}
}
