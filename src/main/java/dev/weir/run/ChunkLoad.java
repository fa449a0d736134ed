package dev.weir.run;

import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Staged;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.Strategy;
import dev.weir.state.ActiveRanges;
import dev.weir.state.Loading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one chunk: reads it, runs the pipeline over it, and commits it into the sinks that lack it, each with the
 * chunk's mark. Used by one thread.
 *
 * <p>Source of the rules: contract, section 6.
 */
final class ChunkLoad {

    private final Shared shared;
    private final Journal journal;
    private final Chunk chunk;
    private final List<BoundSink> sinks;
    private final Map<String, Journal.Node> told = new LinkedHashMap<>();
    private boolean sourcesEnded;

    /**
     * What all chunks of an invocation share.
     *
     * @param fullReads what is read in full, once; anew for a chunk that may hold rows committed since
     * @param fullReadsLock held for reading while they are used, for writing while they are read anew
     */
    record Shared(
            Invocation invocation,
            Bindings bindings,
            BackfillTarget target,
            long restart,
            ChunkReach reach,
            FullReads fullReads,
            ReentrantReadWriteLock fullReadsLock) {}

    /** @param sinks those that lack the chunk, at least one */
    ChunkLoad(Shared shared, Journal journal, Chunk chunk, List<BoundSink> sinks) {
        this.shared = shared;
        this.journal = journal;
        this.chunk = chunk;
        this.sinks = sinks;
    }

    /**
     * How it came out.
     *
     * @param failure what kept it from being completed; its nodes are told already. Null: it is completed
     * @param rows how many were delivered into the first of the sinks
     */
    record Result(@Nullable RuntimeException failure, long rows) {

        private static Result failed(RuntimeException failure) {
            return new Result(failure, 0);
        }
    }

    private Invocation invocation() {
        return shared.invocation();
    }

    private BackfillTarget target() {
        return shared.target();
    }

    /** Does it, and tells its nodes. */
    Result run() {
        try (ActiveRanges.Held held = hold()) {
            new AppendGuard(invocation().scope(), target()).check(chunk, sinks);
            boolean anew = readsInFull() && shared.reach().readsLateComers(chunk);
            Lock lock = anew
                    ? shared.fullReadsLock().writeLock()
                    : shared.fullReadsLock().readLock();
            lock.lock();
            try (ChunkRows rows = new ChunkRows(invocation().engine(), chunk, journal.runId(), journal.began())) {
                return load(rows, anew);
            } finally {
                lock.unlock();
            }
        } catch (RuntimeException e) {
            tellAtSources(e);
            return Result.failed(e);
        }
    }

    private boolean readsInFull() {
        return target().pipeline().sources().stream().anyMatch(source -> !source.isScoped());
    }

    private ActiveRanges.Held hold() {
        List<Loading> loadings = new ArrayList<>();
        for (BoundSink sink : sinks) {
            for (BoundSource source : target().scoped()) {
                Cursor cursor = source.incremental()
                        .map(BoundSource.Incremental::cursor)
                        .orElse(target().cursor());
                loadings.add(ForwardRanges.loading(sink, source, cursor, chunk.range()));
            }
        }
        try {
            return invocation()
                    .state()
                    .activeRanges()
                    .enter(
                            loadings,
                            journal.runId(),
                            invocation()::pauseForOthers,
                            invocation().notes());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Cancellation.CancelledException();
        }
    }

    private Result load(ChunkRows rows, boolean anew) {
        BoundPipeline pipeline = target().pipeline();
        target().scoped().forEach(source -> told.put(source.node().id(), journal.started(source.node())));
        told.values().forEach(Journal.Node::paused);
        Map<String, Long> read = new LinkedHashMap<>();
        for (BoundSource source : target().scoped()) {
            Journal.Node node = told.get(source.node().id());
            node.resumed();
            try {
                read.put(source.node().id(), read(source, node, rows));
                node.paused();
            } catch (RuntimeException e) {
                return sourceFailed(source.node(), e);
            }
        }
        if (anew) {
            shared.fullReads().forget(List.of(pipeline));
        }
        String failedAbove =
                shared.fullReads().prepare(journal, List.of(pipeline)).get(pipeline.name());
        if (failedAbove != null) {
            sinks.forEach(sink -> journal.started(sink.node()).skipped(failedAbove));
            sourcesEnded = true;
            told.values().forEach(node -> node.leftOut(failedAbove + " failed"));
            return Result.failed(new RunException(
                    Code.SOURCE,
                    failedAbove,
                    "every chunk needs it, and it could not be loaded: see what is told of it",
                    "mend that, then run the same command again to resume"));
        }
        Result result = commit(rows);
        sourcesEnded = true;
        told.forEach((id, node) -> {
            node.resumed();
            node.succeeded(read.get(id), null);
        });
        return result;
    }

    private long read(BoundSource source, Journal.Node node, ChunkRows rows) {
        String connection = source.node().connection();
        ReadRequest request = request(source);
        return invocation()
                .connections()
                .retries(connection)
                .run(
                        () -> {
                            invocation().cancellation().check();
                            invocation().connections().pace(connection);
                            return invocation()
                                    .connections()
                                    .reading(
                                            connection,
                                            opened -> rows.stage(source, request, opened, count -> {
                                                invocation().faults().reached(Faults.Point.MID_READ);
                                                node.progress(count);
                                            }));
                        },
                        node.retries());
    }

    /** What is read of a source, the tokens of its query standing for the chunk. */
    private ReadRequest request(BoundSource source) {
        Entity filled =
                source.node().at(BackfillBinder.moment(target().plan(), chunk)).entity();
        return source.request().of(filled);
    }

    private Result sourceFailed(SourceNode failed, RuntimeException e) {
        sourcesEnded = true;
        told.forEach((id, node) -> {
            node.resumed();
            if (id.equals(failed.id())) {
                node.failed(e);
            } else {
                node.leftOut(failed.id() + " failed");
            }
        });
        sinks.forEach(sink -> journal.started(sink.node()).skipped(failed.id()));
        return Result.failed(e);
    }

    /** What fails elsewhere than in a node is told at the sources. */
    private void tellAtSources(RuntimeException e) {
        if (told.isEmpty()) {
            target().scoped().forEach(source -> journal.started(source.node()).failed(e));
        } else if (!sourcesEnded) {
            told.values().forEach(node -> node.failed(e));
        }
    }

    private Result commit(ChunkRows rows) {
        invocation().faults().reached(Faults.Point.STAGED);
        Supplier<Staged> output = once(() -> output(rows));
        Map<String, List<SinkLoad.Part>> units = new LinkedHashMap<>();
        for (BoundSink sink : sinks) {
            units.computeIfAbsent(sink.node().connection(), key -> new ArrayList<>())
                    .add(part(sink, output));
        }
        RuntimeException failure = null;
        long delivered = 0;
        for (List<SinkLoad.Part> unit : units.values()) {
            SinkLoad.Result result = new SinkLoad(invocation(), journal, target().pipeline(), unit, chunk.id()).load();
            if (result.failure() != null && failure == null) {
                failure = result.failure();
            }
            if (unit == units.values().iterator().next() && !result.kept().isEmpty()) {
                delivered = result.kept().get(0).rows();
            }
        }
        return new Result(failure, delivered);
    }

    private Staged output(ChunkRows rows) {
        invocation().cancellation().check();
        BoundPipeline pipeline = target().pipeline();
        for (BoundPipeline above : shared.bindings().upstream(invocation().plan(), pipeline)) {
            if (!above.scopedSources().isEmpty()) {
                intermediate(rows, above);
            }
        }
        return rows.run(pipeline);
    }

    private void intermediate(ChunkRows rows, BoundPipeline above) {
        Journal.Node node = journal.started(above.node());
        try {
            node.succeeded(rows.run(above).rows(), null);
        } catch (RuntimeException e) {
            node.failed(e);
            throw new Outputs.AboveFailed(above.name(), e);
        }
    }

    /** Sinks in several connections get the same rows, or meet the same failure. */
    private static <T> Supplier<T> once(Supplier<T> work) {
        return new Supplier<>() {
            private @Nullable T done;
            private @Nullable RuntimeException failure;

            @Override
            public T get() {
                if (failure != null) {
                    throw failure;
                }
                if (done == null) {
                    try {
                        done = work.get();
                    } catch (RuntimeException e) {
                        failure = e;
                        throw e;
                    }
                }
                return done;
            }
        };
    }

    private SinkLoad.Part part(BoundSink sink, Supplier<Staged> output) {
        Optional<PipelineBinder.Deleted> deleted = sink.node().strategy() == Strategy.WINDOW
                ? Optional.of(new PipelineBinder.Deleted(target().cursor().column(), chunk.range()))
                : Optional.empty();
        ChunkMark mark = target().mark(
                        sink,
                        shared.restart(),
                        chunk,
                        journal.runId(),
                        invocation().clock().instant());
        return new SinkLoad.Part(sink, false, Optional.of(output), List.of(new Entry.Done(mark)), deleted);
    }
}
