package dev.weir.engine;

import static dev.weir.connector.DuckSession.quoted;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parses and binds a pipeline's SELECT against empty tables, and leaves nothing behind.
 *
 * <p>The tables are in a catalog of their own, where they are in nobody's way who stages rows under the same id meanwhile.
 */
final class Binder {

    /** The catalog's name, which no file's may be. */
    static final String CATALOG = "weir_binding";

    private static final String SCHEMA = CATALOG + ".staging";
    private static final String BOUND = SCHEMA + ".weir_bound";
    /** How DuckDB prints the type of a bare NULL. */
    private static final String UNTYPED = "\"NULL\"";

    private final Statements statements;
    private final Staging staging;
    private @Nullable Functions functions;

    Binder(Statements statements, Staging staging) {
        this.statements = statements;
        this.staging = staging;
    }

    /** Makes the catalog. */
    static void prepare(Statement statement) throws SQLException {
        statement.execute("ATTACH ':memory:' AS " + CATALOG);
        statement.execute("CREATE SCHEMA " + SCHEMA);
    }

    List<Column> bind(Connection connection, String place, String select, Map<String, List<Column>> sources) {
        try {
            oneSelect(connection, place, select);
            SqlError.withPositions(connection, statements);
            statements.execute(connection, "USE " + CATALOG);
            statements.execute(connection, "BEGIN TRANSACTION");
            try {
                for (Map.Entry<String, List<Column>> source : sources.entrySet()) {
                    standIn(connection, source.getKey(), source.getValue());
                }
                return columns(connection, place, select);
            } finally {
                statements.execute(connection, "ROLLBACK");
            }
        } catch (SQLException e) {
            if (statements.isCancelled()) {
                throw DuckErrors.cancelled(place, e);
            }
            throw badSql(place, SqlError.of(e), select);
        }
    }

    private void standIn(Connection connection, String id, List<Column> columns) throws SQLException {
        statements.execute(
                connection,
                "CREATE TABLE " + SCHEMA + "." + quoted(id) + " ("
                        + columns.stream()
                                .map(column -> quoted(column.name()) + " " + column.type())
                                .collect(Collectors.joining(", "))
                        + ")");
    }

    /** Reads a statement, and binds nothing. */
    void parse(Connection connection, String place, String select) {
        try {
            oneSelect(connection, place, select);
        } catch (SQLException e) {
            throw badSql(place, SqlError.of(e), select);
        }
    }

    SliceShape shape(
            Connection connection,
            String place,
            String select,
            Map<String, List<Column>> sources,
            Set<String> incremental) {
        try {
            JsonNode query = oneSelect(connection, place, select);
            Map<String, Set<String>> columns = new HashMap<>();
            sources.forEach((id, all) -> columns.put(
                    id.toLowerCase(Locale.ROOT),
                    all.stream()
                            .map(column -> column.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.toSet())));
            Functions known = functions(connection);
            known.lookInto(connection, query);
            SliceWalk walk = new SliceWalk(known, incremental, columns);
            walk.walk(query);
            return new SliceShape(
                    walk.reads(),
                    walk.findings().inOrder().stream()
                            .map(found -> new SliceShape.Finding(
                                    new SqlError(found.reason(), found.position()).place(place, select),
                                    found.reason()))
                            .toList());
        } catch (SQLException e) {
            if (statements.isCancelled()) {
                throw DuckErrors.cancelled(place, e);
            }
            throw DuckErrors.internal(place, "the SELECT's parse tree cannot be read: " + DuckErrors.message(e), e);
        }
    }

    Optional<Map<String, String>> picks(
            Connection connection, String place, String select, String id, List<Column> columns) {
        try {
            return new PlainPick(id, columns).of(oneSelect(connection, place, select));
        } catch (SQLException e) {
            throw badSql(place, SqlError.of(e), select);
        }
    }

    private synchronized Functions functions(Connection connection) throws SQLException {
        if (functions == null) {
            functions = Functions.of(connection);
        }
        return functions;
    }

    private List<Column> columns(Connection connection, String place, String select) throws SQLException {
        // Prepared as it stands first, so that the positions DuckDB names are those of the file.
        try (PreparedStatement prepared = connection.prepareStatement(select)) {
            checkNames(place, prepared, select);
        }
        statements.execute(connection, "CREATE VIEW " + BOUND + " AS\n" + select);
        List<Column> columns = staging.describe(connection, BOUND);
        columns.forEach(column -> checkType(place, column));
        return columns;
    }

    private static void checkType(String place, Column column) {
        if (column.type().equals(UNTYPED) || column.type().startsWith(UNTYPED + "[")) {
            throw new UsageException(
                    Code.BAD_SQL,
                    place,
                    "the column " + column.name() + " is a NULL without a type",
                    "say which type it has, as in CAST(NULL AS VARCHAR) AS " + quoted(column.name()));
        }
    }

    private static void checkNames(String place, PreparedStatement prepared, String select) throws SQLException {
        Map<String, String> seen = new LinkedHashMap<>();
        for (int i = 1; i <= prepared.getMetaData().getColumnCount(); i++) {
            String name = prepared.getMetaData().getColumnName(i);
            String former = seen.put(DuckSession.folded(name), name);
            if (former != null) {
                throw new UsageException(
                        Code.BAD_SQL,
                        place,
                        former.equals(name)
                                ? "the SELECT has two columns named " + name
                                : "the SELECT has the columns " + former + " and " + name
                                        + ", which DuckDB takes for one name",
                        "give one of them another name with AS");
            }
        }
    }

    /** The query of the one SELECT, as DuckDB parses it. */
    private static JsonNode oneSelect(Connection connection, String place, String select) throws SQLException {
        JsonNode tree = ParseTree.of(connection, select);
        Optional<SqlError> error = ParseTree.error(tree);
        if (error.isPresent()) {
            throw badSql(place, error.get(), select);
        }
        JsonNode statements = tree.path("statements");
        if (statements.size() != 1) {
            throw new UsageException(
                    Code.BAD_SQL,
                    place,
                    "the pipeline holds " + statements.size() + " statements",
                    "write one SELECT a pipeline");
        }
        return statements.path(0).path("node");
    }

    private static UsageException badSql(String file, SqlError error, String select) {
        String remedy = error.message().contains("Only SELECT statements")
                ? "write one SELECT; weir makes the tables and writes the sinks itself"
                : "correct the SELECT; it was read as DuckDB SQL, and nothing ran";
        return new UsageException(
                Code.BAD_SQL, error.place(file, select), error.message(), select.isBlank() ? "write a SELECT" : remedy);
    }
}
