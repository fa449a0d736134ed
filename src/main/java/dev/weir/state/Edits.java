package dev.weir.state;

import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The audit of what operators changed; nothing is ever removed from it. */
final class Edits {

    private static final String BEFORE = "before";
    private static final String AFTER = "after";

    private final Path file;

    Edits(Path file) {
        this.file = file;
    }

    void write(Connection connection, Edit edit, Instant at) throws SQLException {
        long id;
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO edits (project, source, kind, reason, who, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id")) {
            statement.setString(1, edit.project());
            statement.setString(2, edit.source());
            statement.setString(3, edit.kind().toString());
            statement.setString(4, edit.reason());
            statement.setString(5, edit.who());
            statement.setString(6, at.toString());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                id = row.getLong(1);
            }
        }
        int number = 0;
        for (Edit.Change change : edit.changes()) {
            number++;
            if (change.before() != null) {
                side(connection, id, number, BEFORE, change.key(), change.before());
            }
            side(connection, id, number, AFTER, change.key(), change.after());
        }
    }

    private static void side(
            Connection connection, long id, int number, String side, PositionKey key, Position position)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO edit_positions (edit_id, number,"
                + " side, pipeline, sink, " + PositionColumns.POSITION
                + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            statement.setLong(1, id);
            statement.setInt(2, number);
            statement.setString(3, side);
            statement.setString(4, key.pipeline());
            statement.setString(5, key.sink());
            PositionColumns.bind(statement, 6, position);
            statement.executeUpdate();
        }
    }

    /** The edits below a source, newest first. */
    List<Audited> of(Connection connection, String project, String source) throws SQLException {
        List<Audited> edits = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT id, kind, reason, who, at FROM edits WHERE project = ? AND source = ? ORDER BY id DESC")) {
            statement.setString(1, project);
            statement.setString(2, source);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long id = rows.getLong("id");
                    Edit edit = new Edit(
                            kind(rows.getString("kind")),
                            project,
                            source,
                            rows.getString("reason"),
                            rows.getString("who"),
                            changes(connection, id, project, source));
                    edits.add(new Audited(id, PositionColumns.instant(file, rows.getString("at")), edit));
                }
            }
        }
        return edits;
    }

    private Edit.Kind kind(String text) {
        for (Edit.Kind kind : Edit.Kind.values()) {
            if (kind.toString().equals(text.toLowerCase(Locale.ROOT))) {
                return kind;
            }
        }
        throw StateFaults.damaged(file, "it holds an edit '" + text + "', which is none");
    }

    private List<Edit.Change> changes(Connection connection, long id, String project, String source)
            throws SQLException {
        List<Edit.Change> changes = new ArrayList<>();
        // "after" sorts before "before": each number's before comes first in descending order.
        try (PreparedStatement statement = connection.prepareStatement("SELECT ?1 AS project, ?2 AS source, number,"
                + " side, pipeline, sink, " + PositionColumns.POSITION
                + " FROM edit_positions WHERE edit_id = ?3 ORDER BY number, side DESC")) {
            statement.setString(1, project);
            statement.setString(2, source);
            statement.setLong(3, id);
            try (ResultSet rows = statement.executeQuery()) {
                Position before = null;
                while (rows.next()) {
                    Position position = PositionColumns.position(file, rows);
                    if (rows.getString("side").equals(BEFORE)) {
                        before = position;
                    } else {
                        changes.add(change(PositionColumns.key(rows), before, position));
                        before = null;
                    }
                }
            }
        }
        return changes;
    }

    private static Edit.Change change(PositionKey key, @Nullable Position before, Position after) {
        return new Edit.Change(key, before, after);
    }
}
