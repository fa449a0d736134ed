package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.slicing.CursorType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A stored value as units of a cursor's type, and the key SQLite compares them by.
 *
 * <p>The key is an INTEGER where every unit of the type fits one, otherwise a BLOB of a fixed length: both are ordered as
 * the values are.
 */
final class CursorUnits {

    private static final int KEY_BYTES = 16;
    private static final int LONG_DIGITS = 18;

    /** Makes every unit a positive number of {@link #KEY_BYTES}. */
    private static final BigInteger BIAS = BigInteger.TWO.pow(8 * KEY_BYTES - 1);

    private final CursorType type;
    private final CursorType column;

    /** @param column the type of what is stored: the cursor's own, or for an epoch one of numbers */
    CursorUnits(CursorType type, CursorType column) {
        if (!type.isIn(column)) {
            throw new IllegalArgumentException(type + " in a column of " + column);
        }
        this.type = type;
        this.column = column;
    }

    /** The cursor's type. */
    CursorType type() {
        return type;
    }

    /** The type of what is stored. */
    CursorType column() {
        return column;
    }

    /** Whether SQLite's own comparison of integers is the one of what is stored. */
    boolean areIntegers() {
        return !column.isTime() && column.kind() != CursorType.Kind.UBIGINT && column.kind() != CursorType.Kind.DECIMAL;
    }

    /** Whether what is stored may be a number that is no time, being beyond all of them. */
    boolean mayBeInfinite() {
        return type.isEpoch() && !type.spans(column);
    }

    private boolean fitLong() {
        return type.kind() == CursorType.Kind.DECIMAL
                ? type.precision() <= LONG_DIGITS
                : type.kind() != CursorType.Kind.UBIGINT;
    }

    /**
     * Of an epoch also of a number that is beyond all times.
     *
     * @param value of a column: a Long or Integer, Double, String or byte[]
     * @throws Unrepresentable when it is no value of the type
     */
    BigInteger of(Object value) {
        return type.isEpoch() ? type.number(number(value)).units() : stored(value);
    }

    private BigDecimal number(Object value) {
        return column.units(stored(value)).toBigDecimal();
    }

    private BigInteger stored(Object value) {
        return switch (column.kind()) {
            case DATE -> BigInteger.valueOf(Reading.day(value));
            case TIMESTAMP, TIMESTAMPTZ -> BigInteger.valueOf(micros(value));
            case DECIMAL -> Numbers.unscaled(value, column.precision(), column.scale());
            case UBIGINT -> Numbers.whole(value, Kind.UBIGINT);
            case TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER -> integer(value);
            case EPOCH_S, EPOCH_MS, EPOCH_US -> throw new IllegalStateException("numbers are stored of " + type);
        };
    }

    /** SQLite would put a text above every number, whatever it says. */
    private BigInteger integer(Object value) {
        Kind kind = Kind.valueOf(column.kind().name());
        if (value instanceof String) {
            throw new Unrepresentable(Numbers.shown(value), "is no " + kind);
        }
        return Numbers.whole(value, kind);
    }

    private long micros(Object value) {
        boolean zoned = type.kind() == CursorType.Kind.TIMESTAMPTZ;
        return Reading.time(value, DuckType.of(zoned ? Kind.TIMESTAMPTZ : Kind.TIMESTAMP), zoned)
                .micros();
    }

    /** A Long or a byte[]; null for a number that is beyond all times. */
    @Nullable
    Object key(Object value) {
        if (type.isEpoch()) {
            BigDecimal number = number(value);
            boolean isTime = number.compareTo(type.least().toBigDecimal()) >= 0
                    && number.compareTo(type.greatest().toBigDecimal()) <= 0;
            return isTime ? key(type.number(number).units()) : null;
        }
        // Straight to the long: this is done for each row that is looked at.
        return type.isInstant() ? (Object) micros(value) : key(of(value));
    }

    private Object key(BigInteger units) {
        return fitLong() ? (Object) units.longValueExact() : HexFormat.of().parseHex(hex(units));
    }

    private static String hex(BigInteger units) {
        String digits = units.add(BIAS).toString(16);
        return "0".repeat(2 * KEY_BYTES - digits.length()) + digits;
    }

    /** A key in SQL. */
    String literal(BigInteger units) {
        return fitLong() ? units.toString() : "x'" + hex(units) + "'";
    }

    /** The units of a key that SQLite gave back. */
    BigInteger ofKey(Object key) {
        return key instanceof byte[] bytes
                ? new BigInteger(1, bytes).subtract(BIAS)
                : BigInteger.valueOf(((Number) key).longValue());
    }
}
