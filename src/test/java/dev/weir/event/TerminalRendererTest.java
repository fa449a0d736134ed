package dev.weir.event;

import static dev.weir.event.Samples.AT;
import static dev.weir.event.Samples.ID;
import static dev.weir.event.Samples.RUN;
import static dev.weir.event.Samples.SINK;
import static dev.weir.event.Samples.SOURCE;
import static dev.weir.event.Samples.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fault.Redactor;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigInteger;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalRendererTest {

    private static final TerminalLook PLAIN = new TerminalLook(false, true);
    private static final Outcome OK = new Outcome.Success();
    private static final long SECOND = 1_000_000_000L;
    private static final Cursor TIME = new Cursor("at", CursorType.of(CursorType.Kind.TIMESTAMP));

    private final AtomicLong nanos = new AtomicLong(77 * SECOND);
    private PretendScreen screen = new PretendScreen(80, 24);
    private TerminalRenderer renderer = renderer(PLAIN, true);

    private TerminalRenderer renderer(TerminalLook look, boolean loop) {
        return new TerminalRenderer(screen, new Redactor(List.of("$ecret")), look, screen.size(), nanos::get, loop);
    }

    private void on(int columns, int rows) {
        screen = new PretendScreen(columns, rows);
        renderer = renderer(PLAIN, true);
    }

    private void seconds(double seconds) {
        nanos.addAndGet((long) (seconds * SECOND));
    }

    private List<String> drawn() {
        renderer.draw();
        return screen.shown();
    }

    private void started(String name) {
        renderer.accept(Samples.nodeStarted(name, NodeKind.SOURCE_LOAD));
    }

    private void read(String name, long rows, Incremental incremental) {
        renderer.accept(
                new Event.NodeCompleted(AT, RUN, name, NodeKind.SOURCE_LOAD, name, OK, rows, 0, 10, incremental));
    }

    /** A pass of a second: from, to. */
    private void pass(String name, long rows, Incremental incremental) {
        started(name);
        seconds(1);
        read(name, rows, incremental);
    }

    private static Incremental ids(
            @Nullable Long before, long after, @Nullable Long ceiling, @Nullable Boolean caughtUp) {
        return new Incremental(
                new Incremental.Window(id(before == null ? 0 : before), id(after), before == null),
                ID,
                before == null ? null : id(before),
                id(after),
                ceiling == null ? null : id(ceiling),
                Boolean.TRUE.equals(caughtUp),
                null,
                caughtUp);
    }

    private static Incremental times(String before, String after, String ceiling) {
        CursorValue from = TIME.type().parse(before);
        CursorValue to = TIME.type().parse(after);
        return new Incremental(
                new Incremental.Window(from, to, false),
                TIME,
                from,
                to,
                TIME.type().parse(ceiling),
                false,
                null,
                false);
    }

    private void fourPasses(String name) {
        pass(name, 10_000, ids(null, 10_000, 50_000L, false));
        pass(name, 10_000, ids(10_000L, 20_000, 50_000L, false));
        pass(name, 10_000, ids(20_000L, 30_000, 50_000L, false));
        pass(name, 10_000, ids(30_000L, 40_000, 50_000L, false));
    }

    @Test
    void at80ColumnsALineHoldsAllTheContractNames() {
        fourPasses("src_shop__orders");
        assertThat(drawn())
                .containsExactly(" src_shop__orders  ━━━━━━━━───  80%  40000 of 50000  10.0k/s  4 passes  1s left");
    }

    @Test
    void at40ColumnsTheShareTheSpeedAndTheTimeLeftRemain() {
        on(40, 24);
        fourPasses("src_shop__orders");
        assertThat(drawn()).containsExactly(" src_sho…_orders  80%  10.0k/s  1s left");
    }

    @Test
    void at200ColumnsTheNameIsWholeAndTheBarLong() {
        on(200, 24);
        fourPasses(SOURCE);
        assertThat(drawn())
                .containsExactly(" src_pg_prod__public_orders  " + "━".repeat(32) + "─".repeat(8)
                        + "  80%  40000 of 50000  10.0k rows/s  4 passes  1s left");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 10, 20, 30, 39, 40, 55, 60, 70, 79, 80, 99, 100, 131, 200})
    void noDrawnLineIsAsWideAsTheScreen(int columns) {
        on(columns, 24);
        fourPasses("src_" + "x".repeat(90));
        fourPasses("src_表表表表表表表表表表表表表表表表表");
        pass("src_times", 5, times("2026-01-01", "2026-01-02", "2026-06-01"));
        started("src_slow__" + "y".repeat(90));
        seconds(10);
        renderer.draw();
        assertThat(screen.widest()).isLessThan(Math.max(2, columns));
    }

    @Test
    void wideCharactersCountTwoAndTheMiddleOfANameGivesWay() {
        on(40, 24);
        fourPasses("src_表表表表表表表表表表");
        List<String> lines = drawn();
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).startsWith(" src_表").contains("…").contains("表    80%");
        assertThat(Widths.of(lines.get(0))).isLessThan(40);
    }

    @Test
    void aScreenThatShowsOnlyAsciiIsSentOnlyAscii() {
        renderer = renderer(new TerminalLook(true, false), true);
        fourPasses("src_a_table_whose_name_is_longer_than_its_room");
        renderer.draw();
        renderer.accept(new Event.LoopCompleted(AT, RUN, 4, "caught up", 0));
        assertThat(screen.sent())
                .matches("\\p{ASCII}*")
                .contains("####")
                .contains("..")
                .contains("->");
    }

    @Test
    void severalSourcesStandInColumns() {
        fourPasses("src_shop__orders");
        pass("src_shop__web_events", 300, times("2026-01-01", "2026-01-02T03:04:05.678901", "2026-01-11"));
        assertThat(drawn())
                .containsExactly(
                        " src_sho…_orders  ━━━━──  80%       40000 of 50000  10.0k/s  4 passes  <1s left",
                        " src_sho…_events  ──────  11%  2026-01-02 03:04:05    300/s    1 pass");
    }

    @Test
    void withoutAStopThereIsNoBarAndNoShareOnlyRowsAndTheirSpeed() {
        pass(SOURCE, 10_000, ids(null, 10_000, null, null));
        pass(SOURCE, 5_000, ids(10_000L, 15_000, 99_000L, null));
        assertThat(drawn())
                .singleElement()
                .asString()
                .contains("15,000 rows", "rows/s  2 passes")
                .doesNotContain("%", "━", "─", "left", " of ");
    }

    @Test
    void theTimeLeftWaitsForAFewPassesAndNeverFallsBelowNothing() {
        pass(SOURCE, 10, ids(0L, 10, 1_000L, false));
        pass(SOURCE, 10, ids(10L, 20, 1_000L, false));
        assertThat(drawn().get(0)).doesNotContain("left");
        pass(SOURCE, 10, ids(20L, 30, 1_000L, false));
        assertThat(drawn().get(0)).endsWith("1m37s left");
        seconds(60);
        assertThat(drawn().get(0)).endsWith("  37s left");
        seconds(60);
        assertThat(drawn().get(0)).endsWith("  <1s left");
    }

    @Test
    void aJumpOverEmptyWindowsPromisesNoSpeed() {
        for (long from = 0; from < 40; from += 10) {
            pass(SOURCE, 10, ids(from, from + 10, 1_000_000_000L, false));
        }
        started(SOURCE);
        seconds(1);
        read(
                SOURCE,
                0,
                new Incremental(
                        new Incremental.Window(id(40), id(50), false),
                        ID,
                        id(40),
                        id(500_000_000),
                        id(1_000_000_000),
                        false,
                        BigInteger.valueOf(49_999_995),
                        false));
        assertThat(drawn())
                .first()
                .isEqualTo("note: src_pg_prod__public_orders: skipped 49999995 empty windows, up to 500000000");
        assertThat(drawn().get(1)).contains(" 50%").endsWith("578d16h left");
    }

    @Test
    void theShareIsExactAndAllOfItOnlyWhenCaughtUp() {
        CursorType type = CursorType.of(CursorType.Kind.UBIGINT);
        CursorValue before = type.units(BigInteger.ZERO);
        CursorValue after = type.units(type.greatest().units().subtract(BigInteger.ONE));
        Incremental incremental = new Incremental(
                new Incremental.Window(before, after, false),
                new Cursor("id", type),
                before,
                after,
                type.greatest(),
                false,
                null,
                false);
        pass(SOURCE, 1, incremental);
        assertThat(drawn().get(0)).contains("  99%");
        on(80, 24);
        pass(SOURCE, 5, ids(null, 25, 100L, true));
        assertThat(drawn().get(0)).contains("  100%", "25 of 100").endsWith("caught up");
    }

    @Test
    void passesThatOnlyOthersNeededChangeNothingForASourceThatIsCaughtUp() {
        pass(SOURCE, 100, ids(null, 100, 100L, true));
        pass("src_other", 10, ids(0L, 10, 1_000L, false));
        pass(SOURCE, 0, ids(100L, 100, 100L, true));
        assertThat(drawn().get(0)).contains("100 rows/s  1 pass  caught up");
    }

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
        assertThat(drawn().get(4)).startsWith(" src_shop");
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
                                + "  100%  50000 of 50000  10.0k rows/s  5 passes  caught up",
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
    void moreSourcesThanRowsAreCounted() {
        on(80, 5);
        for (int i = 0; i < 9; i++) {
            fourPasses("src_" + i);
        }
        assertThat(drawn()).hasSize(4).last().isEqualTo(" and 6 more");
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
