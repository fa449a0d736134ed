package dev.weir.slicing;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The highest cursor value an invocation may reach: computed once, fixed for all its passes.
 *
 * <p>Source of the rule: contract, section 3.1.
 */
public final class Ceiling {

    private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);
    private static final BigInteger MICROS_PER_DAY = BigInteger.valueOf(86_400_000_000L);
    private static final int FINEST = 6;

    private Ceiling() {}

    /**
     * What was measured before the first read.
     *
     * @param now the earlier of the runner's clock and the source's own; used by time cursors
     * @param oldestOpen when the oldest open transaction of the source began; null: none, or not sampled
     * @param sample when open transactions were sampled; null: not sampled
     * @param settled the highest value at or below which nothing can appear any more; null: none bounds
     */
    public record Measured(
            Instant now,
            @Nullable Instant oldestOpen,
            @Nullable Instant sample,
            @Nullable CursorValue settled) {

        public static Measured at(Instant now) {
            return new Measured(now, null, null, null);
        }
    }

    /**
     * The ceiling, or empty where nothing bounds a numeric cursor but the end of its type.
     *
     * @param fractionDigits how many digits of a second the column holds; null, or above 6: whole microseconds. Dates
     *     ignore it
     */
    public static Optional<CursorValue> of(Sync sync, @Nullable Integer fractionDigits, Measured measured) {
        Optional<CursorValue> finished =
                sync.type().isTime() ? Optional.of(lastFinishedUnit(sync, fractionDigits, measured)) : Optional.empty();
        return Stream.of(finished, Optional.ofNullable(measured.settled()), sync.untilValue())
                .flatMap(Optional::stream)
                .reduce(CursorValue::min);
    }

    /**
     * The time at or below which nothing can appear any more, whatever {@code until} and {@code delay} say.
     *
     * @param oldestOpen when the oldest open transaction began; null: none is open
     * @param sample when that was found out
     */
    static CursorValue settled(
            CursorType type, @Nullable Integer fractionDigits, @Nullable Instant oldestOpen, Instant sample) {
        Measured measured = new Measured(sample, oldestOpen, sample, null);
        return lastFinishedUnit(Sync.unbounded(type), fractionDigits, measured);
    }

    /** The last whole unit of the cursor's resolution that ended at or before the earliest limit. */
    private static CursorValue lastFinishedUnit(Sync sync, @Nullable Integer fractionDigits, Measured measured) {
        BigInteger limit = micros(measured.now()).subtract(sync.delayMicros());
        if (measured.oldestOpen() != null) {
            limit = limit.min(micros(measured.oldestOpen()));
        }
        if (measured.sample() != null) {
            limit = limit.min(micros(measured.sample()).subtract(MILLION));
        }
        BigInteger unit = unitMicros(sync.type(), fractionDigits);
        BigInteger last = floorDivide(limit, unit).subtract(BigInteger.ONE);
        BigInteger units = sync.type().kind() == CursorType.Kind.DATE ? last : last.multiply(unit);
        return sync.type().nearest(units);
    }

    private static BigInteger unitMicros(CursorType type, @Nullable Integer fractionDigits) {
        if (type.kind() == CursorType.Kind.DATE) {
            return MICROS_PER_DAY;
        }
        int digits = fractionDigits == null ? FINEST : Math.min(fractionDigits, FINEST);
        return BigInteger.TEN.pow(FINEST - digits);
    }

    /** The whole microseconds since 1970 of an instant, floored. */
    static BigInteger micros(Instant instant) {
        return BigInteger.valueOf(instant.getEpochSecond())
                .multiply(MILLION)
                .add(BigInteger.valueOf(instant.getNano() / 1_000));
    }

    static BigInteger floorDivide(BigInteger value, BigInteger divisor) {
        BigInteger[] parts = value.divideAndRemainder(divisor);
        return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    /** The cursor value of that type in whose unit an instant lies: its date, or its microsecond. */
    static CursorValue unitOf(CursorType type, Instant instant) {
        BigInteger micros = micros(instant);
        return type.nearest(type.kind() == CursorType.Kind.DATE ? floorDivide(micros, MICROS_PER_DAY) : micros);
    }
}
