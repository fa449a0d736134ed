package dev.weir.event;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event of every kind, and what they are made of. */
final class Samples {

    static final String RUN = "20260902T091500118Z-9a1c";
    static final Instant AT = Instant.parse("2026-09-02T09:15:00.118999Z");
    static final Cursor ID = new Cursor("id", CursorType.of(CursorType.Kind.BIGINT));
    static final String SOURCE = "src_pg_prod__public_orders";
    static final String SINK = "lake.orders_synced";

    static final String BACKFILL = "d7a7c6e21e0d8ecb";
    static final String CHUNK_RUN = "559264ef1526bd83";
    static final ChunkRef CHUNK =
            new ChunkRef(3, 5, "000002", "2026-01-03T00:00:00+00:00", "2026-01-04T00:00:00+00:00");

    private Samples() {}

    static CursorValue id(long value) {
        return ID.type().units(value);
    }

    static Event started(int pass) {
        return new Event.RunStarted(AT, RUN, "shop", 2, pass, AT);
    }

    static Event nodeStarted(String name, NodeKind kind) {
        return new Event.NodeStarted(AT, RUN, name, kind, name);
    }

    static Event.NodeCompleted source(long rows, long ms, @Nullable Incremental incremental) {
        return new Event.NodeCompleted(
                AT, RUN, SOURCE, NodeKind.SOURCE_LOAD, SOURCE, new Outcome.Success(), rows, rows * 8, ms, incremental);
    }

    static Event.NodeCompleted sink(Outcome outcome, long rows, long ms) {
        return new Event.NodeCompleted(AT, RUN, SINK, NodeKind.SINK_WRITE, SINK, outcome, rows, rows * 8, ms, null);
    }

    static Incremental window(@Nullable Boolean caughtUp) {
        return new Incremental(
                new Incremental.Window(id(0), id(10_000), true, null),
                ID,
                null,
                id(10_000),
                id(5_000_000),
                false,
                null,
                0,
                null,
                caughtUp);
    }

    static Incremental jumped(long windows) {
        return new Incremental(
                new Incremental.Window(id(10), id(20), false, null),
                ID,
                id(10),
                id(1_000_000),
                null,
                false,
                BigInteger.valueOf(windows),
                0,
                null,
                false);
    }

    static Outcome.Failed failed(String what) {
        return new Outcome.Failed(new Fault(Code.SINK, SINK, what, "make room and run again"));
    }

    static Event completed(RunStatus status, int succeeded, int failed, int skipped) {
        return new Event.RunCompleted(AT.plusSeconds(3), RUN, status, succeeded, failed, skipped, 3_000);
    }

    static List<Event> oneOfEach() {
        return List.of(
                started(1),
                nodeStarted(SOURCE, NodeKind.SOURCE_LOAD),
                new Event.NodeProgress(AT, RUN, SOURCE, SOURCE, 5_000, 40_000),
                new Event.RetryScheduled(AT, RUN, SOURCE, SOURCE, 1, 3, 1_250, "connection reset"),
                new Event.MergeKeyDuplicatesDetected(AT, RUN, SINK, SINK, List.of("id", "day"), 2, 3),
                new Event.RowsOutsideWindows(AT, RUN, SOURCE, 3, 0, 1, 1_000),
                source(10_000, 2_100, window(false)),
                new Event.WatermarkAdvanced(AT, RUN, "pg_prod.public.orders", ID, null, id(10_000)),
                completed(RunStatus.SUCCESS, 2, 0, 0),
                new Event.LoopCompleted(AT, RUN, 500, "caught up", 0),
                new Event.BackfillStarted(
                        AT, RUN, BACKFILL, "web_events", CHUNK.from(), "2026-01-06T00:00:00+00:00", 5, 3),
                new Event.ChunkStarted(AT, RUN, BACKFILL, CHUNK, CHUNK_RUN),
                chunk(new ChunkOutcome.Completed(1_000)),
                new Event.BackfillCompleted(
                        AT, RUN, BACKFILL, RunStatus.SUCCESS, new ChunkTotals(5, 3, 2, 0, 0, 3_000), 9_000, 0));
    }

    static Event.ChunkCompleted chunk(ChunkOutcome outcome) {
        return new Event.ChunkCompleted(AT, RUN, BACKFILL, CHUNK, CHUNK_RUN, outcome, 2_500);
    }
}
