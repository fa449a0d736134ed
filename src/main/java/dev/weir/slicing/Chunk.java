package dev.weir.slicing;

import java.math.BigInteger;
import java.util.Locale;

/**
 * One piece of a backfill: the rows of {@code [from, to)}, loaded or not loaded as a whole.
 *
 * <p>Immutable and thread-safe. Source of the rule: contract, section 6.
 *
 * @param number its place in the plan, from 0
 * @param from the lower end, inclusive
 * @param to the upper end, exclusive; above {@code from} and of its type
 */
public record Chunk(int number, CursorValue from, CursorValue to) {

    public Chunk {
        if (number < 0 || !from.isBelow(to)) {
            throw new IllegalArgumentException("chunk " + number + " from " + from + " to " + to);
        }
    }

    /** The number as it is stored and sorted, six digits: {@code 000000}. */
    public String id() {
        return String.format(Locale.ROOT, "%06d", number);
    }

    /** Exactly the chunk's rows, as reads and deletions ask for them. */
    public CursorRange range() {
        return CursorRange.startingAt(from, to.plus(BigInteger.ONE.negate()));
    }

    /** As its lines name it: {@code [2026-01-01T00:00:00+00:00 → 2026-01-02T00:00:00+00:00)}. */
    public String spelled() {
        return "[" + Spelling.of(from) + " → " + Spelling.of(to) + ")";
    }
}
