package dev.weir.slicing;

import java.time.Instant;
import java.util.Collection;

/** Numbers generations so that a later one is always greater, whatever the clock does. */
public final class Generations {

    private Generations() {}

    /**
     * The number of a generation that begins now: the microsecond, or one more than any number read, if that is greater.
     *
     * @param known every generation number read from state and marks
     */
    public static long next(Instant now, Collection<Long> known) {
        long greatest = known.stream().mapToLong(Long::longValue).max().orElse(0);
        return Math.max(Ceiling.micros(now).longValueExact(), Math.addExact(greatest, 1));
    }
}
