package dev.weir.slicing;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one pass asks of one source, decided before anything is read.
 *
 * <p>Source of the rule: contract, section 3.1. The order in the source's snapshot is {@link Window#next()} first, then
 * {@link Window#rows()}.
 */
public sealed interface Slice {

    /** Nothing lies between the position and the ceiling: nothing is asked, 0 rows, at the end. */
    record Nothing() implements Slice {}

    /**
     * A first run without {@code initial}: the source is asked for its lowest cursor, then {@link #from} decides.
     *
     * @param range where to look for it
     */
    record Lowest(CursorRange range, From then) implements Slice {

        /** The slice that starts at the lowest cursor; empty: the source has no row there. */
        public Slice from(Optional<CursorValue> lowest) {
            return lowest.<Slice>map(value -> window(then, value)).orElseGet(Nothing::new);
        }
    }

    /**
     * The rows of one window, and where the source goes on above it.
     *
     * @param rows the rows to read
     * @param next where to look for the lowest cursor above the window; empty: not asked, the window ends at the ceiling
     *     or at the type's end
     * @param maxWindow the width of the windows after this one; null: no width
     */
    record Window(
            CursorRange rows,
            Optional<CursorRange> next,
            @Nullable Step maxWindow) implements Slice {

        /** The window's end, inclusive. */
        public CursorValue upper() {
            return rows.to();
        }
    }

    /**
     * Where a pass stands.
     *
     * @param lower the lowest position of the selected sinks, exclusive; null: none, the first run
     * @param ceiling the highest value this invocation may reach; null: none
     * @param nextHigher the next higher position of a selected sink, where the slice ends; null: none
     */
    record From(
            Sync sync,
            @Nullable CursorValue lower,
            @Nullable CursorValue ceiling,
            @Nullable CursorValue nextHigher) {}

    /** Decides what a pass asks. */
    static Slice of(From from) {
        CursorValue start = from.lower() != null ? from.lower() : from.sync().initial();
        if (start != null && isAtEnd(from, start)) {
            return new Nothing();
        }
        if (start == null && from.sync().maxWindow() != null) {
            CursorType type = from.sync().type();
            return new Lowest(CursorRange.startingAt(type.least(), end(from)), from);
        }
        return window(from, start == null ? from.sync().type().least() : start);
    }

    private static boolean isAtEnd(From from, CursorValue start) {
        if (from.ceiling() == null) {
            return false;
        }
        return from.lower() != null ? !start.isBelow(from.ceiling()) : start.isAbove(from.ceiling());
    }

    private static Slice window(From from, CursorValue start) {
        CursorValue end = end(from);
        CursorValue upper = end;
        Step step = from.sync().maxWindow();
        if (step != null) {
            upper = CursorValue.min(upper, start.plus(step));
        }
        if (from.nextHigher() != null) {
            upper = CursorValue.min(upper, from.nextHigher());
        }
        CursorRange rows =
                from.lower() != null ? CursorRange.above(start, upper) : CursorRange.startingAt(start, upper);
        Optional<CursorRange> next = upper.isBelow(end) ? Optional.of(CursorRange.above(upper, end)) : Optional.empty();
        return new Window(rows, next, step);
    }

    /** The ceiling, or the type's end where there is none. */
    private static CursorValue end(From from) {
        return from.ceiling() != null ? from.ceiling() : from.sync().type().greatest();
    }
}
