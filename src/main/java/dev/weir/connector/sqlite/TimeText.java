package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.Excerpt;
import dev.weir.connector.jdbc.Unrepresentable;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * A date or time as SQLite keeps it: a text. Read by the rules of weir's literals (contract, section 3), but with any
 * number of fraction digits; written in one spelling, so that texts sort as times.
 *
 * @param day days since 1970-01-01
 * @param nanoOfDay nanoseconds since its midnight, less than a day
 * @param finer whether digits of less than a nanosecond were cut off
 */
record TimeText(long day, long nanoOfDay, boolean finer) {

    static final long MICROS_PER_DAY = 86_400_000_000L;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long SECONDS_PER_DAY = 86_400;
    private static final long NANOS_PER_DAY = SECONDS_PER_DAY * NANOS_PER_SECOND;
    private static final int NANO_DIGITS = 9;
    private static final int DATE_LENGTH = 10;
    private static final int TIME_LENGTH = 19;
    private static final int OFFSET_LENGTH = 6;

    /**
     * Reads a date, or a date and a time of day.
     *
     * @param type for messages
     * @param offsets whether an offset other than UTC's is converted; otherwise it is refused
     */
    static TimeText of(String text, String type, boolean offsets) {
        try {
            long day = day(text);
            if (text.length() == DATE_LENGTH) {
                return new TimeText(day, 0, false);
            }
            char between = text.charAt(DATE_LENGTH);
            if (between != 'T' && between != ' ') {
                throw refused(text, type);
            }
            int end = clockEnd(text, DATE_LENGTH + 1);
            long nanos = nanos(text, DATE_LENGTH + 1, end);
            long offset = offset(text, end, type, offsets) * NANOS_PER_SECOND;
            long utc = nanos - offset;
            return new TimeText(
                    day + Math.floorDiv(utc, NANOS_PER_DAY), Math.floorMod(utc, NANOS_PER_DAY), isFiner(text, end));
        } catch (DateTimeException | IndexOutOfBoundsException e) {
            throw refused(text, type);
        }
    }

    /** The day a date or time begins with. */
    static long spelledDay(String text, String type) {
        try {
            return day(text);
        } catch (DateTimeException | IndexOutOfBoundsException e) {
            throw refused(text, type);
        }
    }

    /** Reads a time of day, in nanoseconds since midnight; 24:00:00 is one. */
    static long ofDay(String text) {
        try {
            int end = clockEnd(text, 0);
            if (end == text.length() && !isFiner(text, end)) {
                return text.equals("24:00:00") || text.equals("24:00:00.000000") ? NANOS_PER_DAY : nanos(text, 0, end);
            }
        } catch (DateTimeException | IndexOutOfBoundsException e) {
            throw refused(text, "TIME");
        }
        throw refused(text, "TIME");
    }

    private static Unrepresentable refused(String text, String type) {
        return new Unrepresentable("'" + Excerpt.of(text) + "'", "is no " + type);
    }

    private static long day(String text) {
        if (text.charAt(4) != '-' || text.charAt(7) != '-') {
            throw new DateTimeException(text);
        }
        int year = digits(text, 0, 4);
        if (year == 0) {
            throw new DateTimeException(text);
        }
        return LocalDate.of(year, digits(text, 5, 7), digits(text, 8, DATE_LENGTH))
                .toEpochDay();
    }

    /** Where the fraction ends, or the seconds where there is none. */
    private static int clockEnd(String text, int from) {
        int end = from + TIME_LENGTH - DATE_LENGTH - 1;
        if (end < text.length() && text.charAt(end) == '.') {
            do {
                end++;
            } while (end < text.length() && isDigit(text.charAt(end)));
            if (!isDigit(text.charAt(end - 1))) {
                throw new DateTimeException(text);
            }
        }
        return end;
    }

    private static long nanos(String text, int from, int end) {
        if (text.charAt(from + 2) != ':' || text.charAt(from + 5) != ':') {
            throw new DateTimeException(text);
        }
        int hour = digits(text, from, from + 2);
        int minute = digits(text, from + 3, from + 5);
        int second = digits(text, from + 6, from + 8);
        if (hour > 23 || minute > 59 || second > 59) {
            throw new DateTimeException(text);
        }
        long nano = 0;
        for (int i = 0; i < NANO_DIGITS; i++) {
            int at = from + 9 + i;
            nano = nano * 10 + (at < end ? text.charAt(at) - '0' : 0);
        }
        return (hour * 3600L + minute * 60L + second) * NANOS_PER_SECOND + nano;
    }

    private static boolean isFiner(String text, int end) {
        int point = text.indexOf('.');
        for (int i = point + 1 + NANO_DIGITS; point >= 0 && i < end; i++) {
            if (text.charAt(i) != '0') {
                return true;
            }
        }
        return false;
    }

    /** In seconds. */
    private static long offset(String text, int from, String type, boolean offsets) {
        if (from == text.length() || from == text.length() - 1 && text.charAt(from) == 'Z') {
            return 0;
        }
        char sign = text.charAt(from);
        if (text.length() != from + OFFSET_LENGTH || sign != '+' && sign != '-' || text.charAt(from + 3) != ':') {
            throw new DateTimeException(text);
        }
        ZoneOffset offset = ZoneOffset.of(text.substring(from));
        boolean utc = offset.getTotalSeconds() == 0 && sign == '+';
        if (!utc && !offsets) {
            throw new Unrepresentable(
                    "'" + Excerpt.of(text) + "'",
                    "has an offset, and a " + type + " holds UTC: read it as TIMESTAMPTZ");
        }
        return offset.getTotalSeconds();
    }

    private static int digits(String text, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!isDigit(c)) {
                throw new DateTimeException(text);
            }
            value = value * 10 + c - '0';
        }
        return value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Microseconds since 1970, floored. */
    long micros() {
        return day * MICROS_PER_DAY + nanoOfDay / 1_000;
    }

    /** Nanoseconds since 1970. */
    BigDecimal nanos() {
        return BigDecimal.valueOf(day)
                .multiply(BigDecimal.valueOf(NANOS_PER_DAY))
                .add(BigDecimal.valueOf(nanoOfDay));
    }

    /** Whether there is no digit of a second finer than the unit. */
    boolean isWhole(long nanos) {
        return !finer && nanoOfDay % nanos == 0;
    }

    /** Whether weir's spelling can say the day: a four-digit year of our era. */
    static boolean isWritable(long epochDay) {
        return epochDay >= LocalDate.of(1, 1, 1).toEpochDay()
                && epochDay <= LocalDate.of(9999, 12, 31).toEpochDay();
    }

    /** {@code yyyy-MM-dd}. */
    static String date(long epochDay) {
        return LocalDate.ofEpochDay(epochDay).toString();
    }

    /** {@code yyyy-MM-dd HH:mm:ss} and a fraction of always so many digits. */
    static String timestamp(long second, long fraction, int digits) {
        StringBuilder text = new StringBuilder(30);
        text.append(date(Math.floorDiv(second, SECONDS_PER_DAY))).append(' ');
        return clock(text, Math.floorMod(second, SECONDS_PER_DAY), fraction, digits);
    }

    /** {@code HH:mm:ss} and six digits. */
    static String clock(long micros) {
        return clock(new StringBuilder(15), micros / 1_000_000, micros % 1_000_000, 6);
    }

    private static String clock(StringBuilder text, long second, long fraction, int digits) {
        append(text, second / 3600, 2).append(':');
        append(text, second / 60 % 60, 2).append(':');
        append(text, second % 60, 2).append('.');
        return append(text, fraction, digits).toString();
    }

    private static StringBuilder append(StringBuilder text, long number, int digits) {
        String written = Long.toString(number);
        return text.append("0".repeat(digits - written.length())).append(written);
    }
}
