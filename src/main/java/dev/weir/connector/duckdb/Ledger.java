package dev.weir.connector.duckdb;

import dev.weir.connector.jdbc.KeptValues;
import dev.weir.connector.jdbc.MarkTable;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The marks beside the tables of one schema: {@code _weir_positions}.
 *
 * <p>The primary keys of weir's own tables are the only indexes it makes in a file: without one two transactions could both insert a first mark.
 * Source of the shape: contract, section 2.4.
 */
final class Ledger {

    private static final String KEY = "project = ? AND pipeline = ? AND sink = ? AND source = ?";
    private static final String COLUMNS = "generation, generation_start, seq, cursor, cursor_type, value,"
            + " rows_delivered, table_empty, run_id, epoch_us(committed_at)";

    private final DuckSql sql;
    private final Known known;
    private final String place;
    private final String catalog;
    private final String schema;
    private final String relation;
    private final KeptValues kept;

    Ledger(DuckSql sql, Known known, String place, String catalog, String schema) {
        this.sql = sql;
        this.known = known;
        this.place = place;
        this.catalog = catalog;
        this.schema = schema;
        this.relation = DuckFile.qualified(catalog, schema, MarkTable.NAME);
        this.kept = MarkTable.values(place, relation);
    }

    /** The mark as it comes back: instants are kept to the microsecond. */
    static Mark asStored(Mark mark) {
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

    Optional<Mark> newest(Connection connection, PositionKey key) throws SQLException {
        return exists(connection) ? stored(connection, key) : Optional.empty();
    }

    /** The marks of all generations, newest first. */
    List<Mark> all(Connection connection, PositionKey key) throws SQLException {
        return exists(connection)
                ? rows(connection, key).stream().map(this::mark).toList()
                : List.of();
    }

    /** An older generation's row is not believed, nor looked into. */
    private Optional<Mark> stored(Connection connection, PositionKey key) throws SQLException {
        return rows(connection, key).stream().findFirst().map(this::mark);
    }

    /** Newest first, sorted here: there are few, and to sort them costs DuckDB more than to find them. */
    private List<Row> rows(Connection connection, PositionKey key) throws SQLException {
        return sql
                .again(
                        connection,
                        "SELECT " + COLUMNS + " FROM " + relation + " WHERE " + KEY,
                        Row::read,
                        key.project(),
                        key.pipeline(),
                        key.sink(),
                        key.source())
                .stream()
                .sorted(Comparator.comparingLong(Row::generation).reversed())
                .toList();
    }

    List<PositionKey> keys(Connection connection, String sink) throws SQLException {
        if (!exists(connection)) {
            return List.of();
        }
        return sql.query(
                connection,
                "SELECT DISTINCT project, pipeline, sink, source FROM " + relation + " WHERE sink = ? ORDER BY ALL",
                row -> new PositionKey(row.getString(1), row.getString(2), row.getString(3), row.getString(4)),
                sink);
    }

    /** Moves the mark inside the caller's transaction. */
    void move(Connection connection, PositionKey key, Optional<Mark> former, Mark next) throws SQLException {
        if (!exists(connection)) {
            create(connection);
        }
        Optional<Mark> found = stored(connection, key);
        if (!found.equals(former.map(Ledger::asStored))) {
            throw moved(key, found);
        }
        try {
            if (former.isEmpty()) {
                insert(connection, key, next);
            } else if (former.get().generation() == next.generation()) {
                update(connection, key, next);
            } else {
                // Writing the former row, if only with what it holds, makes two movers collide.
                touch(connection, key, former.get().generation());
                insert(connection, key, next);
            }
        } catch (SQLException e) {
            String message = DuckSql.message(e);
            if (DuckSql.isTaken(message)) {
                throw moved(key, e);
            }
            throw e;
        }
    }

    private boolean exists(Connection connection) throws SQLException {
        return known.ledger(relation, () -> sql.hasTable(connection, catalog, schema, MarkTable.NAME));
    }

    private void create(Connection connection) throws SQLException {
        sql.update(connection, MarkTable.creation(relation));
    }

    private void insert(Connection connection, PositionKey key, Mark next) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>(key(key));
        values.addAll(values(next));
        sql.update(
                connection,
                "INSERT INTO " + relation + " (project, pipeline, sink, source, generation_start, seq, cursor,"
                        + " cursor_type, value, rows_delivered, table_empty, run_id, committed_at, generation)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, make_timestamptz(?), ?)",
                values.toArray());
    }

    private void update(Connection connection, PositionKey key, Mark next) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>(values(next));
        values.remove(values.size() - 1);
        values.addAll(key(key));
        values.add(next.generation());
        sql.updateAgain(
                connection,
                "UPDATE " + relation + " SET generation_start = ?, seq = ?, cursor = ?, cursor_type = ?, value = ?,"
                        + " rows_delivered = ?, table_empty = ?, run_id = ?, committed_at = make_timestamptz(?) WHERE "
                        + KEY + " AND generation = ?",
                values.toArray());
    }

    private void touch(Connection connection, PositionKey key, long generation) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>(key(key));
        values.add(generation);
        sql.update(
                connection,
                "UPDATE " + relation + " SET seq = seq WHERE " + KEY + " AND generation = ?",
                values.toArray());
    }

    private static List<Object> key(PositionKey key) {
        return List.of(key.project(), key.pipeline(), key.sink(), key.source());
    }

    /** Everything but the key, the generation last. */
    private static List<@Nullable Object> values(Mark mark) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(text(mark.generationStart()));
        values.add(mark.seq());
        values.add(mark.cursor().column());
        values.add(mark.cursor().type().toString());
        values.add(text(mark.value()));
        values.add(mark.rowsDelivered());
        values.add(mark.tableEmpty());
        values.add(mark.runId());
        values.add(ChronoUnit.MICROS.between(Instant.EPOCH, asStored(mark).committedAt()));
        values.add(mark.generation());
        return values;
    }

    private static @Nullable String text(@Nullable CursorValue value) {
        return value == null ? null : value.toString();
    }

    /** A row as it is written. */
    private record Row(
            long generation,
            @Nullable String generationStart,
            long seq,
            String cursor,
            String cursorType,
            @Nullable String value,
            long rowsDelivered,
            boolean tableEmpty,
            String runId,
            long committedMicros) {

        static Row read(ResultSet row) throws SQLException {
            return new Row(
                    row.getLong(1),
                    row.getString(2),
                    row.getLong(3),
                    row.getString(4),
                    row.getString(5),
                    row.getString(6),
                    row.getLong(7),
                    row.getBoolean(8),
                    row.getString(9),
                    row.getLong(10));
        }
    }

    private Mark mark(Row row) {
        Cursor cursor = kept.cursor(row.cursor(), row.cursorType());
        return new Mark(
                cursor,
                row.generation(),
                kept.valueOrNull(cursor.type(), row.generationStart()),
                row.seq(),
                kept.valueOrNull(cursor.type(), row.value()),
                row.rowsDelivered(),
                row.tableEmpty(),
                row.runId(),
                Instant.EPOCH.plus(row.committedMicros(), ChronoUnit.MICROS));
    }

    private RunException moved(PositionKey key, Optional<Mark> found) {
        String by = found.map(
                        mark -> "run " + mark.runId() + " moved it to " + mark.value() + " at " + mark.committedAt())
                .orElse("it is gone");
        return new RunException(movedFault(key, by));
    }

    private RunException moved(PositionKey key, SQLException e) {
        return RunException.lasting(movedFault(key, "another transaction is moving it"), e);
    }

    private Fault movedFault(PositionKey key, String by) {
        return new Fault(
                Code.HELD_ELSEWHERE,
                place,
                "the mark of pipeline " + key.pipeline() + " for " + key.source() + " is not where this run found it: "
                        + by,
                "see that one run at a time loads " + key.source()
                        + ", then run again; nothing of this slice was kept");
    }
}
