package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Excerpt;
import dev.weir.connector.jdbc.StagedTimes;
import dev.weir.connector.jdbc.Unrepresentable;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.HexFormat;
import org.duckdb.DuckDBReadableVector;

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
        void encode(DuckDBReadableVector vector, int row, CopySink out) throws SQLException;
    }

    private static final String PLAIN = "%s";
    private static final String AS_TEXT = "CAST(%s AS VARCHAR)";
    private static final String AS_BIGINT = "CAST(%s AS BIGINT)";

    private static final long MICROS_PER_DAY = 86_400_000_000L;

    /** 4714-11-24 BC, where Postgres' times begin, in its own count. */
    private static final long FIRST_DAY = -2_451_545;

    private static final long FIRST_MICRO = FIRST_DAY * MICROS_PER_DAY;
    private static final long LAST_DAY = 2_145_031_948;

    /** 294276-12-31, where Postgres' timestamps end, in its own count. */
    private static final long LAST_TIMESTAMP_DAY = LocalDate.of(294_276, 12, 31).toEpochDay() - Binary.EPOCH_DAYS;

    static Encoding of(DuckType from, PgType column) {
        return switch (column.family()) {
            case BOOL ->
                new Encoding(PLAIN, (vector, row, out) -> {
                    out.putInt(1);
                    out.putByte(vector.getBoolean(row) ? 1 : 0);
                });
            case INT2 ->
                new Encoding(AS_BIGINT, (vector, row, out) -> {
                    out.putInt(2);
                    out.putShort((int) vector.getLong(row));
                });
            case INT4, OID ->
                new Encoding(AS_BIGINT, (vector, row, out) -> {
                    out.putInt(4);
                    out.putInt((int) vector.getLong(row));
                });
            case INT8 ->
                new Encoding(AS_BIGINT, (vector, row, out) -> {
                    out.putInt(8);
                    out.putLong(vector.getLong(row));
                });
            case FLOAT4 ->
                new Encoding(PLAIN, (vector, row, out) -> {
                    out.putInt(4);
                    out.putInt(Float.floatToRawIntBits(vector.getFloat(row)));
                });
            case FLOAT8 ->
                new Encoding(
                        "CAST(%s AS DOUBLE)",
                        (vector, row, out) -> {
                            out.putInt(8);
                            out.putLong(Double.doubleToRawLongBits(vector.getDouble(row)));
                        });
            case NUMERIC -> numeric(from);
            case BYTEA -> new Encoding("to_base64(%s)", (vector, row, out) -> out.putBase64(vector.getString(row)));
            case UUID ->
                new Encoding(AS_TEXT, (vector, row, out) -> {
                    out.putInt(16);
                    out.put(HexFormat.of().parseHex(vector.getString(row).replace("-", "")));
                });
            case DATE -> new Encoding(StagedTimes.DAYS, Encoding::date);
            case TIME ->
                new Encoding(
                        "epoch_us(%s)",
                        (vector, row, out) -> {
                            out.putInt(8);
                            out.putLong(vector.getLong(row));
                        });
            case TIMESTAMP, TIMESTAMPTZ ->
                from.kind() == Kind.DATE
                        ? new Encoding(StagedTimes.DAYS, Encoding::midnight)
                        : new Encoding(StagedTimes.micros(from.kind()), Encoding::timestamp);
            case JSONB -> new Encoding(AS_TEXT, (vector, row, out) -> out.putText(vector.getString(row), 1));
            case TEXT, CHAR, NAME, ENUM, JSON, OTHER -> text(column);
        };
    }

    private static Encoding numeric(DuckType from) {
        if (from.kind() == Kind.DECIMAL) {
            return new Encoding(PLAIN, (vector, row, out) -> out.putNumeric(vector.getBigDecimal(row)));
        }
        boolean big = from.kind().greatest().bitLength() > 63;
        return big
                ? new Encoding(AS_TEXT, (vector, row, out) -> out.putNumeric(new BigDecimal(vector.getString(row))))
                : new Encoding(
                        AS_BIGINT, (vector, row, out) -> out.putNumeric(BigDecimal.valueOf(vector.getLong(row))));
    }

    private static void date(DuckDBReadableVector vector, int row, CopySink out) throws SQLException {
        long days = vector.getLong(row);
        out.putInt(4);
        if (Math.abs(days) == Binary.INFINITE_DAYS) {
            out.putInt(days > 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE);
            return;
        }
        long since2000 = days - Binary.EPOCH_DAYS;
        if (since2000 < FIRST_DAY || since2000 > LAST_DAY) {
            throw new Unrepresentable(
                    Texts.date((int) days), "is outside Postgres' dates, 4714-11-24 BC to 5874897-12-31");
        }
        out.putInt((int) since2000);
    }

    private static void midnight(DuckDBReadableVector vector, int row, CopySink out) throws SQLException {
        long days = vector.getLong(row);
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

    private static void timestamp(DuckDBReadableVector vector, int row, CopySink out) throws SQLException {
        long micros = vector.getLong(row);
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

    /** Postgres cuts blanks that do not fit a {@code varchar(n)} without a word, so the length is looked at here. */
    private static Encoding text(PgType column) {
        int longest = column.length().orElse(Integer.MAX_VALUE);
        return new Encoding(AS_TEXT, (vector, row, out) -> {
            String text = vector.getString(row);
            if (text.length() > longest && text.codePointCount(0, text.length()) > longest) {
                throw new Unrepresentable("'" + Excerpt.of(text) + "'", "is longer than " + column.written());
            }
            if (text.indexOf(0) >= 0) {
                throw new Unrepresentable(
                        "'" + Excerpt.of(text.replace("\0", "\\0")) + "'",
                        "has a zero character, which Postgres' text cannot hold");
            }
            out.putText(text, -1);
        });
    }
}
