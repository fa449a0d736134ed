package dev.weir.slicing;

import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.ZoneId;

/** The places where chunks meet, each computed from the start of the backfill and never from the one before. */
sealed interface Grid {

    /** Wider than any type, and never too wide for {@link LocalDateTime}. */
    BigInteger WIDEST = BigInteger.valueOf(5_000_000_000L);

    static Grid of(CursorValue from, ChunkStep step, ZoneId zone) {
        if (!step.isCalendar()) {
            return new Even(from, step);
        }
        WallClock clock = new WallClock(zone);
        return new Calendar(from.type(), clock.stepsFrom(from.toLocalDateTime()), step, clock);
    }

    /**
     * Where that many steps end, at most at the type's end. Never below where fewer end; at the same place where a zone
     * skips the days between.
     */
    CursorValue after(long steps);

    /** Numbers and elapsed time. */
    record Even(CursorValue from, ChunkStep step) implements Grid {
        @Override
        public CursorValue after(long steps) {
            return from.plus(step.units(steps));
        }
    }

    /** Days and months. */
    record Calendar(CursorType type, LocalDateTime start, ChunkStep step, WallClock clock) implements Grid {
        @Override
        public CursorValue after(long steps) {
            long count = Math.multiplyExact(steps, step.count().min(WIDEST).longValueExact());
            LocalDateTime end = step.unit() == ChunkStep.Unit.MONTHS ? start.plusMonths(count) : start.plusDays(count);
            BigInteger units = type.isInstant()
                    ? Literals.micros(clock.first(end))
                    : BigInteger.valueOf(end.toLocalDate().toEpochDay());
            return type.nearest(units);
        }
    }
}
