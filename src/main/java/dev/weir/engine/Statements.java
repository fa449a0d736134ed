package dev.weir.engine;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The engine's statements under way, so that any thread can end them.
 *
 * <p>Once cancelled, no statement starts any more: the flag closes the gap between two statements.
 */
final class Statements {

    private final Set<Statement> running = ConcurrentHashMap.newKeySet();
    private volatile boolean cancelled;

    /** One use of a statement. */
    interface Use<T> {
        T with(Statement statement) throws SQLException;
    }

    <T> T use(Connection connection, Use<T> use) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            running.add(statement);
            try {
                if (cancelled) {
                    throw new SQLException("INTERRUPT Error: cancelled");
                }
                return use.with(statement);
            } finally {
                running.remove(statement);
            }
        }
    }

    /** @return how many rows were changed, or created by a CREATE TABLE AS */
    long execute(Connection connection, String sql) throws SQLException {
        return use(connection, statement -> statement.executeLargeUpdate(sql));
    }

    boolean isCancelled() {
        return cancelled;
    }

    void cancel() {
        cancelled = true;
        running.forEach(Statements::cancel);
    }

    /** Ends what is under way on one connection; what is started there later runs. */
    void cancel(Connection connection) {
        for (Statement statement : running) {
            if (isOn(connection, statement)) {
                cancel(statement);
            }
        }
    }

    private static boolean isOn(Connection connection, Statement statement) {
        try {
            return statement.getConnection() == connection;
        } catch (SQLException e) {
            // It has ended.
            return false;
        }
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException e) {
            // It ended by itself in the meantime, which is what was wanted.
            return;
        }
    }
}
