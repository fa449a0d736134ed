package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Excerpt;
import dev.weir.connector.jdbc.Unrepresentable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

/**
 * Reads the numbers of SQLite's storage classes exactly, or not at all.
 *
 * <p>A REAL stands for a decimal number where it says so beyond doubt: a double keeps 15 digits, and so does SQLite when
 * it makes a REAL of a text. A text stands for a number when it is written as one.
 */
final class Numbers {

    /** Every decimal number of so many digits has a double of its own. */
    private static final int REAL_DIGITS = 15;

    private static final int LONGEST = 1_000;
    private static final Pattern LITERAL = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?");

    private Numbers() {}

    /** How a value is told in a message. */
    static String shown(Object value) {
        if (value instanceof String text) {
            return "'" + Excerpt.of(text) + "'";
        }
        if (value instanceof byte[] bytes) {
            return bytes.length + " bytes";
        }
        return text(value);
    }

    /** SQLite's name of the storage class. */
    static String storage(Object value) {
        if (value instanceof String) {
            return "text";
        }
        if (value instanceof byte[]) {
            return "blob";
        }
        return value instanceof Double ? "real" : "integer";
    }

    /** A number's digits. */
    static String text(Object number) {
        if (number instanceof Double real && real.isInfinite()) {
            return real > 0 ? "inf" : "-inf";
        }
        return number.toString();
    }

    /**
     * @param type for the message
     * @throws Unrepresentable when the value is no number beyond doubt
     */
    static BigDecimal exact(Object value, String type) {
        if (value instanceof Integer || value instanceof Long) {
            return BigDecimal.valueOf(((Number) value).longValue());
        }
        if (value instanceof Double real) {
            return decimal(real, type);
        }
        if (value instanceof String text
                && text.length() <= LONGEST
                && LITERAL.matcher(text).matches()) {
            return new BigDecimal(text);
        }
        throw new Unrepresentable(shown(value), "is no " + type);
    }

    private static BigDecimal decimal(double real, String type) {
        if (Double.isInfinite(real)) {
            throw new Unrepresentable(text(real), "is no " + type);
        }
        BigDecimal written = new BigDecimal(Double.toString(real)).stripTrailingZeros();
        if (written.precision() > REAL_DIGITS) {
            throw new Unrepresentable(
                    Double.toString(real), "is rounded: a REAL keeps 15 digits, and no exact " + type + " can be told");
        }
        return written;
    }

    /** The value as a whole number of the type. */
    static BigInteger whole(Object value, Kind kind) {
        BigDecimal exact = exact(value, kind.name());
        boolean isWhole = exact.signum() == 0 || exact.stripTrailingZeros().scale() <= 0;
        if (!isWhole) {
            throw new Unrepresentable(shown(value), "is no whole number, as " + kind + " holds");
        }
        BigInteger whole = exact.toBigInteger();
        if (whole.compareTo(kind.least()) < 0 || whole.compareTo(kind.greatest()) > 0) {
            throw new Unrepresentable(shown(value), "does not fit " + kind);
        }
        return whole;
    }

    /** The value as whole units of {@code 10^-scale}. */
    static BigInteger unscaled(Object value, int precision, int scale) {
        String type = "DECIMAL(" + precision + "," + scale + ")";
        BigDecimal exact = exact(value, type);
        if (exact.signum() == 0) {
            return BigInteger.ZERO;
        }
        if (exact.stripTrailingZeros().scale() > scale) {
            throw new Unrepresentable(shown(value), "has more digits after the point than " + type + " holds");
        }
        BigInteger units = exact.setScale(scale).unscaledValue();
        if (units.abs().compareTo(BigInteger.TEN.pow(precision)) >= 0) {
            throw new Unrepresentable(shown(value), "does not fit " + type);
        }
        return units;
    }

    /** The nearest double. */
    static double real(Object value, String type) {
        if (value instanceof Double real) {
            return real;
        }
        double nearest = exact(value, type).doubleValue();
        if (Double.isInfinite(nearest)) {
            throw new Unrepresentable(shown(value), "is beyond the range of " + type);
        }
        return nearest;
    }
}
