package dev.weir.event;

import static dev.weir.event.Samples.AT;
import static dev.weir.event.Samples.BACKFILL;
import static dev.weir.event.Samples.RUN;
import static dev.weir.event.Samples.SINK;
import static dev.weir.event.Samples.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.Redactor;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person reads of a backfill. Source of the lines: contract, section 6. */
class BackfillLinesTest extends OnAScreen {

    private static final Fault FULL = Samples.failed("$ecret is full").fault();

    private static Event.BackfillStarted backfill(int chunks) {
        return new Event.BackfillStarted(
                AT, RUN, BACKFILL, "web_events", "2026-01-01T00:00:00+00:00", "2026-01-06T00:00:00+00:00", chunks, 3);
    }

    private static ChunkRef chunk(int number, int count) {
        return new ChunkRef(
                number,
                count,
                String.format("%06d", number - 1),
                "2026-01-0" + number + "T00:00:00+00:00",
                "2026-01-0" + (number + 1) + "T00:00:00+00:00");
    }

    private static Event.ChunkStarted begun(int number, int count) {
        return new Event.ChunkStarted(AT, RUN + number, BACKFILL, chunk(number, count), "559264ef1526bd83");
    }

    private static Event.ChunkCompleted ended(int number, int count, ChunkOutcome outcome) {
        return new Event.ChunkCompleted(
                AT, RUN + number, BACKFILL, chunk(number, count), "559264ef1526bd83", outcome, 2_500);
    }

    private static Event over(ChunkTotals totals) {
        return new Event.BackfillCompleted(AT, RUN, BACKFILL, RunStatus.SUCCESS, totals, 9_000, 0);
    }

    private static List<Event> aRun(int number, Outcome outcome) {
        return List.of(
                begun(number, 5),
                Samples.started(1),
                Samples.nodeStarted(SOURCE, NodeKind.SOURCE_LOAD),
                Samples.nodeStarted(SINK, NodeKind.SINK_WRITE),
                new Event.RetryScheduled(AT, RUN, SOURCE, SOURCE, 1, 3, 1_250, "connection reset"),
                Samples.source(1, 1, null),
                Samples.sink(outcome, 1, 1),
                Samples.completed(RunStatus.SUCCESS, 2, 0, 0),
                ended(
                        number,
                        5,
                        outcome instanceof Outcome.Failed failed
                                ? new ChunkOutcome.Failed(failed.fault())
                                : new ChunkOutcome.Completed(1)));
    }

    private static List<String> text(List<Event> events) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TextRenderer text = new TextRenderer(out, new Redactor(List.of("$ecret")));
        events.forEach(text::accept);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void chunksAreToldAsInTheContractAndOfTheirNodesWhatWentWrong() {
        List<Event> events = new ArrayList<>();
        events.add(backfill(5));
        events.add(ended(1, 5, new ChunkOutcome.Skipped()));
        events.addAll(aRun(2, OK));
        events.addAll(aRun(3, new Outcome.Failed(FULL)));
        events.add(ended(4, 5, new ChunkOutcome.HeldElsewhere()));
        events.add(ended(5, 5, new ChunkOutcome.Pending("it ends tomorrow")));
        events.add(over(new ChunkTotals(5, 1, 1, 1, 1, 1)));

        assertThat(text(events))
                .containsExactly(
                        "chunk 1/5 [2026-01-01T00:00:00+00:00 → 2026-01-02T00:00:00+00:00): already completed, skipping",
                        "chunk 2/5 [2026-01-02T00:00:00+00:00 → 2026-01-03T00:00:00+00:00): running (run_id=559264ef1526bd83)",
                        "note: " + SOURCE + ": attempt 1 of 3 failed, the next in 1250ms: connection reset",
                        "chunk 2/5 [2026-01-02T00:00:00+00:00 → 2026-01-03T00:00:00+00:00): completed (1 records)",
                        "chunk 3/5 [2026-01-03T00:00:00+00:00 → 2026-01-04T00:00:00+00:00): running (run_id=559264ef1526bd83)",
                        "note: " + SOURCE + ": attempt 1 of 3 failed, the next in 1250ms: connection reset",
                        "failed " + SINK + ": WR0503 lake.orders_synced: *** is full",
                        "  make room and run again",
                        "chunk 3/5 [2026-01-03T00:00:00+00:00 → 2026-01-04T00:00:00+00:00): failed: WR0503"
                                + " lake.orders_synced: *** is full; completed chunks are recorded, run the same command"
                                + " again to resume",
                        "chunk 4/5 [2026-01-04T00:00:00+00:00 → 2026-01-05T00:00:00+00:00): held by another worker, NOT"
                                + " run by this invocation",
                        "chunk 5/5 [2026-01-05T00:00:00+00:00 → 2026-01-06T00:00:00+00:00): pending: it ends tomorrow",
                        "Backfill d7a7c6e21e0d8ecb: 1 completed, 1 skipped, 1 claimed elsewhere, 1 failed (5 chunks)");
    }

    @Test
    void aFailureThatNoNodeToldBringsItsRemedy() {
        Fault doubled = new Fault(Code.WOULD_DOUBLE, "lake.out", "it holds\nthe range", "write merge");

        assertThat(text(List.of(
                        backfill(1),
                        begun(1, 1),
                        ended(1, 1, new ChunkOutcome.Failed(doubled)),
                        over(new ChunkTotals(1, 1, 0, 0, 0, 0)))))
                .endsWith(
                        "chunk 1/1 [2026-01-01T00:00:00+00:00 → 2026-01-02T00:00:00+00:00): failed: WR0602 lake.out: it holds"
                                + " the range; completed chunks are recorded, run the same command again to resume",
                        "  write merge",
                        "Backfill d7a7c6e21e0d8ecb: 1 completed, 0 skipped, 0 claimed elsewhere (1 chunk)");
    }

    @Test
    void besideJsonOnlyNotesAreWritten() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        TextRenderer notes = TextRenderer.notesOnly(err, Redactor.NONE);
        notes.accept(backfill(5));
        aRun(3, new Outcome.Failed(FULL)).forEach(notes::accept);
        notes.accept(over(new ChunkTotals(5, 0, 0, 0, 1, 0)));

        assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(1).allMatch(line -> line.startsWith("note: "));
    }

    @Test
    void aTerminalShowsOneLineOfAllChunksAndAboveItWhatWentWrong() {
        on(100, 24);
        renderer = renderer(PLAIN, false);
        renderer.accept(backfill(6));
        renderer.accept(ended(1, 6, new ChunkOutcome.Skipped()));
        renderer.accept(begun(2, 6));
        renderer.accept(begun(3, 6));
        renderer.accept(Samples.nodeStarted(SOURCE, NodeKind.SOURCE_LOAD));
        seconds(2);
        renderer.accept(new Event.NodeProgress(AT, RUN + 2, SOURCE, SOURCE, 500, 0));
        renderer.accept(new Event.NodeProgress(AT, RUN + 3, SOURCE, SOURCE, 300, 0));
        assertThat(drawn())
                .hasSize(1)
                .first()
                .asString()
                .startsWith(" web_events  ━━━━")
                .contains(" 16%  1 of 6 chunks", "400 rows/s", "2 in flight");
        renderer.accept(Samples.source(500, 2_000, null));
        renderer.accept(ended(2, 6, new ChunkOutcome.Completed(500)));
        seconds(2);
        renderer.accept(ended(3, 6, new ChunkOutcome.Completed(700)));
        assertThat(drawn())
                .hasSize(1)
                .first()
                .asString()
                .contains(" 50%  3 of 6 chunks", "0 in flight")
                .doesNotContain("left");
        renderer.accept(begun(4, 6));
        seconds(2);
        renderer.accept(ended(4, 6, new ChunkOutcome.Completed(600)));
        renderer.accept(begun(5, 6));
        assertThat(drawn())
                .hasSize(1)
                .first()
                .asString()
                .contains(" 66%  4 of 6 chunks", "302 rows/s", "1 in flight", "4s left");
        renderer.accept(ended(5, 6, new ChunkOutcome.Failed(FULL)));
        renderer.accept(new Event.BackfillCompleted(
                AT, RUN, BACKFILL, RunStatus.COMPLETED_WITH_FAILURES, new ChunkTotals(6, 3, 1, 0, 1, 1_800), 6_000, 1));
        List<String> shown = screen.shown();
        assertThat(String.join("", shown)).contains("chunk 5/6 [").doesNotContain("running", "ok ");
        assertThat(shown.get(shown.size() - 2))
                .startsWith(" web_events")
                .contains("66%")
                .endsWith("failed");
        assertThat(shown.get(shown.size() - 1))
                .isEqualTo(
                        "Backfill d7a7c6e21e0d8ecb: 3 completed, 1 skipped, 0 claimed elsewhere, 1 failed (6 chunks)");
        assertThat(screen.isFreeForOthers()).isTrue();
    }

    @Test
    void theLineEndsDoneWhenAllIsCovered() {
        renderer = renderer(PLAIN, false);
        renderer.accept(backfill(1));
        renderer.accept(begun(1, 1));
        seconds(1);
        renderer.accept(ended(1, 1, new ChunkOutcome.Completed(5)));
        renderer.accept(over(new ChunkTotals(1, 1, 0, 0, 0, 5)));

        assertThat(screen.shown().get(0)).contains("100%", "1 of 1 chunk").endsWith("done");
    }
}
