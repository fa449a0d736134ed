package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkStepTest {

    private static final CursorType TIMESTAMPTZ = CursorType.of(CursorType.Kind.TIMESTAMPTZ);

    @ParameterizedTest
    @CsvSource({
        "timestamptz, 7d, 1w",
        "timestamptz, 14d, 2w",
        "timestamptz, 01d, 1d",
        "timestamptz, 60s, 1m",
        "timestamptz, 24h, 1440m",
        "timestamp, 168h, 604800s",
        "date, 7d, 1w",
        "bigint, 010, 10",
        "'decimal(18,3)', 0.50, 0.5"
    })
    void stepsThatMeanTheSameAreEqual(String type, String one, String other) {
        assertThat(step(type, one))
                .isEqualTo(step(type, other))
                .hasToString(step(type, other).toString());
    }

    @ParameterizedTest
    @CsvSource({"24h, 1d", "168h, 1w", "30d, 1mo", "12mo, 365d"})
    void elapsedTimeDaysAndMonthsAreNotEachOther(String one, String other) {
        assertThat(ChunkStep.parse(TIMESTAMPTZ, one)).isNotEqualTo(ChunkStep.parse(TIMESTAMPTZ, other));
    }

    @ParameterizedTest
    @CsvSource({
        "timestamptz, 90s, 90s, false",
        "timestamptz, 5400s, 90m, false",
        "timestamptz, 36h, 36h, false",
        "timestamptz, 48h, 2d, false",
        "timestamptz, 2d, 2d, true",
        "timestamptz, 3w, 21d, true",
        "timestamp, 12mo, 12mo, true",
        "date, 1mo, 1mo, true",
        "bigint, 10000, 10000, false",
        "'decimal(18,3)', 0.250, 0.25, false"
    })
    void aStepIsSpelledInTheLargestUnitThatHoldsIt(String type, String text, String spelled, boolean calendar) {
        assertThat(step(type, text)).hasToString(spelled);
        assertThat(step(type, text).isCalendar()).isEqualTo(calendar);
    }

    @ParameterizedTest
    @CsvSource({
        "timestamptz, 500ms, 'write digits and one of s m h d w mo, as in 6h, 1d or 1mo'",
        "timestamp, 1y, 'write digits and one of s m h d w mo, as in 6h, 1d or 1mo'",
        "timestamptz, 1M, 'write digits and one of s m h d w mo, as in 6h, 1d or 1mo'",
        "timestamptz, ' 1d', 'write digits and one of s m h d w mo, as in 6h, 1d or 1mo'",
        "timestamptz, ١d, 'write digits and one of s m h d w mo, as in 6h, 1d or 1mo'",
        "timestamptz, 00mo, is not above zero",
        "date, 6h, 'write days, weeks or months, as in 1d, 1w or 1mo'",
        "date, 30s, 'write days, weeks or months, as in 1d, 1w or 1mo'",
        "bigint, 1d, 'write a positive number, as in 10000'",
        "bigint, 1.5, 'write a positive number, as in 10000'",
        "'decimal(18,3)', 0.0001, 'write a positive number, as in 0.5'",
        "ubigint, -1, is not above zero"
    })
    void whatIsNoStepIsRefusedWithOneThatIs(String type, String text, String taught) {
        assertThatThrownBy(() -> step(type, text))
                .isInstanceOf(LiteralException.class)
                .hasMessageStartingWith("'" + text + "' ")
                .hasMessageContaining(taught);
    }

    @Test
    void aStepMovesForwardInAUnitOfItsType() {
        CursorType date = CursorType.of(CursorType.Kind.DATE);
        assertThatThrownBy(() -> new ChunkStep(date, ChunkStep.Unit.DAYS, BigInteger.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ChunkStep(date, ChunkStep.Unit.SECONDS, BigInteger.ONE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static ChunkStep step(String type, String text) {
        return ChunkStep.parse(CursorType.named(type).orElseThrow(), text);
    }
}
