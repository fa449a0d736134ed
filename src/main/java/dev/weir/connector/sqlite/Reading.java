package dev.weir.connector.sqlite;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.weir.connector.ColumnWriter;
import dev.weir.connector.SliceRead.Wire;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Unrepresentable;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How values are read as a DuckDB type: each one exactly, or not at all; only doubles and floats round.
 *
 * @param wire what fills the vector
 * @param restored SQL over {@code %s} that gives the value, see {@link dev.weir.connector.SliceRead.WireColumn}
 * @param decoder puts a value into the vector
 */
record Reading(Wire wire, String restored, Decoder decoder) {

    private static final String PLAIN = "%s";
    private static final int LONG_DIGITS = 18;
    private static final int LONG_BITS = 63;
    private static final long NANOS_PER_DAY = 86_400_000_000_000L;
    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private static final Pattern DIGITS = Pattern.compile("-?[0-9]+");
    private static final Pattern BITS = Pattern.compile("[01]+");
    private static final Pattern SPAN = Pattern.compile("(?!$)(?:-?[0-9]{1,10} (?:year|month|mon|day)s?(?: (?!$)|$))*"
            + "(?:-?[0-9]{1,10}:[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?)?");
    private static final Pattern TIMETZ =
            Pattern.compile("(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?|24:00:00)"
                    + "[+-](?:0[0-9]|1[0-5])(?::[0-5][0-9]){0,2}");

    /** Puts one value that is not NULL into one cell. */
    @FunctionalInterface
    interface Decoder {

        /**
         * @param value a Long or Integer, Double, String or byte[]
         * @throws Unrepresentable when the cell's type cannot hold it
         */
        void decode(Object value, ColumnWriter writer, int column, int row);
    }

    /** @return empty where no value could be read as that */
    static Optional<Reading> of(DuckType wanted) {
        Kind kind = wanted.kind();
        if (kind.isInteger()) {
            return Optional.of(integer(kind));
        }
        return switch (kind) {
            case BOOLEAN -> reading(Wire.BOOLEAN, PLAIN, Reading::bool);
            case DECIMAL -> Optional.of(decimal(wanted));
            case FLOAT -> reading(Wire.FLOAT, PLAIN, Reading::real4);
            case DOUBLE ->
                reading(
                        Wire.DOUBLE,
                        PLAIN,
                        (value, writer, column, row) -> writer.setDouble(column, row, Numbers.real(value, "DOUBLE")));
            case VARCHAR -> reading(Wire.VARCHAR, PLAIN, Reading::text);
            case JSON -> reading(Wire.VARCHAR, "CAST(%s AS JSON)", Reading::json);
            case BLOB -> reading(Wire.VARCHAR, "from_base64(%s)", Reading::bytes);
            case UUID -> reading(Wire.VARCHAR, "CAST(%s AS UUID)", Reading::uuid);
            case BIGNUM -> reading(Wire.VARCHAR, cast(wanted.sql()), Reading::digits);
            case BIT -> reading(Wire.VARCHAR, cast(wanted.sql()), spelled(wanted, BITS));
            case INTERVAL -> reading(Wire.VARCHAR, cast(wanted.sql()), spelled(wanted, SPAN));
            case TIMETZ -> reading(Wire.VARCHAR, cast(wanted.sql()), spelled(wanted, TIMETZ));
            case DATE -> reading(Wire.INTEGER, "DATE '1970-01-01' + %s", Reading::date);
            case TIME ->
                reading(
                        Wire.BIGINT,
                        "CASE %s WHEN 86400000000 THEN TIME '24:00:00' ELSE TIME '00:00:00' + to_microseconds(%s) END",
                        Reading::time);
            case TIMESTAMP -> reading(Wire.BIGINT, "make_timestamp(%s)", micros(wanted, 1_000, false));
            case TIMESTAMPTZ -> reading(Wire.BIGINT, "make_timestamptz(%s)", micros(wanted, 1_000, true));
            case TIMESTAMP_MS ->
                reading(Wire.BIGINT, "CAST(make_timestamp(%s) AS TIMESTAMP_MS)", micros(wanted, 1_000_000, false));
            case TIMESTAMP_S ->
                reading(Wire.BIGINT, "CAST(make_timestamp(%s) AS TIMESTAMP_S)", micros(wanted, 1_000_000_000, false));
            case TIMESTAMP_NS -> reading(Wire.BIGINT, "make_timestamp_ns(%s)", Reading::nanos);
            default -> Optional.empty();
        };
    }

    /** A cursor that nobody sees: of a time, the whole microsecond is all that counts. */
    static Reading hiddenCursor(DuckType wanted) {
        boolean zoned = wanted.kind() == Kind.TIMESTAMPTZ;
        if (wanted.kind() != Kind.TIMESTAMP && !zoned) {
            return of(wanted).orElseThrow();
        }
        return new Reading(
                Wire.BIGINT,
                zoned ? "make_timestamptz(%s)" : "make_timestamp(%s)",
                (value, writer, column, row) ->
                        writer.setLong(column, row, time(value, wanted, zoned).micros()));
    }

    private static Optional<Reading> reading(Wire wire, String restored, Decoder decoder) {
        return Optional.of(new Reading(wire, restored, decoder));
    }

    private static Reading integer(Kind kind) {
        if (kind.greatest().bitLength() > LONG_BITS) {
            return new Reading(
                    Wire.VARCHAR,
                    cast(kind.name()),
                    (value, writer, column, row) -> writer.setUtf8(
                            column, row, utf8(Numbers.whole(value, kind).toString())));
        }
        long least = kind.least().longValueExact();
        long greatest = kind.greatest().longValueExact();
        return new Reading(
                Wire.BIGINT, kind == Kind.BIGINT ? PLAIN : cast(kind.name()), (value, writer, column, row) -> {
                    boolean fits = value instanceof Integer || value instanceof Long;
                    long number = fits ? ((Number) value).longValue() : 0;
                    fits = fits && number >= least && number <= greatest;
                    writer.setLong(
                            column,
                            row,
                            fits ? number : Numbers.whole(value, kind).longValueExact());
                });
    }

    private static Reading decimal(DuckType wanted) {
        int precision = wanted.precision();
        int scale = wanted.scale();
        if (precision <= LONG_DIGITS) {
            return new Reading(
                    Wire.BIGINT,
                    scale == 0 ? cast(wanted.sql()) : wanted.fromUnits(),
                    (value, writer, column, row) -> writer.setLong(
                            column,
                            row,
                            Numbers.unscaled(value, precision, scale).longValueExact()));
        }
        return new Reading(Wire.VARCHAR, cast(wanted.sql()), (value, writer, column, row) -> {
            BigInteger units = Numbers.unscaled(value, precision, scale);
            writer.setUtf8(column, row, utf8(new BigDecimal(units, scale).toPlainString()));
        });
    }

    private static String cast(String type) {
        return "CAST(%s AS " + type + ")";
    }

    private static void bool(Object value, ColumnWriter writer, int column, int row) {
        boolean whole = value instanceof Integer;
        int number = whole ? (Integer) value : -1;
        if (number != 0 && number != 1) {
            throw new Unrepresentable(Numbers.shown(value), "is no BOOLEAN, which is 0 or 1 here");
        }
        writer.setBoolean(column, row, number == 1);
    }

    private static void real4(Object value, ColumnWriter writer, int column, int row) {
        double real = Numbers.real(value, "FLOAT");
        if (Float.isInfinite((float) real) && !Double.isInfinite(real)) {
            throw new Unrepresentable(Numbers.shown(value), "is beyond the range of FLOAT");
        }
        writer.setFloat(column, row, (float) real);
    }

    private static void text(Object value, ColumnWriter writer, int column, int row) {
        if (value instanceof byte[]) {
            throw new Unrepresentable(Numbers.shown(value), "are no text");
        }
        writer.setUtf8(column, row, utf8(value instanceof String text ? text : Numbers.text(value)));
    }

    private static void json(Object value, ColumnWriter writer, int column, int row) {
        String text = string(value, "JSON");
        try (JsonParser parser = JSON.createParser(text)) {
            boolean empty = parser.nextToken() == null;
            parser.skipChildren();
            if (empty || parser.nextToken() != null) {
                throw new Unrepresentable(Numbers.shown(text), "is not one JSON document");
            }
        } catch (IOException e) {
            throw new Unrepresentable(Numbers.shown(text), "is no JSON");
        }
        writer.setUtf8(column, row, utf8(text));
    }

    private static void bytes(Object value, ColumnWriter writer, int column, int row) {
        if (!(value instanceof byte[] bytes)) {
            throw new Unrepresentable(Numbers.shown(value), "is no BLOB");
        }
        writer.setUtf8(column, row, Base64.getEncoder().encode(bytes));
    }

    private static void uuid(Object value, ColumnWriter writer, int column, int row) {
        String text = string(value, "UUID");
        if (!UUID.matcher(text).matches()) {
            throw new Unrepresentable(Numbers.shown(value), "is no UUID");
        }
        writer.setUtf8(column, row, utf8(text));
    }

    private static void digits(Object value, ColumnWriter writer, int column, int row) {
        boolean integer = value instanceof Integer || value instanceof Long;
        spelled(DuckType.of(Kind.BIGNUM), DIGITS).decode(integer ? value.toString() : value, writer, column, row);
    }

    /** A text that DuckDB reads, and prints, in the same way. */
    private static Decoder spelled(DuckType wanted, Pattern pattern) {
        return (value, writer, column, row) -> {
            String text = string(value, wanted.sql());
            if (!pattern.matcher(text).matches()) {
                throw new Unrepresentable(Numbers.shown(value), "is no " + wanted.sql());
            }
            writer.setUtf8(column, row, utf8(text));
        };
    }

    private static void date(Object value, ColumnWriter writer, int column, int row) {
        writer.setInt(column, row, Math.toIntExact(day(value)));
    }

    /** A midnight is a date too. */
    static long day(Object value) {
        TimeText time = TimeText.of(string(value, "DATE"), "DATE", false);
        if (!time.isWhole(NANOS_PER_DAY)) {
            throw new Unrepresentable(Numbers.shown(value), "is no midnight, and a DATE holds no time of day");
        }
        return time.day();
    }

    /** The day a time is spelled with, whatever its offset. */
    static long spelledDay(Object value, String type) {
        return TimeText.spelledDay(string(value, type), type);
    }

    private static void time(Object value, ColumnWriter writer, int column, int row) {
        long nanos = TimeText.ofDay(string(value, "TIME"));
        if (nanos % 1_000 != 0) {
            throw new Unrepresentable(Numbers.shown(value), "has digits of a second that TIME does not hold");
        }
        writer.setLong(column, row, nanos / 1_000);
    }

    private static Decoder micros(DuckType wanted, long unit, boolean zoned) {
        return (value, writer, column, row) -> {
            TimeText time = time(value, wanted, zoned);
            if (!time.isWhole(unit)) {
                throw new Unrepresentable(
                        Numbers.shown(value),
                        "has digits of a second that " + wanted.sql() + " does not hold: read it as TIMESTAMP_NS");
            }
            writer.setLong(column, row, time.micros());
        };
    }

    static TimeText time(Object value, DuckType wanted, boolean zoned) {
        return TimeText.of(string(value, wanted.sql()), wanted.sql(), zoned);
    }

    private static void nanos(Object value, ColumnWriter writer, int column, int row) {
        TimeText time = TimeText.of(string(value, "TIMESTAMP_NS"), "TIMESTAMP_NS", false);
        BigInteger nanos = BigInteger.valueOf(time.day())
                .multiply(BigInteger.valueOf(NANOS_PER_DAY))
                .add(BigInteger.valueOf(time.nanoOfDay()));
        if (!time.isWhole(1) || nanos.bitLength() > LONG_BITS) {
            throw new Unrepresentable(Numbers.shown(value), "is beyond what TIMESTAMP_NS holds");
        }
        writer.setLong(column, row, nanos.longValueExact());
    }

    private static String string(Object value, String type) {
        if (value instanceof String text) {
            return text;
        }
        throw new Unrepresentable(Numbers.shown(value), "is no " + type + ", which is a text here");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
