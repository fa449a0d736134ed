package dev.weir.slicing;

import java.math.BigInteger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How wide the next window of a source with {@code max_window: auto} is, by what its last slices held and took.
 *
 * <p>A width is never zero and never above the limit. What was seen narrows it at once, as far as that takes; it grows by a
 * factor of {@value #GROWTH} at most. An empty window says nothing of the rows beyond it, and one that ended where the
 * source ended, or at a ceiling, is no reason for a wider one. Immutable and thread-safe.
 *
 * @param target what a slice should hold or take
 * @param limit at most this wide; null: as wide as the type
 * @param width how wide the next window is
 */
public record AutoWindow(Target target, @Nullable Step limit, Step width) {

    /** How much wider than the last one a window is at most. */
    public static final int GROWTH = 4;

    /** How many rows the first window holds at most, whatever the target is. */
    public static final long FIRST_ROWS = 10_000;

    public AutoWindow {
        if (limit != null && limit.units().compareTo(width.units()) < 0) {
            width = limit;
        }
    }

    /**
     * What came of one window.
     *
     * @param span how many units it reached over, above zero
     * @param cut whether it ended before its width did: at a ceiling, at another sink's position, or with the last row
     * @param rows how many rows it held
     * @param took how long its pass took
     */
    public record Seen(BigInteger span, boolean cut, long rows, Duration took) {

        /** @param atEnd whether the source had no further row */
        public static Seen of(Slice.Window window, boolean atEnd, long rows, Duration took) {
            BigInteger span = window.upper()
                    .units()
                    .subtract(window.rows().from().units())
                    .max(BigInteger.ONE);
            boolean isShort = window.maxWindow() != null
                    && span.compareTo(window.maxWindow().units()) < 0;
            return new Seen(span, atEnd || isShort, rows, took);
        }
    }

    /** How many rows of a source lie in a range. */
    @FunctionalInterface
    public interface Counted {
        /** @param limit where counting stops */
        long rows(CursorRange range, long limit);
    }

    /**
     * The first window of a source of which nothing is known: the widest power of two that holds no more rows than the
     * target, and than {@value #FIRST_ROWS}. Found by few questions, each of which counts up to there.
     *
     * @param left from the lowest row that is left, inclusive, to where the window could end
     */
    public static AutoWindow first(Target target, @Nullable Step limit, CursorRange left, Counted source) {
        long most = target instanceof Target.Rows wanted ? Math.min(wanted.rows(), FIRST_ROWS) : FIRST_ROWS;
        BigInteger span = left.to().units().subtract(left.from().units());
        int fits = 0;
        int widest = (limit == null ? span : span.min(limit.units())).bitLength();
        while (fits < widest) {
            int middle = (fits + widest + 1) / 2;
            CursorValue end = CursorValue.min(left.from().plus(BigInteger.ONE.shiftLeft(middle)), left.to());
            if (source.rows(CursorRange.startingAt(left.from(), end), most + 1) <= most) {
                fits = middle;
            } else {
                widest = middle - 1;
            }
        }
        return new AutoWindow(target, limit, new Step(left.from().type(), BigInteger.ONE.shiftLeft(fits)).rounded());
    }

    /** The narrowest there is: safe whatever the source holds. */
    public static AutoWindow narrowest(CursorType type, Target target, @Nullable Step limit) {
        return new AutoWindow(target, limit, new Step(type, BigInteger.ONE));
    }

    /** The window after one that came to this. */
    public AutoWindow after(Seen seen) {
        if (!target.isToldBy(seen)) {
            return this;
        }
        BigInteger wanted = target.width(seen);
        boolean grows = wanted.compareTo(width.units()) > 0;
        if (grows && seen.cut()) {
            return this;
        }
        return wide(limit, wanted.min(width.units().multiply(BigInteger.valueOf(GROWTH))));
    }

    /** The window after one that took so long that it was ended: a quarter of it, and never again more than half of it. */
    public AutoWindow afterTimeOut() {
        Step half = new Step(width.type(), width.units().shiftRight(1).max(BigInteger.ONE));
        return wide(half, width.units().shiftRight(2));
    }

    private AutoWindow wide(@Nullable Step most, BigInteger units) {
        return new AutoWindow(target, most, new Step(width.type(), units.max(BigInteger.ONE)).rounded());
    }
}
