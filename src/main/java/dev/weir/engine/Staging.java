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

    /** What is there, by id: what is not need not be dropped. */
    private final Map<String, Kind> staged = new ConcurrentHashMap<>();

    /** How many rows were staged last under the ids of sources. */
    private final Map<String, Long> lastRows = new ConcurrentHashMap<>();

    /** The columns that a source's wire columns come to, by the SQL that restores them. */
    private final Map<String, List<Column>> restored = new ConcurrentHashMap<>();

    /** DuckDB wants to be told what it drops. */
    private enum Kind {
        ROWS,
        /** Shows the rows of others. */
        VIEW,
        /** Hides a column of the rows behind it. */
        VIEW_OF_ROWS
    }

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

    /** The table behind a source's view. */
    private static String rowsOf(String id) {
        return id + " rows";
    }

    /** The table that holds a source's rows. */
    private static String table(String id, ReadRequest request) {
        return request.hidesCursor() ? rowsOf(id) : id;
    }

    StagedSource stage(
            Connection connection, String id, ReadRequest request, SliceRead.Streams read, StageListener listener) {
        String place = request.entity().name();
        ReadFunction.Threads threads = read.each().size() > 1 ? ReadFunction.Threads.ALL : threads(id);
        try (ReadFunction.Read running = function.open(read, listener, threads)) {
            List<String> expressions = new ArrayList<>();
            List<WireColumn> columns = read.each().get(0).columns();
            for (int i = 0; i < columns.size(); i++) {
                String wire = ReadFunction.wireName(i);
                expressions.add(columns.get(i).restored().replace("%s", wire) + " AS "
                        + quoted(columns.get(i).name()));
            }
            try {
                if (threads == ReadFunction.Threads.ALL) {
                    // The rows of a source have no order; to keep one, DuckDB would take them from one thread only.
                    statements.execute(connection, "SET SESSION preserve_insertion_order = false");
                }
                String select = "SELECT " + String.join(", ", expressions) + " FROM ";
                long rows = create(connection, id, request, select + running.call());
                if (rows != running.rows()) {
                    throw DuckErrors.internal(
                            place, rows + " rows were staged of " + running.rows() + " that were read");
                }
                lastRows.put(id, rows);
                return finish(connection, id, request, columns(connection, id, request, columns, select), rows);
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
            List<Column> columns = describe(connection, relation(table(id, request)));
            return finish(connection, id, request, columns, rows);
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
        remove(connection, id);
        staged.put(id, request.hidesCursor() ? Kind.VIEW_OF_ROWS : Kind.ROWS);
        return statements.execute(connection, "CREATE TABLE " + relation(table(id, request)) + " AS\n" + select);
    }

    /** Asked of DuckDB once for the same wires and the same SQL over them. */
    private List<Column> columns(
            Connection connection, String id, ReadRequest request, List<WireColumn> wires, String select)
            throws SQLException {
        String shape = wires.stream().map(column -> column.wire().name()).collect(Collectors.joining(" ", "", select));
        List<Column> known = restored.get(shape);
        if (known == null) {
            known = describe(connection, relation(table(id, request)));
            restored.put(shape, known);
        }
        return known;
    }

    private StagedSource finish(Connection connection, String id, ReadRequest request, List<Column> all, long rows)
            throws SQLException {
        List<Column> shown = all;
        if (request.hidesCursor()) {
            shown = all.stream()
                    .filter(column -> !column.name().equals(ReadRequest.HIDDEN_CURSOR))
                    .toList();
            statements.execute(
                    connection,
                    "CREATE VIEW " + relation(id) + " AS SELECT "
                            + shown.stream()
                                    .map(column -> quoted(column.name()))
                                    .collect(Collectors.joining(", "))
                            + " FROM " + relation(rowsOf(id)));
        }
        Optional<CursorValue> max = request.cursor().isEmpty()
                ? Optional.empty()
                : greatest(connection, id, request, request.cursor().get(), all);
        return new StagedSource(relation(id), shown, rows, max);
    }

    private Optional<CursorValue> greatest(
            Connection connection, String id, ReadRequest request, Cursor cursor, List<Column> columns)
            throws SQLException {
        String name = request.hidesCursor() ? ReadRequest.HIDDEN_CURSOR : cursor.column();
        Column column = columns.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new SQLException("the cursor " + name + " is not among the staged columns"));
        String finite = DuckCursor.finite(quoted(name), column.type(), cursor.type())
                .map(condition -> " FILTER (WHERE " + condition + ")")
                .orElse("");
        String max = DuckCursor.units("max(" + quoted(name) + ")" + finite, column.type(), cursor.type());
        return statements.use(connection, statement -> {
            try (ResultSet result = statement.executeQuery("SELECT " + max + " FROM " + relation(table(id, request)))) {
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
        remove(connection, id);
        staged.put(id, Kind.ROWS);
        long rows = statements.execute(connection, creating(id) + select);
        return new Staged(relation(id), describe(connection, relation(id)), rows);
    }

    private static String creating(String id) {
        return "CREATE TABLE " + relation(id) + " AS\n";
    }

    /** The rows of some relations, one after the other, shown under an id. */
    void union(Connection connection, String id, List<String> parts, List<Column> columns) throws SQLException {
        remove(connection, id);
        staged.put(id, Kind.VIEW);
        String names = columns.stream().map(column -> quoted(column.name())).collect(Collectors.joining(", "));
        statements.execute(
                connection,
                "CREATE VIEW " + relation(id) + " AS "
                        + parts.stream()
                                .map(part -> "SELECT " + names + " FROM " + relation(part))
                                .collect(Collectors.joining(" UNION ALL ")));
    }

    /** Columns of a relation, shown under an id and by other names. */
    void pick(Connection connection, String id, String from, List<Column> columns, Map<String, String> names)
            throws SQLException {
        remove(connection, id);
        staged.put(id, Kind.VIEW);
        statements.execute(
                connection,
                "CREATE VIEW " + relation(id) + " AS SELECT "
                        + columns.stream()
                                .map(column -> quoted(names.get(column.name())) + " AS " + quoted(column.name()))
                                .collect(Collectors.joining(", "))
                        + " FROM " + relation(from));
    }

    void drop(Connection connection, String id) {
        try {
            remove(connection, id);
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

    /** Whether anything may be there under an id. */
    boolean isStaged(String id) {
        return staged.containsKey(id);
    }

    private void remove(Connection connection, String id) throws SQLException {
        Kind kind = staged.get(id);
        if (kind == Kind.VIEW || kind == Kind.VIEW_OF_ROWS) {
            statements.execute(connection, "DROP VIEW IF EXISTS " + relation(id));
        }
        if (kind == Kind.ROWS || kind == Kind.VIEW_OF_ROWS) {
            String rows = kind == Kind.ROWS ? id : rowsOf(id);
            statements.execute(connection, "DROP TABLE IF EXISTS " + relation(rows));
        }
        staged.remove(id);
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
