package dev.weir.state;

import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The positions, one row each however many rows were loaded, and their history, the newest {@value #KEPT} moves each.
 */
final class Positions {

    static final int KEPT = 1_000;

    private static final String OF_KEY = " project = ? AND source = ? AND pipeline = ? AND sink = ?";

    private final Path file;

    Positions(Path file) {
        this.file = file;
    }

    Map<PositionKey, Position> of(Connection connection, String project, String source) throws SQLException {
        return query(
                connection,
                "SELECT " + PositionColumns.ALL + " FROM positions WHERE project = ? AND source = ?"
                        + " ORDER BY pipeline, sink",
                project,
                source);
    }

    Map<PositionKey, Position> all(Connection connection, String project) throws SQLException {
        return query(
                connection,
                "SELECT " + PositionColumns.ALL + " FROM positions WHERE project = ? ORDER BY source, pipeline, sink",
                project);
    }

    private Map<PositionKey, Position> query(Connection connection, String sql, String... arguments)
            throws SQLException {
        Map<PositionKey, Position> found = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setString(i + 1, arguments[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(PositionColumns.key(rows), PositionColumns.position(file, rows));
                }
            }
        }
        return found;
    }

    void save(Connection connection, List<Moved> moves) throws SQLException {
        for (Moved move : moves) {
            current(connection, move);
            history(connection, move);
            prune(connection, move.key());
        }
    }

    private static void current(Connection connection, Moved move) throws SQLException {
        String sql = "INSERT INTO positions (" + PositionColumns.ALL + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " ON CONFLICT (project, source, pipeline, sink) DO UPDATE SET cursor = excluded.cursor,"
                + " cursor_type = excluded.cursor_type, generation = excluded.generation,"
                + " generation_start = excluded.generation_start, value = excluded.value, stood = excluded.stood,"
                + " run_id = excluded.run_id, at = excluded.at";
        insert(connection, sql, move);
    }

    private static void history(Connection connection, Moved move) throws SQLException {
        insert(
                connection,
                "INSERT INTO position_history (" + PositionColumns.ALL
                        + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                move);
    }

    private static void insert(Connection connection, String sql, Moved move) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = PositionColumns.bind(statement, 1, move.key());
            PositionColumns.bind(statement, next, move.position());
            statement.executeUpdate();
        }
    }

    /** Forgets the oldest moves of a key and remembers up to which: a rollback must not take them for nothing. */
    private static void prune(Connection connection, PositionKey key) throws SQLException {
        long through;
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT id FROM position_history WHERE" + OF_KEY + " ORDER BY id DESC LIMIT 1 OFFSET " + KEPT)) {
            PositionColumns.bind(statement, 1, key);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return;
                }
                through = row.getLong(1);
            }
        }
        forget(connection, "DELETE FROM position_history WHERE id <= ? AND" + OF_KEY, through, key);
        forget(connection, "UPDATE positions SET pruned_through = ? WHERE" + OF_KEY, through, key);
    }

    private static void forget(Connection connection, String sql, long through, PositionKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, through);
            PositionColumns.bind(statement, 2, key);
            statement.executeUpdate();
        }
    }

    /** The newest moves of the sinks below a source, newest first. */
    List<Moved> history(Connection connection, String project, String source, int limit) throws SQLException {
        List<Moved> moves = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("SELECT " + PositionColumns.ALL
                + " FROM position_history WHERE project = ? AND source = ? ORDER BY id DESC LIMIT ?")) {
            statement.setString(1, project);
            statement.setString(2, source);
            statement.setInt(3, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    moves.add(new Moved(PositionColumns.key(rows), PositionColumns.position(file, rows)));
                }
            }
        }
        return moves;
    }

    /** Where each sink below a source stood when the history was that long. */
    Map<PositionKey, Position> at(Connection connection, String project, String source, long historyId)
            throws SQLException {
        refuseForgotten(connection, project, source, historyId);
        Map<PositionKey, Position> found = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement("SELECT " + PositionColumns.ALL
                + " FROM position_history WHERE id IN (SELECT max(id) FROM position_history"
                + " WHERE project = ? AND source = ? AND id <= ? GROUP BY pipeline, sink) ORDER BY pipeline, sink")) {
            statement.setString(1, project);
            statement.setString(2, source);
            statement.setLong(3, historyId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(PositionColumns.key(rows), PositionColumns.position(file, rows));
                }
            }
        }
        return found;
    }

    private void refuseForgotten(Connection connection, String project, String source, long historyId)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT sink FROM positions AS p"
                + " WHERE project = ?1 AND source = ?2 AND pruned_through > 0 AND NOT EXISTS (SELECT 1"
                + " FROM position_history AS h WHERE h.project = p.project AND h.source = p.source"
                + " AND h.pipeline = p.pipeline AND h.sink = p.sink AND h.id <= ?3) LIMIT 1")) {
            statement.setString(1, project);
            statement.setString(2, source);
            statement.setLong(3, historyId);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    throw StateFaults.refused(
                            file,
                            "the position of " + row.getString(1) + " below " + source
                                    + " so long ago is no longer kept: the newest " + KEPT + " moves are",
                            "choose a later run, or give the value yourself with weir state set");
                }
            }
        }
    }
}
