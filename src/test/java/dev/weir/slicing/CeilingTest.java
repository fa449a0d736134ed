package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CeilingTest {

    private static final Instant NOW = Instant.parse("2026-09-02T09:15:00.118000500Z");

    @Property
    void theCeilingIsTheLastUnitThatEnded(@ForAll(supplier = Shape.Any.class) Shape shape) {
        CursorType type = shape.column().type();
        Assume.that(type.isTime());
        CursorValue ceiling = Ceiling.of(
                        Sync.unbounded(type), shape.column().fractionDigits(), Ceiling.Measured.at(shape.now()))
                .orElseThrow();
        Assume.that(ceiling.isAbove(type.least()) && !ceiling.isGreatest());
        BigInteger grain = shape.column().grain();

        assertThat(end(ceiling, grain)).isLessThanOrEqualTo(Ceiling.micros(shape.now()));
        assertThat(end(type.units(ceiling.units().add(grain)), grain)).isGreaterThan(Ceiling.micros(shape.now()));
    }

    /** The microsecond at which the unit that begins there has ended. */
    private static BigInteger end(CursorValue begin, BigInteger grain) {
        BigInteger end = begin.units().add(grain);
        boolean date = begin.type().kind() == CursorType.Kind.DATE;
        return date ? end.multiply(BigInteger.valueOf(86_400_000_000L)) : end;
    }

    @Property
    void neitherUntilNorDelayEverRaisesTheCeiling(@ForAll(supplier = Shape.Any.class) Shape shape) {
        CursorType type = shape.column().type();
        Ceiling.Measured measured = new Ceiling.Measured(shape.now(), null, null, shape.settled());
        CursorValue open = Ceiling.of(Sync.unbounded(type), shape.column().fractionDigits(), measured)
                .orElse(type.greatest());

        assertThat(shape.ceiling().orElse(type.greatest())).isLessThanOrEqualTo(open);
    }

    @ParameterizedTest
    @CsvSource({
        "date,, 2026-09-01",
        "timestamp, 0, 2026-09-02T09:14:59.000000",
        "timestamp, 3, 2026-09-02T09:15:00.117000",
        "timestamp, 6, 2026-09-02T09:15:00.117999",
        "timestamp, 9, 2026-09-02T09:15:00.117999",
        "timestamptz,, 2026-09-02T09:15:00.117999Z",
        "epoch_s, 0, 2026-09-02T09:14:59.000000Z",
        "epoch_ms, 3, 2026-09-02T09:15:00.117000Z",
    })
    void aColumnIsReadUpToItsOwnLastFinishedUnit(String name, Integer fractionDigits, String ceiling) {
        CursorType type = CursorType.printed(name).orElseThrow();

        assertThat(Ceiling.of(Sync.unbounded(type), fractionDigits, Ceiling.Measured.at(NOW)))
                .contains(type.read(ceiling));
    }

    @Test
    void aDelayLongerThanTheCalendarReadsNothingAndFailsNothing() {
        CursorType type = CursorType.of(CursorType.Kind.TIMESTAMP);
        Sync sync = Sync.parse(
                type,
                new Sync.Text(
                        null, null, "2026-01-01", null, "999999999999999w", null, null, null, null, null, null, null));

        CursorValue ceiling = Ceiling.of(sync, null, Ceiling.Measured.at(NOW)).orElseThrow();

        assertThat(ceiling).isEqualTo(type.least());
        assertThat(Slice.of(new Slice.From(sync, null, ceiling, null))).isInstanceOf(Slice.Nothing.class);
    }

    @Test
    void aNumberHasNoCeilingUnlessItIsSettledOrStopped() {
        CursorType type = CursorType.of(CursorType.Kind.BIGINT);

        assertThat(Ceiling.of(Sync.unbounded(type), null, Ceiling.Measured.at(NOW)))
                .isEmpty();
    }
}
