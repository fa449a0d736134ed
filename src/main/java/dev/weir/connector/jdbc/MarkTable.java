package dev.weir.connector.jdbc;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.LiteralException;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a {@code _weir_positions} table, in SQL that every system with {@code ON CONFLICT} speaks.
 *
 * <p>Makes no table and takes no lock: both are the system's own, and {@link #move} is called when nobody else can be at
 * work on the position. Instants are kept to the microsecond. Used by one thread. Source of the rules: contract, section
 * 2.4.
 */
public final class MarkTable {

    /** What the table is called, beside the tables whose marks it holds. */
    public static final String NAME = "_weir_positions";

    private static final String COLUMNS =
            "generation, generation_start, seq, cursor, cursor_type, value, rows_delivered,"
                    + " table_empty, run_id, committed_at";
    private static final String OF_KEY = " WHERE project = ? AND pipeline = ? AND sink = ? AND source = ?";

    /** How a system keeps an instant of whole microseconds. */
    public interface Instants {

        void bind(PreparedStatement statement, int place, Instant instant) throws SQLException;

        Instant read(ResultSet result, int column) throws SQLException;
    }

    private final Connection connection;
    private final String place;
    private final String table;
    private final Instants instants;

    /**
     * @param place what failures name
     * @param table the table in SQL
     */
    public MarkTable(Connection connection, String place, String table, Instants instants) {
        this.connection = connection;
        this.place = place;
        this.table = table;
        this.instants = instants;
    }

    /** The mark of the newest generation. */
    public Optional<Mark> newest(PositionKey key) throws SQLException {
        return first(key, "SELECT " + COLUMNS + " FROM " + table + OF_KEY + " ORDER BY generation DESC LIMIT 1");
    }

    /** Whether that very mark is there. */
    public boolean holds(PositionKey key, Mark moved) throws SQLException {
        String sql = "SELECT " + COLUMNS + " FROM " + table + OF_KEY + " AND generation = " + moved.generation();
        return first(key, sql)
                .filter(found -> found.seq() == moved.seq() && found.runId().equals(moved.runId()))
                .isPresent();
    }

    /** The keys of all positions with a mark for that sink. */
    public List<PositionKey> marked(String sink) throws SQLException {
        List<PositionKey> keys = new ArrayList<>();
        String sql =
                "SELECT DISTINCT project, pipeline, sink, source FROM " + table + " WHERE sink = ? ORDER BY 1, 2, 4";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, sink);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    keys.add(new PositionKey(
                            result.getString(1), result.getString(2), result.getString(3), result.getString(4)));
                }
            }
        }
        return keys;
    }

    /** Locks the position's rows until the transaction ends, where the system has such locks. */
    public void lockRows(PositionKey key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM " + table + OF_KEY + " FOR UPDATE")) {
            bind(statement, key, 1);
            statement.execute();
        }
    }

    /** See {@link dev.weir.connector.SinkTransaction#move}. */
    public void move(PositionKey key, Optional<Mark> former, Mark next) throws SQLException {
        Optional<Mark> found = newest(key);
        if (!found.equals(former.map(MarkTable::stored))) {
            throw heldElsewhere(key, found, former);
        }
        boolean sameGeneration = former.isPresent() && former.get().generation() == next.generation();
        if (former.isPresent() && former.get().generation() > next.generation()) {
            throw new IllegalArgumentException("a mark of an older generation: " + next);
        }
        long changed = sameGeneration ? update(key, next) : insert(key, next);
        if (changed != 1) {
            throw heldElsewhere(key, found, former);
        }
    }

    private long update(PositionKey key, Mark next) throws SQLException {
        String sql = "UPDATE " + table + " SET (" + COLUMNS + ") = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" + OF_KEY
                + " AND generation = " + next.generation();
        return write(sql, key, next);
    }

    private long insert(PositionKey key, Mark next) throws SQLException {
        String sql = "INSERT INTO " + table + " (" + COLUMNS + ", project, pipeline, sink, source)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
        return write(sql, key, next);
    }

    private long write(String sql, PositionKey key, Mark next) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, next);
            bind(statement, key, 11);
            return statement.executeLargeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, PositionKey key, int from) throws SQLException {
        statement.setString(from, key.project());
        statement.setString(from + 1, key.pipeline());
        statement.setString(from + 2, key.sink());
        statement.setString(from + 3, key.source());
    }

    private void bind(PreparedStatement statement, Mark mark) throws SQLException {
        statement.setLong(1, mark.generation());
        statement.setString(2, text(mark.generationStart()));
        statement.setLong(3, mark.seq());
        statement.setString(4, mark.cursor().column());
        statement.setString(5, mark.cursor().type().toString());
        statement.setString(6, text(mark.value()));
        statement.setLong(7, mark.rowsDelivered());
        statement.setBoolean(8, mark.tableEmpty());
        statement.setString(9, mark.runId());
        instants.bind(statement, 10, stored(mark).committedAt());
    }

    private static @Nullable String text(@Nullable CursorValue value) {
        return value == null ? null : value.toString();
    }

    /** A mark as it comes back. */
    private static Mark stored(Mark mark) {
        return new Mark(
                mark.cursor(),
                mark.generation(),
                mark.generationStart(),
                mark.seq(),
                mark.value(),
                mark.rowsDelivered(),
                mark.tableEmpty(),
                mark.runId(),
                mark.committedAt().truncatedTo(ChronoUnit.MICROS));
    }

    private Optional<Mark> first(PositionKey key, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, key, 1);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? Optional.of(read(result)) : Optional.empty();
            }
        }
    }

    private Mark read(ResultSet result) throws SQLException {
        String typeName = result.getString(5);
        CursorType type = CursorType.named(typeName).orElseThrow(() -> unreadable("cursor type " + typeName, null));
        return new Mark(
                new Cursor(result.getString(4), type),
                result.getLong(1),
                value(type, result.getString(2)),
                result.getLong(3),
                value(type, result.getString(6)),
                result.getLong(7),
                result.getBoolean(8),
                result.getString(9),
                instants.read(result, 10));
    }

    private @Nullable CursorValue value(CursorType type, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return type.read(text);
        } catch (LiteralException e) {
            throw unreadable(type + " value '" + text + "'", e);
        }
    }

    private RunException unreadable(String what, @Nullable Throwable cause) {
        Fault fault = new Fault(
                Code.SINK,
                place,
                "the mark in " + table + " has the " + what + ", which this version of weir cannot read",
                "was it edited by hand, or written by a newer weir? Restore the row, or delete it; state adopt then says"
                        + " where the sink stands");
        return cause == null ? new RunException(fault) : RunException.lasting(fault, cause);
    }

    private RunException heldElsewhere(PositionKey key, Optional<Mark> found, Optional<Mark> former) {
        return new RunException(
                Code.HELD_ELSEWHERE,
                place,
                "another process has moved the mark of " + key.source() + " in " + table + ": it was " + shown(former)
                        + " and is " + shown(found),
                "nothing of this slice was written; run again, with one process at a time");
    }

    private static String shown(Optional<Mark> mark) {
        return mark.map(found -> found.value() + " (run " + found.runId() + ", seq " + found.seq() + ")")
                .orElse("not there");
    }
}
