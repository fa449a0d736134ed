package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiteralsTest {

    @Property
    void anyTextIsAValueOrIsRefusedWithTheTextQuoted(
            @ForAll(supplier = CursorTypes.Any.class) CursorType type, @ForAll String text) {
        try {
            assertThat(type.parse(text)).isBetween(type.least(), type.greatest());
        } catch (LiteralException e) {
            assertThat(e).hasMessageContaining("'" + text + "'");
        }
    }

    @Property
    void theTextOfANumberIsItsOwnLiteral(@ForAll(supplier = CursorTypes.AnyValue.class) CursorValue value) {
        if (!value.type().isTime()) {
            assertThat(value.type().parse(value.toString())).isEqualTo(value);
        }
    }

    @Test
    void leadingZerosNeverMakeANumberTooLong() {
        assertThat(CursorType.of(CursorType.Kind.BIGINT).parse("0".repeat(200) + "42"))
                .hasToString("42");
    }

    @ParameterizedTest
    @CsvSource({
        "timestamp, 2026-01-01T00:00:00-00:00",
        "timestamp, 2026-01-01T00:00:00+01:00",
        "timestamptz, 2026-01-01T00:00:00+19:00",
        "timestamptz, 2026-01-01T00:00:00+01:75",
        "timestamptz, 2026-01-01+01:00",
        "timestamp, 2026-01-01T24:00:00",
        "timestamp, 2026-01-01T23:59:60",
        "date, 0000-01-01",
        "date, ２０２６-01-01",
        "bigint, １",
    })
    void whatLooksLikeAValueButIsNoneIsRefused(String name, String text) {
        CursorType type = CursorType.named(name).orElseThrow();

        assertThatThrownBy(() -> type.parse(text))
                .isInstanceOf(LiteralException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void anOffsetForATimestampIsToldInUtc() {
        assertThatThrownBy(() -> CursorType.of(CursorType.Kind.TIMESTAMP).parse("2026-01-01T00:30:00+01:00"))
                .hasMessageContaining("2025-12-31T23:30");
    }
}
