package dev.weir.connector.postgres;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** Writes values for messages. */
final class Texts {

    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendPattern(" HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 6, true)
            .toFormatter(Locale.ROOT);

    private Texts() {}

    /** UTC, from microseconds since 1970. */
    static String timestamp(long micros) {
        if (Math.abs(micros) == Binary.INFINITE_MICROS) {
            return micros > 0 ? "infinity" : "-infinity";
        }
        return TIMESTAMP.format(LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, 1_000_000L), (int) Math.floorMod(micros, 1_000_000L) * 1_000, ZoneOffset.UTC));
    }

    static String date(int days) {
        if (Math.abs(days) == Binary.INFINITE_DAYS) {
            return days > 0 ? "infinity" : "-infinity";
        }
        return LocalDate.ofEpochDay(days).toString();
    }
}
