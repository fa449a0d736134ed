package dev.weir.connector.jdbc;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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

    private final Connection connection;
    private final String place;
    private final String table;
    private final Instants instants;
    private final KeptValues values;

    /**
     * @param place what failures name
     * @param table the table in SQL
     */
    public MarkTable(Connection connection, String place, String table, Instants instants) {
        this.connection = connection;
        this.place = place;
        this.table = table;
        this.instants = instants;
        this.values = values(place, table);
    }

    /** The statement that makes the table where it is missing. */
    public static String creation(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (project text NOT NULL, pipeline text NOT NULL,"
                + " sink text NOT NULL, source text NOT NULL, generation bigint NOT NULL, generation_start text,"
                + " seq bigint NOT NULL, cursor text NOT NULL, cursor_type text NOT NULL, value text,"
                + " rows_delivered bigint NOT NULL, table_empty boolean NOT NULL, run_id text NOT NULL,"
                + " committed_at timestamptz NOT NULL,"
                + " PRIMARY KEY (project, pipeline, sink, source, generation))";
    }

    /** How the cursors and values of marks in a table are read. */
    public static KeptValues values(String place, String table) {
        return new KeptValues(
                place,
                "the mark in " + table,
                "Restore the row, or delete it; state adopt then says where the sink stands");
    }

    /** The marks of all generations, newest first. */
    public List<Mark> all(PositionKey key) throws SQLException {
        return marks(key, "SELECT " + COLUMNS + " FROM " + table + OF_KEY + " ORDER BY generation DESC");
    }

    /** The mark of the newest generation. */
    public Optional<Mark> newest(PositionKey key) throws SQLException {
        return marks(key, "SELECT " + COLUMNS + " FROM " + table + OF_KEY + " ORDER BY generation DESC LIMIT 1")
                .stream()
                .findFirst();
    }

    /** Whether that very mark is there. */
    public boolean holds(PositionKey key, Mark moved) throws SQLException {
        String sql = "SELECT " + COLUMNS + " FROM " + table + OF_KEY + " AND generation = " + moved.generation();
        return marks(key, sql).stream()
                .anyMatch(found -> found.seq() == moved.seq() && found.runId().equals(moved.runId()));
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
        statement.setObject(10, instants.written(stored(mark).committedAt()));
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

    private List<Mark> marks(PositionKey key, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, key, 1);
            return Statements.rows(statement, this::read);
        }
    }

    private Mark read(ResultSet result) throws SQLException {
        Cursor cursor = values.cursor(result.getString(4), result.getString(5));
        return new Mark(
                cursor,
                values.whole(result, 1),
                values.valueOrNull(cursor.type(), result.getString(2)),
                values.whole(result, 3),
                values.valueOrNull(cursor.type(), result.getString(6)),
                values.whole(result, 7),
                result.getBoolean(8),
                result.getString(9),
                values.instant(instants, result, 10));
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
