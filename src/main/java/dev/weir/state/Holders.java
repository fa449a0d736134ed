package dev.weir.state;

import dev.weir.fault.RunException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;

/** Notes who holds which lock. A note may be missing or stale: it is for messages, and no failure. */
final class Holders {

    private final Database database;

    Holders(Database database) {
        this.database = database;
    }

    void note(Collection<Holder> holders) {
        try {
            database.write("the holder of a lock was", connection -> {
                for (Holder holder : holders) {
                    write(connection, holder);
                }
            });
        } catch (RunException e) {
            // The lock holds without its note.
        }
    }

    private static void write(Connection connection, Holder holder) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT OR REPLACE INTO holders (lock, host, pid, run_id, since) VALUES (?, ?, ?, ?, ?)")) {
            statement.setString(1, holder.lock());
            statement.setString(2, holder.process().host());
            statement.setLong(3, holder.process().pid());
            statement.setString(4, holder.runId());
            statement.setString(5, holder.since().toString());
            statement.executeUpdate();
        }
    }

    void forget(Collection<Holder> holders) {
        try {
            database.write("the holder of a lock was", connection -> {
                for (Holder holder : holders) {
                    delete(connection, holder);
                }
            });
        } catch (RunException e) {
            // A stale note is overwritten by the next holder.
        }
    }

    private static void delete(Connection connection, Holder holder) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "DELETE FROM holders WHERE lock = ? AND host = ? AND pid = ? AND run_id = ?")) {
            statement.setString(1, holder.lock());
            statement.setString(2, holder.process().host());
            statement.setLong(3, holder.process().pid());
            statement.setString(4, holder.runId());
            statement.executeUpdate();
        }
    }

    Optional<Holder> of(String lock) {
        return database.read(connection -> read(connection, database.file(), lock));
    }

    private static Optional<Holder> read(Connection connection, Path file, String lock) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT host, pid, run_id, since FROM holders WHERE lock = ?")) {
            statement.setString(1, lock);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                return Optional.of(new Holder(
                        lock,
                        new ProcessIdentity(row.getString("host"), row.getLong("pid")),
                        row.getString("run_id"),
                        PositionColumns.instant(file, row.getString("since"))));
            }
        }
    }
}
