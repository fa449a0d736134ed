package dev.weir.slicing;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The finite ranges whose rows no window will hold, so that they are counted and said.
 *
 * <p>Rows with NULL, infinite or NaN cursors lie in no range and are counted beside these. Source of the rule: contract,
 * section 3.1, "Rows that no window holds".
 *
 * @param belowInitial below {@code initial} and not above the position; empty where there is no {@code initial}
 * @param future dated after now; empty for numbers
 */
public record Outside(Optional<CursorRange> belowInitial, Optional<CursorRange> future) {

    /**
     * @param lower the position the first pass starts from; null: none
     * @param now the invocation's now for this source
     */
    public static Outside of(Sync sync, @Nullable CursorValue lower, Instant now) {
        return new Outside(belowInitial(sync, lower), future(sync.type(), now));
    }

    private static Optional<CursorRange> belowInitial(Sync sync, @Nullable CursorValue lower) {
        CursorValue initial = sync.initial();
        if (initial == null || !initial.isAbove(sync.type().least())) {
            return Optional.empty();
        }
        CursorValue last = initial.plus(java.math.BigInteger.ONE.negate());
        CursorValue to = lower == null ? last : CursorValue.min(last, lower);
        return Optional.of(CursorRange.startingAt(sync.type().least(), to));
    }

    private static Optional<CursorRange> future(CursorType type, Instant now) {
        return type.isTime()
                ? Optional.of(CursorRange.above(Ceiling.unitOf(type, now), type.greatest()))
                : Optional.empty();
    }
}
