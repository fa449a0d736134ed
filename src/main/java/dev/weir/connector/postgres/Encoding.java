package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Excerpt;
import dev.weir.connector.jdbc.StagedTimes;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.connector.postgres.PgType.Family;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.HexFormat;

/**
 * How a staged column becomes a column of Postgres.
 *
 * @param wire SQL over {@code %s} that makes the value readable from a vector
 * @param encoder writes a value that is not NULL, its length first
 */
record Encoding(String wire, Encoder encoder) {

    /** Writes one value that is not NULL. */
    @FunctionalInterface
    interface Encoder {

        /** @throws Unrepresentable when the column cannot hold it */
        void encode(Cell cell, CopySink out) throws SQLException;
    }

    private static final String PLAIN = "%s";
    private static final String AS_TEXT = "CAST(%s AS VARCHAR)";
    private static final String AS_BIGINT = "CAST(%s AS BIGINT)";

    private static final long MICROS_PER_DAY = 86_400_000_000L;
    private static final int MICRO_DIGITS = 6;
    private static final long NANOS_PER_MICRO = 1_000;

    /** 4714-11-24 BC, where Postgres' times begin, in its own count. */
    private static final long FIRST_DAY = -2_451_545;

    private static final long FIRST_MICRO = FIRST_DAY * MICROS_PER_DAY;

    /** 294276-12-31, where Postgres' timestamps end, in its own count. */
    private static final long LAST_TIMESTAMP_DAY = LocalDate.of(294_276, 12, 31).toEpochDay() - Binary.EPOCH_DAYS;

    static Encoding of(DuckType from, PgType column) {
        return switch (column.family()) {
            case BOOL ->
                new Encoding(PLAIN, (cell, out) -> {
                    out.putInt(1);
                    out.putByte(cell.getBoolean() ? 1 : 0);
                });
            case INT2 ->
                new Encoding(AS_BIGINT, (cell, out) -> {
                    out.putInt(2);
                    out.putShort((int) cell.getLong());
                });
            case INT4, OID ->
                new Encoding(AS_BIGINT, (cell, out) -> {
                    out.putInt(4);
                    out.putInt((int) cell.getLong());
                });
            case INT8 ->
                new Encoding(AS_BIGINT, (cell, out) -> {
                    out.putInt(8);
                    out.putLong(cell.getLong());
                });
            case FLOAT4 ->
                new Encoding(PLAIN, (cell, out) -> {
                    out.putInt(4);
                    out.putInt(Float.floatToRawIntBits(cell.getFloat()));
                });
            case FLOAT8 ->
                new Encoding(
                        "CAST(%s AS DOUBLE)",
                        (cell, out) -> {
                            out.putInt(8);
                            out.putLong(Double.doubleToRawLongBits(cell.getDouble()));
                        });
            case NUMERIC -> numeric(from, column);
            case BYTEA -> new Encoding("to_base64(%s)", (cell, out) -> out.putBase64(cell.getString()));
            case UUID ->
                new Encoding(AS_TEXT, (cell, out) -> {
                    out.putInt(16);
                    out.put(HexFormat.of().parseHex(cell.getString().replace("-", "")));
                });
            case DATE -> new Encoding(StagedTimes.DAYS, Encoding::date);
            case TIME ->
                new Encoding(
                        "epoch_us(%s)",
                        wholeFractions(column, (cell, out) -> {
                            out.putInt(8);
                            out.putLong(cell.getLong());
                        }));
            case TIMESTAMP, TIMESTAMPTZ ->
                from.kind() == Kind.DATE
                        ? new Encoding(StagedTimes.DAYS, Encoding::midnight)
                        : new Encoding(StagedTimes.micros(from.kind()), wholeFractions(column, Encoding::timestamp));
            case JSONB -> new Encoding(AS_TEXT, JsonbTexts::put);
            case INTERVAL -> new Encoding(Spans.PARTS, (cell, out) -> Spans.putInterval(cell.getString(), out));
            case TIMETZ -> new Encoding(AS_TEXT, (cell, out) -> Spans.putTimetz(cell.getString(), out));
            case BIT, VARBIT -> bits(column);
            case ARRAY -> ArrayEncoder.of(from, column);
            case TEXT, CHAR, NAME, ENUM, JSON, MONEY, OTHER -> text(column);
        };
    }

    private static Encoding numeric(DuckType from, PgType column) {
        if (from.kind() == Kind.VARCHAR) {
            return new Encoding(PLAIN, NumericTexts.into(column));
        }
        if (from.kind() == Kind.DECIMAL) {
            return new Encoding(PLAIN, (cell, out) -> out.putNumeric(cell.getBigDecimal()));
        }
        boolean big = from.kind().greatest().bitLength() > 63;
        return big
                ? new Encoding(AS_TEXT, (cell, out) -> out.putNumeric(new BigDecimal(cell.getString())))
                : new Encoding(AS_BIGINT, (cell, out) -> out.putNumeric(BigDecimal.valueOf(cell.getLong())));
    }

    private static void date(Cell cell, CopySink out) throws SQLException {
        long days = cell.getLong();
        out.putInt(4);
        if (Math.abs(days) == Binary.INFINITE_DAYS) {
            out.putInt(days > 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE);
            return;
        }
        long since2000 = days - Binary.EPOCH_DAYS;
        if (since2000 < FIRST_DAY || since2000 > Binary.LAST_DAY) {
            throw new Unrepresentable(
                    Texts.date((int) days), "is outside Postgres' dates, 4714-11-24 BC to 5874897-12-31");
        }
        out.putInt((int) since2000);
    }

    private static void midnight(Cell cell, CopySink out) throws SQLException {
        long days = cell.getLong();
        out.putInt(8);
        if (Math.abs(days) == Binary.INFINITE_DAYS) {
            out.putLong(days > 0 ? Long.MAX_VALUE : Long.MIN_VALUE);
            return;
        }
        long since2000 = days - Binary.EPOCH_DAYS;
        if (since2000 < FIRST_DAY || since2000 > LAST_TIMESTAMP_DAY) {
            throw new Unrepresentable(
                    Texts.date((int) days), "is outside Postgres' timestamps, 4714-11-24 BC to 294276-12-31");
        }
        out.putLong(since2000 * MICROS_PER_DAY);
    }

    private static void timestamp(Cell cell, CopySink out) throws SQLException {
        long micros = cell.getLong();
        out.putInt(8);
        if (Math.abs(micros) == Binary.INFINITE_MICROS) {
            out.putLong(micros > 0 ? Long.MAX_VALUE : Long.MIN_VALUE);
            return;
        }
        if (micros < FIRST_MICRO + Binary.EPOCH_MICROS) {
            throw new Unrepresentable(Texts.timestamp(micros), "is before Postgres' times begin, 4714-11-24 BC");
        }
        out.putLong(micros - Binary.EPOCH_MICROS);
    }

    /** A column of fewer digits of a second than six rounds to them without a word, so they are looked at here. */
    private static Encoder wholeFractions(PgType column, Encoder encoder) {
        Integer digits = column.fractionDigits();
        if (digits == null || digits >= MICRO_DIGITS) {
            return encoder;
        }
        long unit = (long) Math.pow(10, MICRO_DIGITS - digits);
        return (cell, out) -> {
            long micros = cell.getLong();
            if (micros % unit != 0 && Math.abs(micros) != Binary.INFINITE_MICROS) {
                String shown = column.family() == Family.TIME
                        ? LocalTime.ofNanoOfDay(micros * NANOS_PER_MICRO).toString()
                        : Texts.timestamp(micros);
                throw new Unrepresentable(shown, "has digits of a second that " + column.written() + " does not keep");
            }
            encoder.encode(cell, out);
        };
    }

    /**
     * Postgres cuts blanks that do not fit a {@code varchar(n)} without a word, and takes blanks at the end of a {@code
     * char(n)} for padding, so both are looked at here.
     */
    private static Encoding text(PgType column) {
        int longest = column.length().orElse(Integer.MAX_VALUE);
        boolean padded = column.family() == Family.CHAR;
        return new Encoding(AS_TEXT, (cell, out) -> {
            String text = cell.getString();
            if (text.length() > longest && text.codePointCount(0, text.length()) > longest) {
                throw new Unrepresentable("'" + Excerpt.of(text) + "'", "is longer than " + column.written());
            }
            if (padded && text.endsWith(" ")) {
                throw new Unrepresentable(
                        "'" + Excerpt.of(text) + "'",
                        "ends with blanks, which a " + column.written() + " does not keep");
            }
            if (text.indexOf(0) >= 0) {
                throw new Unrepresentable(
                        "'" + Excerpt.of(text.replace("\0", "\\0")) + "'",
                        "has a zero character, which Postgres' text cannot hold");
            }
            out.putText(text, -1);
        });
    }

    private static Encoding bits(PgType column) {
        int length = column.length().orElse(Integer.MAX_VALUE);
        boolean exact = column.family() == Family.BIT;
        return new Encoding(AS_TEXT, (cell, out) -> {
            String digits = cell.getString();
            if (exact && digits.length() != length || digits.length() > length) {
                throw new Unrepresentable(Excerpt.of(digits), "has not the length of " + column.written());
            }
            byte[] bytes = new byte[(digits.length() + 7) / 8];
            for (int i = 0; i < digits.length(); i++) {
                bytes[i / 8] |= (byte) (digits.charAt(i) - '0' << 7 - i % 8);
            }
            out.putInt(4 + bytes.length);
            out.putInt(digits.length());
            out.put(bytes);
        });
    }
}
