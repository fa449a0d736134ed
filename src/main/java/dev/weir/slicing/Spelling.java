package dev.weir.slicing;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/**
 * Spells the bounds of backfills: in identities and on the lines that name a chunk, equal values always the same.
 *
 * <p>Source of the rule: contract, section 6, "Identity".
 */
public final class Spelling {

    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("'T'HH:mm:ss");
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("'T'HH:mm:ss.SSSSSS");

    private Spelling() {}

    /**
     * An instant as UTC with {@code +00:00}, its six fraction digits only when they are not all zero; a date as its
     * midnight UTC; a number in plain digits, decimals without trailing zeros.
     */
    public static String of(CursorValue value) {
        if (!value.type().isTime()) {
            return value.toString();
        }
        LocalDateTime time = value.toLocalDateTime();
        DateTimeFormatter clock = time.getNano() == 0 ? SECONDS : MICROS;
        return time.toLocalDate() + clock.format(time) + "+00:00";
    }
}
