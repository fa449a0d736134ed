package dev.weir.slicing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Objects;
import java.util.Optional;

/**
 * One finite value of a cursor, exact to the ends of its type.
 *
 * <p>Immutable, thread-safe, ordered within one type; {@link #toString()} and {@link CursorType#read(String)} are a pair
 * that round-trips. For times the value stands for its whole microsecond.
 *
 * @param type the type; values of different types are never compared
 * @param units how many units, see {@link CursorType}; within the type's range
 */
public record CursorValue(CursorType type, BigInteger units) implements Comparable<CursorValue> {

    private static final BigInteger MICROS_PER_SECOND = BigInteger.valueOf(1_000_000);

    /** Always six fraction digits, so that equal values have equal texts. */
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral('T')
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 6, 6, true)
            .toFormatter();

    public CursorValue {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(units, "units");
    }

    /** The value that many units higher (lower, when negative), at most the type's ends. */
    public CursorValue plus(BigInteger more) {
        return type.nearest(units.add(more));
    }

    /** The value one step higher, at most the type's end. */
    public CursorValue plus(Step step) {
        return plus(step.units());
    }

    public boolean isAbove(CursorValue other) {
        return compareTo(other) > 0;
    }

    public boolean isBelow(CursorValue other) {
        return compareTo(other) < 0;
    }

    /** Whether this is the type's end, so that nothing finite lies above it. */
    public boolean isGreatest() {
        return units.compareTo(type.greatest().units()) >= 0;
    }

    public static CursorValue min(CursorValue a, CursorValue b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    public static CursorValue max(CursorValue a, CursorValue b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /** The number a column of numbers has for the value, at the type's scale. */
    public BigDecimal toBigDecimal() {
        return new BigDecimal(units, type.scale());
    }

    /** The greatest number of a type that is not above the value's own; empty: all of them are. */
    public Optional<CursorValue> floor(CursorType numbers) {
        BigInteger floored =
                toBigDecimal().setScale(numbers.scale(), RoundingMode.FLOOR).unscaledValue();
        return floored.compareTo(numbers.least().units()) < 0
                ? Optional.empty()
                : Optional.of(numbers.nearest(floored));
    }

    /** The UTC date and time a time value stands for; midnight for a date. */
    public LocalDateTime toLocalDateTime() {
        if (type.kind() == CursorType.Kind.DATE) {
            return LocalDate.ofEpochDay(units.longValueExact()).atStartOfDay();
        }
        BigInteger[] parts = units.divideAndRemainder(MICROS_PER_SECOND);
        long seconds = parts[0].longValueExact();
        long micros = parts[1].longValueExact();
        if (micros < 0) {
            seconds -= 1;
            micros += 1_000_000;
        }
        return LocalDateTime.ofEpochSecond(seconds, Math.toIntExact(micros * 1_000), ZoneOffset.UTC);
    }

    /** @throws IllegalArgumentException when the other value is of another type: a programming error */
    @Override
    public int compareTo(CursorValue other) {
        if (!type.equals(other.type)) {
            throw new IllegalArgumentException("a " + type + " is never compared with a " + other.type);
        }
        return units.compareTo(other.units);
    }

    /**
     * The canonical text: plain digits; decimals without trailing zeros; {@code yyyy-MM-dd}; {@code
     * yyyy-MM-ddTHH:mm:ss.ffffff}, with a {@code Z} for {@code timestamptz} and epochs. Years outside 0 to 9999 carry a sign.
     */
    @Override
    public String toString() {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER, UBIGINT -> units.toString();
            case DECIMAL -> plainDecimal();
            case DATE -> toLocalDateTime().toLocalDate().toString();
            case TIMESTAMP -> TIME.format(toLocalDateTime());
            case TIMESTAMPTZ, EPOCH_S, EPOCH_MS, EPOCH_US -> TIME.format(toLocalDateTime()) + "Z";
        };
    }

    private String plainDecimal() {
        if (units.signum() == 0) {
            return "0";
        }
        return toBigDecimal().stripTrailingZeros().toPlainString();
    }
}
