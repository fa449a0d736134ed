package dev.weir.slicing;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;

/**
 * What clocks on the walls of a zone show, against UTC.
 *
 * <p>Instants are dates and times in UTC. Rule: contract, section 6, "Chunks".
 */
record WallClock(ZoneId zone) {

    /** What the clock shows at an instant. */
    LocalDateTime at(LocalDateTime instant) {
        ZoneRules rules = zone.getRules();
        return instant.plusSeconds(
                rules.getOffset(instant.toInstant(ZoneOffset.UTC)).getTotalSeconds());
    }

    /** The first instant at which the clock shows this or more: a time that is skipped begins where the gap ends. */
    LocalDateTime first(LocalDateTime shown) {
        List<ZoneOffset> offsets = offsets(shown);
        if (offsets.isEmpty()) {
            return LocalDateTime.ofInstant(zone.getRules().getTransition(shown).getInstant(), ZoneOffset.UTC);
        }
        return shown.minusSeconds(offsets.get(0).getTotalSeconds());
    }

    /** The offsets at which the clock shows this, the earlier instant first; none for a time that is skipped. */
    List<ZoneOffset> offsets(LocalDateTime shown) {
        return zone.getRules().getValidOffsets(shown);
    }

    /**
     * The time from which calendar steps count that begin at an instant: what the clock shows, but midnight at the
     * first instant of a day, also of one whose midnight is skipped. Days then begin where days begin, and steps depend
     * on the instant alone, not on how it was written.
     */
    LocalDateTime stepsFrom(LocalDateTime instant) {
        LocalDateTime shown = at(instant);
        LocalDateTime midnight = shown.toLocalDate().atStartOfDay();
        return first(midnight).equals(instant) ? midnight : shown;
    }
}
