package dev.weir.state;

import java.nio.file.Path;
import java.sql.Connection;
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
 * and at rest state is exactly one file, so that a copy of it after a crash lacks nothing and a read-only folder can be
 * read. A commit costs a few milliseconds, once or twice a pass. Thread-safe: one transaction at a time.
 */
final class Database implements AutoCloseable {

    /** How long a statement waits for another process's transaction. */
    static final Duration BUSY_TIMEOUT = Duration.ofSeconds(10);

    private final Path file;
    private final Connection connection;

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
            connection.close();
        } catch (SQLException e) {
            throw StateFaults.unreadable(file, e);
        }
    }
}
