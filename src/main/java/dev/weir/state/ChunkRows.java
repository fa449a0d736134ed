package dev.weir.state;

import dev.weir.slicing.ChunkStatus;
import dev.weir.slicing.CursorType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The chunks of plans as rows. */
final class ChunkRows {

    private static final String COLUMNS = "chunk_id, chunk_from, chunk_to, status, claimed_by, claimed_at, attempts,"
            + " started_at, completed_at, records_loaded, run_id, error";
    private static final String OF_PLAN = " project = ? AND backfill_id = ?";
    private static final int BATCH = 1_000;

    private final Path file;

    ChunkRows(Path file) {
        this.file = file;
    }

    /** The chunks of a plan, in their order. */
    List<ChunkRecord> of(Connection connection, BackfillRecord plan) throws SQLException {
        return query(connection, plan, "");
    }

    List<ChunkRecord> completed(Connection connection, BackfillRecord plan) throws SQLException {
        return query(connection, plan, " AND status = ?", ChunkStatus.COMPLETED.toString());
    }

    Optional<ChunkRecord> find(Connection connection, BackfillRecord plan, String chunkId) throws SQLException {
        return query(connection, plan, " AND chunk_id = ?", chunkId).stream().findFirst();
    }

    private List<ChunkRecord> query(Connection connection, BackfillRecord plan, String where, String... arguments)
            throws SQLException {
        List<ChunkRecord> chunks = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT " + COLUMNS + " FROM backfill_chunks WHERE" + OF_PLAN + where + " ORDER BY chunk_id")) {
            statement.setString(1, plan.project());
            statement.setString(2, plan.backfillId());
            for (int i = 0; i < arguments.length; i++) {
                statement.setString(i + 3, arguments[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    chunks.add(chunk(rows, plan.cursor().type()));
                }
            }
        }
        return chunks;
    }

    private ChunkRecord chunk(ResultSet row, CursorType type) throws SQLException {
        long records = row.getLong("records_loaded");
        Long recordsLoaded = row.wasNull() ? null : Long.valueOf(records);
        return new ChunkRecord(
                row.getString("chunk_id"),
                PositionColumns.known(file, type, row.getString("chunk_from")),
                PositionColumns.known(file, type, row.getString("chunk_to")),
                status(file, row.getString("status")),
                row.getString("claimed_by"),
                instant(row.getString("claimed_at")),
                row.getInt("attempts"),
                instant(row.getString("started_at")),
                instant(row.getString("completed_at")),
                recordsLoaded,
                row.getString("run_id"),
                row.getString("error"));
    }

    private @Nullable Instant instant(@Nullable String text) {
        return text == null ? null : PositionColumns.instant(file, text);
    }

    static ChunkStatus status(Path file, String text) {
        try {
            return ChunkStatus.of(text);
        } catch (IllegalArgumentException e) {
            throw StateFaults.damaged(file, "it holds a chunk that is '" + text + "', which is no status");
        }
    }

    /** Adds the chunks that are not there, as pending; what is there stays as it is, and must be the same chunks. */
    void addMissing(Connection connection, BackfillRecord plan, Iterable<ChunkRecord> chunks) throws SQLException {
        Map<String, ChunkRecord> stored = new HashMap<>();
        for (ChunkRecord chunk : of(connection, plan)) {
            stored.put(chunk.chunkId(), chunk);
        }
        List<ChunkRecord> missing = new ArrayList<>();
        for (ChunkRecord chunk : chunks) {
            ChunkRecord there = stored.remove(chunk.chunkId());
            if (there == null) {
                missing.add(chunk);
            } else if (!isSame(there, chunk)) {
                throw BackfillFaults.otherChunk(plan, chunk.chunkId(), text(there), text(chunk));
            }
        }
        for (ChunkRecord beyond : stored.values()) {
            throw BackfillFaults.otherChunk(plan, beyond.chunkId(), text(beyond), "none");
        }
        insert(connection, plan, missing);
    }

    private static boolean isSame(ChunkRecord a, ChunkRecord b) {
        return a.from().equals(b.from()) && a.to().equals(b.to()) && a.runId().equals(b.runId());
    }

    private static String text(ChunkRecord chunk) {
        return "[" + chunk.from() + ", " + chunk.to() + "), run_id " + chunk.runId();
    }

    /** Puts these chunks, as pending, in the place of all there were. */
    void replace(Connection connection, BackfillRecord plan, Iterable<ChunkRecord> chunks) throws SQLException {
        try (PreparedStatement former = connection.prepareStatement("DELETE FROM backfill_chunks WHERE" + OF_PLAN)) {
            former.setString(1, plan.project());
            former.setString(2, plan.backfillId());
            former.executeUpdate();
        }
        insert(connection, plan, chunks);
    }

    private static void insert(Connection connection, BackfillRecord plan, Iterable<ChunkRecord> chunks)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO backfill_chunks (project,"
                + " backfill_id, chunk_id, chunk_from, chunk_to, status, attempts, run_id)"
                + " VALUES (?, ?, ?, ?, ?, '" + ChunkStatus.PENDING + "', 0, ?)")) {
            int waiting = 0;
            for (ChunkRecord chunk : chunks) {
                insert.setString(1, plan.project());
                insert.setString(2, plan.backfillId());
                insert.setString(3, chunk.chunkId());
                insert.setString(4, chunk.from().toString());
                insert.setString(5, chunk.to().toString());
                insert.setString(6, chunk.runId());
                insert.addBatch();
                waiting++;
                if (waiting % BATCH == 0) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
        }
    }

    /**
     * One move of one chunk, from any of the statuses named in its {@code WHERE}; answers whether it was made.
     *
     * @param set what follows {@code SET}, its parameters first
     * @param from the statuses it may come from
     */
    static boolean move(
            Connection connection,
            BackfillKey key,
            String chunkId,
            String set,
            List<ChunkStatus> from,
            @Nullable Object... values)
            throws SQLException {
        StringBuilder statuses = new StringBuilder();
        for (ChunkStatus status : from) {
            statuses.append(statuses.isEmpty() ? "'" : ", '").append(status).append('\'');
        }
        try (PreparedStatement update = connection.prepareStatement("UPDATE backfill_chunks SET " + set + " WHERE"
                + OF_PLAN + " AND chunk_id = ? AND status IN (" + statuses + ")")) {
            int next = 1;
            for (Object value : values) {
                update.setObject(next++, value);
            }
            update.setString(next++, key.project());
            update.setString(next++, key.backfillId());
            update.setString(next, chunkId);
            return update.executeUpdate() == 1;
        }
    }
}
