package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.slicing.CursorType;
import java.math.BigInteger;
import java.util.HexFormat;

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

    CursorUnits(CursorType type) {
        this.type = type;
    }

    /** Whether SQLite's own comparison of integers is the one of the type. */
    boolean areIntegers() {
        return !type.isTime() && type.kind() != CursorType.Kind.UBIGINT && type.kind() != CursorType.Kind.DECIMAL;
    }

    private boolean fitLong() {
        return type.kind() == CursorType.Kind.DECIMAL
                ? type.precision() <= LONG_DIGITS
                : type.kind() != CursorType.Kind.UBIGINT;
    }

    /**
     * @param value of a column: a Long or Integer, Double, String or byte[]
     * @throws Unrepresentable when it is no value of the type
     */
    BigInteger of(Object value) {
        return switch (type.kind()) {
            case DATE -> BigInteger.valueOf(Reading.day(value));
            case TIMESTAMP, TIMESTAMPTZ -> BigInteger.valueOf(micros(value));
            case DECIMAL -> Numbers.unscaled(value, type.precision(), type.scale());
            case UBIGINT -> Numbers.whole(value, Kind.UBIGINT);
            case TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER -> integer(value);
        };
    }

    /** SQLite would put a text above every number, whatever it says. */
    private BigInteger integer(Object value) {
        Kind kind = Kind.valueOf(type.kind().name());
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

    /** A Long or a byte[]. */
    Object key(Object value) {
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
