package dev.weir.connector.postgres;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;

/**
 * One connection to a server, opened when it is first needed, and the transaction on it.
 *
 * <p>What is set is set for a transaction only, so that a pooler may stand between. Used by one thread at a time, except
 * {@link #cancel()}.
 */
final class Session implements AutoCloseable {

    /** How a transaction sees the data and what it may do. */
    enum Mode {
        /** All that is read comes from one instant. */
        SNAPSHOT("ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        /** Each statement sees what has committed, so that a lock waited for is followed by a fresh look. */
        LOOK("ISOLATION LEVEL READ COMMITTED READ ONLY"),
        /** Whether it may write is the server's and the role's own setting. */
        WRITE("ISOLATION LEVEL READ COMMITTED");

        private final String sql;

        Mode(String sql) {
            this.sql = sql;
        }
    }

    /** A value's text must not depend on settings of the role. Money's does on lc_monetary, which is its meaning: it stays. */
    private static final String LOCAL_SETTINGS = "SELECT set_config('TimeZone', 'UTC', true),"
            + " set_config('DateStyle', 'ISO, YMD', true), set_config('IntervalStyle', 'postgres', true),"
            + " set_config('extra_float_digits', '3', true), set_config('bytea_output', 'hex', true),"
            + " set_config('array_nulls', 'on', true), set_config('xmloption', 'content', true),"
            + " set_config('idle_in_transaction_session_timeout', '"
            + PostgresConnector.IDLE_LIMIT.toMillis() + "', true)";

    /** How long the server may take to hear that a statement is of no interest any more. */
    private static final long HEARING_MILLIS = 1_000;

    private final Address address;
    private final Failures failures;
    private volatile @Nullable PgConnection connection;
    private volatile @Nullable Sockets sockets;
    private volatile boolean cancelled;

    Session(Address address, Code code) {
        this.address = address;
        this.failures = new Failures(address, code);
    }

    /** Work on the open connection that may fail as SQL fails. */
    @FunctionalInterface
    interface Work<T> {
        T on(PgConnection connection) throws SQLException;
    }

    /**
     * Does the work, and turns what the server says into a failure a person can act on.
     *
     * @param place what the failure names
     */
    <T> T run(String place, Work<T> work) {
        if (cancelled) {
            throw failures.cancelled(place, null);
        }
        try {
            return work.on(open());
        } catch (SQLException e) {
            throw failure(place, e);
        }
    }

    /** What an SQL failure means here. */
    RunException failure(String place, SQLException failure) {
        return cancelled ? failures.cancelled(place, failure) : failures.of(place, failure);
    }

    Failures failures() {
        return failures;
    }

    Address address() {
        return address;
    }

    private PgConnection open() throws SQLException {
        PgConnection current = connection;
        if (current != null) {
            return current;
        }
        Sockets fresh = new Sockets();
        // Known before anything is connected, so that a cancel that comes from now on ends the waiting.
        sockets = fresh;
        if (cancelled) {
            fresh.close();
        }
        PgConnection opened = address.connect(fresh);
        connection = opened;
        return opened;
    }

    /** Begins a transaction, on a new connection when the last one broke, or was let go by the server while it was idle. */
    void begin(String place, Mode mode) {
        if (!isUsable()) {
            close();
        }
        boolean wasIdle = connection != null;
        try {
            start(place, mode);
        } catch (RunException e) {
            if (!wasIdle || isUsable() || cancelled) {
                throw e;
            }
            close();
            start(place, mode);
        }
    }

    /** Makes sure of the connection, for statements outside any transaction: see {@link #begin}. */
    void refresh(String place) {
        begin(place, Mode.LOOK);
        rollback();
    }

    private void start(String place, Mode mode) {
        run(place, connected -> {
            execute(connected, "BEGIN " + mode.sql);
            execute(connected, LOCAL_SETTINGS);
            return true;
        });
    }

    static void execute(PgConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long update(PgConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeLargeUpdate(sql);
        }
    }

    /** The single value of a query that yields one row. */
    static long number(PgConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    static boolean truth(PgConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() && result.getBoolean(1);
        }
    }

    /**
     * Commits what the transaction holds.
     *
     * @throws UnknownOutcomeException when the server's answer did not come, or was that it is going down
     */
    void commit(String place) {
        run(place, connected -> {
            try {
                execute(connected, "COMMIT");
            } catch (SQLException e) {
                if (!Failures.isCleanAnswer(e)) {
                    throw new UnknownOutcomeException(place, e);
                }
                throw e;
            }
            return true;
        });
    }

    /** Ends the transaction without a trace, or the connection when that cannot be done. Never fails. */
    void rollback() {
        PgConnection current = connection;
        if (current == null) {
            return;
        }
        try {
            if (current.getTransactionState() != TransactionState.IDLE) {
                execute(current, "ROLLBACK");
            }
        } catch (SQLException e) {
            close();
        }
    }

    /** Whether the connection can be used again. */
    boolean isUsable() {
        PgConnection current = connection;
        try {
            return !cancelled && (current == null || !current.isClosed());
        } catch (SQLException e) {
            return false;
        }
    }

    /** Ends what the server is doing and the connection with it, or the attempt to connect. Thread-safe; never fails. */
    void cancel() {
        cancelled = true;
        abandon();
    }

    /** Ends a statement still under way and drops the connection, without waiting for the server's goodbye. */
    void abandon() {
        PgConnection current = connection;
        if (current != null) {
            tellServer(current);
        }
        Sockets reached = sockets;
        if (reached != null) {
            reached.close();
        }
        if (current != null) {
            abort(current);
        }
    }

    /** Without it the server would go on with what it is doing until it looks for its client. */
    private static void tellServer(PgConnection current) {
        Thread teller = new Thread(() -> cancelQuery(current), "weir-cancel-request");
        teller.setDaemon(true);
        teller.start();
        try {
            teller.join(HEARING_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void cancelQuery(PgConnection current) {
        try {
            current.cancelQuery();
        } catch (SQLException e) {
            // The server cannot be reached to be told; dropping the socket is all that is left.
            return;
        }
    }

    private static void abort(PgConnection current) {
        try {
            current.abort(Runnable::run);
        } catch (SQLException e) {
            // It is closed already.
            return;
        }
    }

    @Override
    public void close() {
        PgConnection current = connection;
        connection = null;
        if (current == null) {
            return;
        }
        try {
            current.close();
        } catch (SQLException e) {
            // The server drops what is left when the socket goes.
        }
    }
}
