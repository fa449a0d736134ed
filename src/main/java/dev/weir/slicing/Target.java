package dev.weir.slicing;

import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/**
 * What a slice of a source with {@code max_window: auto} should hold, or how long its pass should take.
 *
 * <p>Immutable and thread-safe; {@link #toString()} tells two of them apart.
 */
public sealed interface Target {

    /** Whether a slice says how wide the next one should be. */
    boolean isToldBy(AutoWindow.Seen seen);

    /** How many units of cursor would have met it, by a slice that says so; at least zero. */
    BigInteger width(AutoWindow.Seen seen);

    /**
     * So many rows.
     *
     * @param rows above zero
     */
    record Rows(long rows) implements Target {

        private static final Pattern COUNT = Pattern.compile("0*[1-9][0-9]{0,17}");

        /** @throws LiteralException when the text is no number of rows */
        static Rows parse(String text) {
            if (!COUNT.matcher(text).matches()) {
                throw new LiteralException("'" + text + "' is no number of rows: write a whole one, as in 100000");
            }
            return new Rows(Long.parseLong(text));
        }

        @Override
        public boolean isToldBy(AutoWindow.Seen seen) {
            return seen.rows() > 0;
        }

        @Override
        public BigInteger width(AutoWindow.Seen seen) {
            return part(seen.span(), rows, seen.rows());
        }

        @Override
        public String toString() {
            return rows + " rows";
        }
    }

    /**
     * So long, from the first question to the source to the last commit.
     *
     * @param duration from a second to a day
     */
    record Time(Duration duration) implements Target {

        /** Below so many rows it is not they that take the time, but what every pass takes. */
        static final long FEW = 1_000;

        private static final BigInteger SHORTEST = micros(Duration.ofSeconds(1));
        private static final BigInteger LONGEST = micros(Duration.ofDays(1));

        private static BigInteger micros(Duration duration) {
            return BigInteger.valueOf(duration.toMillis()).multiply(BigInteger.valueOf(1_000));
        }

        /** @throws LiteralException when the text is no duration from a second to a day */
        static Time parse(String text) {
            BigInteger micros = Step.micros(text);
            if (micros.compareTo(SHORTEST) < 0 || micros.compareTo(LONGEST) > 0) {
                throw new LiteralException(
                        "'" + text + "' is not from 1s to 1d: write how long a pass should take, as in 30s");
            }
            return new Time(Duration.of(micros.longValueExact(), ChronoUnit.MICROS));
        }

        @Override
        public boolean isToldBy(AutoWindow.Seen seen) {
            return seen.rows() > (isMet(seen) ? 0 : FEW);
        }

        private boolean isMet(AutoWindow.Seen seen) {
            return seen.took().compareTo(duration) <= 0;
        }

        @Override
        public BigInteger width(AutoWindow.Seen seen) {
            BigInteger width = part(
                    seen.span(), duration.toNanos(), Math.max(1, seen.took().toNanos()));
            return isMet(seen) ? width : width.max(part(seen.span(), FEW, seen.rows()));
        }

        @Override
        public String toString() {
            return Step.written(duration);
        }
    }

    private static BigInteger part(BigInteger span, long wanted, long seen) {
        return span.multiply(BigInteger.valueOf(wanted)).divide(BigInteger.valueOf(seen));
    }
}
