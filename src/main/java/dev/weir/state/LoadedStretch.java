package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.PositionKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Slices that forward runs loaded into one sink within one generation, each beginning where the one before ended.
 *
 * @param key which source into which sink
 * @param generation the generation of the position
 * @param cursor what the ends are values of
 * @param from the lower end of the first slice; null: from the type's beginning
 * @param fromInclusive whether the rows at {@code from} belong to it
 * @param to the upper end of the last slice, inclusive
 * @param firstRun the run that loaded the first slice
 * @param lastRun the run that loaded the last one
 * @param firstAt when the first slice was committed
 * @param lastAt when the last one was
 * @param slices how many there were
 * @param rows how many rows they delivered
 */
public record LoadedStretch(
        PositionKey key,
        long generation,
        Cursor cursor,
        @Nullable CursorValue from,
        boolean fromInclusive,
        CursorValue to,
        String firstRun,
        String lastRun,
        Instant firstAt,
        Instant lastAt,
        long slices,
        long rows) {

    /** The values it covers. */
    public CursorRange range() {
        return from == null
                ? CursorRange.startingAt(cursor.type().least(), to)
                : new CursorRange(from, fromInclusive, to);
    }
}
