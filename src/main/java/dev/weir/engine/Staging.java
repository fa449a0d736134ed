package dev.weir.engine;

import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.Column;
import dev.weir.connector.DuckCursor;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.SliceRead;
import dev.weir.connector.SliceRead.WireColumn;
import dev.weir.connector.Staged;
import dev.weir.fault.WeirException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes, replaces and drops the tables rows wait in. Every name is of the engine's own in-memory catalog. */
final class Staging {

    private static final String SCHEMA = "memory.staging.";

    /** Below so many rows, two of DuckDB's row groups, it costs more to put together what several threads staged. */
    private static final long MANY_ROWS = 245_760;

    private final Statements statements;
    private final ReadFunction function;

    /** What is made under an id, and so what has to be dropped: DuckDB wants to be told which of them it is. */
    private enum Shape {
        TABLE,
        /** Shows the rows of others. */
        VIEW,
        /** Shows the rows of a table of its own, but for their cursor. */
        VIEW_OF_ROWS
    }

    private final Map<String, Shape> shapes = new ConcurrentHashMap<>();

    /** Ids that were dropped and not made again, so that nothing needs to be dropped for them. */
    private final Set<String> gone = ConcurrentHashMap.newKeySet();

    /** How many rows the last slice under an id had. An id is a source's or a pipeline's, for good. */
    private final Map<String, Long> lastRows = new ConcurrentHashMap<>();

    /** The columns that reads of these columns were staged with, which are the same each time. */
    private final Map<List<WireColumn>, List<Column>> stagedAs = new ConcurrentHashMap<>();

    Staging(Statements statements, ReadFunction function) {
        this.statements = statements;
        this.function = function;
    }

    static String relation(String id) {
        return SCHEMA + quoted(id);
    }

    /** A SELECT of these columns and no row. */
    static String noRows(List<Column> columns) {
        return columns.stream()
                .map(column -> "CAST(NULL AS " + column.type() + ") AS " + quoted(column.name()))
                .collect(Collectors.joining(", ", "SELECT ", " WHERE false"));
    }

    /** The table that holds what is staged under an id. */
    private String tableOf(String id) {
        return shapes.get(id) == Shape.VIEW_OF_ROWS ? id + " rows" : id;
    }

    StagedSource stage(
            Connection connection, String id, ReadRequest request, SliceRead.Vectors read, StageListener listener) {
        String place = request.entity().name();
        ReadFunction.Threads threads = threads(id);
        try (ReadFunction.Read running = function.open(read, listener, threads)) {
            List<String> restored = new ArrayList<>();
            List<WireColumn> columns = read.columns();
            for (int i = 0; i < columns.size(); i++) {
                String wire = ReadFunction.wireName(i);
                restored.add(columns.get(i).restored().replace("%s", wire) + " AS "
                        + quoted(columns.get(i).name()));
            }
            try {
                if (threads == ReadFunction.Threads.ALL) {
                    // The rows of a source have no order; to keep one, DuckDB would take them from one thread only.
                    statements.execute(connection, "SET SESSION preserve_insertion_order = false");
                }
                long rows = create(
                        connection, id, request, "SELECT " + String.join(", ", restored) + " FROM " + running.call());
                if (rows != running.rows()) {
                    throw DuckErrors.internal(
                            place, rows + " rows were staged of " + running.rows() + " that were read");
                }
                lastRows.put(id, rows);
                List<Column> staged = stagedAs.get(columns);
                if (staged == null) {
                    staged = describe(connection, relation(tableOf(id)));
                    stagedAs.put(columns, staged);
                }
                return finish(connection, id, request, rows, staged);
            } catch (SQLException e) {
                throw failed(place, running, e);
            }
        }
    }

    /** A slice is taken to be as large as the one before it. */
    private ReadFunction.Threads threads(String id) {
        return lastRows.getOrDefault(id, Long.MAX_VALUE) < MANY_ROWS
                ? ReadFunction.Threads.ONE
                : ReadFunction.Threads.ALL;
    }

    StagedSource stage(
            Connection connection, String id, ReadRequest request, SliceRead.DuckScan read, StageListener listener) {
        try {
            long rows = create(connection, id, request, read.select());
            listener.staged(rows);
            return finish(connection, id, request, rows, describe(connection, relation(tableOf(id))));
        } catch (SQLException e) {
            throw DuckErrors.ofRead(request.entity().name(), e);
        }
    }

    /** The failure the source gave, which DuckDB has turned into text. */
    private RuntimeException failed(String place, ReadFunction.Read running, SQLException e) {
        Throwable failure = running.failure();
        if (statements.isCancelled()) {
            return DuckErrors.cancelled(place, failure == null ? e : failure);
        }
        if (failure instanceof WeirException known) {
            known.addSuppressed(e);
            return known;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return failure == null
                ? DuckErrors.ofRead(place, e)
                : DuckErrors.internal(place, "reading the rows failed: " + failure, failure);
    }

    private long create(Connection connection, String id, ReadRequest request, String select) throws SQLException {
        makeRoom(connection, id, request.hidesCursor() ? Shape.VIEW_OF_ROWS : Shape.TABLE);
        return statements.execute(connection, creating(tableOf(id)) + select);
    }

    /** Drops what is there under the id, if anything can be. */
    private void makeRoom(Connection connection, String id, Shape shape) throws SQLException {
        if (!gone.remove(id)) {
            remove(connection, id);
        }
        shapes.put(id, shape);
    }

    private StagedSource finish(Connection connection, String id, ReadRequest request, long rows, List<Column> staged)
            throws SQLException {
        boolean hides = request.hidesCursor();
        List<Column> shown = staged;
        if (hides) {
            shown = staged.stream()
                    .filter(column -> !column.name().equals(ReadRequest.HIDDEN_CURSOR))
                    .toList();
            statements.execute(
                    connection,
                    "CREATE VIEW " + relation(id) + " AS SELECT "
                            + shown.stream()
                                    .map(column -> quoted(column.name()))
                                    .collect(Collectors.joining(", "))
                            + " FROM " + relation(tableOf(id)));
        }
        Optional<CursorValue> max = request.cursor().isEmpty()
                ? Optional.empty()
                : greatest(connection, id, request.cursor().get(), hides, staged);
        return new StagedSource(relation(id), shown, rows, max);
    }

    private Optional<CursorValue> greatest(
            Connection connection, String id, Cursor cursor, boolean hidden, List<Column> columns) throws SQLException {
        String name = hidden ? ReadRequest.HIDDEN_CURSOR : cursor.column();
        Column column = columns.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new SQLException("the cursor " + name + " is not among the staged columns"));
        String finite = DuckCursor.finite(quoted(name), column.type(), cursor.type())
                .map(condition -> " FILTER (WHERE " + condition + ")")
                .orElse("");
        String max = DuckCursor.units("max(" + quoted(name) + ")" + finite, column.type(), cursor.type());
        return statements.use(connection, statement -> {
            try (ResultSet result = statement.executeQuery("SELECT " + max + " FROM " + relation(tableOf(id)))) {
                result.next();
                return DuckCursor.value(result.getString(1), column.type(), cursor.type());
            }
        });
    }

    Staged run(Connection connection, String place, String id, String select) {
        try {
            SqlError.withPositions(connection, statements);
            return run(connection, id, select);
        } catch (SQLException e) {
            SqlError error = SqlError.of(e).behind(creating(id));
            throw DuckErrors.ofPipeline(error.place(place, select), error.message(), e);
        }
    }

    Staged run(Connection connection, String id, String select) throws SQLException {
        makeRoom(connection, id, Shape.TABLE);
        long rows = statements.execute(connection, creating(id) + select);
        return new Staged(relation(id), describe(connection, relation(id)), rows);
    }

    private static String creating(String id) {
        return "CREATE TABLE " + relation(id) + " AS\n";
    }

    /** The rows of some relations, one after the other, shown under an id. */
    void union(Connection connection, String id, List<String> parts, List<Column> columns) throws SQLException {
        makeRoom(connection, id, Shape.VIEW);
        String names = columns.stream().map(column -> quoted(column.name())).collect(Collectors.joining(", "));
        statements.execute(
                connection,
                "CREATE VIEW " + relation(id) + " AS "
                        + parts.stream()
                                .map(part -> "SELECT " + names + " FROM " + relation(part))
                                .collect(Collectors.joining(" UNION ALL ")));
    }

    void drop(Connection connection, String id) {
        try {
            remove(connection, id);
            gone.add(id);
        } catch (SQLException e) {
            if (statements.isCancelled()) {
                // It goes with the session, and what was done before must not look undone.
                return;
            }
            throw DuckErrors.internal(id, "the staged rows could not be dropped: " + DuckErrors.message(e), e);
        }
    }

    List<List<@Nullable String>> peek(Connection connection, Staged staged, int limit) {
        String columns = staged.columns().stream()
                .map(column -> "CAST(" + quoted(column.name()) + " AS VARCHAR)")
                .collect(Collectors.joining(", "));
        try {
            return statements.use(connection, statement -> {
                List<List<@Nullable String>> rows = new ArrayList<>();
                try (ResultSet result = statement.executeQuery(
                        "SELECT " + columns + " FROM " + staged.relation() + " LIMIT " + limit)) {
                    while (result.next()) {
                        List<@Nullable String> row = new ArrayList<>();
                        for (int i = 1; i <= staged.columns().size(); i++) {
                            row.add(result.getString(i));
                        }
                        rows.add(row);
                    }
                }
                return rows;
            });
        } catch (SQLException e) {
            throw DuckErrors.ofPipeline(staged.relation(), e);
        }
    }

    /** Drops what is there under the id, if anything, also in a transaction that is rolled back. */
    void remove(Connection connection, String id) throws SQLException {
        Shape shape = shapes.getOrDefault(id, Shape.TABLE);
        if (shape != Shape.TABLE) {
            statements.execute(connection, "DROP VIEW IF EXISTS " + relation(id));
        }
        if (shape != Shape.VIEW) {
            statements.execute(connection, "DROP TABLE IF EXISTS " + relation(tableOf(id)));
        }
    }

    List<Column> describe(Connection connection, String relation) throws SQLException {
        return statements.use(connection, statement -> {
            List<Column> columns = new ArrayList<>();
            try (ResultSet result = statement.executeQuery("DESCRIBE " + relation)) {
                while (result.next()) {
                    columns.add(new Column(result.getString(1), result.getString(2)));
                }
            }
            return List.copyOf(columns);
        });
    }
}
