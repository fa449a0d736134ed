package dev.weir.slicing;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/**
 * Reads {@code from} and {@code to} of a backfill, which unlike a literal name an instant whoever reads them, and where.
 * Rule: contract, section 6.
 */
final class BackfillBound {

    private static final CursorType INSTANT = CursorType.of(CursorType.Kind.TIMESTAMPTZ);

    private BackfillBound() {}

    /** @throws LiteralException when the text is no bound of this type, naming what one looks like */
    static CursorValue parse(CursorType type, WallClock clock, String text) {
        if (!type.isInstant()) {
            return type.parse(text);
        }
        if (Literals.DATE.matcher(text).matches()) {
            LocalDate day = INSTANT.parse(text).toLocalDateTime().toLocalDate();
            return type.units(Literals.micros(clock.first(day.atStartOfDay())));
        }
        Matcher time = Literals.TIME.matcher(text);
        if (!time.matches()) {
            throw new LiteralException("'" + text + "' is no bound over " + type
                    + ": write a date, as in 2026-01-31, or a time with its offset, as in 2026-01-31T09:30:00Z");
        }
        CursorValue value = INSTANT.parse(text);
        if (time.group(8) == null) {
            throw new LiteralException("'" + text + "' has no offset, so it names no instant: write "
                    + spellings(text, value.toLocalDateTime(), clock));
        }
        return type.units(value.units());
    }

    /** The text with the offsets it may have been meant with. */
    private static String spellings(String text, LocalDateTime shown, WallClock clock) {
        List<ZoneOffset> offsets = clock.offsets(shown).stream()
                .filter(offset -> offset.getTotalSeconds() % 60 == 0)
                .toList();
        String zoned = offsets.stream().map(offset -> text + offset).collect(Collectors.joining(" or "));
        if (zoned.isEmpty() || zoned.equals(text + ZoneOffset.UTC)) {
            return text + "Z";
        }
        return zoned + " for " + clock.zone() + ", " + text + "Z for UTC";
    }
}
