package dev.weir.event;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.HeldBack;
import dev.weir.slicing.Step;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * What an incremental source read in a pass, and where its watermark is.
 *
 * @param window what was asked for; null: nothing was, the watermark was at the ceiling
 * @param before the watermark before the pass; null: none
 * @param after the watermark after it; null: none
 * @param ceiling the highest value this invocation may reach, inclusive; null: nothing but the type bounds it
 * @param atEnd whether nothing is left below the ceiling
 * @param skippedWindows how many empty windows the watermark jumped over; null: it jumped over none
 * @param reread how many rows below the watermark were read once more by {@code lookback}, at least zero
 * @param heldBack why the ceiling is lower than it could be; null: it is not
 * @param caughtUp null where the source has no {@code until}
 */
public record Incremental(
        @Nullable Window window,
        Cursor cursor,
        @Nullable CursorValue before,
        @Nullable CursorValue after,
        @Nullable CursorValue ceiling,
        boolean atEnd,
        @Nullable BigInteger skippedWindows,
        long reread,
        @Nullable HeldBack heldBack,
        @Nullable Boolean caughtUp) {

    /**
     * The interval of a pass.
     *
     * @param lower its lower end; null: below every value
     * @param upper its upper end, inclusive; null: above every value
     * @param autoWidth the width that {@code max_window: auto} chose for it; null: it was not chosen
     */
    public record Window(
            @Nullable CursorValue lower,
            @Nullable CursorValue upper,
            boolean lowerInclusive,
            @Nullable Step autoWidth) {}

    public Incremental {
        if (skippedWindows != null && skippedWindows.signum() <= 0) {
            skippedWindows = null;
        }
    }
}
