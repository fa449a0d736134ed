package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.LiteralException;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A position as columns: values as canonical text beside the cursor and the type they belong to. */
final class PositionColumns {

    static final String KEY = "project, source, pipeline, sink";
    static final String POSITION = "cursor, cursor_type, generation, generation_start, value, stood, run_id, at";
    static final String ALL = KEY + ", " + POSITION;
    static final int COUNT = 8;
    static final int KEY_COUNT = 4;

    private PositionColumns() {}

    /** Binds the key as parameters {@code first} and following; answers the next free one. */
    static int bind(PreparedStatement statement, int first, PositionKey key) throws SQLException {
        statement.setString(first, key.project());
        statement.setString(first + 1, key.source());
        statement.setString(first + 2, key.pipeline());
        statement.setString(first + 3, key.sink());
        return first + KEY_COUNT;
    }

    /** Binds the position as parameters {@code first} and following; answers the next free one. */
    static int bind(PreparedStatement statement, int first, Position position) throws SQLException {
        CursorType type = position.cursor().type();
        statement.setString(first, position.cursor().column());
        statement.setString(first + 1, type.toString());
        statement.setLong(first + 2, position.generation());
        statement.setString(first + 3, text(type, position.generationStart()));
        statement.setString(first + 4, text(type, position.value()));
        statement.setString(first + 5, text(type, position.stood()));
        statement.setString(first + 6, position.runId());
        statement.setString(first + 7, position.at().toString());
        return first + COUNT;
    }

    private static @Nullable String text(CursorType type, @Nullable CursorValue value) {
        if (value != null && !value.type().equals(type)) {
            throw new IllegalArgumentException("a " + value.type() + " in a position over " + type);
        }
        return value == null ? null : value.toString();
    }

    static PositionKey key(ResultSet row) throws SQLException {
        return new PositionKey(
                row.getString("project"), row.getString("pipeline"), row.getString("sink"), row.getString("source"));
    }

    /** @throws dev.weir.fault.RunException WR0518 when a value is not what its type says */
    static Position position(Path file, ResultSet row) throws SQLException {
        CursorType type = type(file, row.getString("cursor_type"));
        return new Position(
                new Cursor(row.getString("cursor"), type),
                row.getLong("generation"),
                value(file, type, row.getString("generation_start")),
                value(file, type, row.getString("value")),
                value(file, type, row.getString("stood")),
                row.getString("run_id"),
                instant(file, row.getString("at")));
    }

    static CursorType type(Path file, String name) {
        return CursorType.printed(name)
                .orElseThrow(() -> StateFaults.damaged(file, "it holds something over '" + name + "', no cursor type"));
    }

    static @Nullable CursorValue value(Path file, CursorType type, @Nullable String text) {
        return text == null ? null : known(file, type, text);
    }

    static CursorValue known(Path file, CursorType type, String text) {
        try {
            return type.read(text);
        } catch (LiteralException e) {
            throw StateFaults.damaged(file, "it holds a value that is none: " + e.getMessage());
        }
    }

    static Instant instant(Path file, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw StateFaults.damaged(file, "it holds the time '" + text + "', which is none");
        }
    }
}
