package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Position;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What forward runs loaded, as rows: as many as there are gaps between the slices, however many slices there were. */
final class Stretches {

    private static final String COLUMNS = PositionColumns.KEY + ", generation, cursor, cursor_type, range_from,"
            + " from_inclusive, range_to, first_run, last_run, first_at, last_at, slices, rows";

    private final Path file;

    Stretches(Path file) {
        this.file = file;
    }

    void save(Connection connection, List<Moved> moves) throws SQLException {
        for (Moved move : moves) {
            Stretch stretch = move.stretch();
            if (stretch != null && !extend(connection, move, stretch)) {
                insert(connection, move, stretch);
            }
        }
    }

    /** Prolongs the newest stretch of that position and generation, if this begins exactly where that one ends. */
    private static boolean extend(Connection connection, Moved move, Stretch stretch) throws SQLException {
        CursorValue from = stretch.from();
        if (from == null || stretch.fromInclusive()) {
            return false;
        }
        Position position = move.position();
        try (PreparedStatement update = connection.prepareStatement("UPDATE stretches SET range_to = ?, last_run = ?,"
                + " last_at = ?, slices = slices + 1, rows = rows + ? WHERE id = (SELECT max(id) FROM stretches"
                + " WHERE project = ? AND source = ? AND pipeline = ? AND sink = ? AND generation = ?)"
                + " AND cursor = ? AND cursor_type = ? AND range_to = ?")) {
            update.setString(1, text(position, stretch.to()));
            update.setString(2, position.runId());
            update.setString(3, position.at().toString());
            update.setLong(4, stretch.rows());
            int next = PositionColumns.bind(update, 5, move.key());
            update.setLong(next, position.generation());
            update.setString(next + 1, position.cursor().column());
            update.setString(next + 2, position.cursor().type().toString());
            update.setString(next + 3, text(position, from));
            return update.executeUpdate() == 1;
        }
    }

    private static void insert(Connection connection, Moved move, Stretch stretch) throws SQLException {
        Position position = move.position();
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO stretches (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)")) {
            int next = PositionColumns.bind(insert, 1, move.key());
            insert.setLong(next, position.generation());
            insert.setString(next + 1, position.cursor().column());
            insert.setString(next + 2, position.cursor().type().toString());
            CursorValue from = stretch.from();
            insert.setString(next + 3, from == null ? null : text(position, from));
            insert.setBoolean(next + 4, from == null || stretch.fromInclusive());
            insert.setString(next + 5, text(position, stretch.to()));
            insert.setString(next + 6, position.runId());
            insert.setString(next + 7, position.runId());
            insert.setString(next + 8, position.at().toString());
            insert.setString(next + 9, position.at().toString());
            insert.setLong(next + 10, stretch.rows());
            insert.executeUpdate();
        }
    }

    private static String text(Position position, CursorValue value) {
        if (!value.type().equals(position.cursor().type())) {
            throw new IllegalArgumentException("a " + value.type() + " in a stretch over " + position.cursor());
        }
        return value.toString();
    }

    /** The stretches below a source, in the order in which they were begun. */
    List<LoadedStretch> ofSource(Connection connection, String project, String source) throws SQLException {
        return query(connection, "source", project, source);
    }

    /** The stretches of a pipeline, in the order in which they were begun. */
    List<LoadedStretch> ofPipeline(Connection connection, String project, String pipeline) throws SQLException {
        return query(connection, "pipeline", project, pipeline);
    }

    private List<LoadedStretch> query(Connection connection, String column, String project, String value)
            throws SQLException {
        if (Schema.isBefore(Schema.WITH_BACKFILLS, connection)) {
            return List.of();
        }
        List<LoadedStretch> stretches = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT " + COLUMNS + " FROM stretches WHERE project = ? AND " + column + " = ? ORDER BY id")) {
            statement.setString(1, project);
            statement.setString(2, value);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    stretches.add(stretch(rows));
                }
            }
        }
        return stretches;
    }

    private LoadedStretch stretch(ResultSet row) throws SQLException {
        CursorType type = PositionColumns.type(file, row.getString("cursor_type"));
        return new LoadedStretch(
                PositionColumns.key(row),
                row.getLong("generation"),
                new Cursor(row.getString("cursor"), type),
                PositionColumns.value(file, type, row.getString("range_from")),
                row.getBoolean("from_inclusive"),
                PositionColumns.known(file, type, row.getString("range_to")),
                row.getString("first_run"),
                row.getString("last_run"),
                PositionColumns.instant(file, row.getString("first_at")),
                PositionColumns.instant(file, row.getString("last_at")),
                row.getLong("slices"),
                row.getLong("rows"));
    }
}
