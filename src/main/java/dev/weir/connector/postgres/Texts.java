package dev.weir.connector.postgres;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Writes values for messages. */
final class Texts {

    private static final int LONGEST = 100;

    private Texts() {}

    /** UTC, from microseconds since 1970. */
    static String timestamp(long micros) {
        if (Math.abs(micros) == Binary.INFINITE_MICROS) {
            return micros > 0 ? "infinity" : "-infinity";
        }
        return LocalDateTime.ofEpochSecond(
                        Math.floorDiv(micros, 1_000_000L),
                        (int) Math.floorMod(micros, 1_000_000L) * 1_000,
                        ZoneOffset.UTC)
                .toString();
    }

    static String date(int days) {
        if (Math.abs(days) == Binary.INFINITE_DAYS) {
            return days > 0 ? "infinity" : "-infinity";
        }
        return LocalDate.ofEpochDay(days).toString();
    }

    /** The beginning of a long text. */
    static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
