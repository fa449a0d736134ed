package dev.weir.run;

import dev.weir.connector.Snapshot;
import dev.weir.event.Event;
import dev.weir.slicing.Outside;

/** How many rows no window holds, each counted up to 1,000. */
record OutsideCounts(long nullCursors, long infiniteCursors, long belowInitial, long future) {

    static final OutsideCounts NONE = new OutsideCounts(0, 0, 0, 0);

    static OutsideCounts in(Snapshot snapshot, Outside outside) {
        long limit = Event.RowsOutsideWindows.COUNTED;
        return new OutsideCounts(
                snapshot.countNull(limit),
                snapshot.countInfinite(limit),
                outside.belowInitial()
                        .map(range -> snapshot.count(range, limit))
                        .orElse(0L),
                outside.future().map(range -> snapshot.count(range, limit)).orElse(0L));
    }

    boolean any() {
        return nullCursors + infiniteCursors + belowInitial + future > 0;
    }
}
