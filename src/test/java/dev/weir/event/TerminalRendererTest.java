package dev.weir.event;

import static dev.weir.event.Samples.AT;
import static dev.weir.event.Samples.RUN;
import static dev.weir.event.Samples.SINK;
import static dev.weir.event.Samples.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalRendererTest extends OnAScreen {

    @Test
    void notesSkippedNodesAndFailuresArePrintedAboveAndNothingElse() {
        fourPasses("src_shop__orders");
        renderer.draw();
        renderer.note("a word of $ecret\u001b[31m");
        renderer.accept(Samples.sink(OK, 10, 1));
        renderer.accept(Samples.sink(Samples.failed("$ecret is full"), 0, 1));
        renderer.accept(Samples.sink(Outcome.Skipped.below(SOURCE), 0, 0));
        renderer.accept(Samples.completed(RunStatus.SUCCESS, 2, 0, 0));
        assertThat(drawn())
                .hasSize(5)
                .startsWith(
                        "note: a word of ***?[31m",
                        "failed lake.orders_synced: WR0503 lake.orders_synced: *** is full",
                        "  make room and run again",
                        "skipped lake.orders_synced (src_pg_prod__public_orders above failed)");
        assertThat(drawn().get(4)).startsWith(" src_sh");
    }

    @Test
    void theLastStateStaysAndTheSummaryEndsWithTheContractsLine() {
        on(120, 24);
        renderer.accept(Samples.nodeStarted(SINK, NodeKind.SINK_WRITE));
        fourPasses("src_shop__orders");
        renderer.accept(Samples.sink(OK, 40_000, 1));
        pass("src_shop__orders", 10_000, ids(40_000L, 50_000, 50_000L, true));
        renderer.accept(Samples.sink(OK, 10_000, 1));
        renderer.accept(Samples.completed(RunStatus.SUCCESS, 2, 0, 0));
        renderer.accept(new Event.LoopCompleted(AT, RUN, 5, "caught up", 0));
        assertThat(screen.shown())
                .containsExactly(
                        " src_shop__orders  " + "━".repeat(40)
                                + " 100%  50000 of 50000  10.0k rows/s   5 passes  caught up",
                        "read   src_shop__orders    50,000 rows  none → 50000  5 passes  10.0k rows/s  in 5.0s",
                        "wrote  lake.orders_synced  50,000 rows",
                        "run " + RUN + ": 2 succeeded, 0 failed, 0 skipped (.weir/runs/" + RUN + "/run_results.json)",
                        "note: until-caught-up: 5 passes, stopped: caught up");
        assertThat(screen.isFreeForOthers()).isTrue();
    }

    @Test
    void aSummaryThatIsTooWideForItsScreenTakesMoreLines() {
        on(60, 24);
        pass(SOURCE, 300, times("2026-01-01", "2026-01-02", "2026-01-11"));
        renderer.accept(new Event.LoopCompleted(AT, RUN, 1, "max runs (1) reached", 0));
        assertThat(screen.shown())
                .containsSubsequence(
                        "read   src_pg_prod__public_orders  300 rows",
                        "       2026-01-01T00:00:00.000000 → 2026-01-02T00:00:00.000000",
                        "       1 pass  300 rows/s  in 1.0s");
    }

    @Test
    void aFailureIsInTheSummaryWithItsCodeAndRemedyAndTheLineSaysWhereItStopped() {
        fourPasses("src_shop__orders");
        renderer.accept(new Event.NodeCompleted(
                AT,
                RUN,
                "src_shop__orders",
                NodeKind.SOURCE_LOAD,
                "src_shop__orders",
                Samples.failed("x"),
                0,
                0,
                3,
                null));
        renderer.accept(new Event.LoopCompleted(AT, RUN, 5, "run failed", 1));
        assertThat(screen.shown())
                .contains("failed src_shop__orders  WR0503  make room and run again")
                .anyMatch(line -> line.startsWith(" src_") && line.endsWith("  failed"));
    }

    @Test
    void aLoopThatIsBrokenOffLeavesTheTerminalAsItWas() {
        fourPasses(SOURCE);
        fourPasses("src_other");
        renderer.draw();
        assertThat(screen.isCursorVisible()).isTrue();
        renderer.close();
        renderer.draw();
        assertThat(screen.isFreeForOthers()).isTrue();
        assertThat(screen.shown()).hasSize(2).allMatch(line -> line.endsWith("stopped"));
        renderer.close();
        assertThat(screen.shown()).hasSize(2);
    }

    @Test
    void aResizedScreenIsDrawnAnew() {
        fourPasses(SOURCE);
        fourPasses("src_other");
        renderer.draw();
        screen.resize(40, 24);
        assertThat(drawn()).hasSize(2).allMatch(line -> Widths.of(line) < 40);
        screen.resize(80, 2);
        assertThat(drawn()).containsExactly(" and 2 more");
        screen.resize(80, 24);
        assertThat(drawn()).hasSize(2).allMatch(line -> line.contains("━"));
    }

    @Test
    void nothingIsSentWhileNothingChanges() {
        pass(SOURCE, 10, ids(0L, 10, 1_000L, false));
        renderer.draw();
        int before = screen.sent().length();
        renderer.draw();
        assertThat(screen.sent()).hasSize(before);
    }

    @Test
    void withoutColoursNoneIsSentAndWithThemTheWordsHaveThem() {
        fourPasses(SOURCE);
        renderer.draw();
        renderer.accept(Samples.sink(Samples.failed("x"), 0, 1));
        assertThat(screen.sent()).doesNotContainPattern("\u001b\\[\\d+m");
        renderer = renderer(new TerminalLook(true, true), true);
        fourPasses(SOURCE);
        renderer.draw();
        renderer.accept(Samples.sink(Samples.failed("x"), 0, 1));
        assertThat(screen.sent()).contains("\u001b[31mfailed\u001b[0m lake.orders_synced", "\u001b[36m━");
    }

    @Test
    void aSinglePassReadsAsEverWithALiveLineOnlyWhileANodeTakesLong() {
        renderer = renderer(new TerminalLook(true, true), false);
        renderer.accept(Samples.started(1));
        started(SOURCE);
        seconds(0.9);
        renderer.draw();
        assertThat(screen.shown()).isEmpty();
        seconds(1.1);
        renderer.accept(new Event.NodeProgress(AT, RUN, SOURCE, SOURCE, 31_000, 0));
        seconds(0.5);
        renderer.draw();
        assertThat(screen.shown()).containsExactly(" src_pg_prod__public_orders  31,000 rows  15.5k rows/s  2.5s");
        renderer.accept(Samples.nodeStarted(SINK, NodeKind.SINK_WRITE));
        renderer.accept(Samples.sink(OK, 40_000, 480));
        read(SOURCE, 40_000, ids(null, 40_000, 50_000L, false));
        renderer.accept(Samples.completed(RunStatus.SUCCESS, 2, 0, 0));
        renderer.close();
        assertThat(screen.shown())
                .containsExactly(
                        "ok src_pg_prod__public_orders 40000 rows 10ms",
                        "ok lake.orders_synced 40000 rows 480ms",
                        "run " + RUN + ": 2 succeeded, 0 failed, 0 skipped (.weir/runs/" + RUN + "/run_results.json)");
        assertThat(screen.sent()).contains("\u001b[32mok\u001b[0m lake.orders_synced");
        assertThat(screen.isFreeForOthers()).isTrue();
    }
}
