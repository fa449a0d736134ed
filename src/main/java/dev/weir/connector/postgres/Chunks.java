package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.ChunkTable;
import dev.weir.connector.jdbc.Instants;
import dev.weir.connector.jdbc.Statements;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.PlanKey;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.postgresql.jdbc.PgConnection;

/**
 * The chunks of backfills in one schema, in its table {@code _weir_chunks}.
 *
 * <p>Who completes a chunk, or asks whether that took effect, first takes the chunk's lock. Source of the rules: contract,
 * section 6.
 */
final class Chunks {

    private final OwnTable table;
    private final ChunkTable chunks;

    /** @param schema where the sink's table is */
    Chunks(PgConnection connection, String place, String schema) {
        this.table = OwnTable.of(connection, schema, ChunkTable.NAME);
        this.chunks = new ChunkTable(Statements.on(connection), place, table.sql(), Instants.TIMESTAMPTZ);
    }

    List<ChunkMark> ofPlan(PlanKey plan) throws SQLException {
        return table.exists() ? chunks.ofPlan(plan) : List.of();
    }

    List<ChunkMark> ofOthers(PlanKey plan) throws SQLException {
        return table.exists() ? chunks.ofOthers(plan) : List.of();
    }

    List<ChunkMark> ofAll(String project, String pipeline, String sink) throws SQLException {
        return table.exists() ? chunks.ofAll(project, pipeline, sink) : List.of();
    }

    Optional<ChunkMark> find(ChunkKey key) throws SQLException {
        return table.exists() ? chunks.find(key) : Optional.empty();
    }

    private void lock(ChunkKey key) throws SQLException {
        PlanKey plan = key.plan();
        table.lock(
                plan.project(),
                plan.pipeline(),
                plan.sink(),
                plan.backfillId(),
                Long.toString(key.restart()),
                key.chunkId());
    }

    /** Whether that run committed the chunk, once nobody is at work on it any more. */
    boolean holds(ChunkKey key, String runId) throws SQLException {
        lock(key);
        return table.exists() && chunks.holds(key, runId);
    }

    /** See {@link dev.weir.connector.SinkTransaction#complete}; the look for the chunk comes after the lock. */
    void complete(ChunkMark done) throws SQLException {
        lock(done.key());
        table.create(ChunkTable.creation(table.sql()));
        chunks.complete(done);
    }
}
