package dev.weir.event;

import dev.weir.slicing.CursorValue;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers, times and positions in few characters, for a line that is looked at. */
final class Amounts {

    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final double NANOS = 1e9;

    private Amounts() {}

    static double seconds(long nanos) {
        return Math.max(0, nanos) / NANOS;
    }

    /** {@code 950}, {@code 12.3k}, {@code 1.2M}: three or four characters say enough. */
    static String few(double number) {
        if (number < 999.5) {
            return Long.toString(Math.round(number));
        }
        if (number < 99_950) {
            return String.format(Locale.ROOT, "%.1fk", number / 1e3);
        }
        if (number < 999_500) {
            return String.format(Locale.ROOT, "%.0fk", number / 1e3);
        }
        return number < 999.95e6
                ? String.format(Locale.ROOT, "%.1fM", number / 1e6)
                : String.format(Locale.ROOT, "%.1fG", number / 1e9);
    }

    /** {@code <1s}, {@code 42s}, {@code 3m05s}, {@code 2h07m}, {@code 3d04h}. */
    static String left(double seconds) {
        return seconds < 1 ? "<1s" : whole((long) seconds);
    }

    /** {@code 0.4s}, {@code 42s}, {@code 3m05s}. */
    static String elapsed(double seconds) {
        return seconds < 9.95 ? String.format(Locale.ROOT, "%.1fs", seconds) : whole(Math.round(seconds));
    }

    private static String whole(long seconds) {
        if (seconds < MINUTE) {
            return seconds + "s";
        }
        if (seconds < HOUR) {
            return String.format(Locale.ROOT, "%dm%02ds", seconds / MINUTE, seconds % MINUTE);
        }
        return seconds < DAY
                ? String.format(Locale.ROOT, "%dh%02dm", seconds / HOUR, seconds % HOUR / MINUTE)
                : String.format(Locale.ROOT, "%dd%02dh", seconds / DAY, seconds % DAY / HOUR);
    }

    /** The value; a time without its fraction of a second. */
    static String position(CursorValue value) {
        return value.type().isInstant() ? SECONDS.format(value.toLocalDateTime()) : value.toString();
    }
}
