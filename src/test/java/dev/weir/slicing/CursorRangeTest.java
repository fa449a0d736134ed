package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CursorRangeTest {

    private static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);
    private static final CursorType DATE = CursorType.of(CursorType.Kind.DATE);
    private static final CursorType TIMESTAMP = CursorType.of(CursorType.Kind.TIMESTAMP);

    @Property
    void windowsTileWithoutGapOrOverlap(
            @ForAll(supplier = Shape.Any.class) Shape shape,
            @ForAll @Size(min = 2, max = 8) List<@LongRange(min = -5, max = 45) Long> cuts) {
        SourceRows source = shape.source();
        List<CursorValue> edges = cuts.stream().sorted().map(shape::at).toList();
        List<SourceRows.Row> tiled = new ArrayList<>();
        CursorRange whole = CursorRange.startingAt(edges.get(0), edges.get(edges.size() - 1));
        for (int i = 1; i < edges.size(); i++) {
            CursorValue from = edges.get(i - 1);
            CursorValue to = edges.get(i);
            tiled.addAll(source.in(i == 1 ? CursorRange.startingAt(from, to) : CursorRange.above(from, to)));
        }

        assertThat(tiled).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(source.in(whole));
    }

    @Property
    void partsTileTheRangeWithoutGapOrOverlap(
            @ForAll(supplier = Shape.Any.class) Shape shape,
            @ForAll @Size(4) List<@LongRange(min = -5, max = 45) Long> edges,
            @ForAll boolean inclusive,
            @ForAll @IntRange(min = 1, max = 16) int most) {
        List<CursorValue> in = edges.stream().sorted().map(shape::at).toList();
        CursorRange whole = new CursorRange(in.get(0), inclusive, in.get(3));
        Assume.that(whole.contains(in.get(1)));
        List<CursorRange> parts = whole.parted(in.get(1), in.get(2), most);
        SourceRows source = shape.source();

        assertThat(parts).hasSizeBetween(1, most).noneMatch(CursorRange::isEmpty);
        assertThat(parts.stream().flatMap(part -> source.in(part).stream()).toList())
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(source.in(whole));
    }

    @Test
    void partsAreEvenAndReachTheEndsOfTheRange() {
        CursorRange all = CursorRange.startingAt(BIGINT.least(), BIGINT.greatest());

        assertThat(all.parted(BIGINT.units(1), BIGINT.units(10), 3))
                .containsExactly(
                        CursorRange.startingAt(BIGINT.least(), BIGINT.units(3)),
                        CursorRange.above(BIGINT.units(3), BIGINT.units(6)),
                        CursorRange.above(BIGINT.units(6), BIGINT.greatest()));
        assertThat(all.parted(BIGINT.least(), BIGINT.greatest(), 16)).hasSize(16);
        assertThat(all.parted(BIGINT.units(7), BIGINT.units(8), 16)).hasSize(2);
        assertThat(all.parted(BIGINT.units(7), BIGINT.units(7), 16)).containsExactly(all);
    }

    @Test
    void aRangeIsNotPartedBetweenValuesThatAreNotInIt() {
        CursorRange range = CursorRange.above(BIGINT.units(1), BIGINT.units(9));

        assertThatThrownBy(() -> range.parted(BIGINT.units(1), BIGINT.units(9), 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> range.parted(BIGINT.units(5), BIGINT.units(4), 2))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void theBoundsSelectExactlyTheRowsWhoseUnitLiesInTheRange(
            @ForAll(supplier = Shape.Any.class) Shape shape,
            @ForAll @LongRange(min = -5, max = 45) long from,
            @ForAll @LongRange(min = -5, max = 45) long to,
            @ForAll boolean inclusive) {
        SourceRows source = shape.source();
        CursorRange range = new CursorRange(shape.at(from), inclusive, shape.at(to));

        assertThat(source.in(range)).isEqualTo(source.finiteIn(range));
        if (range.isEmpty()) {
            assertThat(source.in(range)).isEmpty();
        }
    }

    @Property
    void theWholeTypeHoldsEveryFiniteRowAndNoOther(@ForAll(supplier = Shape.Any.class) Shape shape) {
        CursorType type = shape.column().type();
        SourceRows source = shape.source();

        assertThat(source.in(CursorRange.startingAt(type.least(), type.greatest())))
                .isEqualTo(source.all().stream().filter(SourceRows::isFinite).toList());
    }

    /** A window's edges on the numbers of a column select what they select on the times the numbers stand for. */
    @Property
    void aRangeOfAnEpochMeansTheSameAmongTheNumbersOfAColumn(
            @ForAll @IntRange(min = 0, max = 2) int unit,
            @ForAll @IntRange(min = 0, max = 6) int column,
            @ForAll("ends") BigInteger from,
            @ForAll("ends") BigInteger to,
            @ForAll("ends") BigInteger row,
            @ForAll @IntRange(min = -9, max = 9) int beside,
            @ForAll boolean inclusive) {
        CursorType epoch =
                CursorType.of(List.of(CursorType.Kind.EPOCH_S, CursorType.Kind.EPOCH_MS, CursorType.Kind.EPOCH_US)
                        .get(unit));
        CursorType numbers = List.of(
                        CursorType.of(CursorType.Kind.SMALLINT),
                        CursorType.of(CursorType.Kind.UINTEGER),
                        BIGINT,
                        CursorType.of(CursorType.Kind.UBIGINT),
                        CursorType.decimal(20, 1),
                        CursorType.decimal(22, 6),
                        CursorType.decimal(38, 9))
                .get(column);
        CursorRange range = new CursorRange(epoch.nearest(from), inclusive, epoch.nearest(to));
        CursorValue number = numbers.nearest(epoch.nearest(row)
                .floor(numbers)
                .orElse(numbers.least())
                .units()
                .add(BigInteger.valueOf(beside)));
        CursorValue time = epoch.number(number.toBigDecimal());

        boolean selected =
                range.bounds().stream().map(bound -> bound.among(numbers)).allMatch(bound -> holds(bound, number));

        boolean isFinite = number.toBigDecimal().compareTo(epoch.greatest().toBigDecimal()) <= 0;
        assertThat(selected).isEqualTo(isFinite && !range.isEmpty() && range.contains(time));
    }

    private static boolean holds(Bound bound, CursorValue number) {
        int compared = number.compareTo(bound.value());
        return switch (bound.operator()) {
            case AT_LEAST -> compared >= 0;
            case ABOVE -> compared > 0;
            case BELOW -> compared < 0;
            case AT_MOST -> compared <= 0;
        };
    }

    @Provide
    Arbitrary<BigInteger> ends() {
        BigInteger end = BigInteger.TWO.pow(63);
        return Arbitraries.oneOf(
                Arbitraries.bigIntegers().between(end.negate(), end),
                Arbitraries.bigIntegers().between(BigInteger.valueOf(-3_000_000), BigInteger.valueOf(3_000_000)),
                Arbitraries.of(0, 1, 999, 1_000, 999_999, 1_000_000).map(BigInteger::valueOf));
    }

    @Test
    void aTimeIsReadByWholeMicroseconds() {
        CursorRange range = CursorRange.above(
                TIMESTAMP.parse("2026-01-01T00:00:00.000001"), TIMESTAMP.parse("2026-01-01T00:00:00.000005"));

        assertThat(range.bounds())
                .containsExactly(
                        new Bound(Bound.Operator.AT_LEAST, TIMESTAMP.parse("2026-01-01T00:00:00.000002")),
                        new Bound(Bound.Operator.BELOW, TIMESTAMP.parse("2026-01-01T00:00:00.000006")));
    }

    @Test
    void atTheEndOfTheTypeABoundIsInclusive() {
        assertThat(CursorRange.above(TIMESTAMP.units(0), TIMESTAMP.greatest()).bounds())
                .containsExactly(
                        new Bound(Bound.Operator.AT_LEAST, TIMESTAMP.units(1)),
                        new Bound(Bound.Operator.AT_MOST, TIMESTAMP.greatest()));
        assertThat(CursorRange.above(TIMESTAMP.greatest(), TIMESTAMP.greatest()).bounds())
                .containsExactly(
                        new Bound(Bound.Operator.ABOVE, TIMESTAMP.greatest()),
                        new Bound(Bound.Operator.AT_MOST, TIMESTAMP.greatest()));
    }

    @Test
    void numbersAndDatesAreComparedAsTheyAre() {
        assertThat(CursorRange.above(BIGINT.units(1), BIGINT.units(9)).bounds())
                .containsExactly(
                        new Bound(Bound.Operator.ABOVE, BIGINT.units(1)),
                        new Bound(Bound.Operator.AT_MOST, BIGINT.units(9)));
        assertThat(CursorRange.startingAt(DATE.units(1), DATE.units(9)).bounds())
                .containsExactly(
                        new Bound(Bound.Operator.AT_LEAST, DATE.units(1)),
                        new Bound(Bound.Operator.AT_MOST, DATE.units(9)));
    }

    @Test
    void aRangeIsOfOneType() {
        assertThatThrownBy(() -> CursorRange.above(BIGINT.units(1), DATE.units(9)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
