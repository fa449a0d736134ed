package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTypeTest {

    @Property
    void everyTypeIsFoundByItsOwnName(@ForAll(supplier = CursorTypes.Any.class) CursorType type) {
        assertThat(CursorType.printed(type.toString())).contains(type);
    }

    @ParameterizedTest
    @CsvSource({
        "BIGINT, bigint",
        "int8, bigint",
        "Int, integer",
        "uint64, ubigint",
        "' TIMESTAMP WITH TIME ZONE ', timestamptz",
        "timestamp_ns, timestamp",
        "'DECIMAL( 18 , 3 )', 'decimal(18,3)'",
        "numeric(10), 'decimal(10,0)'",
    })
    void everyAliasNamesOneType(String name, String canonical) {
        assertThat(CursorType.named(name)).map(CursorType::toString).contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "varchar",
                "uuid",
                "double",
                "real",
                "boolean",
                "time",
                "interval",
                "blob",
                "bigint[]",
                "decimal(39,0)",
                "decimal(0,0)",
                "decimal(3,4)",
                "decimal()",
                "decimal(99999999999,0)",
                "epoch_ms",
            })
    void aTypeThatCannotBeWindowedIsNone(String name) {
        assertThat(CursorType.named(name)).isEmpty();
    }

    /** No column has such a type; a cursor is told to count so. */
    @ParameterizedTest
    @CsvSource({
        "epoch_s, bigint, 0",
        "epoch_s, 'decimal(20,6)', 6",
        "epoch_s, 'decimal(20,9)', 6",
        "epoch_ms, ubigint, 3",
        "epoch_ms, 'decimal(20,2)', 5",
        "epoch_us, bigint, 6",
        "epoch_us, 'decimal(38,3)', 6",
    })
    void anEpochIsAsFineAsItsNumbers(String unit, String column, int digits) {
        CursorType numbers = CursorType.named(column).orElseThrow();

        assertThat(CursorType.epoch(unit))
                .map(type -> type.fractionDigits(numbers))
                .contains(digits);
        assertThat(CursorType.epoch(unit).orElseThrow().isIn(numbers)).isTrue();
        assertThat(numbers.isIn(numbers)).isTrue();
        assertThat(CursorType.epoch(unit).orElseThrow().isIn(CursorType.of(CursorType.Kind.TIMESTAMP)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "epoch_ms, -1, bigint, -1",
        "epoch_ms, 1999, bigint, 1",
        "epoch_s, 1999999, 'decimal(20,1)', 1.9",
        "epoch_s, -1, uinteger,",
        "epoch_s, 9223372036854775806, integer, 2147483647",
    })
    void aTimeIsTheGreatestNumberNotAboveIt(String unit, long micros, String column, String number) {
        CursorValue time = CursorType.epoch(unit).orElseThrow().units(micros);

        assertThat(time.floor(CursorType.named(column).orElseThrow()).map(CursorValue::toString))
                .isEqualTo(Optional.ofNullable(number));
    }

    @Test
    void onlyDecimalsTakeAPrecision() {
        assertThatThrownBy(() -> new CursorType(CursorType.Kind.BIGINT, 9, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CursorType.decimal(3, 4)).isInstanceOf(IllegalArgumentException.class);
    }
}
