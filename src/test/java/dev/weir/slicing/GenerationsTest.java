package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class GenerationsTest {

    @Test
    void aGenerationIsTheMicrosecondItBegan() {
        assertThat(Generations.next(Instant.parse("2026-01-01T00:00:00.000001999Z"), List.of()))
                .isEqualTo(1_767_225_600_000_001L);
    }

    @Property
    void aLaterGenerationIsGreaterWhateverTheClockSays(
            @ForAll @LongRange(min = -1_000_000_000, max = 4_000_000_000L) long second,
            @ForAll List<@LongRange(min = 0, max = 4_000_000_000_000_000L) Long> known) {
        long next = Generations.next(Instant.ofEpochSecond(second), known);

        assertThat(next).isPositive();
        assertThat(known).allMatch(number -> number < next);
    }
}
