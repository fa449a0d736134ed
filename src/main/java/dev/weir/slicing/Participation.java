package dev.weir.slicing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which of the selected sinks take a pass's slice, and where the slice starts and must end because of the others.
 *
 * @param lower the lowest position, exclusive; null: none, the first run
 * @param participants the sinks exactly there
 * @param ahead the sinks already above it: they skip
 * @param nextHigher the lowest position among those ahead; null: none is ahead
 */
public record Participation(
        @Nullable CursorValue lower,
        List<String> participants,
        List<String> ahead,
        @Nullable CursorValue nextHigher) {

    /** @param positions where each sink stands; a sink that stands nowhere maps to null */
    public static Participation of(Map<String, @Nullable CursorValue> positions) {
        CursorValue lower = lowest(positions);
        List<String> participants = new ArrayList<>();
        List<String> ahead = new ArrayList<>();
        CursorValue nextHigher = null;
        for (Map.Entry<String, @Nullable CursorValue> entry : positions.entrySet()) {
            CursorValue position = entry.getValue();
            if (position == null || position.equals(lower)) {
                participants.add(entry.getKey());
            } else {
                ahead.add(entry.getKey());
                nextHigher = nextHigher == null ? position : CursorValue.min(nextHigher, position);
            }
        }
        return new Participation(lower, List.copyOf(participants), List.copyOf(ahead), nextHigher);
    }

    /** The lowest of some positions; null when any of them is nowhere. */
    public static @Nullable CursorValue lowest(Map<String, @Nullable CursorValue> positions) {
        CursorValue lowest = null;
        for (CursorValue position : positions.values()) {
            if (position == null) {
                return null;
            }
            lowest = lowest == null ? position : CursorValue.min(lowest, position);
        }
        return lowest;
    }
}
