package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepTest {

    private static final CursorType TIMESTAMP = CursorType.of(CursorType.Kind.TIMESTAMP);

    @Property
    void aNumberIsAWindowOfThatManyUnits(@ForAll @LongRange(min = 1) long units) {
        CursorType cents = CursorType.decimal(38, 2);

        assertThat(Step.parse(CursorType.of(CursorType.Kind.BIGINT), Long.toString(units))
                        .units())
                .isEqualTo(units);
        assertThat(Step.parse(cents, cents.units(units).toString()).units()).isEqualTo(units);
    }

    @Property
    void aDurationIsThatManyMicroseconds(@ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long count) {
        assertThat(Step.micros(count + "ms")).isEqualTo(count * 1_000);
        assertThat(Step.micros(count + "s")).isEqualTo(Step.micros(count * 1_000 + "ms"));
        assertThat(Step.micros(count + "m")).isEqualTo(Step.micros(count * 60 + "s"));
        assertThat(Step.micros(count + "h")).isEqualTo(Step.micros(count * 60 + "m"));
        assertThat(Step.micros(count + "d")).isEqualTo(Step.micros(count * 24 + "h"));
        assertThat(Step.micros(count + "w")).isEqualTo(Step.micros(count * 7 + "d"));
    }

    @ParameterizedTest
    @CsvSource({"tinyint, 1000", "ubigint, 99999999999999999999999", "date, 999999999999999999999w"})
    void aWindowWiderThanItsTypeReachesTheTypesEnd(String name, String text) {
        CursorType type = CursorType.named(name).orElseThrow();

        assertThat(type.least().plus(Step.parse(type, text))).isEqualTo(type.greatest());
    }

    @Test
    void aDurationWiderThanItsTypeReachesTheTypesEnd() {
        assertThat(TIMESTAMP.least().plus(Step.parse(TIMESTAMP, "9".repeat(40) + "ms")))
                .isEqualTo(TIMESTAMP.greatest());
    }

    @Test
    void leadingZerosNeverMakeADurationTooLong() {
        assertThat(Step.micros("0".repeat(50) + "90s")).isEqualTo(90_000_000);
    }

    @Test
    void aStepMovesForward() {
        assertThatThrownBy(() -> new Step(TIMESTAMP, BigInteger.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }
}
