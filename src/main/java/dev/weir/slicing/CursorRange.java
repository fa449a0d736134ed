package dev.weir.slicing;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * An interval of finite cursor values: what a read asks for.
 *
 * <p>Infinite, NaN and NULL cursors are in no range. A time value stands for its whole microsecond, so that {@link
 * #bounds()} is exact for columns finer than a microsecond too. Source of the rule: contract, section 3.
 *
 * @param from the lower end
 * @param fromInclusive whether the rows at {@code from} belong to the range
 * @param to the upper end, inclusive
 */
public record CursorRange(CursorValue from, boolean fromInclusive, CursorValue to) {

    public CursorRange {
        if (!from.type().equals(to.type())) {
            throw new IllegalArgumentException("a range of " + from.type() + " and " + to.type());
        }
    }

    /** {@code from < cursor <= to}. */
    public static CursorRange above(CursorValue from, CursorValue to) {
        return new CursorRange(from, false, to);
    }

    /** {@code from <= cursor <= to}. */
    public static CursorRange startingAt(CursorValue from, CursorValue to) {
        return new CursorRange(from, true, to);
    }

    /** Whether no value can be in the range. */
    public boolean isEmpty() {
        return fromInclusive ? from.isAbove(to) : !from.isBelow(to);
    }

    /** Whether the value lies in the range. */
    public boolean contains(CursorValue value) {
        boolean above = fromInclusive ? !value.isBelow(from) : value.isAbove(from);
        return above && !value.isAbove(to);
    }

    /** Whether some value can lie in both. */
    public boolean intersects(CursorRange other) {
        return !isEmpty()
                && !other.isEmpty()
                && !lowest().isAbove(other.to)
                && !other.lowest().isAbove(to);
    }

    /** The lowest value in the range, where there is one. */
    private CursorValue lowest() {
        return fromInclusive ? from : from.plus(BigInteger.ONE);
    }

    /**
     * The range as several that lie side by side, in order, so that each value lies in exactly one of them. They part the
     * span between two of its values evenly; the outermost go on to the range's own ends.
     *
     * @param lowest a value in the range
     * @param highest a value in the range, not below {@code lowest}
     * @param most how many there may be, at least 1; there are fewer where the span holds fewer values
     */
    public List<CursorRange> parted(CursorValue lowest, CursorValue highest, int most) {
        if (!contains(lowest) || !contains(highest) || lowest.isAbove(highest)) {
            throw new IllegalArgumentException(this + " is not parted between " + lowest + " and " + highest);
        }
        BigInteger span = highest.units().subtract(lowest.units()).add(BigInteger.ONE);
        BigInteger parts = span.min(BigInteger.valueOf(most));
        List<CursorRange> parted = new ArrayList<>();
        CursorRange rest = this;
        for (int i = 1; i < parts.intValueExact(); i++) {
            BigInteger width = span.multiply(BigInteger.valueOf(i)).divide(parts);
            CursorValue end = lowest.plus(width.subtract(BigInteger.ONE));
            parted.add(new CursorRange(rest.from, rest.fromInclusive, end));
            rest = above(end, to);
        }
        parted.add(rest);
        return List.copyOf(parted);
    }

    /** The comparisons that together select exactly this range; a row satisfies all of them. */
    public List<Bound> bounds() {
        return List.of(lowerBound(), upperBound());
    }

    private Bound lowerBound() {
        if (fromInclusive) {
            return new Bound(Bound.Operator.AT_LEAST, from);
        }
        return from.type().isInstant() && !from.isGreatest()
                ? new Bound(Bound.Operator.AT_LEAST, from.plus(BigInteger.ONE))
                : new Bound(Bound.Operator.ABOVE, from);
    }

    private Bound upperBound() {
        return to.type().isInstant() && !to.isGreatest()
                ? new Bound(Bound.Operator.BELOW, to.plus(BigInteger.ONE))
                : new Bound(Bound.Operator.AT_MOST, to);
    }
}
