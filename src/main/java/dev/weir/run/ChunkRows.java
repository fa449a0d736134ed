package dev.weir.run;

import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.connector.Staged;
import dev.weir.engine.DuckEngine;
import dev.weir.engine.StageListener;
import dev.weir.engine.StagedSource;
import dev.weir.event.Event;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.CursorRange;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of one chunk on their way through the pipelines' SQL, staged under names of their own: several chunks may be
 * under way. Used by one thread.
 */
final class ChunkRows implements AutoCloseable {

    private final DuckEngine engine;
    private final Chunk chunk;
    private final String runId;
    private final Instant began;
    private final List<String> staged = new ArrayList<>();

    /** What is read in the place of a source or a pipeline, by its id. */
    private final Map<String, String> relations = new HashMap<>();

    private final Map<String, RenderContext.Watermark> watermarks = new HashMap<>();

    /**
     * @param runId what {@code run_id} stands for
     * @param began what {@code run_started_at} stands for
     */
    ChunkRows(DuckEngine engine, Chunk chunk, String runId, Instant began) {
        this.engine = engine;
        this.chunk = chunk;
        this.runId = runId;
        this.began = began;
    }

    /**
     * Stages what a source holds of the chunk.
     *
     * @param request what is read of it: tokens in its query stand for the chunk already
     */
    long stage(BoundSource bound, ReadRequest request, Source source, StageListener listener) {
        Optional<CursorRange> range = bound.incremental().map(cursor -> chunk.range());
        String id = bound.node().id();
        try (Snapshot snapshot = source.open(request)) {
            refuseNulls(bound, snapshot);
            StagedSource rows = engine.stage(named(id), request, snapshot.read(range), listener);
            return rows.rows();
        } finally {
            bound.incremental()
                    .ifPresent(how -> watermarks.put(
                            id,
                            // Exclusive, as in a run: what lies below every row of the chunk.
                            how.watermark(Optional.of(chunk.from())
                                    .filter(from -> from.isAbove(from.type().least()))
                                    .map(from -> from.plus(BigInteger.ONE.negate())))));
        }
    }

    /** Of a query with tokens, each chunk's own rows are looked at: those of a range that was asked before say nothing. */
    private static void refuseNulls(BoundSource bound, Snapshot snapshot) {
        boolean asked = bound.node().tokens().isPresent()
                && bound.incremental().filter(how -> how.sync().refusesNulls()).isPresent();
        if (asked) {
            long nulls = snapshot.countNull(Event.RowsOutsideWindows.COUNTED);
            SliceReader.refuseNulls(bound, new OutsideCounts(nulls, 0, 0, 0));
        }
    }

    /** Runs a pipeline over what is staged; those it reads come before it. */
    Staged run(BoundPipeline pipeline) {
        List<String> scoped =
                pipeline.scopedSources().stream().map(SourceNode::id).toList();
        Map<String, RenderContext.Watermark> own = new HashMap<>(watermarks);
        own.keySet().retainAll(scoped);
        String id = pipeline.node().id();
        RenderContext context = new RenderContext(runId, began, relations, own);
        return engine.run(
                pipeline.node().place().toString(),
                named(id),
                pipeline.node().sql().render(context));
    }

    private String named(String id) {
        return relations.computeIfAbsent(id, key -> {
            String name = key + "#chunk" + chunk.number();
            staged.add(name);
            return name;
        });
    }

    /** Frees what was staged. */
    @Override
    public void close() {
        staged.forEach(engine::drop);
    }
}
