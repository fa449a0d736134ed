package dev.weir.connector.postgres;

import dev.weir.connector.TableName;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.LiteralException;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/**
 * The marks of one schema, in its table {@code _weir_positions}.
 *
 * <p>All work on one position is done one after the other: who moves a mark, or asks whether a move took effect, first takes
 * the position's advisory lock, which ends with the transaction. It covers what a row lock cannot: a mark, or the whole
 * table, that another transaction has made and not yet committed. Source of the rules: contract, section 2.4.
 */
final class Ledger {

    static final String TABLE = "_weir_positions";

    private static final String COLUMNS =
            "generation, generation_start, seq, cursor, cursor_type, value, rows_delivered,"
                    + " table_empty, run_id, committed_at";
    private static final String OF_KEY = " WHERE project = ? AND pipeline = ? AND sink = ? AND source = ?";

    private final PgConnection connection;
    private final String place;
    private final String table;

    /** @param schema where the sink's table is */
    Ledger(PgConnection connection, String place, String schema) {
        this.connection = connection;
        this.place = place;
        this.table = Sql.quote(new TableName(List.of(schema, TABLE)));
    }

    private boolean exists() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT pg_catalog.to_regclass(?) IS NOT NULL")) {
            statement.setString(1, table);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() && result.getBoolean(1);
            }
        }
    }

    /** The mark of the newest generation. */
    Optional<Mark> newest(PositionKey key) throws SQLException {
        return exists()
                ? first(key, "SELECT " + COLUMNS + " FROM " + table + OF_KEY + " ORDER BY generation DESC LIMIT 1")
                : Optional.empty();
    }

    /** The keys of all positions with a mark for that sink. */
    List<PositionKey> marked(String sink) throws SQLException {
        List<PositionKey> keys = new ArrayList<>();
        if (!exists()) {
            return keys;
        }
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

    /** Waits until no other transaction is at work on the position. */
    void lock(PositionKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(?, 0))")) {
            statement.setString(
                    1, String.join("\u001f", "weir", table, key.project(), key.pipeline(), key.sink(), key.source()));
            statement.execute();
        }
    }

    /** Whether that very mark is there, once nobody is at work on it any more. */
    boolean holds(PositionKey key, Mark moved) throws SQLException {
        lock(key);
        if (!exists()) {
            return false;
        }
        lockRows(key);
        String sql = "SELECT " + COLUMNS + " FROM " + table + OF_KEY + " AND generation = " + moved.generation();
        return first(key, sql)
                .filter(found -> found.seq() == moved.seq() && found.runId().equals(moved.runId()))
                .isPresent();
    }

    private void lockRows(PositionKey key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM " + table + OF_KEY + " FOR UPDATE")) {
            bind(statement, key);
            statement.execute();
        }
    }

    /** See {@link dev.weir.connector.SinkTransaction#move}. */
    void move(PositionKey key, Optional<Mark> former, Mark next) throws SQLException {
        lock(key);
        create();
        lockRows(key);
        // A look of its own, after the locks: it sees what those we waited for have committed.
        Optional<Mark> found = newest(key);
        if (!found.equals(former.map(Ledger::stored))) {
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

    /** Two who create the table at once would end one of them with an error: the second waits, and finds it. */
    private void create() throws SQLException {
        if (exists()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(?, 0))")) {
            statement.setString(1, "weir " + table);
            statement.execute();
        }
        Session.execute(
                connection,
                "CREATE TABLE IF NOT EXISTS " + table
                        + " (project text NOT NULL, pipeline text NOT NULL, sink text NOT NULL,"
                        + " source text NOT NULL, generation bigint NOT NULL, generation_start text, seq bigint NOT NULL,"
                        + " cursor text NOT NULL, cursor_type text NOT NULL, value text, rows_delivered bigint NOT NULL,"
                        + " table_empty boolean NOT NULL, run_id text NOT NULL, committed_at timestamptz NOT NULL,"
                        + " PRIMARY KEY (project, pipeline, sink, source, generation))");
    }

    private long update(PositionKey key, Mark next) throws SQLException {
        String sql = "UPDATE " + table + " SET (" + COLUMNS + ") = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" + OF_KEY
                + " AND generation = " + next.generation();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, next, 1);
            bind(statement, key, 11);
            return statement.executeLargeUpdate();
        }
    }

    private long insert(PositionKey key, Mark next) throws SQLException {
        String sql = "INSERT INTO " + table + " (" + COLUMNS + ", project, pipeline, sink, source)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, next, 1);
            bind(statement, key, 11);
            return statement.executeLargeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, PositionKey key) throws SQLException {
        bind(statement, key, 1);
    }

    private static void bind(PreparedStatement statement, PositionKey key, int from) throws SQLException {
        statement.setString(from, key.project());
        statement.setString(from + 1, key.pipeline());
        statement.setString(from + 2, key.sink());
        statement.setString(from + 3, key.source());
    }

    private static void bind(PreparedStatement statement, Mark mark, int from) throws SQLException {
        statement.setLong(from, mark.generation());
        statement.setString(from + 1, text(mark.generationStart()));
        statement.setLong(from + 2, mark.seq());
        statement.setString(from + 3, mark.cursor().column());
        statement.setString(from + 4, mark.cursor().type().toString());
        statement.setString(from + 5, text(mark.value()));
        statement.setLong(from + 6, mark.rowsDelivered());
        statement.setBoolean(from + 7, mark.tableEmpty());
        statement.setString(from + 8, mark.runId());
        statement.setObject(from + 9, stored(mark.committedAt()).atOffset(ZoneOffset.UTC));
    }

    private static @Nullable String text(@Nullable CursorValue value) {
        return value == null ? null : value.toString();
    }

    /** A mark as it comes back: Postgres keeps microseconds. */
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
                stored(mark.committedAt()));
    }

    private static Instant stored(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }

    private Optional<Mark> first(PositionKey key, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, key);
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
                result.getObject(10, OffsetDateTime.class).toInstant());
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
