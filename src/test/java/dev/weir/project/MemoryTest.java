package dev.weir.project;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryTest {

    @ParameterizedTest
    @CsvSource({
        "256MB, 256000000, 64000000, 32000000",
        "300000KB, 300000000, 75000000, 65000000",
        "256 MiB, 268435456, 67108864, 41326592",
        "1GB, 1000000000, 250000000, 590000000",
        "1.5 GiB, 1610612736, 402653184, 1047959552",
        "0.001TB, 1000000000, 250000000, 590000000",
        "9223372TB, 9223372000000000000, 2305843000000000000, 6917528999840000000"
    })
    void aQuarterIsTheHeapsAndDuckDbGetsWhatJavaLeaves(String text, long bytes, long heap, long duckDb) {
        Memory memory = Memory.parse(text).orElseThrow();
        assertThat(memory).isEqualTo(new Memory(bytes));
        assertThat(memory.heap()).isEqualTo(heap);
        assertThat(memory.duckDb()).isEqualTo(duckDb);
    }

    @ParameterizedTest
    @ValueSource(strings = {"255.999MB", "1KB", "0.25GB", "9223373TB", "999999999.999TiB"})
    void whatIsTooLittleToWorkInOrMoreThanANumberHoldsIsNone(String text) {
        assertThat(Memory.parse(text)).isEmpty();
    }
}
