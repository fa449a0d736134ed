package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.LocalDateTime;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CursorValueTest {

    private static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);
    private static final CursorType TIMESTAMP = CursorType.of(CursorType.Kind.TIMESTAMP);

    @Property
    void everyValueIsReadBackFromItsText(@ForAll(supplier = CursorTypes.AnyValue.class) CursorValue value) {
        assertThat(value.type().read(value.toString())).isEqualTo(value);
    }

    @Property
    void aValueMovesByExactlyTheUnitsWithinItsType(
            @ForAll(supplier = CursorTypes.AnyValue.class) CursorValue value, @ForAll BigInteger more) {
        CursorValue moved = value.plus(more);
        BigInteger exact = value.units().add(more);

        assertThat(moved).isBetween(value.type().least(), value.type().greatest());
        if (!moved.isGreatest() && moved.isAbove(value.type().least())) {
            assertThat(moved.units()).isEqualTo(exact);
        } else {
            assertThat(moved.units().subtract(exact).signum() * more.signum()).isNotPositive();
        }
    }

    @Property
    void theOrderIsThatOfTheTexts(@ForAll(supplier = CursorTypes.AnyValue.class) CursorValue value) {
        Assume.that(!value.isGreatest());
        CursorValue next = value.plus(BigInteger.ONE);

        assertThat(next).isGreaterThan(value);
        assertThat(next.toString()).isNotEqualTo(value.toString());
        if (!value.type().isTime()) {
            assertThat(next.toBigDecimal()).isGreaterThan(value.toBigDecimal());
        } else {
            assertThat(next.toLocalDateTime()).isAfter(value.toLocalDateTime());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bigint, -9223372036854775808, 9223372036854775807",
        "ubigint, 0, 18446744073709551615",
        "tinyint, -128, 127",
        "uinteger, 0, 4294967295",
        "'decimal(5,2)', -999.99, 999.99",
        "'decimal(3,3)', -0.999, 0.999",
        "date, -5877641-06-25, +5881580-07-10",
        "timestamp, -290308-12-21T19:59:05.224194, +294247-01-10T04:00:54.775806",
        "timestamptz, -290308-12-21T19:59:05.224194Z, +294247-01-10T04:00:54.775806Z",
        "epoch_ms, -290308-12-21T19:59:05.224194Z, +294247-01-10T04:00:54.775806Z",
    })
    void everyTypeEndsWhereItsValuesEnd(String name, String least, String greatest) {
        CursorType type = CursorType.printed(name).orElseThrow();

        assertThat(type.least()).hasToString(least).isEqualTo(type.read(least));
        assertThat(type.greatest()).hasToString(greatest).isEqualTo(type.read(greatest));
        assertThat(type.greatest().isGreatest()).isTrue();
        assertThat(type.greatest().plus(BigInteger.ONE)).isEqualTo(type.greatest());
        assertThat(type.least().plus(BigInteger.ONE.negate())).isEqualTo(type.least());
    }

    @ParameterizedTest
    @CsvSource({
        "date, -0043-03-15, -735160",
        "date, 0000-02-29, -719469",
        "date, 0001-01-01, -719162",
        "date, +10000-01-01, 2932897",
        "timestamp, -0001-12-31T23:59:59.999999, -62167219200000001",
        "timestamp, 1969-12-31T23:59:59.999999, -1",
        "timestamp, +10000-01-01T00:00:00.000000, 253402300800000000",
        "timestamptz, 0000-01-01T00:00:00.000000Z, -62167219200000000",
        "epoch_s, 1969-12-31T23:59:59.999999Z, -1",
    })
    void yearsBeforeChristAndBeyondTenThousandKeepTheirUnits(String name, String text, BigInteger units) {
        CursorType type = CursorType.printed(name).orElseThrow();

        assertThat(type.read(text).units()).isEqualTo(units);
        assertThat(type.units(units)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "bigint, 007",
        "bigint, -0",
        "bigint, +1",
        "bigint, 9223372036854775808",
        "'decimal(9,2)', 12.50",
        "'decimal(9,2)', 1E+1",
        "date, 2026-1-1",
        "date, 12026-01-01",
        "date, 2026-02-29",
        "date, +5881580-07-11",
        "timestamp, 2026-01-01T00:00",
        "timestamp, 2026-01-01T00:00:00.000",
        "timestamp, 2026-01-01T00:00:00.000000999",
        "timestamp, 2026-01-01T00:00:00.000000Z",
        "timestamp, +294247-01-10T04:00:54.775807",
        "timestamptz, 2026-01-01T00:00:00.000000",
        "timestamptz, 2026-01-01T00:00:00.000000+00:00",
        "timestamptz, ''",
        "epoch_ms, 1767225600000",
    })
    void aTextThatIsNotCanonicalIsNoValue(String name, String text) {
        CursorType type = CursorType.printed(name).orElseThrow();

        assertThatThrownBy(() -> type.read(text))
                .isInstanceOf(LiteralException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void microsecondsBeforeTheEpochBelongToTheSecondBefore() {
        assertThat(TIMESTAMP.units(-1).toLocalDateTime())
                .isEqualTo(LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000));
    }

    @Test
    void valuesOfDifferentTypesAreNeverCompared() {
        assertThatThrownBy(() -> BIGINT.units(1).compareTo(TIMESTAMP.units(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void valuesADoubleCannotTellApartDiffer() {
        CursorValue low = BIGINT.read("9007199254740992");

        assertThat(BIGINT.read("9007199254740993")).isGreaterThan(low);
    }
}
