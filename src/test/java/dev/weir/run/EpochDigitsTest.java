package dev.weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.SourceColumn;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Sync;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many digits of a second numbers hold that count time: what has not ended of it may still get rows. */
class EpochDigitsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "epoch_s; BIGINT; BIGINT; 0",
                "epoch_s; BIGINT; DECIMAL(20,6); 0",
                "epoch_s; DECIMAL(12,2); DECIMAL(20,6); 2",
                "epoch_s; VARCHAR; DECIMAL(20,6); 6",
                "epoch_ms; INTEGER; DECIMAL(20,1); 3",
                "epoch_us; BIGINT; BIGINT; 6",
            })
    void aDeclarationAddsNone(String unit, String own, String declared, int digits) {
        CursorType type = CursorType.printed(unit).orElseThrow();
        SourceColumn column = new SourceColumn("at", own, Optional.of(own), null, null, false);

        BoundSource.Incremental incremental =
                BoundSource.Incremental.of("at", declared, Optional.of(column), Sync.unbounded(type));

        assertThat(incremental.fractionDigits()).isEqualTo(digits);
    }
}
