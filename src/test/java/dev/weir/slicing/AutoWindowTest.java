package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutoWindowTest {

    private static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);
    private static final Target ROWS = new Target.Rows(10_000);
    private static final Target TIME = new Target.Time(Duration.ofSeconds(30));
    private static final Duration QUICK = Duration.ofMillis(30);

    private static Step step(CursorType type, long units) {
        return new Step(type, BigInteger.valueOf(units));
    }

    private static AutoWindow window(Target target, @Nullable Long limit, long width) {
        return new AutoWindow(target, limit == null ? null : step(BIGINT, limit), step(BIGINT, width));
    }

    /** All of the window was read, and there was more beyond it. */
    private static AutoWindow.Seen all(AutoWindow window, long rows, Duration took) {
        return new AutoWindow.Seen(window.width().units(), false, rows, took);
    }

    @Provide
    Arbitrary<Target> targets() {
        return Arbitraries.oneOf(
                Arbitraries.longs().between(1, 10_000_000).map(Target.Rows::new),
                Arbitraries.integers().between(1, 86_400).map(seconds -> new Target.Time(Duration.ofSeconds(seconds))));
    }

    @Provide
    Arbitrary<AutoWindow> windows() {
        Arbitrary<Long> widths = Arbitraries.longs().greaterOrEqual(1);
        return Combinators.combine(targets(), types(), widths.injectNull(0.3), widths)
                .as((target, type, limit, width) ->
                        new AutoWindow(target, limit == null ? null : step(type, limit), step(type, width)));
    }

    @Property
    void whateverIsSeenAWindowIsNeverEmptyNorAboveTheLimitNorFourTimesAsWide(
            @ForAll("windows") AutoWindow window,
            @ForAll @LongRange(min = 0) long rows,
            @ForAll @LongRange(min = 0, max = 1L << 60) long nanos,
            @ForAll boolean cut,
            @ForAll @IntRange(min = 1, max = 100) int part) {
        BigInteger span =
                window.width().units().divide(BigInteger.valueOf(part)).max(BigInteger.ONE);

        AutoWindow next = window.after(new AutoWindow.Seen(span, cut, rows, Duration.ofNanos(nanos)));
        AutoWindow ended = next.afterTimeOut();

        for (AutoWindow one : new AutoWindow[] {next, ended}) {
            assertThat(one.width().units()).isPositive();
            assertThat(one.limit() == null
                            || one.width().units().compareTo(one.limit().units()) <= 0)
                    .isTrue();
        }
        assertThat(next.width().units())
                .isLessThanOrEqualTo(window.width().units().multiply(BigInteger.valueOf(AutoWindow.GROWTH)));
        if (cut) {
            assertThat(next.width().units()).isLessThanOrEqualTo(window.width().units());
        }
        assertThat(ended.width().units()).isLessThanOrEqualTo(next.width().units());
    }

    @Property
    void moreRowsOrMoreTimeNeverWidenIt(
            @ForAll("windows") AutoWindow window,
            @ForAll @LongRange(min = 1, max = 1L << 40) long rows,
            @ForAll @LongRange(min = 0, max = 1L << 40) long more) {
        Duration took = Duration.ofNanos(rows);
        Duration longer = Duration.ofNanos(rows + more);
        AutoWindow.Seen less = all(window, rows, took);
        AutoWindow.Seen seen =
                window.target() instanceof Target.Rows ? all(window, rows + more, took) : all(window, rows, longer);

        assertThat(window.after(seen).width().units())
                .isLessThanOrEqualTo(window.after(less).width().units());
    }

    @Property
    void evenlySpreadRowsAreMetWithinAFewPasses(
            @ForAll @LongRange(min = 1, max = 1_000_000) long unitsPerRow,
            @ForAll @IntRange(min = 0, max = 12) int fold) {
        // From 4^6 times too narrow to 4^6 times too wide.
        AutoWindow window = window(ROWS, null, Math.max(1, (unitsPerRow * 10_000L << fold) >> 6));
        for (int pass = 0; pass < 5; pass++) {
            window = window.after(all(window, window.width().units().longValueExact() / unitsPerRow, QUICK));
        }
        long rows = window.width().units().longValueExact() / unitsPerRow;
        assertThat(rows).isBetween(9_000L, 10_000L);
    }

    @Property
    void aTimeIsMetWithinAFewPassesWhateverEachPassTakesAnyway(
            @ForAll @LongRange(min = 0, max = 20_000) long fixedMillis,
            @ForAll @LongRange(min = 1, max = 1_000) long rowsPerMilli,
            @ForAll @LongRange(min = 1_000, max = 1_000_000_000) long first) {
        AutoWindow window = window(TIME, null, first);
        Duration took = Duration.ZERO;
        for (int pass = 0; pass < 40; pass++) {
            long rows = window.width().units().longValueExact();
            took = Duration.ofMillis(fixedMillis + rows / rowsPerMilli);
            window = window.after(all(window, rows, took));
        }
        assertThat(took).isBetween(Duration.ofSeconds(24), Duration.ofSeconds(31));
    }

    @Test
    void aWindowWithTenTimesTheRowsIsFollowedByOneATenthAsWide() {
        AutoWindow wide = window(ROWS, null, 50_000);

        assertThat(wide.after(all(wide, 100_000, QUICK)).width()).hasToString("5000");
        assertThat(wide.after(all(wide, 100_000_000, QUICK)).width()).hasToString("5");
        assertThat(wide.after(all(wide, Long.MAX_VALUE, QUICK)).width()).hasToString("1");
    }

    @Test
    void whatASlowPassOfFewRowsTakesIsNotTakenByThem() {
        AutoWindow wide = window(TIME, null, 5_000);

        assertThat(wide.after(all(wide, 1_000, Duration.ofMinutes(5)))).isEqualTo(wide);
        assertThat(wide.after(all(wide, 4_000, Duration.ofHours(5))).width()).hasToString("1200");
    }

    @Test
    void whatEndedTooEarlyNarrowsAndNeverWidens() {
        AutoWindow wide = window(ROWS, null, 50_000);
        BigInteger span = BigInteger.valueOf(10_000);

        assertThat(wide.after(new AutoWindow.Seen(span, true, 10, QUICK))).isEqualTo(wide);
        assertThat(wide.after(new AutoWindow.Seen(span, true, 20_000, QUICK)).width())
                .hasToString("5000");
        assertThat(wide.after(all(wide, 0, QUICK))).isEqualTo(wide);
    }

    @Test
    void aTimeOutLeavesAQuarterThatGrowsToHalfAgain() {
        AutoWindow ended = window(ROWS, 100_000L, 50_000).afterTimeOut();

        assertThat(ended.width()).hasToString("12000");
        assertThat(ended.after(all(ended, 1, QUICK)).width()).hasToString("25000");
        assertThat(window(ROWS, null, 1).afterTimeOut().width()).hasToString("1");
    }

    @Test
    void whetherAWindowWasCutIsSeenByWhatWasAsked() {
        Sync sync = Sync.unbounded(BIGINT).within(window(ROWS, null, 10));

        assertThat(seen(sync, 0L, null, false)).isEqualTo(new AutoWindow.Seen(BigInteger.TEN, false, 3, QUICK));
        assertThat(seen(sync, 0L, null, true).cut()).isTrue();
        assertThat(seen(sync, 0L, 7L, false)).isEqualTo(new AutoWindow.Seen(BigInteger.valueOf(7), true, 3, QUICK));
    }

    private static AutoWindow.Seen seen(Sync sync, long lower, @Nullable Long ceiling, boolean atEnd) {
        Slice slice = Slice.of(
                new Slice.From(sync, BIGINT.units(lower), ceiling == null ? null : BIGINT.units(ceiling), null));
        return AutoWindow.Seen.of((Slice.Window) slice, atEnd, 3, QUICK);
    }

    @Property
    void theFirstWindowHoldsNoMoreThanItMayAndHalfOfThatWhereRowsAreEven(
            @ForAll("targets") Target target, @ForAll @LongRange(min = 1, max = 1L << 40) long rowsInAll) {
        AtomicInteger questions = new AtomicInteger();
        CursorRange left = CursorRange.startingAt(BIGINT.units(1), BIGINT.units(rowsInAll));
        long most = target instanceof Target.Rows rows ? Math.min(rows.rows(), 10_000) : 10_000;

        AutoWindow first = AutoWindow.first(target, null, left, (range, limit) -> {
            questions.incrementAndGet();
            assertThat(limit).isEqualTo(most + 1);
            return Math.min(limit, range.to().units().longValueExact());
        });

        long width = first.width().units().longValueExact();
        assertThat(width).isGreaterThanOrEqualTo(Math.min(most, rowsInAll) * 4 / 10);
        assertThat(Math.min(width, rowsInAll)).isLessThanOrEqualTo(most);
        assertThat(questions).hasValueLessThanOrEqualTo(6);
    }

    @Test
    void theFirstWindowIsWithinTheLimitAndTheType() {
        for (CursorType type : CursorTypes.ALL) {
            CursorRange left = CursorRange.startingAt(type.least(), type.greatest());

            assertThat(AutoWindow.first(ROWS, step(type, 3), left, (range, limit) -> 0)
                            .width()
                            .units())
                    .isEqualTo(3);
            assertThat(AutoWindow.first(ROWS, null, left, (range, limit) -> limit)
                            .width()
                            .units())
                    .as("%s, a row too many everywhere", type)
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bigint, 123456, 120000",
        "bigint, 99, 99",
        "'decimal(9,2)', 123456, 1200",
        "'decimal(9,2)', 55, 0.55",
        "date, 123, 120d",
        "timestamp, 259183421332, 71h",
        "timestamptz, 864000000001, 10d",
        "timestamp, 5400000001, 90m",
        "epoch_ms, 30500000, 30s",
        "epoch_us, 10999, 10ms",
        "epoch_s, 7, 7us",
    })
    void aWidthReadsWell(String type, long units, String text) {
        CursorType cursor = CursorType.printed(type).orElseThrow();

        assertThat(step(cursor, units).rounded()).hasToString(text);
    }

    @Property
    void roundingTakesLessThanATenth(@ForAll @LongRange(min = 1) long units, @ForAll("types") CursorType type) {
        BigInteger rounded = step(type, units).rounded().units();

        assertThat(rounded.multiply(BigInteger.TEN))
                .isGreaterThan(BigInteger.valueOf(units).multiply(BigInteger.valueOf(9)));
        assertThat(rounded).isLessThanOrEqualTo(BigInteger.valueOf(units));
    }

    @Provide
    Arbitrary<CursorType> types() {
        return Arbitraries.of(CursorTypes.ALL);
    }
}
