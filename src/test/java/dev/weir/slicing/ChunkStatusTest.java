package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ChunkStatusTest {

    @ParameterizedTest
    @CsvSource({
        "pending, claimed",
        "claimed, pending claimed running completed failed",
        "running, claimed completed failed",
        "completed, ''",
        "failed, claimed"
    })
    void aChunkGoesOnAlongTheLine(String from, String targets) {
        List<String> reached = Arrays.stream(ChunkStatus.values())
                .filter(ChunkStatus.of(from)::mayBecome)
                .map(ChunkStatus::toString)
                .toList();

        assertThat(String.join(" ", reached)).isEqualTo(targets);
    }

    @ParameterizedTest
    @EnumSource
    void aStatusIsReadAsItIsStored(ChunkStatus status) {
        assertThat(ChunkStatus.of(status.toString())).isEqualTo(status);
        assertThat(status.toString()).isLowerCase();
        assertThat(status.isFinal()).isEqualTo(status.toString().equals("completed"));
    }

    @Test
    void aTextThatIsNoStatusIsRefused() {
        assertThatThrownBy(() -> ChunkStatus.of("PENDING"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'PENDING'");
    }
}
