package dev.weir.slicing;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is read again below a sink's position, for rows that were committed late or changed without a newer cursor.
 *
 * <p>Source of the rule: contract, section 3, {@code lookback}.
 */
public final class Lookback {

    private Lookback() {}

    /**
     * {@code (position - lookback, position]}, not below {@code initial} nor the start of the position's generation.
     *
     * @param position where the sink stands; null: nowhere, nothing is below
     * @param generationStart where its generation began, exclusive; null: at {@code initial}
     * @return empty where nothing is to be read again
     */
    public static Optional<CursorRange> below(
            Sync sync, @Nullable CursorValue position, @Nullable CursorValue generationStart) {
        if (sync.lookback() == null || position == null) {
            return Optional.empty();
        }
        CursorRange range = from(sync, position, generationStart);
        return range.isEmpty() ? Optional.empty() : Optional.of(range);
    }

    private static CursorRange from(Sync sync, CursorValue position, @Nullable CursorValue generationStart) {
        CursorValue lower = position.plus(sync.lookback().units().negate());
        if (generationStart != null && generationStart.isAbove(lower)) {
            lower = generationStart;
        }
        CursorValue initial = sync.initial() == null ? sync.type().least() : sync.initial();
        return initial.isAbove(lower) ? CursorRange.startingAt(initial, position) : CursorRange.above(lower, position);
    }
}
