package dev.weir.run;

import dev.weir.connector.Source;
import dev.weir.event.Incremental;
import dev.weir.event.NodeKind;
import dev.weir.fault.RunException;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Advance;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Mark;
import dev.weir.slicing.Outside;
import dev.weir.slicing.Participation;
import dev.weir.slicing.Position;
import dev.weir.slicing.Slice;
import dev.weir.slicing.Strategy;
import dev.weir.slicing.Sync;
import dev.weir.slicing.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One pass of one incremental source: what its sinks say, one slice, and a commit in each sink that takes part. */
final class IncrementalLoad {

    private final Invocation invocation;
    private final Journal journal;
    private final BoundSource bound;
    private final BoundSource.Incremental incremental;
    private final SourceTime time;

    IncrementalLoad(Invocation invocation, Journal journal, BoundSource bound, SourceTime time) {
        this.invocation = invocation;
        this.journal = journal;
        this.bound = bound;
        this.incremental = bound.incremental().orElseThrow();
        this.time = time;
    }

    /**
     * How the pass came out for this source.
     *
     * @param failed whether it, or a sink below it, failed
     * @param atEnd whether nothing is left below the ceiling for any selected sink
     * @param moved whether a sink delivered rows or moved
     */
    record Result(boolean failed, boolean atEnd, boolean moved) {}

    /**
     * @param pipelines those that can run: their other sources are staged
     * @param firstPass whether this is the invocation's first pass
     * @param fullRefresh whether the sinks start over at {@code initial}
     * @param failFast whether nothing is started any more after a failure
     */
    Result run(List<BoundPipeline> pipelines, boolean firstPass, boolean fullRefresh, boolean failFast) {
        SourceNode node = bound.node();
        Journal.Node told = journal.started(node.id(), NodeKind.SOURCE_LOAD);
        SinkComparison comparison = new SinkComparison(invocation, journal, bound, pipelines);
        SinkComparison.Compared compared;
        SliceReader.Read read;
        Participation participation;
        try {
            compared = comparison.compare(fullRefresh);
            participation = Participation.of(compared.positions());
            read = read(told, participation, compared.isEmpty(), firstPass);
        } catch (RuntimeException e) {
            told.failed(e);
            pipelines.stream()
                    .filter(comparison::isUndecided)
                    .forEach(pipeline -> journal.skipped(pipeline.node().sink().id(), NodeKind.SINK_WRITE, node.id()));
            return new Result(true, false, false);
        }
        told.paused();
        if (compared.isEmpty()) {
            told.resumed();
            told.succeeded(0, null);
            return new Result(true, false, false);
        }
        told.outside(read.outside());
        Advance advance = Advance.of(read.slice(), participation.lower(), read.rows(), read.max(), read.next());
        invocation.faults().reached(Faults.Point.STAGED);
        boolean failed = compared.anyRefused();
        boolean moved = false;
        RuntimeException stateFailure = null;
        Map<String, CursorValue> after = new LinkedHashMap<>(compared.positions());
        for (SinkComparison.Ready ready : compared.ready()) {
            boolean participates = participation.participants().contains(ready.name());
            if (failed && failFast) {
                String sink = ready.facts().pipeline().node().sink().id();
                journal.leftOut(sink, NodeKind.SINK_WRITE, "something failed before, and --fail-fast is given");
                continue;
            }
            Optional<Mark> mark;
            try {
                mark = new SinkLoad(invocation, journal)
                        .load(participates ? task(ready, participation.lower(), read, advance) : nothing(ready));
            } catch (RuntimeException e) {
                failed = true;
                continue;
            }
            moved |= mark.isPresent() || (participates && read.rows() > 0);
            try {
                mark.ifPresent(committed -> {
                    after.put(ready.name(), committed.value());
                    save(ready, committed);
                });
            } catch (RuntimeException e) {
                stateFailure = e;
            }
        }
        told.resumed();
        if (stateFailure != null) {
            told.failed(stateFailure);
            return new Result(true, false, moved);
        }
        report(told, participation, read, advance, after, failed);
        return new Result(failed, advance.atEnd() && !failed, moved);
    }

    private SliceReader.Read read(Journal.Node told, Participation participation, boolean nobody, boolean firstPass) {
        Slice slice = nobody
                ? new Slice.Nothing()
                : Slice.of(new Slice.From(
                        incremental.sync(),
                        participation.lower(),
                        time.ceiling().orElse(null),
                        participation.nextHigher()));
        Optional<Outside> outside = firstPass && !nobody
                ? Optional.of(Outside.of(incremental.sync(), participation.lower(), time.now()))
                : Optional.empty();
        SliceReader reader = new SliceReader(invocation.engine());
        return invocation
                .retries()
                .run(
                        () -> {
                            invocation.cancellation().check();
                            Source source =
                                    invocation.connections().source(bound.node().connection());
                            try {
                                return reader.read(bound, source, slice, outside, rows -> {
                                    invocation.faults().reached(Faults.Point.MID_READ);
                                    told.progress(rows);
                                });
                            } catch (RunException e) {
                                if (e.isRetryable()) {
                                    invocation
                                            .connections()
                                            .resetSource(bound.node().connection());
                                }
                                throw e;
                            }
                        },
                        told.retries());
    }

    private SinkLoad.Task task(
            SinkComparison.Ready ready, @Nullable CursorValue lower, SliceReader.Read read, Advance advance) {
        Verdict.Stands stands = ready.stands();
        Mark former = ready.facts().standing().mark();
        boolean sameGeneration = former != null && former.generation() == stands.generation();
        CursorValue position = advance.position();
        boolean stays = read.rows() == 0
                && java.util.Objects.equals(position, former == null ? null : former.value())
                && (sameGeneration || (former == null && stands.generation() == 0));
        Mark next = new Mark(
                incremental.cursor(),
                stands.generation(),
                stands.generationStart(),
                sameGeneration ? Math.addExact(former.seq(), 1) : 1,
                position,
                sameGeneration ? former.rowsDelivered() : 0,
                false,
                journal.runId(),
                invocation.clock().instant());
        return new SinkLoad.Task(
                ready.facts().pipeline(),
                ready.tableExists(),
                read.rows() > 0,
                watermarks(lower),
                stays
                        ? Optional.empty()
                        : Optional.of(new SinkLoad.Move(ready.facts().key(), former, next)),
                deleted(ready, lower, read, advance));
    }

    /** A sink that is already above this slice: it only makes sure of its table. */
    private SinkLoad.Task nothing(SinkComparison.Ready ready) {
        return new SinkLoad.Task(
                ready.facts().pipeline(),
                ready.tableExists(),
                false,
                watermarks(null),
                Optional.empty(),
                Optional.empty());
    }

    private Map<String, RenderContext.Watermark> watermarks(@Nullable CursorValue lower) {
        return Map.of(
                bound.node().id(),
                new RenderContext.Watermark(incremental.cursor().type(), Optional.ofNullable(lower)));
    }

    /** From {@code lower} to the new position; without a next row, to the ceiling. */
    private Optional<PipelineBinder.Deleted> deleted(
            SinkComparison.Ready ready, @Nullable CursorValue lower, SliceReader.Read read, Advance advance) {
        boolean window = ready.facts().pipeline().node().sink().strategy() == Strategy.WINDOW;
        if (!window || !(read.slice() instanceof Slice.Window asked)) {
            return Optional.empty();
        }
        Sync sync = incremental.sync();
        CursorValue to = read.next().isPresent() && advance.position() != null
                ? advance.position()
                : time.ceiling().orElse(sync.type().greatest());
        CursorValue initial = sync.initial() == null ? sync.type().least() : sync.initial();
        CursorRange range = lower == null ? CursorRange.startingAt(initial, to) : CursorRange.above(lower, to);
        if (asked.rows().isEmpty() || range.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new PipelineBinder.Deleted(incremental.cursor().column(), range));
    }

    private void save(SinkComparison.Ready ready, Mark committed) {
        Position state = ready.facts().standing().state();
        boolean sameGeneration = state != null && state.generation() == committed.generation();
        invocation.save(
                ready.facts().key(),
                new Position(
                        committed.cursor(),
                        committed.generation(),
                        committed.generationStart(),
                        committed.value(),
                        sameGeneration ? state.stood() : null,
                        committed.runId(),
                        committed.committedAt()));
    }

    private void report(
            Journal.Node told,
            Participation participation,
            SliceReader.Read read,
            Advance advance,
            Map<String, CursorValue> after,
            boolean failed) {
        CursorValue before = participation.lower();
        CursorValue watermark = Participation.lowest(after);
        if (watermark != null && !watermark.equals(before)) {
            journal.watermarkAdvanced(bound.node().key(), incremental.cursor(), before, watermark);
        }
        Incremental.Window window = read.slice() instanceof Slice.Window asked
                ? new Incremental.Window(
                        asked.rows().from(), asked.rows().to(), asked.rows().fromInclusive())
                : null;
        Boolean caughtUp = incremental.sync().hasStop() ? advance.atEnd() && !failed : null;
        told.succeeded(
                read.rows(),
                new Incremental(
                        window,
                        incremental.cursor(),
                        before,
                        watermark,
                        time.ceiling().orElse(null),
                        advance.atEnd(),
                        advance.skippedWindows(),
                        caughtUp));
    }
}
