package dev.weir.event;

import static dev.weir.event.Samples.AT;
import static dev.weir.event.Samples.ID;
import static dev.weir.event.Samples.RUN;
import static dev.weir.event.Samples.SOURCE;
import static dev.weir.event.Samples.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveLinesTest extends OnAScreen {

    @Test
    void at80ColumnsALineHoldsAllTheContractNames() {
        fourPasses("src_shop__orders");
        assertThat(drawn())
                .containsExactly(" src_shop__orders  ━━━━━━──  80%  40000 of 50000  10.0k/s   4 passes    1s left");
    }

    @Test
    void at40ColumnsTheShareTheSpeedAndTheTimeLeftRemain() {
        on(40, 24);
        fourPasses("src_shop__orders");
        assertThat(drawn()).containsExactly(" src_sh…orders  80%  10.0k/s    1s left");
    }

    @Test
    void at200ColumnsTheNameIsWholeAndTheBarLong() {
        on(200, 24);
        fourPasses(SOURCE);
        assertThat(drawn())
                .containsExactly(" src_pg_prod__public_orders  " + "━".repeat(32) + "─".repeat(8)
                        + "  80%  40000 of 50000  10.0k rows/s   4 passes    1s left");
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
        assertThat(lines.get(0)).startsWith(" src_表").contains("…").contains("表  80%");
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
                        " src_sh…orders  ━━━━──  80%       40000 of 50000  10.0k/s   4 passes   <1s left",
                        " src_sh…events  ──────  11%  2026-01-02 03:04:05    300/s     1 pass");
    }

    @Test
    void withoutAStopThereIsNoBarAndNoShareOnlyRowsAndTheirSpeed() {
        pass(SOURCE, 10_000, ids(null, 10_000, null, null));
        pass(SOURCE, 5_000, ids(10_000L, 15_000, 99_000L, null));
        assertThat(drawn())
                .singleElement()
                .asString()
                .contains("15,000 rows", "rows/s   2 passes")
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
                        new Incremental.Window(id(40), id(50), false, null),
                        ID,
                        id(40),
                        id(500_000_000),
                        id(1_000_000_000),
                        false,
                        BigInteger.valueOf(49_999_995),
                        0,
                        null,
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
                new Incremental.Window(before, after, false, null),
                new Cursor("id", type),
                before,
                after,
                type.greatest(),
                false,
                null,
                0,
                null,
                false);
        pass(SOURCE, 1, incremental);
        assertThat(drawn().get(0)).contains("  99%");
        on(80, 24);
        pass(SOURCE, 5, ids(null, 25, 100L, true));
        assertThat(drawn().get(0)).contains(" 100%", "25 of 100").endsWith("caught up");
    }

    @Test
    void passesThatOnlyOthersNeededChangeNothingForASourceThatIsCaughtUp() {
        pass(SOURCE, 100, ids(null, 100, 100L, true));
        pass("src_other", 10, ids(0L, 10, 1_000L, false));
        pass(SOURCE, 0, ids(100L, 100, 100L, true));
        assertThat(drawn().get(0)).contains("100/s     1 pass  caught up");
    }

    @Test
    void moreSourcesThanRowsAreCounted() {
        on(80, 5);
        for (int i = 0; i < 9; i++) {
            fourPasses("src_" + i);
        }
        assertThat(drawn()).hasSize(4).last().isEqualTo(" and 6 more");
    }
}
