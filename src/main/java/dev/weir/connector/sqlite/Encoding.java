package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.StagedTimes;
import dev.weir.connector.jdbc.Unrepresentable;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import org.duckdb.DuckDBReadableVector;

/**
 * How a staged column becomes a column of a table: as the source reads it back.
 *
 * @param wire SQL over {@code %s} that makes the value readable from a vector
 * @param binder binds a value that is not NULL
 */
record Encoding(String wire, Binder binder) {

    /** Binds one value that is not NULL. */
    @FunctionalInterface
    interface Binder {

        /** @throws Unrepresentable when the column cannot hold it */
        void bind(PreparedStatement statement, int place, DuckDBReadableVector vector, int row) throws SQLException;
    }

    /** Makes a text of a count of units. */
    @FunctionalInterface
    private interface Spelling {
        String of(long units);
    }

    private static final String PLAIN = "%s";
    private static final String AS_TEXT = "CAST(%s AS VARCHAR)";
    private static final String AS_BIGINT = "CAST(%s AS BIGINT)";
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long SECONDS_PER_DAY = 86_400;
    private static final String UTC = "Z";
    private static final String YEARS = "is outside the years 0001 to 9999 that are spelled here";

    /** @param column the declared type of the table's column, which takes the other */
    static Encoding of(DuckType from, DeclaredType column) {
        DuckType to = column.natural().orElseThrow();
        Kind kind = to.kind();
        if (kind.isInteger() && kind.greatest().bitLength() <= 63) {
            return new Encoding(
                    AS_BIGINT, (statement, place, vector, row) -> statement.setLong(place, vector.getLong(row)));
        }
        return switch (kind) {
            case BOOLEAN ->
                new Encoding(
                        PLAIN,
                        (statement, place, vector, row) -> statement.setInt(place, vector.getBoolean(row) ? 1 : 0));
            case FLOAT, DOUBLE -> new Encoding("CAST(%s AS DOUBLE)", Encoding::real);
            case DECIMAL ->
                new Encoding(
                        "CAST(CAST(%s AS " + to.sql() + ") AS VARCHAR)",
                        (statement, place, vector, row) -> statement.setString(place, decimal(vector.getString(row))));
            case BLOB ->
                new Encoding(
                        "to_base64(%s)",
                        (statement, place, vector, row) ->
                                statement.setBytes(place, Base64.getDecoder().decode(vector.getString(row))));
            case DATE -> spelled(StagedTimes.DAYS, Encoding::date);
            case TIME -> spelled("epoch_us(%s)", TimeText::clock);
            case TIMESTAMP, TIMESTAMP_S, TIMESTAMP_MS ->
                from.kind() == Kind.DATE
                        ? spelled(StagedTimes.DAYS, days -> date(days) + " 00:00:00.000000")
                        : spelled(StagedTimes.micros(from.kind()), Encoding::timestamp);
            case TIMESTAMPTZ -> spelled(StagedTimes.micros(from.kind()), micros -> timestamp(micros) + UTC);
            case TIMESTAMP_NS -> spelled(StagedTimes.NANOS, Encoding::nanos);
            default -> text(AS_TEXT);
        };
    }

    private static Encoding text(String wire) {
        return new Encoding(wire, (statement, place, vector, row) -> statement.setString(place, vector.getString(row)));
    }

    private static Encoding spelled(String wire, Spelling spelling) {
        return new Encoding(
                wire, (statement, place, vector, row) -> statement.setString(place, spelling.of(vector.getLong(row))));
    }

    /** The one text of a time. */
    static String spelled(TimeText time, Kind kind) {
        if (kind == Kind.TIMESTAMP_NS) {
            long second = time.day() * SECONDS_PER_DAY + time.nanoOfDay() / NANOS_PER_SECOND;
            return TimeText.timestamp(second, time.nanoOfDay() % NANOS_PER_SECOND, 9);
        }
        return timestamp(time.micros()) + (kind == Kind.TIMESTAMPTZ ? UTC : "");
    }

    /** DuckDB leaves out the zero before a point where the type has no digit there. */
    private static String decimal(String digits) {
        int point = digits.indexOf('.');
        boolean bare = point == 0 || point == 1 && digits.charAt(0) == '-';
        return bare ? digits.substring(0, point) + '0' + digits.substring(point) : digits;
    }

    private static void real(PreparedStatement statement, int place, DuckDBReadableVector vector, int row)
            throws SQLException {
        double value = vector.getDouble(row);
        if (Double.isNaN(value)) {
            throw new Unrepresentable("NaN", "SQLite would turn into NULL");
        }
        if (value == 0 && Double.compare(value, 0) < 0) {
            throw new Unrepresentable("-0.0", "SQLite would turn into 0.0, as adding 0.0 does in the SELECT");
        }
        statement.setDouble(place, value);
    }

    private static String date(long days) {
        if (Math.abs(days) == StagedTimes.INFINITE_DAYS) {
            throw new Unrepresentable(days > 0 ? "infinity" : "-infinity", "no text of SQLite's says");
        }
        if (!TimeText.isWritable(days)) {
            throw new Unrepresentable(LocalDate.ofEpochDay(days).toString(), YEARS);
        }
        return TimeText.date(days);
    }

    private static String timestamp(long micros) {
        if (Math.abs(micros) == StagedTimes.INFINITE_MICROS) {
            throw new Unrepresentable(micros > 0 ? "infinity" : "-infinity", "no text of SQLite's says");
        }
        long second = Math.floorDiv(micros, MICROS_PER_SECOND);
        checkYear(second);
        return TimeText.timestamp(second, Math.floorMod(micros, MICROS_PER_SECOND), 6);
    }

    private static void checkYear(long second) {
        if (!TimeText.isWritable(Math.floorDiv(second, SECONDS_PER_DAY))) {
            throw new Unrepresentable(
                    LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC).toString(), YEARS);
        }
    }

    private static String nanos(long nanos) {
        if (Math.abs(nanos) == StagedTimes.INFINITE_MICROS) {
            throw new Unrepresentable(nanos > 0 ? "infinity" : "-infinity", "no text of SQLite's says");
        }
        return TimeText.timestamp(Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND), 9);
    }
}
