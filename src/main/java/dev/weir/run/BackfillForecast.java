package dev.weir.run;

import dev.weir.slicing.Backfill;
import dev.weir.slicing.BackfillIdentity;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.ChunkStatus;
import dev.weir.slicing.Cursor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a backfill would do, and how its chunks stand. Immutable.
 *
 * @param identity of the plan
 * @param cursor what scopes its sources
 * @param sinks those it writes to, {@code connection.table}
 * @param chunks in their order
 * @param exact whether rows were counted chunk by chunk; false: several chunks at once, and spread evenly over them
 * @param refusal why it would not run; empty: it would
 */
public record BackfillForecast(
        BackfillIdentity identity,
        Cursor cursor,
        List<String> sinks,
        List<OfChunk> chunks,
        boolean exact,
        Optional<String> refusal) {

    public BackfillForecast {
        sinks = List.copyOf(sinks);
        chunks = List.copyOf(chunks);
    }

    /**
     * One chunk.
     *
     * @param runId names it, in every attempt
     * @param status as the sinks say, and where they know nothing of it, as state says
     * @param rows an estimate of what it reads; empty: it cannot be told
     */
    public record OfChunk(Chunk chunk, String runId, ChunkStatus status, OptionalLong rows) {}

    /** The chunks' plan. */
    public Backfill plan() {
        return identity.plan();
    }

    /** How many chunks stand so. */
    public long count(ChunkStatus status) {
        return chunks.stream().filter(chunk -> chunk.status() == status).count();
    }
}
