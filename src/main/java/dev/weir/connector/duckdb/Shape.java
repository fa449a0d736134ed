package dev.weir.connector.duckdb;

import dev.weir.connector.Column;
import dev.weir.connector.Fit;
import dev.weir.connector.Lossless;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.TableFit;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.OnSchemaChange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A table or view as the file's catalog tells it.
 *
 * @param columns in the table's own order
 */
record Shape(List<Field> columns) {

    /**
     * One column.
     *
     * @param type as DuckDB prints it
     * @param generated whether its values are computed, so that none can be written
     * @param required whether it takes no NULL and has no default
     */
    record Field(String name, String type, boolean generated, boolean required) {}

    private record Found(String schema, String table, Field field) {}

    /**
     * Looks a table up by its exact name.
     *
     * @throws RunException when there is one whose name differs in case only: to DuckDB it would be the same
     */
    static Optional<Shape> of(
            DuckSql sql, Connection connection, String catalog, TableName table, Code code, String place)
            throws SQLException {
        List<Found> found = sql.query(
                connection,
                "SELECT schema_name, table_name, column_name, data_type, coalesce(is_generated, false),"
                        + " NOT is_nullable AND column_default IS NULL FROM"
                        + " duckdb_columns() WHERE database_name = ? AND lower(schema_name) = lower(?) AND"
                        + " lower(table_name) = lower(?) ORDER BY column_index",
                row -> new Found(
                        row.getString(1),
                        row.getString(2),
                        new Field(row.getString(3), row.getString(4), row.getBoolean(5), row.getBoolean(6))),
                catalog,
                DuckFile.schema(table),
                table.table());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Found first = found.get(0);
        if (!first.schema.equals(DuckFile.schema(table)) || !first.table.equals(table.table())) {
            throw new RunException(
                    code,
                    place,
                    "there is no " + table + ", but " + new TableName(List.of(first.schema, first.table))
                            + ", which DuckDB takes for the same name",
                    "spell it as the file does");
        }
        return Optional.of(new Shape(found.stream().map(Found::field).toList()));
    }

    /** Whether the name is a view's, which takes no rows. */
    static boolean isView(DuckSql sql, Connection connection, String catalog, TableName table) throws SQLException {
        return sql.count(
                        connection,
                        "SELECT count(*) FROM duckdb_views() WHERE database_name = ? AND schema_name = ? AND"
                                + " view_name = ?",
                        catalog,
                        DuckFile.schema(table),
                        table.table())
                > 0;
    }

    /** How columns go into it; see {@link dev.weir.connector.Sink#fit}. */
    Fit fit(String place, TableName table, List<Column> produced, SinkWrite write, OnSchemaChange policy) {
        return fit(place, table).of(produced, write, policy);
    }

    /** See {@link TableFit#stillNarrow}. */
    List<Column> stillNarrow(String place, TableName table, Fit fit) {
        return fit(place, table).stillNarrow(fit);
    }

    /** Refuses columns that rows are found by and that are not its own. */
    void check(String place, TableName table, List<Column> found) {
        fit(place, table).check(found);
    }

    private TableFit fit(String place, TableName table) {
        TableFit.refuseOwn(place, table.table());
        return new TableFit(place, columns.stream().map(Shape::described).toList(), new Rules());
    }

    private static TableFit.TableColumn described(Field field) {
        return new TableFit.TableColumn(
                field.name(), field.type(), Optional.of(field.type()), field.generated(), field.required());
    }

    /** What DuckDB's columns take. */
    private static final class Rules implements TableFit.Rules {

        @Override
        public boolean takes(TableFit.TableColumn column, String type) {
            return Lossless.holds(type, column.type());
        }

        @Override
        public Optional<String> created(String type) {
            return Optional.of(type);
        }

        @Override
        public boolean canWiden() {
            return true;
        }

        @Override
        public boolean confuses(String one, String other) {
            return one.equalsIgnoreCase(other);
        }
    }
}
