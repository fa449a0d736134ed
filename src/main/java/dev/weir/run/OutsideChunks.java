package dev.weir.run;

import dev.weir.connector.Snapshot;
import dev.weir.event.Event;
import dev.weir.fault.RunException;

/** Tells, once, of rows that no chunk of any range holds: those without a cursor, or with an infinite one. */
final class OutsideChunks {

    private final Invocation invocation;
    private final BackfillTarget target;

    OutsideChunks(Invocation invocation, BackfillTarget target) {
        this.invocation = invocation;
        this.target = target;
    }

    /** @throws RunException {@code WR0525} for NULL cursors in a source that refuses them */
    void tell() {
        target.scoped().stream()
                .filter(source -> source.incremental().isPresent())
                .forEach(this::tell);
    }

    private void tell(BoundSource source) {
        String connection = source.node().connection();
        OutsideCounts counts = invocation
                .connections()
                .retries(connection)
                .run(
                        () -> invocation.connections().reading(connection, opened -> {
                            try (Snapshot snapshot = opened.open(source.request())) {
                                long limit = Event.RowsOutsideWindows.COUNTED;
                                return new OutsideCounts(
                                        snapshot.countNull(limit), snapshot.countInfinite(limit), 0, 0);
                            }
                        }),
                        Retries.Listener.SILENT);
        SliceReader.refuseNulls(source, counts);
        if (counts.any()) {
            invocation
                    .notes()
                    .accept(source.node().key() + ": no chunk holds rows without a cursor, or with an infinite one: "
                            + counts.nullCursors() + " NULL, " + counts.infiniteCursors() + " infinite"
                            + (counts.nullCursors() == Event.RowsOutsideWindows.COUNTED ? " or more" : ""));
        }
    }
}
