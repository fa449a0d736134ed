package dev.weir.slicing;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/** What {@link Token}s take their values from. Immutable and thread-safe. Source of the rule: contract, section 6. */
public sealed interface Moment {

    /** Its name is UTC, and not Z. */
    ZoneId UTC = ZoneId.of("UTC");

    /** What {@code now} stands for. */
    ZonedDateTime now();

    /** @param startedAt when the run began; its tokens tell it in UTC */
    record OfRun(Instant startedAt) implements Moment {
        @Override
        public ZonedDateTime now() {
            return startedAt.atZone(UTC);
        }
    }

    /**
     * @param id the chunk's place in its plan, six digits
     * @param from the chunk's lower end, inclusive
     * @param to its upper end, exclusive, of the same type
     * @param zone the backfill's; dates and times of the day are told in it, those of a date cursor never
     */
    record OfChunk(String id, CursorValue from, CursorValue to, ZoneId zone) implements Moment {

        /** @throws IllegalStateException for a chunk of numbers: a programming error */
        @Override
        public ZonedDateTime now() {
            return at(from);
        }

        /** Whether its bounds are numbers, which are no time. */
        public boolean isOfNumbers() {
            return !from.type().isTime();
        }

        /** Whether it begins and ends where days of the zone do: for a day without a midnight, at its first instant. */
        boolean isOfWholeDays() {
            return isStartOfDay(at(from)) && endsWithDay();
        }

        /** Whether it ends where a day of the zone does. */
        boolean endsWithDay() {
            return isStartOfDay(at(to));
        }

        /** Whether it begins and ends with a second. */
        boolean isOfWholeSeconds() {
            return at(from).getNano() == 0 && endsWithSecond();
        }

        /** Whether it ends with a second. */
        boolean endsWithSecond() {
            return at(to).getNano() == 0;
        }

        ZonedDateTime at(CursorValue bound) {
            if (!bound.type().isTime()) {
                throw new IllegalStateException("no time: " + bound.type());
            }
            ZonedDateTime utc = bound.toLocalDateTime().atZone(UTC);
            return bound.type().isInstant() ? utc.withZoneSameInstant(zone) : utc;
        }

        private static boolean isStartOfDay(ZonedDateTime time) {
            return time.isEqual(time.toLocalDate().atStartOfDay(time.getZone()));
        }
    }
}
