package dev.weir.connector.postgres;

import dev.weir.connector.ColumnWriter;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Unrepresentable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** Decodes each Postgres type into each wire type, exactly; only doubles and floats round. */
final class Decoders {

    private static final long MICROS_PER_DAY = 86_400_000_000L;
    private static final byte JSONB_VERSION = 1;

    /** Reads an integer of some width. */
    @FunctionalInterface
    interface Longs {
        long get(byte[] data, int at);
    }

    private Decoders() {}

    static void bool(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setBoolean(column, row, data[at] != 0);
    }

    static void int2(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setShort(column, row, Binary.getShort(data, at));
    }

    static void int4(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setInt(column, row, Binary.getInt(data, at));
    }

    static void int8(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setLong(column, row, Binary.getLong(data, at));
    }

    static Decoder integer(Longs longs, Kind kind) {
        long least = kind.least().max(BigInteger.valueOf(Long.MIN_VALUE)).longValueExact();
        long greatest = kind.greatest().min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
        return (data, at, length, writer, column, row) -> {
            long value = longs.get(data, at);
            if (value < least || value > greatest) {
                throw new Unrepresentable(Long.toString(value), "does not fit " + kind);
            }
            writer.setLong(column, row, value);
        };
    }

    static Decoder integerDecimal(Longs longs, DuckType wanted) {
        BigInteger end = BigInteger.TEN.pow(wanted.precision() - wanted.scale());
        long below = end.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
        boolean all = end.bitLength() > 63;
        return (data, at, length, writer, column, row) -> {
            long value = longs.get(data, at);
            if (!all && (value >= below || value <= -below)) {
                throw new Unrepresentable(Long.toString(value), "does not fit " + wanted.sql());
            }
            writer.setLong(column, row, value);
        };
    }

    static Decoder integerDouble(Longs longs) {
        return (data, at, length, writer, column, row) -> writer.setDouble(column, row, longs.get(data, at));
    }

    static Decoder integerFloat(Longs longs) {
        return (data, at, length, writer, column, row) -> writer.setFloat(column, row, longs.get(data, at));
    }

    static Decoder shortDecimal(DuckType wanted) {
        int precision = wanted.precision();
        int scale = wanted.scale();
        return (data, at, length, writer, column, row) ->
                writer.setLong(column, row, Numerics.unscaled(data, at, precision, scale));
    }

    static Decoder longDecimal(DuckType wanted) {
        return (data, at, length, writer, column, row) -> {
            BigDecimal value = Numerics.exact(data, at, wanted.precision(), wanted.scale());
            writer.setUtf8(column, row, ascii(value.toPlainString()));
        };
    }

    static Decoder wholeNumeric(Kind kind) {
        return (data, at, length, writer, column, row) -> {
            BigDecimal value = Numerics.decimal(data, at);
            boolean whole = value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
            if (!whole
                    || value.toBigInteger().compareTo(kind.least()) < 0
                    || value.toBigInteger().compareTo(kind.greatest()) > 0) {
                throw new Unrepresentable(value.toPlainString(), "does not fit " + kind);
            }
            writer.setUtf8(column, row, ascii(value.toBigInteger().toString()));
        };
    }

    static void numericDouble(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        double value = Numerics.toDouble(data, at);
        if (Double.isInfinite(value) && length > 8) {
            throw new Unrepresentable(Numerics.text(data, at), "is beyond the range of DOUBLE");
        }
        writer.setDouble(column, row, value);
    }

    static void numericFloat(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        float value = Numerics.toFloat(data, at);
        if (Float.isInfinite(value) && length > 8) {
            throw new Unrepresentable(Numerics.text(data, at), "is beyond the range of FLOAT");
        }
        writer.setFloat(column, row, value);
    }

    static void float4(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setFloat(column, row, Float.intBitsToFloat(Binary.getInt(data, at)));
    }

    static void float4AsDouble(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setDouble(column, row, Float.intBitsToFloat(Binary.getInt(data, at)));
    }

    static void float8(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setDouble(column, row, Double.longBitsToDouble(Binary.getLong(data, at)));
    }

    static void float8AsFloat(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        double value = Double.longBitsToDouble(Binary.getLong(data, at));
        if (Float.isInfinite((float) value) && !Double.isInfinite(value)) {
            throw new Unrepresentable(Double.toString(value), "is beyond the range of FLOAT");
        }
        writer.setFloat(column, row, (float) value);
    }

    static void text(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setUtf8(column, row, Arrays.copyOfRange(data, at, at + length));
    }

    /** For bytes that the server stores as text without looking at them: all in SQL_ASCII, and a {@code "char"}. */
    static void validText(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data, at, length));
        } catch (CharacterCodingException e) {
            throw new Unrepresentable(
                    "the bytes " + HexFormat.of().formatHex(data, at, at + Math.min(length, 40)),
                    "are not valid UTF-8: nothing says what they mean (is the database SQL_ASCII, or the type \"char\"?)");
        }
        text(data, at, length, writer, column, row);
    }

    /** @param text what takes the text that follows the version */
    static Decoder jsonb(Decoder text) {
        return (data, at, length, writer, column, row) -> {
            if (data[at] != JSONB_VERSION) {
                throw new Unrepresentable("jsonb of version " + data[at], "is not known");
            }
            text.decode(data, at + 1, length - 1, writer, column, row);
        };
    }

    static void bits(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        int count = Binary.getInt(data, at);
        if (count == 0) {
            throw new Unrepresentable("an empty bit string", "DuckDB's BIT does not have");
        }
        byte[] digits = new byte[count];
        for (int i = 0; i < count; i++) {
            digits[i] = (byte) ('0' + (data[at + 4 + i / 8] >> 7 - i % 8 & 1));
        }
        writer.setUtf8(column, row, digits);
    }

    static void base64(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setUtf8(
                column,
                row,
                Base64.getEncoder().encode(ByteBuffer.wrap(data, at, length)).array());
    }

    static void uuid(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setUtf8(column, row, ascii(HexFormat.of().formatHex(data, at, at + length)));
    }

    static void time(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        long micros = Binary.getLong(data, at);
        if (micros < 0 || micros > MICROS_PER_DAY) {
            throw new Malformed("a time of " + micros + " microseconds");
        }
        writer.setLong(column, row, micros);
    }

    static void date(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setInt(column, row, Binary.days(data, at));
    }

    static void dateAsMicros(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        int days = Binary.days(data, at);
        if (Math.abs(days) == Binary.INFINITE_DAYS) {
            writer.setLong(column, row, days > 0 ? Binary.INFINITE_MICROS : -Binary.INFINITE_MICROS);
        } else if (Math.abs((long) days) > Long.MAX_VALUE / MICROS_PER_DAY - 1) {
            throw new Unrepresentable(LocalDate.ofEpochDay(days).toString(), "is beyond the range of TIMESTAMP");
        } else {
            writer.setLong(column, row, days * MICROS_PER_DAY);
        }
    }

    static void micros(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        writer.setLong(column, row, Binary.micros(data, at));
    }

    /** For types that count in whole units of so many microseconds. */
    static Decoder coarse(long unit) {
        return (data, at, length, writer, column, row) -> {
            long micros = Binary.micros(data, at);
            if (Math.abs(micros) != Binary.INFINITE_MICROS && micros % unit != 0) {
                throw new Unrepresentable(
                        Texts.timestamp(micros), "has digits of a second that the type does not hold");
            }
            writer.setLong(column, row, micros);
        };
    }

    static void nanos(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        long micros = Binary.micros(data, at);
        boolean finite = Math.abs(micros) != Binary.INFINITE_MICROS;
        if (finite && Math.abs(micros) > Long.MAX_VALUE / 1_000 - 1) {
            throw new Unrepresentable(Texts.timestamp(micros), "is beyond the range of TIMESTAMP_NS");
        }
        writer.setLong(column, row, micros);
    }

    static void midnight(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        long micros = Binary.micros(data, at);
        if (Math.abs(micros) == Binary.INFINITE_MICROS) {
            writer.setInt(column, row, micros > 0 ? Binary.INFINITE_DAYS : -Binary.INFINITE_DAYS);
        } else if (Math.floorMod(micros, MICROS_PER_DAY) != 0) {
            throw new Unrepresentable(Texts.timestamp(micros), "is no midnight, and a DATE holds no time of day");
        } else {
            writer.setInt(column, row, Math.toIntExact(Math.floorDiv(micros, MICROS_PER_DAY)));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
