package dev.weir.event;

import static dev.weir.event.Samples.AT;
import static dev.weir.event.Samples.RUN;
import static dev.weir.event.Samples.SINK;
import static dev.weir.event.Samples.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fault.Redactor;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextRendererTest {

    private static final String SUCCEEDED =
            "run " + RUN + ": 2 succeeded, 0 failed, 0 skipped (.weir/runs/" + RUN + "/run_results.json)";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final TextRenderer text = new TextRenderer(out, new Redactor(List.of("$ecret")));

    private List<String> lines(Event... events) {
        List.of(events).forEach(text::accept);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static final Event SOURCE_STARTED = Samples.nodeStarted(SOURCE, NodeKind.SOURCE_LOAD);
    private static final Event SINK_STARTED = Samples.nodeStarted(SINK, NodeKind.SINK_WRITE);
    private static final Outcome OK = new Outcome.Success();

    @Test
    void aRunReadsAsInTheContractTheSourceAboveItsSink() {
        assertThat(lines(
                        Samples.started(1),
                        SOURCE_STARTED,
                        SINK_STARTED,
                        Samples.sink(OK, 10_000, 480),
                        Samples.source(10_000, 2_100, Samples.window(false)),
                        Samples.completed(RunStatus.SUCCESS, 2, 0, 0)))
                .containsExactly(
                        "ok src_pg_prod__public_orders 10000 rows 2100ms",
                        "ok lake.orders_synced 10000 rows 480ms",
                        SUCCEEDED);
    }

    @Test
    void everyPassPrintsItsLinesAndTheLoopItsEnd() {
        List<Event> pass = List.of(
                SOURCE_STARTED,
                SINK_STARTED,
                Samples.sink(OK, 5, 1),
                Samples.source(5, 2, Samples.window(false)),
                Samples.completed(RunStatus.SUCCESS, 2, 0, 0));
        pass.forEach(text::accept);
        pass.forEach(text::accept);
        assertThat(lines(new Event.LoopCompleted(AT, RUN, 2, "caught up", 0)))
                .containsExactly(
                        "ok src_pg_prod__public_orders 5 rows 2ms",
                        "ok lake.orders_synced 5 rows 1ms",
                        SUCCEEDED,
                        "ok src_pg_prod__public_orders 5 rows 2ms",
                        "ok lake.orders_synced 5 rows 1ms",
                        SUCCEEDED,
                        "note: until-caught-up: 2 passes, stopped: caught up");
    }

    @Test
    void onePassIsOnePass() {
        assertThat(lines(new Event.LoopCompleted(AT, RUN, 1, "no windowed source with a stop", 0)))
                .containsExactly("note: until-caught-up: 1 pass, stopped: no windowed source with a stop");
    }

    @Test
    void failuresAndWhatIsBelowThem() {
        assertThat(lines(
                        SOURCE_STARTED,
                        new Event.NodeCompleted(
                                AT,
                                RUN,
                                SOURCE,
                                NodeKind.SOURCE_LOAD,
                                SOURCE,
                                Samples.failed("user $ecret\u001b[31m was refused"),
                                0,
                                0,
                                3,
                                null),
                        Samples.sink(Outcome.Skipped.below(SOURCE), 0, 0),
                        Samples.completed(RunStatus.COMPLETED_WITH_FAILURES, 0, 1, 1)))
                .containsExactly(
                        "failed src_pg_prod__public_orders: WR0503 lake.orders_synced: user ***?[31m was refused",
                        "  make room and run again",
                        "skipped lake.orders_synced (src_pg_prod__public_orders above failed)",
                        "run " + RUN + ": 0 succeeded, 1 failed, 1 skipped (.weir/runs/" + RUN + "/run_results.json)");
    }

    @Test
    void aNodeThatNeverCompletedHoldsNothingBack() {
        assertThat(lines(
                        SOURCE_STARTED,
                        SINK_STARTED,
                        Samples.sink(OK, 5, 1),
                        Samples.completed(RunStatus.CANCELLED, 1, 0, 0)))
                .hasSize(2)
                .first()
                .isEqualTo("ok lake.orders_synced 5 rows 1ms");
    }

    @Test
    void aJumpOverEmptyWindowsIsSaid() {
        assertThat(lines(Samples.source(0, 7, Samples.jumped(99_998))))
                .containsExactly(
                        "ok src_pg_prod__public_orders 0 rows 7ms",
                        "note: src_pg_prod__public_orders: skipped 99998 empty windows, up to 1000000");
        out.reset();
        assertThat(lines(Samples.source(0, 7, Samples.jumped(1))))
                .contains("note: src_pg_prod__public_orders: skipped 1 empty window, up to 1000000");
    }

    @Test
    void warningsAreNotesAndComeAtOnce() {
        assertThat(lines(
                        SOURCE_STARTED,
                        new Event.RetryScheduled(AT, RUN, SOURCE, SOURCE, 1, 3, 1_250, "connection to $ecret\nlost"),
                        new Event.RowsOutsideWindows(AT, RUN, SOURCE, 3, 0, 1, 1_000),
                        new Event.MergeKeyDuplicatesDetected(AT, RUN, SINK, SINK, List.of("id", "day"), 2, 3),
                        new Event.MergeKeyDuplicatesDetected(AT, RUN, SINK, SINK, List.of("id"), 1, 1)))
                .containsExactly(
                        "note: src_pg_prod__public_orders: attempt 1 of 3 failed, the next in 1250ms: connection to"
                                + " *** lost",
                        "note: src_pg_prod__public_orders: rows that no window holds: 3 with a NULL cursor, 1 below"
                                + " initial, at least 1000 dated after now",
                        "note: WR0522 lake.orders_synced: 2 keys (id, day) came more than once in the slice; the"
                                + " newest row of each stays, 3 others were left out",
                        "note: WR0522 lake.orders_synced: 1 key (id) came more than once in the slice; the newest row"
                                + " of each stays, 1 other was left out");
    }

    @Test
    void notesOnlyLeavesOutAllElse() {
        TextRenderer notes = TextRenderer.notesOnly(out, Redactor.NONE);
        Samples.oneOfEach().forEach(notes::accept);
        notes.accept(Samples.source(0, 7, Samples.jumped(5)));
        notes.note("something to know");
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .hasSize(6)
                .allMatch(line -> line.startsWith("note: "))
                .contains("note: until-caught-up: 500 passes, stopped: caught up", "note: something to know");
    }
}
