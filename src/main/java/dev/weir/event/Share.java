package dev.weir.event;

import java.math.BigInteger;

/**
 * How much of a distance is covered, exactly.
 *
 * @param done 0 to whole
 * @param whole above 0
 */
record Share(BigInteger done, BigInteger whole) {

    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    static final Share ALL = new Share(BigInteger.ONE, BigInteger.ONE);
    static final Share NONE = new Share(BigInteger.ZERO, BigInteger.ONE);

    /** What was covered, at least nothing and at most all of it. */
    static Share of(BigInteger done, BigInteger whole) {
        return whole.signum() <= 0 ? NONE : new Share(done.max(BigInteger.ZERO).min(whole), whole);
    }

    boolean isAll() {
        return done.equals(whole);
    }

    /** Rounded down, so that 100 is all of it. */
    int percent() {
        return of(HUNDRED);
    }

    /** How many of these parts are covered, rounded down. */
    int of(int parts) {
        return of(BigInteger.valueOf(parts));
    }

    private int of(BigInteger parts) {
        return done.multiply(parts).divide(whole).intValueExact();
    }
}
