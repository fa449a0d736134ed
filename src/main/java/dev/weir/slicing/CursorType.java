package dev.weir.slicing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column type whose values can be windowed exactly: integers, decimals, dates and times.
 *
 * <p>Every value of such a type is a whole number of <em>units</em>: the integer itself, the unscaled decimal at the
 * type's scale, days since 1970-01-01, or microseconds since 1970-01-01T00:00:00 UTC. All arithmetic is done on units,
 * so no double and no time zone ever takes part. Immutable and thread-safe. Source of the rule: contract, section 3.
 *
 * <p>An epoch type is one of times that a column holds as numbers, of seconds, milliseconds or microseconds since 1970. Its
 * values are those of {@code timestamptz}; as numbers they are decimals whose last digit is a microsecond.
 *
 * @param kind the family of the type
 * @param precision digits of a decimal in all, 1 to 38; 0 for every other kind
 * @param scale digits after the point: of a decimal, 0 to precision; of an epoch's numbers, those of a microsecond in their
 *     unit, 6, 3 or 0; 0 for every other kind
 */
public record CursorType(Kind kind, int precision, int scale) {

    /** The families of cursor types, with the finite ends of their ranges in units, both inclusive. */
    public enum Kind {
        TINYINT(signed(8), signedMax(8)),
        SMALLINT(signed(16), signedMax(16)),
        INTEGER(signed(32), signedMax(32)),
        BIGINT(signed(64), signedMax(64)),
        UTINYINT(BigInteger.ZERO, unsignedMax(8)),
        USMALLINT(BigInteger.ZERO, unsignedMax(16)),
        UINTEGER(BigInteger.ZERO, unsignedMax(32)),
        UBIGINT(BigInteger.ZERO, unsignedMax(64)),
        /** Its ends depend on the precision. */
        DECIMAL(BigInteger.ZERO, BigInteger.ZERO),
        /** One below the largest int means infinity in DuckDB. */
        DATE(signedMax(32).negate().add(BigInteger.ONE), signedMax(32).subtract(BigInteger.ONE)),
        TIMESTAMP(signedMax(64).negate().add(BigInteger.ONE), signedMax(64).subtract(BigInteger.ONE)),
        TIMESTAMPTZ(signedMax(64).negate().add(BigInteger.ONE), signedMax(64).subtract(BigInteger.ONE)),
        /** Seconds since 1970 in a column of numbers. */
        EPOCH_S(TIMESTAMPTZ.least, TIMESTAMPTZ.greatest),
        /** Milliseconds since 1970 in a column of numbers. */
        EPOCH_MS(TIMESTAMPTZ.least, TIMESTAMPTZ.greatest),
        /** Microseconds since 1970 in a column of numbers. */
        EPOCH_US(TIMESTAMPTZ.least, TIMESTAMPTZ.greatest);

        private final BigInteger least;
        private final BigInteger greatest;

        Kind(BigInteger least, BigInteger greatest) {
            this.least = least;
            this.greatest = greatest;
        }

        /** The digits after the point that come with the kind itself. */
        private int scale() {
            return switch (this) {
                case EPOCH_S -> MICRO_DIGITS;
                case EPOCH_MS -> MICRO_DIGITS / 2;
                default -> 0;
            };
        }

        private static BigInteger signed(int bits) {
            return BigInteger.TWO.pow(bits - 1).negate();
        }

        private static BigInteger signedMax(int bits) {
            return BigInteger.TWO.pow(bits - 1).subtract(BigInteger.ONE);
        }

        private static BigInteger unsignedMax(int bits) {
            return BigInteger.TWO.pow(bits).subtract(BigInteger.ONE);
        }
    }

    private static final int MAX_DECIMAL_PRECISION = 38;
    private static final int MICRO_DIGITS = 6;
    private static final Pattern DECIMAL_NAME =
            Pattern.compile("(?:decimal|numeric)\\(\\s*(\\d{1,2})\\s*(?:,\\s*(\\d{1,2})\\s*)?\\)");

    public CursorType {
        if (kind == Kind.DECIMAL) {
            if (precision < 1 || precision > MAX_DECIMAL_PRECISION || scale < 0 || scale > precision) {
                throw new IllegalArgumentException("decimal(" + precision + "," + scale + ")");
            }
        } else if (precision != 0 || scale != kind.scale()) {
            throw new IllegalArgumentException(kind + " takes no precision");
        }
    }

    public static CursorType of(Kind kind) {
        return new CursorType(kind, 0, kind.scale());
    }

    public static CursorType decimal(int precision, int scale) {
        return new CursorType(Kind.DECIMAL, precision, scale);
    }

    /**
     * The cursor type a DuckDB type name stands for, or empty where values of that type cannot be windowed.
     *
     * @param name a DuckDB type name in any case, its usual aliases included: {@code BIGINT}, {@code int8},
     *     {@code DECIMAL(18,3)}, {@code TIMESTAMP WITH TIME ZONE}
     */
    public static Optional<CursorType> named(String name) {
        String lower = name.trim().toLowerCase(Locale.ROOT);
        Matcher decimal = DECIMAL_NAME.matcher(lower);
        if (decimal.matches()) {
            int precision = Integer.parseInt(decimal.group(1));
            int scale = decimal.group(2) == null ? 0 : Integer.parseInt(decimal.group(2));
            boolean valid = precision >= 1 && precision <= MAX_DECIMAL_PRECISION && scale <= precision;
            return valid ? Optional.of(decimal(precision, scale)) : Optional.empty();
        }
        return Optional.ofNullable(
                        switch (lower) {
                            case "tinyint", "int1" -> Kind.TINYINT;
                            case "smallint", "int2", "short" -> Kind.SMALLINT;
                            case "integer", "int4", "int", "signed" -> Kind.INTEGER;
                            case "bigint", "int8", "long" -> Kind.BIGINT;
                            case "utinyint", "uint8" -> Kind.UTINYINT;
                            case "usmallint", "uint16" -> Kind.USMALLINT;
                            case "uinteger", "uint32" -> Kind.UINTEGER;
                            case "ubigint", "uint64" -> Kind.UBIGINT;
                            case "date" -> Kind.DATE;
                            case "timestamp",
                                    "datetime",
                                    "timestamp without time zone",
                                    "timestamp_us",
                                    "timestamp_ns",
                                    "timestamp_ms",
                                    "timestamp_s" -> Kind.TIMESTAMP;
                            case "timestamptz", "timestamp with time zone" -> Kind.TIMESTAMPTZ;
                            default -> null;
                        })
                .map(CursorType::of);
    }

    /**
     * The epoch type whose numbers are of that unit; empty where there is none.
     *
     * @param unit what users write as {@code cursor_unit}: {@code epoch_s}, {@code epoch_ms}, {@code epoch_us}
     */
    public static Optional<CursorType> epoch(String unit) {
        return Optional.ofNullable(
                        switch (unit) {
                            case "epoch_s" -> Kind.EPOCH_S;
                            case "epoch_ms" -> Kind.EPOCH_MS;
                            case "epoch_us" -> Kind.EPOCH_US;
                            default -> null;
                        })
                .map(CursorType::of);
    }

    /** The type that prints as this text, as marks and state hold it; empty where there is none. */
    public static Optional<CursorType> printed(String text) {
        return epoch(text).or(() -> named(text));
    }

    /** Whether every value of the other type is a value of this one, exactly. */
    public boolean holds(CursorType other) {
        if (isTime() || other.isTime()) {
            return kind == other.kind;
        }
        return scale >= other.scale && spans(other);
    }

    /** Whether a column of that type holds values of this one: that type itself, or for an epoch one of numbers. */
    public boolean isIn(CursorType column) {
        return isEpoch() ? column.isOfNumbers() && !column.isEpoch() : equals(column);
    }

    /** Whether no number of the other type lies beyond the ends of this one; both are of numbers. */
    public boolean spans(CursorType other) {
        return least().toBigDecimal().compareTo(other.least().toBigDecimal()) <= 0
                && greatest().toBigDecimal().compareTo(other.greatest().toBigDecimal()) >= 0;
    }

    /** Whether values are dates or times, so that {@code now}, delays and resolutions apply. */
    public boolean isTime() {
        return kind == Kind.DATE || isInstant();
    }

    /** Whether values are counted in microseconds: {@code timestamp}, {@code timestamptz} and epochs. */
    public boolean isInstant() {
        return kind == Kind.TIMESTAMP || kind == Kind.TIMESTAMPTZ || isEpoch();
    }

    /** Whether values are times that the column holds as numbers. */
    public boolean isEpoch() {
        return kind == Kind.EPOCH_S || kind == Kind.EPOCH_MS || kind == Kind.EPOCH_US;
    }

    /** Whether the column holds numbers, whatever they count. */
    public boolean isOfNumbers() {
        return !isTime() || isEpoch();
    }

    /**
     * How many digits of a second such numbers in a column tell of an epoch, at most 6.
     *
     * @param column the type of the numbers
     */
    public int fractionDigits(CursorType column) {
        return Math.min(MICRO_DIGITS, MICRO_DIGITS - scale + column.scale);
    }

    /** The least finite value, inclusive. */
    public CursorValue least() {
        return new CursorValue(this, kind == Kind.DECIMAL ? decimalEnd().negate() : kind.least);
    }

    /** The greatest finite value, inclusive: "the type's end". */
    public CursorValue greatest() {
        return new CursorValue(this, kind == Kind.DECIMAL ? decimalEnd() : kind.greatest);
    }

    private BigInteger decimalEnd() {
        return BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
    }

    /**
     * The value a user wrote as {@code initial}, {@code until} or {@code --value}.
     *
     * @throws LiteralException when the text is no literal of this type, naming what one looks like
     */
    public CursorValue parse(String literal) {
        return Literals.parse(this, literal);
    }

    /**
     * The value whose {@link CursorValue#toString() canonical text} this is: what marks and state hold.
     *
     * @throws LiteralException when the text is not the canonical text of a value of this type
     */
    public CursorValue read(String canonical) {
        return Literals.read(this, canonical);
    }

    /**
     * The value of a number in a column: of an epoch the whole microsecond it lies in. It may lie beyond the type's ends.
     *
     * @throws ArithmeticException when a decimal has more digits after the point than the type
     */
    public CursorValue number(BigDecimal number) {
        RoundingMode rounding = isEpoch() ? RoundingMode.FLOOR : RoundingMode.UNNECESSARY;
        return units(number.setScale(scale, rounding).unscaledValue());
    }

    /** The value of that many units, or the end of the type that lies nearer. */
    CursorValue nearest(BigInteger units) {
        return CursorValue.max(least(), CursorValue.min(greatest(), units(units)));
    }

    /** The value of that many units. */
    public CursorValue units(BigInteger units) {
        return new CursorValue(this, units);
    }

    /** The value of that many units. */
    public CursorValue units(long units) {
        return new CursorValue(this, BigInteger.valueOf(units));
    }

    /** The type as weir stores and prints it: {@code bigint}, {@code decimal(18,3)}, {@code timestamptz}, {@code epoch_ms}. */
    @Override
    public String toString() {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return kind == Kind.DECIMAL ? name + "(" + precision + "," + scale + ")" : name;
    }
}
