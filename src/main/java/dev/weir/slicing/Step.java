package dev.weir.slicing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far one window may reach: a positive number of units of a cursor type.
 *
 * <p>Immutable and thread-safe. A step wider than the type counts as no step at all: windows end at the type's end.
 *
 * @param type the cursor type the step moves
 * @param units how many units, above zero: see {@link CursorType}
 */
public record Step(CursorType type, BigInteger units) {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,1000})(ms|s|m|h|d|w)");
    private static final BigInteger MICROS_PER_MILLI = BigInteger.valueOf(1_000);

    /** A unit that durations are written in. */
    private record Unit(String name, BigInteger micros) {}

    /** The widest first. */
    private static final List<Unit> UNITS = List.of(
            new Unit("d", BigInteger.valueOf(86_400_000_000L)),
            new Unit("h", BigInteger.valueOf(3_600_000_000L)),
            new Unit("m", BigInteger.valueOf(60_000_000L)),
            new Unit("s", BigInteger.valueOf(1_000_000L)),
            new Unit("ms", MICROS_PER_MILLI),
            new Unit("us", BigInteger.ONE));

    public Step {
        if (units.signum() <= 0) {
            throw new IllegalArgumentException("a step is above zero, not " + units);
        }
    }

    /**
     * The step a user wrote as {@code max_window}: a number for numeric cursors, a duration for time.
     *
     * @throws LiteralException when the text is no step of this type, or is zero or negative
     */
    public static Step parse(CursorType type, String text) {
        BigInteger units =
                switch (type.kind()) {
                    case TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER, UBIGINT ->
                        number(type, text, CursorType.decimal(38, 0));
                    case DECIMAL -> number(type, text, type);
                    case DATE -> days(text);
                    case TIMESTAMP, TIMESTAMPTZ, EPOCH_S, EPOCH_MS, EPOCH_US -> micros(text);
                };
        if (units.signum() <= 0) {
            throw new LiteralException("'" + text + "' is not above zero");
        }
        return new Step(type, units);
    }

    private static BigInteger number(CursorType type, String text, CursorType digits) {
        try {
            return Literals.decimal(digits, text);
        } catch (LiteralException e) {
            throw new LiteralException("'" + text + "' is no window over " + type + ": write a positive number, as in "
                    + (type.scale() > 0 ? "0.5" : "10000"));
        }
    }

    private static BigInteger days(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()
                || !(matcher.group(2).equals("d") || matcher.group(2).equals("w"))) {
            throw new LiteralException("'" + text + "' is no window over date: write days or weeks, as in 7d or 1w");
        }
        BigInteger count = new BigInteger(matcher.group(1));
        return matcher.group(2).equals("w") ? count.multiply(BigInteger.valueOf(7)) : count;
    }

    /** A duration of whole milliseconds as it is written, in the largest unit up to hours: {@code 500ms}, {@code 30s}. */
    public static String written(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds % 60 != 0 || seconds == 0) {
            return seconds + "s";
        }
        return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds / 60 + "m";
    }

    /**
     * The microseconds of a duration: digits and one of {@code ms s m h d w}; zero is allowed.
     *
     * @throws LiteralException when the text is no duration
     */
    public static BigInteger micros(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new LiteralException(
                    "'" + text + "' is no duration: write digits and one of ms s m h d w, as in 90m or 1d");
        }
        long millis =
                switch (matcher.group(2)) {
                    case "ms" -> 1L;
                    case "s" -> 1_000L;
                    case "m" -> 60_000L;
                    case "h" -> 3_600_000L;
                    case "d" -> 86_400_000L;
                    case "w" -> 604_800_000L;
                    default -> throw new IllegalStateException(matcher.group(2));
                };
        return new BigInteger(matcher.group(1))
                .multiply(BigInteger.valueOf(millis))
                .multiply(MICROS_PER_MILLI);
    }

    /**
     * The nearest step that is not longer and reads well: of two digits, or of times whole days from ten on, whole hours from
     * ten on, and so on down to microseconds. Less than a tenth shorter, and never zero.
     */
    Step rounded() {
        BigInteger grain = type.isInstant() ? grainOfTime() : grainOfDigits();
        return new Step(type, units.subtract(units.mod(grain)));
    }

    private BigInteger grainOfTime() {
        return UNITS.stream()
                .map(Unit::micros)
                .filter(micros -> units.compareTo(micros.multiply(BigInteger.TEN)) >= 0)
                .findFirst()
                .orElse(BigInteger.ONE);
    }

    private BigInteger grainOfDigits() {
        return BigInteger.TEN.pow(Math.max(0, units.toString().length() - 2));
    }

    /** As users write it: {@code 10000}, {@code 0.5}, {@code 7d}, {@code 90m}; {@code us} for microseconds. */
    @Override
    public String toString() {
        if (type.kind() == CursorType.Kind.DATE) {
            return units + "d";
        }
        if (!type.isInstant()) {
            return new BigDecimal(units, type.scale()).stripTrailingZeros().toPlainString();
        }
        Unit unit = UNITS.stream()
                .filter(one -> units.mod(one.micros()).signum() == 0)
                .findFirst()
                .orElseThrow();
        return units.divide(unit.micros()) + unit.name();
    }
}
