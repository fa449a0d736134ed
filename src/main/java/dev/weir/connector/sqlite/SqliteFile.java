package dev.weir.connector.sqlite;

import dev.weir.connector.ConnectionSettings;
import dev.weir.fault.Code;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * The file behind a connection of a project.
 *
 * @param name the connection's name, for places
 * @param path the file
 * @param written whether the plan writes to it; otherwise it is opened read-only
 * @param patience how long a statement waits for another process's lock
 * @param code the code of failures: the source's or the sink's
 */
record SqliteFile(String name, Path path, boolean written, Duration patience, Code code) {

    static SqliteFile of(ConnectionSettings settings, Duration patience, Code code) {
        Path path = settings.projectDir()
                .resolve(settings.option(SqliteConnector.PATH)
                        .orElseThrow(() -> new IllegalArgumentException("a sqlite connection without path")));
        return new SqliteFile(settings.name(), path, settings.written(), patience, code);
    }

    boolean exists() {
        return Files.exists(path);
    }

    /** @param creating whether a file that is not there is made */
    Connection open(boolean creating) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        if (!written) {
            config.setReadOnly(true);
        } else if (!creating) {
            config.resetOpenMode(SQLiteOpenMode.CREATE);
        }
        config.setBusyTimeout(Math.toIntExact(patience.toMillis()));
        // As a URI: sqlite-jdbc would cut a plain path at the first question mark.
        Connection connection = config.createConnection(
                "jdbc:sqlite:file:" + path.toAbsolutePath().toUri().getRawPath());
        try (Statement statement = connection.createStatement()) {
            // A commit is on the disk when it returns, the end of its journal too; how it is journalled is the file's
            // own.
            statement.execute("PRAGMA synchronous = EXTRA");
            statement.execute("PRAGMA cell_size_check = ON");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }
}
