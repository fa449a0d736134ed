package dev.weir.state;

import dev.weir.slicing.Reconciliation.Refresh;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The newest full refresh noted for each source; an older one is never asked for again. */
final class Refreshes {

    private static final String OF_SOURCE = " project = ? AND source = ?";

    void note(Connection connection, String project, String source, Refresh refresh, Instant at) throws SQLException {
        try (PreparedStatement older =
                connection.prepareStatement("DELETE FROM refreshes WHERE" + OF_SOURCE + " AND number < ?")) {
            older.setString(1, project);
            older.setString(2, source);
            older.setLong(3, refresh.number());
            older.executeUpdate();
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT OR IGNORE INTO refreshes (project, source, number, sink, at) VALUES (?, ?, ?, ?, ?)")) {
            for (String sink : refresh.sinks()) {
                insert.setString(1, project);
                insert.setString(2, source);
                insert.setLong(3, refresh.number());
                insert.setString(4, sink);
                insert.setString(5, at.toString());
                insert.executeUpdate();
            }
        }
    }

    Optional<Refresh> newest(Connection connection, String project, String source) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT number, sink FROM refreshes WHERE"
                + OF_SOURCE + " AND number = (SELECT max(number) FROM refreshes WHERE" + OF_SOURCE
                + ") ORDER BY sink")) {
            statement.setString(1, project);
            statement.setString(2, source);
            statement.setString(3, project);
            statement.setString(4, source);
            try (ResultSet rows = statement.executeQuery()) {
                long number = 0;
                Set<String> sinks = new LinkedHashSet<>();
                while (rows.next()) {
                    number = rows.getLong("number");
                    sinks.add(rows.getString("sink"));
                }
                return sinks.isEmpty() ? Optional.empty() : Optional.of(new Refresh(number, sinks));
            }
        }
    }
}
