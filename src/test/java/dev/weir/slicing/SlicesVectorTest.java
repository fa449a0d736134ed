package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class SlicesVectorTest {

    @TestFactory
    Stream<DynamicTest> everyPassReadsAndAdvancesAsTheContractSays() {
        return Vectors.cases("slices.json", SlicesVectorTest::check);
    }

    private static void check(Vectors.Case vector) {
        Sync sync = vector.sync();
        CursorValue ceiling =
                Ceiling.of(sync, vector.fractionDigits(), vector.measured()).orElse(null);
        CursorValue lower = Vectors.value(sync.type(), vector.given().get("lower"));
        SourceRows source = vector.rows();
        Pass pass = Pass.over(source, new Slice.From(sync, lower, ceiling, null));
        vector.forEachExpected((key, expected) -> {
            if (key.equals("outside")) {
                checkOutside(source, Outside.of(sync, lower, vector.now()), expected);
            } else {
                assertPass(key, expected, sync, ceiling, pass);
            }
        });
    }

    /** Asserts one key of {@code expect} that tells of a pass. */
    static void assertPass(String key, JsonNode expected, Sync sync, @Nullable CursorValue ceiling, Pass pass) {
        switch (key) {
            case "ceiling" -> assertValue(key, expected, sync, ceiling);
            case "upper" -> assertValue(key, expected, sync, pass.upper().orElse(null));
            case "next" -> assertValue(key, expected, sync, pass.next().orElse(null));
            case "min" -> assertValue(key, expected, sync, pass.min().orElse(null));
            case "max" -> assertValue(key, expected, sync, pass.max().orElse(null));
            case "position" -> assertValue(key, expected, sync, pass.position());
            case "asks" -> assertThat(pass.asks()).as(key).isEqualTo(expected.textValue());
            case "rows" -> assertThat(pass.rows()).as(key).hasSize(expected.intValue());
            case "atEnd" -> assertThat(pass.advance().atEnd()).as(key).isEqualTo(expected.booleanValue());
            case "caughtUp" ->
                assertThat(pass.caughtUp(sync)).as(key).isEqualTo(expected.isNull() ? null : expected.booleanValue());
            default -> throw new AssertionError("a key no check knows: " + key);
        }
    }

    private static void assertValue(String key, JsonNode expected, Sync sync, @Nullable CursorValue actual) {
        assertThat(actual).as(key).isEqualTo(Vectors.value(sync.type(), expected));
    }

    private static void checkOutside(SourceRows source, Outside outside, JsonNode expected) {
        expected.fieldNames().forEachRemaining(key -> {
            long counted =
                    switch (key) {
                        case "nullCursors" -> source.nullCount();
                        case "infiniteCursors" -> source.infiniteCount();
                        case "belowInitial" -> count(source, outside.belowInitial());
                        case "future" -> count(source, outside.future());
                        default -> throw new AssertionError("a key no check knows: " + key);
                    };
            assertThat(counted).as(key).isEqualTo(expected.get(key).longValue());
        });
    }

    private static long count(SourceRows source, Optional<CursorRange> range) {
        return range.map(present -> source.in(present).size()).orElse(0);
    }
}
