package dev.weir.slicing;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One pass over {@link SourceRows}, as the run will make it: decide, ask next, read the rows, advance.
 *
 * @param slice what was asked, after the lowest cursor was known
 * @param rows the rows of the slice
 */
record Pass(
        Slice slice,
        Optional<CursorValue> next,
        List<SourceRows.Row> rows,
        Optional<CursorValue> min,
        Optional<CursorValue> max,
        Advance advance) {

    static Pass over(SourceRows source, Slice.From from) {
        Slice slice = Slice.of(from);
        if (slice instanceof Slice.Lowest lowest) {
            slice = lowest.from(source.lowest(lowest.range()));
        }
        if (!(slice instanceof Slice.Window window)) {
            Advance advance = Advance.of(slice, from.lower(), 0, Optional.empty(), Optional.empty());
            return new Pass(slice, Optional.empty(), List.of(), Optional.empty(), Optional.empty(), advance);
        }
        Optional<CursorValue> next = window.next().flatMap(source::lowest);
        List<SourceRows.Row> rows = source.in(window.rows());
        Optional<CursorValue> max = source.highest(window.rows());
        Advance advance = Advance.of(slice, from.lower(), rows.size(), max, next);
        return new Pass(slice, next, rows, source.lowest(window.rows()), max, advance);
    }

    @Nullable
    CursorValue position() {
        return advance.position();
    }

    /** The window's end; empty when nothing was asked. */
    Optional<CursorValue> upper() {
        return slice instanceof Slice.Window window ? Optional.of(window.upper()) : Optional.empty();
    }

    /** What was asked of the source, in the words of the vectors. */
    String asks() {
        if (slice instanceof Slice.Window window) {
            return window.next().isPresent() ? "next and rows" : "rows";
        }
        return "nothing";
    }

    /** What is reported: whether the source is caught up; null where it has no stop. */
    @Nullable
    Boolean caughtUp(Sync sync) {
        return sync.hasStop() ? advance.atEnd() : null;
    }
}
