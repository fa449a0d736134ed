package dev.weir.state;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * The one connection to state.db of this process.
 *
 * <p>Rollback journal and {@code synchronous=EXTRA}: a commit is on the disk, the journal's removal too, when it returns;
 * and at rest state is exactly one file, so that a read-only folder can be read. That takes five syncs a commit, too many
 * for who commits all the time: {@link #logAhead}. Thread-safe: one transaction at a time.
 */
final class Database implements AutoCloseable {

    /** How long a statement waits for another process's transaction. */
    static final Duration BUSY_TIMEOUT = Duration.ofSeconds(10);

    private final Path file;
    private final Connection connection;
    private boolean isLoggedAhead;

    Database(Path file, Connection connection) {
        this.file = file;
        this.connection = connection;
    }

    /** What reads, or writes, and answers. */
    interface Reading<T extends @Nullable Object> {
        T from(Connection connection) throws SQLException;
    }

    /** What writes, in one transaction. */
    interface Writing {
        void to(Connection connection) throws SQLException;
    }

    /** Opens a file that exists; never makes one. */
    static Connection connect(Path file, boolean writing) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout(Math.toIntExact(BUSY_TIMEOUT.toMillis()));
        // As a URI: sqlite-jdbc would cut a plain path at the first question mark.
        Connection connection =
                config.createConnection("jdbc:sqlite:file:" + file.toUri().getRawPath());
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA synchronous = EXTRA");
            statement.execute("PRAGMA temp_store = MEMORY");
            statement.execute("PRAGMA cell_size_check = ON");
            statement.execute("PRAGMA trusted_schema = OFF");
            if (!writing) {
                statement.execute("PRAGMA query_only = ON");
            }
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    /**
     * Keeps a write-ahead log from now on until it is closed: a commit takes one sync and is as durable. Where the file
     * system knows no such log, all stays as it was. What a process that dies leaves in the log, the next takes from there.
     */
    synchronized void logAhead() {
        try {
            isLoggedAhead = journal("wal");
        } catch (SQLException e) {
            // Commits are slower, and that is all.
            isLoggedAhead = false;
        }
    }

    /** Whether commits go where they were told to. */
    private boolean journal(String mode) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA journal_mode = " + mode)) {
            return row.next() && row.getString(1).equals(mode);
        }
    }

    /**
     * Reads one state of the file, whatever others write meanwhile.
     *
     * @throws dev.weir.fault.RunException WR0518 when the file cannot be read
     */
    synchronized <T extends @Nullable Object> T read(Reading<T> reading) {
        try {
            execute("BEGIN");
            try {
                return reading.from(connection);
            } finally {
                execute("ROLLBACK");
            }
        } catch (SQLException e) {
            throw StateFaults.unreadable(file, e);
        }
    }

    /**
     * Commits all of it, or nothing.
     *
     * @param what what is written, with its verb: {@code the positions were}
     * @throws dev.weir.fault.RunException WR0527 when it is not written
     */
    void write(String what, Writing writing) {
        change(what, to -> {
            writing.to(to);
            return null;
        });
    }

    /**
     * As {@link #write}, for what is worth no sync of its own: a process that dies loses nothing of it, and a power failure
     * all of it or nothing. It is on the disk with the next {@code write}.
     */
    synchronized void note(String what, Writing writing) {
        if (!isLoggedAhead) {
            // A rollback journal needs its syncs to be one.
            write(what, writing);
            return;
        }
        try {
            execute("PRAGMA synchronous = NORMAL");
            try {
                write(what, writing);
            } finally {
                execute("PRAGMA synchronous = EXTRA");
            }
        } catch (SQLException e) {
            throw StateFaults.notWritten(file, what, e);
        }
    }

    /** As {@link #write}, and answers what the change came to. */
    synchronized <T extends @Nullable Object> T change(String what, Reading<T> writing) {
        try {
            execute("BEGIN IMMEDIATE");
            try {
                T answer = writing.from(connection);
                execute("COMMIT");
                return answer;
            } catch (SQLException | RuntimeException e) {
                rollback(e);
                throw e;
            }
        } catch (SQLException e) {
            throw StateFaults.notWritten(file, what, e);
        }
    }

    private void rollback(Exception because) {
        try {
            // SQLite has rolled back by itself after some failures; there is no transaction then.
            execute("ROLLBACK");
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    Path file() {
        return file;
    }

    @Override
    public synchronized void close() {
        try {
            if (isLoggedAhead) {
                foldLog();
            }
            connection.close();
        } catch (SQLException e) {
            throw StateFaults.unreadable(file, e);
        }
    }

    /** One file again; where another process has it open too, the last of them sees to it. */
    private void foldLog() {
        try {
            isLoggedAhead = !journal("delete");
        } catch (SQLException e) {
            // The log stays for the other process, or for the next one.
            isLoggedAhead = true;
        }
    }
}
