package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** The value of each source at or below which nothing could appear any more when an invocation last found one out. */
final class Settlements {

    private final Path file;

    Settlements(Path file) {
        this.file = file;
    }

    void save(Connection connection, String project, String source, Cursor cursor, CursorValue value, Instant at)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT OR REPLACE INTO settled (project, source, cursor, cursor_type, value, at)"
                        + " VALUES (?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, project);
            insert.setString(2, source);
            insert.setString(3, cursor.column());
            insert.setString(4, cursor.type().toString());
            insert.setString(5, value.toString());
            insert.setString(6, at.toString());
            insert.executeUpdate();
        }
    }

    /** Empty where none is known for that very cursor and type. */
    Optional<CursorValue> of(Connection connection, String project, String source, Cursor cursor) throws SQLException {
        if (Schema.isBefore(Schema.WITH_SETTLED, connection)) {
            return Optional.empty();
        }
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT value FROM settled WHERE project = ? AND source = ? AND cursor = ? AND cursor_type = ?")) {
            select.setString(1, project);
            select.setString(2, source);
            select.setString(3, cursor.column());
            select.setString(4, cursor.type().toString());
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? Optional.of(PositionColumns.known(file, cursor.type(), row.getString(1)))
                        : Optional.empty();
            }
        }
    }

    /** What is loaded from its beginning again may not be what it was. */
    void forget(Connection connection, String project, String source) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM settled WHERE project = ? AND source = ?")) {
            delete.setString(1, project);
            delete.setString(2, source);
            delete.executeUpdate();
        }
    }
}
