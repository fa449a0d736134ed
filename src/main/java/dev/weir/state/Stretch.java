package dev.weir.state;

import dev.weir.slicing.CursorValue;
import org.jspecify.annotations.Nullable;

/**
 * What one slice brought a sink: all rows of the source between two values of the cursor, as they were when it was read.
 *
 * @param from the lower end; null: from the type's beginning
 * @param fromInclusive whether the rows at {@code from} belong to it
 * @param to the upper end, inclusive
 * @param rows how many rows were delivered
 */
public record Stretch(@Nullable CursorValue from, boolean fromInclusive, CursorValue to, long rows) {

    public Stretch {
        if (from != null && !from.type().equals(to.type())) {
            throw new IllegalArgumentException("a stretch of " + from.type() + " and " + to.type());
        }
    }
}
