package dev.weir.run;

import dev.weir.plan.Fingerprint;
import dev.weir.slicing.Backfill;
import dev.weir.slicing.BackfillIdentity;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.PlanKey;
import java.time.Instant;
import java.util.List;

/**
 * A backfill settled with the systems it connects to: what is read, what is written, and in which chunks.
 *
 * @param pipeline the one that is replayed; its sinks are those it writes to here
 * @param scoped the sources its chunks are read of, at least one
 * @param identity of the plan and its chunks
 * @param cursor what scopes the sources; with several, the names of theirs
 * @param fingerprint of all that the rows depend on
 */
record BackfillTarget(
        String project,
        BoundPipeline pipeline,
        List<BoundSource> scoped,
        BackfillIdentity identity,
        Cursor cursor,
        Fingerprint fingerprint) {

    /** The same, its sinks as they are once their tables were altered. */
    BackfillTarget writing(BoundPipeline altered) {
        return new BackfillTarget(project, altered, scoped, identity, cursor, fingerprint);
    }

    /** The chunks. */
    Backfill plan() {
        return identity.plan();
    }

    String id() {
        return identity.backfillId();
    }

    /** The plan as a sink knows it. */
    PlanKey planKey(BoundSink sink) {
        return new PlanKey(project, pipeline.name(), sink.node().id(), id());
    }

    /** What a sink keeps of a chunk; its rows are not known yet. */
    ChunkMark mark(BoundSink sink, long restart, Chunk chunk, String runId, Instant at) {
        return new ChunkMark(
                new ChunkKey(planKey(sink), restart, chunk.id()),
                String.join(
                        ", ", scoped.stream().map(source -> source.node().key()).toList()),
                cursor,
                chunk.from(),
                chunk.to(),
                fingerprint.sha256(),
                0,
                runId,
                at);
    }
}
