package dev.weir.connector.duckdb;

import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.connector.SourceColumn;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Sample;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a DuckDB file. */
final class DuckDbSource implements Source {

    /** A NULL without a type: DuckDB makes such columns of {@code SELECT NULL}. */
    private static final String UNTYPED = "\"NULL\"";

    /** Whole numbers of more digits than a DECIMAL can hold. */
    private static final Set<String> WIDE = Set.of("HUGEINT", "UHUGEINT");

    private final DuckFile file;
    private final Clock clock;
    private final DuckSql sql = new DuckSql();

    DuckDbSource(DuckFile file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    @Override
    public List<SourceColumn> describe(Entity entity) {
        String place = place(entity);
        String catalog = file.catalog();
        try (Connection connection = file.connect(catalog)) {
            return describe(connection, catalog, entity);
        } catch (SQLException e) {
            throw DuckSql.failure(Code.SOURCE, place, e);
        }
    }

    private List<SourceColumn> describe(Connection connection, String catalog, Entity entity) throws SQLException {
        if (entity instanceof Entity.Table named) {
            file.checkParts(Code.SOURCE, named.table());
            Optional<Shape> shape = Shape.of(sql, connection, catalog, named.table(), Code.SOURCE, place(entity));
            if (shape.isEmpty()) {
                throw missing(connection, catalog, entity);
            }
        } else if (entity instanceof Entity.Query query) {
            checkOneSelect(connection, query);
        }
        return sql.query(
                connection,
                "DESCRIBE SELECT * FROM " + relation(catalog, entity),
                row -> column(row.getString(1), row.getString(2)));
    }

    private RunException missing(Connection connection, String catalog, Entity entity) throws SQLException {
        List<String> tables = sql.query(
                connection,
                "SELECT CASE WHEN schema_name = 'main' THEN '' ELSE schema_name || '.' END || table_name FROM"
                        + " (SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = $1 UNION ALL"
                        + " SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = $1 AND NOT"
                        + " internal) ORDER BY ALL LIMIT 20",
                row -> row.getString(1),
                catalog);
        return new RunException(
                Code.SOURCE,
                place(entity),
                "there is no table " + entity.name(),
                tables.isEmpty() ? "the file holds no table yet" : "the file holds " + String.join(", ", tables));
    }

    /** Several statements in a row would be run, the first ones already when the last is prepared. */
    private void checkOneSelect(Connection connection, Entity.Query query) throws SQLException {
        String problem = sql.query(
                        connection,
                        "SELECT CASE WHEN j ->> '$.error' = 'true' THEN j ->> '$.error_message' WHEN"
                                + " json_array_length(j -> '$.statements') <> 1 THEN 'it holds ' ||"
                                + " json_array_length(j -> '$.statements') || ' statements' ELSE '' END FROM"
                                + " (SELECT json_serialize_sql(?) AS j)",
                        row -> row.getString(1),
                        query.sql())
                .get(0);
        if (!problem.isEmpty()) {
            throw new RunException(
                    Code.SOURCE,
                    place(query),
                    "its query cannot be read: " + problem,
                    "write one SELECT under query:, in the SQL of DuckDB");
        }
    }

    private static SourceColumn column(String name, String type) {
        return new SourceColumn(
                name,
                type,
                type.equals(UNTYPED) ? Optional.empty() : Optional.of(type),
                fractionDigits(type),
                null,
                WIDE.contains(type));
    }

    private static @Nullable Integer fractionDigits(String type) {
        return switch (type) {
            case "TIMESTAMP_S" -> 0;
            case "TIMESTAMP_MS" -> 3;
            case "TIMESTAMP", "TIMESTAMP WITH TIME ZONE" -> 6;
            case "TIMESTAMP_NS" -> 9;
            default -> null;
        };
    }

    /** The entity as it stands behind FROM. A query stands on lines of its own, so that a comment at its end ends there. */
    private static String relation(String catalog, Entity entity) {
        if (entity instanceof Entity.Query query) {
            String text = query.sql().strip();
            return "(\n" + (text.endsWith(";") ? text.substring(0, text.length() - 1) : text) + "\n) AS weir_query";
        }
        return DuckFile.qualified(catalog, ((Entity.Table) entity).table());
    }

    private String place(Entity entity) {
        return file.name() + "." + entity.name();
    }

    @Override
    public Instant clock() {
        return clock.instant();
    }

    @Override
    public Snapshot open(ReadRequest request) {
        String place = place(request.entity());
        String catalog = file.catalog();
        Connection connection = null;
        try {
            connection = file.connect(catalog);
            DuckSql.execute(connection, "BEGIN TRANSACTION");
            List<SourceColumn> columns = describe(connection, catalog, request.entity());
            request.checkColumns(place, columns);
            String relation = relation(catalog, request.entity());
            // The first statement that touches the file is what fixes the snapshot.
            sql.count(connection, "SELECT count(*) FROM (SELECT 1 FROM " + relation + " LIMIT 1)");
            ReadPlan plan = ReadPlan.of(sql, connection, place, request, columns);
            return new DuckDbSnapshot(
                    sql, connection, place, relation, plan, sql.onCancel(file.interrupting(connection)));
        } catch (SQLException e) {
            close(connection);
            throw DuckSql.failure(Code.SOURCE, place, e);
        } catch (RunException e) {
            close(connection);
            throw e;
        }
    }

    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            return;
        }
    }

    /** Who has the file open has it alone: what another process had not committed when it closed the file is gone. */
    @Override
    public Sample sample(ReadRequest request) {
        return new Sample.InOrder();
    }

    @Override
    public void cancel() {
        sql.cancel();
    }

    @Override
    public void close() {
        file.close();
    }
}
