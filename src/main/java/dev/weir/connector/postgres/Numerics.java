package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.Unrepresentable;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Postgres' binary numeric: base 10000 digits, a weight, a sign and a display scale.
 *
 * <p>Source of the format: PostgreSQL, {@code numeric_send}.
 */
final class Numerics {

    private static final int HEADER = 8;
    private static final int BASE = 10_000;

    /** How many digits after the point a number has at most. */
    static final int MAX_SCALE = 16_383;

    /** How many digits before the point a number has at most. */
    static final int MAX_WHOLE = 131_072;

    private static final int POSITIVE = 0x0000;
    private static final int NEGATIVE = 0x4000;
    static final int NAN = 0xC000;
    static final int PLUS_INFINITY = 0xD000;
    static final int MINUS_INFINITY = 0xF000;

    /** One more digit of base 10000 fits a long when the first of five is below this. */
    private static final int SMALL_FIRST_DIGIT = 900;

    static final long[] POWERS = powers();

    private Numerics() {}

    private static long[] powers() {
        long[] powers = new long[19];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = powers[i - 1] * 10;
        }
        return powers;
    }

    /** Whether so many bytes are one number, its digits and nothing else. */
    static boolean isWhole(byte[] data, int at, int length) {
        if (length < HEADER || Binary.getShort(data, at) < 0 || length != HEADER + 2 * Binary.getShort(data, at)) {
            return false;
        }
        for (int i = at + HEADER; i < at + length; i += 2) {
            int digit = Binary.getShort(data, i);
            if (digit < 0 || digit >= BASE) {
                return false;
            }
        }
        int displayScale = Binary.getShort(data, at + 6);
        return displayScale >= 0 && displayScale <= MAX_SCALE;
    }

    /**
     * The value as a whole number of units of 10 to the power of minus the scale.
     *
     * @param precision at most 18, so that a long holds it
     * @throws Unrepresentable when it has more digits before or after the point, or is no finite number
     */
    static long unscaled(byte[] data, int at, int precision, int scale) {
        int digits = Binary.getShort(data, at);
        int sign = Binary.getShort(data, at + 4) & 0xffff;
        if (sign > NEGATIVE || digits > 5 || digits == 5 && Binary.getShort(data, at + HEADER) >= SMALL_FIRST_DIGIT) {
            return slowly(data, at, precision, scale);
        }
        if (digits == 0) {
            return 0;
        }
        long value = 0;
        for (int i = 0; i < digits; i++) {
            value = value * BASE + Binary.getShort(data, at + HEADER + 2 * i);
        }
        int shift = 4 * (Binary.getShort(data, at + 2) - digits + 1) + scale;
        if (shift < 0) {
            // Trailing zeros of the last base 10000 digit, or digits the type does not have.
            if (shift < -18 || value % POWERS[-shift] != 0) {
                return slowly(data, at, precision, scale);
            }
            value /= POWERS[-shift];
        } else if (shift > 0) {
            if (shift > 18 || value > Long.MAX_VALUE / POWERS[shift]) {
                return slowly(data, at, precision, scale);
            }
            value *= POWERS[shift];
        }
        if (value >= POWERS[precision]) {
            throw tooLong(decimal(data, at), precision, scale);
        }
        return sign == NEGATIVE ? -value : value;
    }

    private static long slowly(byte[] data, int at, int precision, int scale) {
        return exact(data, at, precision, scale).unscaledValue().longValueExact();
    }

    /**
     * The value at exactly that scale.
     *
     * @throws Unrepresentable when it has more digits before or after the point, or is no finite number
     */
    static BigDecimal exact(byte[] data, int at, int precision, int scale) {
        BigDecimal value = decimal(data, at);
        BigDecimal scaled;
        try {
            scaled = value.setScale(scale);
        } catch (ArithmeticException e) {
            throw new Unrepresentable(
                    value.toPlainString(),
                    "has more than the " + scale + " digits after the point that the type holds");
        }
        if (scaled.precision() > precision) {
            throw tooLong(value, precision, scale);
        }
        return scaled;
    }

    private static Unrepresentable tooLong(BigDecimal value, int precision, int scale) {
        return new Unrepresentable(value.toPlainString(), "does not fit DECIMAL(" + precision + "," + scale + ")");
    }

    /** @throws Unrepresentable when it is no finite number */
    static BigDecimal decimal(byte[] data, int at) {
        int digits = Binary.getShort(data, at);
        int weight = Binary.getShort(data, at + 2);
        int sign = Binary.getShort(data, at + 4) & 0xffff;
        int displayScale = Binary.getShort(data, at + 6);
        if (sign != POSITIVE && sign != NEGATIVE) {
            throw new Unrepresentable(
                    special(sign), "is no finite number, and a DECIMAL or integer holds nothing else");
        }
        StringBuilder text = new StringBuilder(4 * digits + 1).append('0');
        for (int i = 0; i < digits; i++) {
            int digit = Binary.getShort(data, at + HEADER + 2 * i);
            text.append((char) ('0' + digit / 1000))
                    .append((char) ('0' + digit / 100 % 10))
                    .append((char) ('0' + digit / 10 % 10))
                    .append((char) ('0' + digit % 10));
        }
        BigInteger unscaled = new BigInteger(text.toString());
        BigDecimal value = new BigDecimal(sign == NEGATIVE ? unscaled.negate() : unscaled, 4 * (digits - 1 - weight));
        try {
            return value.setScale(displayScale);
        } catch (ArithmeticException e) {
            throw new Malformed("a numeric with more digits than it shows");
        }
    }

    /** The nearest double; NaN and the infinities are kept. */
    static double toDouble(byte[] data, int at) {
        return switch (Binary.getShort(data, at + 4) & 0xffff) {
            case NAN -> Double.NaN;
            case PLUS_INFINITY -> Double.POSITIVE_INFINITY;
            case MINUS_INFINITY -> Double.NEGATIVE_INFINITY;
            default -> decimal(data, at).doubleValue();
        };
    }

    /** The nearest float; NaN and the infinities are kept. */
    static float toFloat(byte[] data, int at) {
        return switch (Binary.getShort(data, at + 4) & 0xffff) {
            case NAN -> Float.NaN;
            case PLUS_INFINITY -> Float.POSITIVE_INFINITY;
            case MINUS_INFINITY -> Float.NEGATIVE_INFINITY;
            default -> decimal(data, at).floatValue();
        };
    }

    /** The number, or what stands for one that is not finite, as Postgres writes it. */
    static String text(byte[] data, int at) {
        int sign = Binary.getShort(data, at + 4) & 0xffff;
        return sign == POSITIVE || sign == NEGATIVE ? decimal(data, at).toPlainString() : special(sign);
    }

    private static String special(int sign) {
        return switch (sign) {
            case NAN -> "NaN";
            case PLUS_INFINITY -> "Infinity";
            case MINUS_INFINITY -> "-Infinity";
            default -> "a numeric with sign " + sign;
        };
    }

    /**
     * Writes a number in the binary form.
     *
     * @param room at least {@link #room} bytes from {@code at}
     * @return how many bytes were written
     */
    static int encode(BigDecimal value, byte[] room, int at) {
        BigDecimal plain = value.scale() < 0 ? value.setScale(0) : value;
        int scale = plain.scale();
        int padded = (4 - scale % 4) % 4;
        String digits = plain.unscaledValue().abs().toString() + "000".substring(0, padded);
        digits = "000".substring(0, (4 - digits.length() % 4) % 4) + digits;
        int groups = digits.length() / 4;
        int weight = groups - 1 - (scale + padded) / 4;
        int first = 0;
        while (first < groups && digits.startsWith("0000", 4 * first)) {
            first++;
        }
        int last = groups;
        while (last > first && digits.startsWith("0000", 4 * (last - 1))) {
            last--;
        }
        Binary.putShort(room, at, last - first);
        Binary.putShort(room, at + 2, first == last ? 0 : weight - first);
        Binary.putShort(room, at + 4, plain.signum() < 0 ? NEGATIVE : POSITIVE);
        Binary.putShort(room, at + 6, scale);
        for (int i = first; i < last; i++) {
            Binary.putShort(room, at + HEADER + 2 * (i - first), Integer.parseInt(digits, 4 * i, 4 * i + 4, 10));
        }
        return HEADER + 2 * (last - first);
    }
}
