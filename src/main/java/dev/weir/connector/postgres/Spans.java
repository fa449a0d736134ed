package dev.weir.connector.postgres;

import dev.weir.connector.ColumnWriter;
import dev.weir.connector.jdbc.Unrepresentable;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Intervals, and times of day with their offset, both ways.
 *
 * <p>An interval is months, days and microseconds, which stay apart: no month has a number of days, and no day a number of
 * hours. Source of the formats: PostgreSQL, {@code interval_send} and {@code timetz_send}.
 */
final class Spans {

    /** SQL over {@code %s}, months, days and microseconds in one text, that gives the interval. */
    static final String RESTORED = "to_months(CAST(split_part(%s, ' ', 1) AS INTEGER))"
            + " + to_days(CAST(split_part(%s, ' ', 2) AS INTEGER))"
            + " + to_microseconds(CAST(split_part(%s, ' ', 3) AS BIGINT))";

    /** SQL over {@code %s}, an interval, that gives the same text back. */
    static final String PARTS = "(datepart('year', %s) * 12 + datepart('month', %s)) || ' ' || datepart('day', %s)"
            + " || ' ' || (datepart('hour', %s) * 3600000000 + datepart('minute', %s) * 60000000"
            + " + datepart('microsecond', %s))";

    private static final long MICROS_PER_DAY = 86_400_000_000L;
    private static final int SECONDS_PER_DAY = 86_400;

    private Spans() {}

    static void interval(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        long micros = Binary.getLong(data, at);
        int days = Binary.getInt(data, at + 8);
        int months = Binary.getInt(data, at + 12);
        if (isInfinite(months, days, micros)) {
            throw new Unrepresentable(infinity(months), "an INTERVAL of DuckDB does not have");
        }
        String parts = months + " " + days + " " + micros;
        writer.setUtf8(column, row, parts.getBytes(StandardCharsets.US_ASCII));
    }

    /** How Postgres 17 and later keep an infinite one; to those before, these are the longest intervals. */
    private static boolean isInfinite(int months, int days, long micros) {
        return months == Integer.MAX_VALUE && days == Integer.MAX_VALUE && micros == Long.MAX_VALUE
                || months == Integer.MIN_VALUE && days == Integer.MIN_VALUE && micros == Long.MIN_VALUE;
    }

    private static String infinity(int months) {
        return months > 0 ? "infinity" : "-infinity";
    }

    /** Writes the interval of a text that {@link #PARTS} gave. */
    static void putInterval(String parts, CopySink out) throws SQLException {
        String[] part = parts.split(" ", -1);
        int months = Integer.parseInt(part[0]);
        int days = Integer.parseInt(part[1]);
        long micros = Long.parseLong(part[2]);
        if (isInfinite(months, days, micros)) {
            throw new Unrepresentable(
                    months + " months, " + days + " days and " + micros + " microseconds",
                    "Postgres 17 would take for infinite");
        }
        out.putInt(16);
        out.putLong(micros);
        out.putInt(days);
        out.putInt(months);
    }

    static void timetz(byte[] data, int at, int length, ColumnWriter writer, int column, int row) {
        long micros = Binary.getLong(data, at);
        int east = -Binary.getInt(data, at + 8);
        if (micros < 0 || micros > MICROS_PER_DAY || Math.abs((long) east) >= SECONDS_PER_DAY) {
            throw new Malformed("a time of " + micros + " microseconds, " + east + " seconds east");
        }
        String text = clock(micros / 1_000_000)
                + String.format(Locale.ROOT, ".%06d", micros % 1_000_000)
                + (east < 0 ? "-" : "+")
                + clock(Math.abs(east));
        writer.setUtf8(column, row, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String clock(long seconds) {
        return String.format(Locale.ROOT, "%02d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    }

    /** Writes a time as DuckDB prints it: {@code 23:59:59.999999-15:59:59}, what is zero left out behind. */
    static void putTimetz(String text, CopySink out) throws SQLException {
        int sign = Math.max(text.indexOf('+'), text.indexOf('-'));
        int point = text.indexOf('.');
        String time = text.substring(0, point < 0 ? sign : point);
        String fraction = point < 0 ? "" : text.substring(point + 1, sign);
        int east = seconds(text.substring(sign + 1));
        out.putInt(12);
        out.putLong(seconds(time) * 1_000_000L + Integer.parseInt((fraction + "000000").substring(0, 6)));
        out.putInt(text.charAt(sign) == '-' ? east : -east);
    }

    private static int seconds(String clock) {
        String[] part = clock.split(":", -1);
        int seconds = 0;
        for (int i = 0; i < 3; i++) {
            seconds = 60 * seconds + (i < part.length ? Integer.parseInt(part[i]) : 0);
        }
        return seconds;
    }
}
