package dev.weir.run;

import dev.weir.connector.Snapshot;
import dev.weir.slicing.Advance;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Participation;
import dev.weir.slicing.Slice;
import dev.weir.slicing.Sync;
import dev.weir.slicing.Target;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many passes a source needs until nothing is left below its ceiling, if nothing arrives meanwhile.
 *
 * @param most at most so many; empty: more than can be told
 * @param exact whether it is so many
 */
record PassesLeft(Optional<BigInteger> most, boolean exact) {

    /** The next pass is the last one. */
    static final PassesLeft LAST = new PassesLeft(Optional.of(BigInteger.ONE), true);

    /**
     * The same where the width of later windows is yet to be chosen, so that it is about so many: for a number of rows by
     * how many there are, for a time as if all windows were as wide as the next one.
     *
     * @param rowsLeft about how many rows there are; empty: it cannot be told
     */
    PassesLeft about(Target target, Optional<BigInteger> rowsLeft) {
        if (most.filter(BigInteger.ONE::equals).isPresent()) {
            return this;
        }
        return target instanceof Target.Rows wanted
                ? new PassesLeft(rowsLeft.map(rows -> passes(rows, BigInteger.valueOf(wanted.rows()))), false)
                : new PassesLeft(most, false);
    }

    private static BigInteger passes(BigInteger rows, BigInteger ofRows) {
        return rows.add(ofRows).subtract(BigInteger.ONE).divide(ofRows).max(BigInteger.TWO);
    }

    /** So many passes are gone through one by one, with two questions each; beyond that they are estimated. */
    private static final int GONE_THROUGH = 50;

    /**
     * @param positions where each sink stands, by name
     * @param rowsLeft how many rows there are, counted up to {@link Forecast#COUNTED}
     */
    static PassesLeft of(
            Snapshot snapshot,
            Sync sync,
            Optional<CursorValue> ceiling,
            Map<String, @Nullable CursorValue> positions,
            long rowsLeft) {
        Map<String, @Nullable CursorValue> moving = new HashMap<>(positions);
        CursorRange left = null;
        for (int passes = 1; passes <= GONE_THROUGH; passes++) {
            Participation participation = Participation.of(moving);
            Slice slice = Slice.of(
                    new Slice.From(sync, participation.lower(), ceiling.orElse(null), participation.nextHigher()));
            if (slice instanceof Slice.Lowest first) {
                slice = first.from(snapshot.lowest(first.range()));
            }
            if (!(slice instanceof Slice.Window window)) {
                return new PassesLeft(Optional.of(BigInteger.valueOf(passes)), true);
            }
            if (left == null) {
                CursorValue end = ceiling.orElse(sync.type().greatest());
                left = new CursorRange(window.rows().from(), window.rows().fromInclusive(), end);
            }
            Optional<CursorValue> next = window.next().flatMap(snapshot::lowest);
            if (next.isEmpty()) {
                return new PassesLeft(Optional.of(BigInteger.valueOf(passes)), true);
            }
            Optional<CursorValue> first = snapshot.lowest(window.rows());
            long rows = first.isPresent() ? 1 : 0;
            CursorValue position =
                    Advance.of(slice, participation.lower(), rows, first, next).position();
            participation.participants().forEach(sink -> moving.put(sink, position));
        }
        return new PassesLeft(estimate(sync, left, rowsLeft, positions.size()), false);
    }

    /** Each pass holds a window, no two in a row are empty, and each sink at another position may end one early. */
    private static Optional<BigInteger> estimate(Sync sync, @Nullable CursorRange left, long rowsLeft, int sinks) {
        if (left == null || sync.maxWindow() == null) {
            return Optional.empty();
        }
        BigInteger width = left.to().units().subtract(left.from().units());
        BigInteger step = sync.maxWindow().units();
        BigInteger byCursor =
                width.add(step).subtract(BigInteger.ONE).divide(step).max(BigInteger.ONE);
        BigInteger byRows = BigInteger.valueOf(rowsLeft).shiftLeft(1).add(BigInteger.ONE);
        BigInteger fewest = rowsLeft < Forecast.COUNTED ? byCursor.min(byRows) : byCursor;
        return Optional.of(fewest.add(BigInteger.valueOf(sinks)));
    }
}
