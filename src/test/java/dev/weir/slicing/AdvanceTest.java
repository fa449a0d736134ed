package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdvanceTest {

    private static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);
    private static final Sync TENS =
            Sync.parse(BIGINT, new Sync.Text(null, "10", "0", null, null, null, null, null, null, null, null, null));

    @Test
    void aWindowWithRowsBeyondMovesToItsEnd() {
        assertThat(advance(0L, 3, 7L, 25L)).isEqualTo(new Advance(BIGINT.units(10), false, BigInteger.ZERO));
    }

    @Test
    void emptyWindowMovesToTheEdgeBelowTheNextRow() {
        assertThat(advance(0L, 0, null, 1_000_001L))
                .isEqualTo(new Advance(BIGINT.units(1_000_000), false, BigInteger.valueOf(99_999)));
        assertThat(advance(0L, 0, null, 11L).position()).isEqualTo(BIGINT.units(10));
        assertThat(advance(0L, 0, null, 20L).position()).isEqualTo(BIGINT.units(10));
        assertThat(advance(0L, 0, null, 21L).position()).isEqualTo(BIGINT.units(20));
    }

    @Test
    void theLastWindowMovesToItsNewestRowOnly() {
        assertThat(advance(0L, 3, 7L, null)).isEqualTo(new Advance(BIGINT.units(7), true, BigInteger.ZERO));
    }

    @Test
    void nothingReadAndNothingBeyondMovesNothing() {
        assertThat(advance(4L, 0, null, null)).isEqualTo(new Advance(BIGINT.units(4), true, BigInteger.ZERO));
        assertThat(advance(null, 0, null, null)).isEqualTo(new Advance(null, true, BigInteger.ZERO));
    }

    @Test
    void rowsWithoutAGreatestCursorAreAMistake() {
        assertThatThrownBy(() -> advance(0L, 3, null, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> advance(0L, 0, 7L, null)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Advance advance(@Nullable Long lower, long rows, @Nullable Long max, @Nullable Long next) {
        CursorValue from = value(lower);
        Slice slice = Slice.of(new Slice.From(TENS, from, null, null));
        return Advance.of(slice, from, rows, Optional.ofNullable(value(max)), Optional.ofNullable(value(next)));
    }

    private static @Nullable CursorValue value(@Nullable Long units) {
        return units == null ? null : BIGINT.units(units);
    }
}
