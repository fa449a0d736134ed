package dev.weir.slicing;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far one chunk of a backfill reaches: a number, elapsed time, or whole days or months of the calendar.
 *
 * <p>Immutable and thread-safe. Steps that are spelled apart and mean the same are equal: {@code 7d} and {@code 1w},
 * {@code 60m} and {@code 1h}. {@code 24h} and {@code 1d} are not: where clocks change, a day has 23 or 25 hours. Source
 * of the rule: contract, section 6, "Chunks".
 *
 * @param type the cursor type the step moves
 * @param unit what is counted
 * @param count how many of them, above zero; numbers count the type's units, see {@link CursorType}
 */
public record ChunkStep(CursorType type, Unit unit, BigInteger count) {

    /** What a step counts. */
    public enum Unit {
        NUMBERS,
        /** Elapsed time, whatever clocks do. */
        SECONDS,
        /** Days of the calendar, in the zone of the backfill. */
        DAYS,
        /** Months of the calendar, in the zone of the backfill. */
        MONTHS
    }

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,1000})(s|m|h|d|w|mo)");
    private static final BigInteger MICROS_PER_SECOND = BigInteger.valueOf(1_000_000);
    private static final BigInteger SECONDS_PER_DAY = BigInteger.valueOf(86_400);
    private static final BigInteger SECONDS_PER_HOUR = BigInteger.valueOf(3_600);
    private static final BigInteger SECONDS_PER_MINUTE = BigInteger.valueOf(60);
    private static final BigInteger DAYS_PER_WEEK = BigInteger.valueOf(7);

    public ChunkStep {
        if (count.signum() <= 0) {
            throw new IllegalArgumentException("a step is above zero, not " + count);
        }
        boolean fits =
                switch (unit) {
                    case NUMBERS -> !type.isTime();
                    case SECONDS -> type.isInstant();
                    case DAYS, MONTHS -> type.isTime();
                };
        if (!fits) {
            throw new IllegalArgumentException("a " + type + " is never stepped in " + unit);
        }
    }

    /**
     * The step a user wrote as {@code window}.
     *
     * @throws LiteralException when the text is no step of this type, or is zero or negative
     */
    public static ChunkStep parse(CursorType type, String text) {
        if (!type.isTime()) {
            return new ChunkStep(type, Unit.NUMBERS, Step.parse(type, text).units());
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw refused(type, text);
        }
        BigInteger count = new BigInteger(matcher.group(1));
        if (count.signum() == 0) {
            throw new LiteralException("'" + text + "' is not above zero");
        }
        return switch (matcher.group(2)) {
            case "mo" -> new ChunkStep(type, Unit.MONTHS, count);
            case "w" -> new ChunkStep(type, Unit.DAYS, count.multiply(DAYS_PER_WEEK));
            case "d" -> new ChunkStep(type, Unit.DAYS, count);
            case "h" -> elapsed(type, text, count.multiply(SECONDS_PER_HOUR));
            case "m" -> elapsed(type, text, count.multiply(SECONDS_PER_MINUTE));
            default -> elapsed(type, text, count);
        };
    }

    private static ChunkStep elapsed(CursorType type, String text, BigInteger seconds) {
        if (!type.isInstant()) {
            throw refused(type, text);
        }
        return new ChunkStep(type, Unit.SECONDS, seconds);
    }

    private static LiteralException refused(CursorType type, String text) {
        return new LiteralException("'" + text + "' is no window over " + type + ": write "
                + (type.isInstant()
                        ? "digits and one of s m h d w mo, as in 6h, 1d or 1mo"
                        : "days, weeks or months, as in 1d, 1w or 1mo"));
    }

    /** Whether the step follows the calendar of a zone, so that the time it takes may differ from chunk to chunk. */
    public boolean isCalendar() {
        return unit == Unit.DAYS || unit == Unit.MONTHS;
    }

    /**
     * The units of that many steps that do not follow the calendar.
     *
     * @throws IllegalStateException for a calendar step
     */
    BigInteger units(long steps) {
        BigInteger counted = count.multiply(BigInteger.valueOf(steps));
        return switch (unit) {
            case NUMBERS -> counted;
            case SECONDS -> counted.multiply(MICROS_PER_SECOND);
            case DAYS, MONTHS -> throw new IllegalStateException(this + " depends on the calendar");
        };
    }

    /**
     * The spelling in identities: whole months as {@code mo}, else the largest of {@code d h m s}. Elapsed days read
     * {@code d} too; the zone tells them from days of the calendar, see {@link BackfillIdentity}.
     */
    @Override
    public String toString() {
        return switch (unit) {
            case NUMBERS -> type.units(count).toString();
            case MONTHS -> count + "mo";
            case DAYS -> count + "d";
            case SECONDS -> elapsed();
        };
    }

    private String elapsed() {
        if (isWhole(SECONDS_PER_DAY)) {
            return count.divide(SECONDS_PER_DAY) + "d";
        }
        if (isWhole(SECONDS_PER_HOUR)) {
            return count.divide(SECONDS_PER_HOUR) + "h";
        }
        return isWhole(SECONDS_PER_MINUTE) ? count.divide(SECONDS_PER_MINUTE) + "m" : count + "s";
    }

    private boolean isWhole(BigInteger seconds) {
        return count.mod(seconds).signum() == 0;
    }
}
