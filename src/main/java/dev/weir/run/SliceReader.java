package dev.weir.run;

import dev.weir.connector.SliceRead;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.engine.DuckEngine;
import dev.weir.engine.StageListener;
import dev.weir.engine.StagedSource;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Outside;
import dev.weir.slicing.Slice;
import java.util.Optional;

/** Asks one snapshot of a source for a slice and stages its rows; the snapshot is closed before anything is done with them. */
final class SliceReader {

    private final DuckEngine engine;

    SliceReader(DuckEngine engine) {
        this.engine = engine;
    }

    /**
     * What a slice came to.
     *
     * @param slice what was asked in the end
     * @param staged the rows; empty where nothing was asked
     * @param next the lowest cursor above the window
     */
    record Read(Slice slice, Optional<StagedSource> staged, Optional<CursorValue> next, OutsideCounts outside) {

        long rows() {
            return staged.map(StagedSource::rows).orElse(0L);
        }

        Optional<CursorValue> max() {
            return staged.flatMap(StagedSource::max);
        }
    }

    /** @param outside what else is counted in the same snapshot; empty: nothing */
    Read read(BoundSource bound, Source source, Slice slice, Optional<Outside> outside, StageListener listener) {
        if (slice instanceof Slice.Nothing && outside.isEmpty()) {
            return new Read(slice, Optional.empty(), Optional.empty(), OutsideCounts.NONE);
        }
        try (Snapshot snapshot = source.open(bound.request())) {
            OutsideCounts counts =
                    outside.map(ranges -> OutsideCounts.in(snapshot, ranges)).orElse(OutsideCounts.NONE);
            Slice decided = slice instanceof Slice.Lowest first ? first.from(snapshot.lowest(first.range())) : slice;
            if (!(decided instanceof Slice.Window window)) {
                return new Read(decided, Optional.empty(), Optional.empty(), counts);
            }
            Optional<CursorValue> next = window.next().flatMap(snapshot::lowest);
            StagedSource staged = stage(bound, snapshot, Optional.of(window.rows()), listener);
            return new Read(decided, Optional.of(staged), next, counts);
        }
    }

    /** Stages all of a source that is read in full. */
    StagedSource readWhole(BoundSource bound, Source source, StageListener listener) {
        try (Snapshot snapshot = source.open(bound.request())) {
            return stage(bound, snapshot, Optional.empty(), listener);
        }
    }

    private StagedSource stage(
            BoundSource bound, Snapshot snapshot, Optional<CursorRange> range, StageListener listener) {
        SliceRead read = snapshot.read(range);
        return engine.stage(bound.node().id(), bound.request(), read, listener);
    }
}
