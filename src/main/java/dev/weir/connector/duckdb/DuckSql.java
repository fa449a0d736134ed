package dev.weir.connector.duckdb;

import dev.weir.connector.OutOfRoom;
import dev.weir.connector.jdbc.Statements;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The statements of one source or sink: run here, so that {@link #cancel} finds them. */
final class DuckSql {

    private static final Pattern EXCERPT = Pattern.compile("\\s+LINE \\d+: .*", Pattern.DOTALL);

    private final Set<Statement> running = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> actions = ConcurrentHashMap.newKeySet();
    private volatile boolean cancelled;

    /** What is asked again and again, prepared, by the connection that is kept for it. */
    private final Map<Connection, Map<String, PreparedStatement>> kept = new ConcurrentHashMap<>();

    /** An action that waits for a cancel. */
    interface Registration extends AutoCloseable {
        /** Forgets it: what it would end has ended. */
        @Override
        void close();
    }

    /** @return how many rows were changed */
    long update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return run(statement, PreparedStatement::executeLargeUpdate, values);
        }
    }

    <T> List<T> query(Connection connection, String sql, Statements.Row<T> row, @Nullable Object... values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return run(statement, prepared -> Statements.rows(prepared, row), values);
        }
    }

    /** Prepares what is asked by {@link #again} on a connection for as long as that is kept; one thread uses it at a time. */
    Connection keep(Connection connection) {
        kept.put(connection, new HashMap<>());
        return connection;
    }

    /** Ends a connection that was kept. */
    void end(Connection connection) throws SQLException {
        Map<String, PreparedStatement> statements = kept.remove(connection);
        try (connection) {
            for (PreparedStatement statement :
                    statements == null ? List.<PreparedStatement>of() : statements.values()) {
                statement.close();
            }
        }
    }

    /** As {@link #update}, of what is done over and over: the plan of the first time serves. */
    long updateAgain(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        return prepared(connection, sql, PreparedStatement::executeLargeUpdate, values);
    }

    /** As {@link #query}, of what is asked over and over: the plan of the first time serves. */
    <T> List<T> again(Connection connection, String sql, Statements.Row<T> row, @Nullable Object... values)
            throws SQLException {
        return prepared(connection, sql, statement -> Statements.rows(statement, row), values);
    }

    private interface Use<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    private <T> T prepared(Connection connection, String sql, Use<T> use, @Nullable Object... values)
            throws SQLException {
        Map<String, PreparedStatement> statements = kept.get(connection);
        if (statements == null) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                return run(statement, use, values);
            }
        }
        PreparedStatement known = statements.get(sql);
        PreparedStatement statement = known == null ? connection.prepareStatement(sql) : known;
        boolean isGood = false;
        try {
            T result = run(statement, use, values);
            isGood = true;
            return result;
        } finally {
            if (isGood) {
                statements.put(sql, statement);
            } else {
                statements.remove(sql);
                statement.close();
            }
        }
    }

    private <T> T run(PreparedStatement statement, Use<T> use, @Nullable Object... values) throws SQLException {
        Statements.set(statement, values);
        running.add(statement);
        try {
            refuseCancelled();
            return use.of(statement);
        } finally {
            running.remove(statement);
        }
    }

    long count(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        return query(connection, sql, row -> row.getLong(1), values).get(0);
    }

    /** Its statements on one connection. */
    Statements on(Connection connection) {
        return new Statements() {
            @Override
            public long update(String sql, @Nullable Object... values) throws SQLException {
                return DuckSql.this.update(connection, sql, values);
            }

            @Override
            public <T> List<T> query(String sql, Row<T> row, @Nullable Object... values) throws SQLException {
                return DuckSql.this.query(connection, sql, row, values);
            }
        };
    }

    boolean hasTable(Connection connection, String catalog, String schema, String table) throws SQLException {
        return count(
                        connection,
                        "SELECT count(*) FROM duckdb_tables() WHERE database_name = ? AND schema_name = ? AND"
                                + " table_name = ?",
                        catalog,
                        schema,
                        table)
                > 0;
    }

    /** Does something more when cancelled; at once if that was before. */
    Registration onCancel(Runnable action) {
        actions.add(action);
        if (cancelled) {
            action.run();
        }
        return () -> actions.remove(action);
    }

    void cancel() {
        cancelled = true;
        actions.forEach(Runnable::run);
        for (Statement statement : running) {
            try {
                statement.cancel();
            } catch (SQLException e) {
                // It ended by itself in the meantime, which is what was wanted.
                continue;
            }
        }
    }

    private void refuseCancelled() throws SQLException {
        if (cancelled) {
            throw new SQLException("INTERRUPT Error: cancelled");
        }
    }

    /** Runs a statement that no cancel may end, such as a rollback. */
    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** What DuckDB's error means for whoever reads or writes; it tells the kind in the first words of its message. */
    static RunException failure(Code code, String place, SQLException e) {
        String message = message(e);
        if (message.startsWith("INTERRUPT Error")) {
            return RunException.lasting(
                    new Fault(code, place, "the work was cancelled", "run again; nothing was half written"), e);
        }
        Optional<Fault> outOfRoom = OutOfRoom.fault(code, place, message);
        if (outOfRoom.isPresent()) {
            return RunException.lasting(outOfRoom.get(), e);
        }
        if (isConflict(message) || isMadeByTwo(message)) {
            return RunException.passing(
                    new Fault(code, place, "another transaction was in the way: " + message, "run again"), e);
        }
        if (message.startsWith("Conversion Error")
                || message.startsWith("Out of Range Error")
                || message.startsWith("Invalid Input Error")) {
            return RunException.lasting(
                    new Fault(
                            Code.UNREPRESENTABLE,
                            place,
                            "a value does not fit: " + message,
                            "correct the row, or widen the column"),
                    e);
        }
        if (message.startsWith("Constraint Error")) {
            return RunException.lasting(
                    new Fault(
                            code,
                            place,
                            "the table refuses a row: " + message,
                            "correct the row in the SELECT, or the constraint of the table"),
                    e);
        }
        return RunException.lasting(
                new Fault(code, place, "DuckDB says: " + message, "see the message; nothing was half written"), e);
    }

    /** Whether another transaction has written, or is writing, the same row. */
    static boolean isTaken(String message) {
        // A key that was committed since our snapshot is a constraint's violation, not a conflict.
        return isConflict(message) || message.startsWith("Constraint Error");
    }

    /** Whether somebody else has created the table since it was found missing. */
    private static boolean isMadeByTwo(String message) {
        return message.startsWith("Catalog Error: Table with name") && message.contains("already exists");
    }

    static boolean isConflict(String message) {
        return message.startsWith("TransactionContext Error")
                && (message.contains("onflict") || message.contains("PRIMARY KEY or UNIQUE"));
    }

    /** Without DuckDB's excerpt of the statement, which may cut through a secret so that nobody can recognize it. */
    static String message(SQLException e) {
        String message = e.getMessage();
        return message == null
                ? e.toString()
                : EXCERPT.matcher(message).replaceFirst("").strip();
    }
}
