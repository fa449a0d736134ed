package dev.weir.run;

import dev.weir.connector.RawRows;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.engine.DuckEngine;
import dev.weir.engine.StageListener;
import dev.weir.engine.StagedSource;
import dev.weir.event.Event;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Lookback;
import dev.weir.slicing.Outside;
import dev.weir.slicing.Participation;
import dev.weir.slicing.Slice;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Asks one snapshot of a source for a slice and stages its rows; the snapshot is closed before anything is done with them. */
final class SliceReader {

    private final DuckEngine engine;

    SliceReader(DuckEngine engine) {
        this.engine = engine;
    }

    /**
     * What is asked of one snapshot.
     *
     * @param id under which the slice's rows are staged
     * @param outside what else is counted; empty: nothing
     * @param again ranges below the slice that are read once more, each by itself
     * @param raw whether the slice may stay as the source sends it
     * @param keys columns that the slice's rows will be merged by, to be compared when it is read and not in the way of sinks
     */
    record Asked(
            String id,
            Slice slice,
            Optional<Outside> outside,
            List<CursorRange> again,
            boolean raw,
            Set<List<String>> keys) {

        /**
         * What a pass asks of a source.
         *
         * @param sinks those that take part, and where they stand
         * @param first whether it is the invocation's first pass, in which more is counted and read once more
         */
        static Asked of(
                BoundSource source,
                SourceTime time,
                Participation participation,
                List<Comparison.Ready> sinks,
                boolean first) {
            BoundSource.Incremental incremental = source.incremental().orElseThrow();
            Slice slice = time.isClosed()
                    ? new Slice.Nothing()
                    : Slice.of(new Slice.From(
                            incremental.sync(),
                            participation.lower(),
                            time.ceiling().orElse(null),
                            participation.nextHigher()));
            if (!first) {
                return new Asked(source.node().id(), slice, Optional.empty(), List.of(), false, Set.of());
            }
            Set<CursorRange> again = new LinkedHashSet<>();
            sinks.forEach(sink -> again(source, sink).ifPresent(again::add));
            return new Asked(
                    source.node().id(),
                    slice,
                    Optional.of(Outside.of(incremental.sync(), participation.lower(), time.now())),
                    List.copyOf(again),
                    false,
                    Set.of());
        }

        /** The same, where nobody needs the slice decoded. What is read once more is put together with it, in DuckDB. */
        Asked undecoded() {
            return new Asked(id, slice, outside, again, again.isEmpty(), keys);
        }

        /** The same, whose rows will be merged by these columns. What is put together with others is compared with them. */
        Asked comparing(Set<List<String>> columns) {
            return new Asked(id, slice, outside, again, raw, again.isEmpty() ? columns : Set.of());
        }

        /** What a sink gets once more, in the first pass of an invocation. */
        static Optional<CursorRange> again(BoundSource source, Comparison.Ready sink) {
            return Lookback.below(
                    source.incremental().orElseThrow().sync(),
                    sink.stands().position(),
                    sink.stands().generationStart());
        }

        /** The same, its rows staged under another id. */
        Asked under(String other) {
            return new Asked(other, slice, outside, again, raw, keys);
        }

        /** Whether no snapshot is needed. */
        boolean isNothing() {
            return slice instanceof Slice.Nothing && outside.isEmpty() && again.isEmpty();
        }
    }

    /**
     * What a slice came to.
     *
     * @param id under which the rows are staged
     * @param slice what was asked in the end
     * @param staged the rows; empty where nothing was asked
     * @param next the lowest cursor above the window
     * @param again the rows of each range that was read once more
     * @param keys columns by which the rows are still to be compared
     * @param took from the first question to the last row staged and compared
     */
    record Read(
            String id,
            Slice slice,
            Optional<StagedSource> staged,
            Optional<CursorValue> next,
            OutsideCounts outside,
            Map<CursorRange, Again> again,
            Set<List<String>> keys,
            Duration took) {

        static Read nothing(Asked asked) {
            return new Read(
                    asked.id(),
                    asked.slice(),
                    Optional.empty(),
                    Optional.empty(),
                    OutsideCounts.NONE,
                    Map.of(),
                    Set.of(),
                    Duration.ZERO);
        }

        long rows() {
            return staged.map(StagedSource::rows).orElse(0L);
        }

        /** Forgets the rows that are not in DuckDB. */
        void forgetRaw() {
            staged.flatMap(StagedSource::raw).ifPresent(RawRows::close);
        }

        Optional<CursorValue> max() {
            return staged.flatMap(StagedSource::max);
        }

        /** How many rows were read once more; those of overlapping ranges count for each. */
        long rowsAgain() {
            return again.values().stream().mapToLong(Again::rows).sum();
        }
    }

    /**
     * Rows read once more.
     *
     * @param id where they are staged
     */
    record Again(String id, long rows) {}

    /** The same, once its rows are compared: when its source is free again for others. */
    Read compared(Read read) {
        long began = System.nanoTime();
        Optional<StagedSource> compared =
                read.staged().map(staged -> staged.raw().isPresent() ? staged : engine.compared(staged, read.keys()));
        return new Read(
                read.id(),
                read.slice(),
                compared,
                read.next(),
                read.outside(),
                read.again(),
                Set.of(),
                read.took().plus(since(began)));
    }

    /** What is asked, read in one snapshot and not yet {@link #compared}. */
    Read read(BoundSource bound, Source source, Asked asked, StageListener listener) {
        long began = System.nanoTime();
        try (Snapshot snapshot = source.open(bound.request())) {
            OutsideCounts counts = asked.outside()
                    .map(ranges -> OutsideCounts.in(snapshot, ranges))
                    .orElse(OutsideCounts.NONE);
            refuseNulls(bound, counts);
            Slice decided = asked.slice() instanceof Slice.Lowest first
                    ? first.from(snapshot.lowest(first.range()))
                    : asked.slice();
            if (!(decided instanceof Slice.Window window)) {
                Map<CursorRange, Again> again = again(bound, snapshot, asked, listener);
                return new Read(
                        asked.id(), decided, Optional.empty(), Optional.empty(), counts, again, Set.of(), since(began));
            }
            Optional<CursorValue> next = window.next().flatMap(snapshot::lowest);
            StagedSource staged = (asked.raw()
                            ? raw(bound, asked.id(), snapshot, window.rows(), listener)
                            : Optional.<StagedSource>empty())
                    .orElseGet(() -> stage(bound, asked.id(), snapshot, Optional.of(window.rows()), listener));
            Map<CursorRange, Again> again = again(bound, snapshot, asked, listener);
            return new Read(asked.id(), decided, Optional.of(staged), next, counts, again, asked.keys(), since(began));
        }
    }

    private static Duration since(long began) {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** @throws RunException {@code WR0525} for NULL cursors in a source that refuses them */
    static void refuseNulls(BoundSource bound, OutsideCounts counts) {
        boolean refused = bound.incremental().orElseThrow().sync().refusesNulls();
        if (refused && counts.nullCursors() > 0) {
            String rows = counts.nullCursors() == 1 ? "1 row has" : counts.nullCursors() + " rows have";
            throw new RunException(
                    Code.NULL_CURSOR,
                    bound.node().key(),
                    (counts.nullCursors() >= Event.RowsOutsideWindows.COUNTED ? "at least " : "") + rows
                            + " a NULL in the cursor "
                            + bound.incremental().orElseThrow().cursor().column() + ", and no window holds them",
                    "give them a value at the source, or say nulls: warn to load the others");
        }
    }

    private Map<CursorRange, Again> again(BoundSource bound, Snapshot snapshot, Asked asked, StageListener listener) {
        Map<CursorRange, Again> again = new LinkedHashMap<>();
        for (CursorRange range : asked.again()) {
            String id = bound.node().id() + "#again" + again.size();
            StagedSource staged = stage(bound, id, snapshot, Optional.of(range), listener);
            again.put(range, new Again(id, staged.rows()));
        }
        return again;
    }

    /** Stages all of a source that is read in full. */
    StagedSource readWhole(BoundSource bound, Source source, StageListener listener) {
        try (Snapshot snapshot = source.open(bound.request())) {
            return stage(bound, bound.node().id(), snapshot, Optional.empty(), listener);
        }
    }

    private Optional<StagedSource> raw(
            BoundSource bound, String id, Snapshot snapshot, CursorRange range, StageListener listener) {
        return snapshot.readRaw(range, engine.tempDirectory(), listener::staged)
                .map(rows ->
                        new StagedSource(id, bound.columns(), rows.rows(), rows.max(), Optional.of(rows), Set.of()));
    }

    private StagedSource stage(
            BoundSource bound, String id, Snapshot snapshot, Optional<CursorRange> range, StageListener listener) {
        return engine.stage(id, bound.request(), snapshot.read(range), listener);
    }
}
