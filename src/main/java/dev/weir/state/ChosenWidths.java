package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.Step;
import dev.weir.slicing.Target;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** How wide the next window of each source with {@code max_window: auto} is. A hint: where it is lost one starts anew. */
final class ChosenWidths {

    private static final Pattern UNITS = Pattern.compile("[1-9][0-9]{0,39}");

    void save(
            Connection connection, String project, String source, Cursor cursor, Target target, Step width, Instant at)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT OR REPLACE INTO chosen_widths (project, source, cursor, cursor_type, target, units, at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, project);
            insert.setString(2, source);
            insert.setString(3, cursor.column());
            insert.setString(4, cursor.type().toString());
            insert.setString(5, target.toString());
            insert.setString(6, width.units().toString());
            insert.setString(7, at.toString());
            insert.executeUpdate();
        }
    }

    /** Empty where none is known for that very cursor, type and target. */
    Optional<Step> of(Connection connection, String project, String source, Cursor cursor, Target target)
            throws SQLException {
        if (Schema.isBefore(Schema.WITH_CHOSEN_WIDTHS, connection)) {
            return Optional.empty();
        }
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT units FROM chosen_widths WHERE project = ? AND source = ? AND cursor = ? AND cursor_type = ?"
                        + " AND target = ?")) {
            select.setString(1, project);
            select.setString(2, source);
            select.setString(3, cursor.column());
            select.setString(4, cursor.type().toString());
            select.setString(5, target.toString());
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? Optional.of(row.getString(1))
                                .filter(UNITS.asMatchPredicate())
                                .map(units -> new Step(cursor.type(), new BigInteger(units)))
                        : Optional.empty();
            }
        }
    }

    /** What is loaded from another place may be spread in another way. */
    void forget(Connection connection, String project, String source) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM chosen_widths WHERE project = ? AND source = ?")) {
            delete.setString(1, project);
            delete.setString(2, source);
            delete.executeUpdate();
        }
    }
}
