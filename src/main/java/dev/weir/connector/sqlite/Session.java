package dev.weir.connector.sqlite;

import dev.weir.fault.RunException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteErrorCode;

/**
 * One connection to a file, opened when it is first needed, and the transaction on it.
 *
 * <p>Used by one thread at a time, except {@link #cancel()}.
 */
final class Session implements AutoCloseable {

    /** How many steps of SQLite's machine lie between two looks for a cancel: some milliseconds. */
    private static final int STEPS = 100_000;

    /** Milliseconds between two looks whether a lock is free. */
    private static final int LONGEST_NAP = 20;

    private final SqliteFile file;
    private final boolean creating;
    private final Failures failures;
    private @Nullable Connection connection;
    private boolean inTransaction;
    private volatile boolean cancelled;

    /** @param creating whether a file that is not there is made */
    Session(SqliteFile file, boolean creating) {
        this.file = file;
        this.creating = creating;
        this.failures = new Failures(file);
    }

    /** Work on the open connection that may fail as SQL fails. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Work that gives nothing. */
    @FunctionalInterface
    interface Act {
        void on(Connection connection) throws SQLException;
    }

    /**
     * Does the work, and turns what SQLite says into a failure a person can act on.
     *
     * @param place what the failure names
     */
    <T> T run(String place, Work<T> work) {
        if (cancelled) {
            throw failures.cancelled(place, null);
        }
        try {
            return work.on(open(place));
        } catch (SQLException e) {
            throw failure(place, e);
        }
    }

    void act(String place, Act act) {
        run(place, opened -> {
            act.on(opened);
            return true;
        });
    }

    /** What an SQL failure means here. */
    RunException failure(String place, SQLException failure) {
        boolean interrupted = Failures.primary(failure) == SQLiteErrorCode.SQLITE_INTERRUPT.code;
        return cancelled || interrupted ? failures.cancelled(place, failure) : failures.of(place, failure);
    }

    Failures failures() {
        return failures;
    }

    private Connection open(String place) throws SQLException {
        Connection current = connection;
        if (current != null) {
            return current;
        }
        if (!creating && !file.exists()) {
            throw failures.missingFile(place);
        }
        Connection opened = file.open(creating);
        connection = opened;
        BusyHandler.setHandler(opened, new Patience());
        ProgressHandler.setHandler(opened, STEPS, new ProgressHandler() {
            @Override
            protected int progress() {
                return cancelled ? 1 : 0;
            }
        });
        return opened;
    }

    /** Waits for another's lock as long as the file's patience lasts, and not a moment longer than a cancel. */
    private final class Patience extends BusyHandler {

        private long since;

        @Override
        protected int callback(int before) {
            long now = System.nanoTime();
            if (before == 0) {
                since = now;
            }
            if (cancelled || now - since >= file.patience().toNanos()) {
                return 0;
            }
            try {
                Thread.sleep(Math.min(before + 1, LONGEST_NAP));
                return 1;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 0;
            }
        }
    }

    /** Begins a transaction whose reads all see what the first of them saw: it is done here. */
    void beginReading(String place) {
        begin(place, "BEGIN DEFERRED");
        act(place, opened -> number(opened, "SELECT count(*) FROM (SELECT 1 FROM main.sqlite_schema LIMIT 1)"));
    }

    /** Begins the one transaction that may write; waits for another's. */
    void beginWriting(String place) {
        begin(place, "BEGIN IMMEDIATE");
    }

    private void begin(String place, String sql) {
        act(place, opened -> execute(opened, sql));
        inTransaction = true;
    }

    void commit(String place) throws SQLException {
        Connection opened = connection;
        if (opened == null) {
            throw new IllegalStateException("nothing was begun in " + place);
        }
        execute(opened, "COMMIT");
        inTransaction = false;
    }

    /** Ends the transaction without a trace, or the connection when that cannot be done. Never fails. */
    void rollback() {
        Connection current = connection;
        if (current == null || !inTransaction) {
            return;
        }
        inTransaction = false;
        try {
            execute(current, "ROLLBACK");
        } catch (SQLException e) {
            // SQLite rolls back by itself after some failures; closing does it in any case.
            close();
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeLargeUpdate(sql);
        }
    }

    /** The single value of a query that yields one row. */
    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** Makes what is done now, and whatever is tried later, end with an error. Thread-safe; never fails. */
    void cancel() {
        cancelled = true;
    }

    @Override
    public void close() {
        Connection current = connection;
        connection = null;
        inTransaction = false;
        if (current == null) {
            return;
        }
        try {
            current.close();
        } catch (SQLException e) {
            // What was not committed is rolled back by whoever opens the file next.
        }
    }
}
