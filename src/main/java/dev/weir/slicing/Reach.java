package dev.weir.slicing;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How far an invocation may read a source.
 *
 * <p>Immutable and thread-safe. Source of the rule: contract, sections 3.1 and 3.2.
 *
 * @param ceiling the highest cursor it may reach, inclusive; empty: nothing bounds it but the end of its type, or nothing
 *     has settled, see {@link #isClosed}
 * @param isSettled whether all there will ever be up to the ceiling had been committed when that was found out
 * @param heldBack why the ceiling is lower than it could be; empty: it is not
 * @param settled the value at or below which nothing can appear any more, to be kept for an invocation that finds out
 *     none; empty: none was found out
 */
public record Reach(
        Optional<CursorValue> ceiling, boolean isSettled, Optional<HeldBack> heldBack, Optional<CursorValue> settled) {

    /**
     * What a source is, and how it is read.
     *
     * @param fractionDigits how many digits of a second its cursor's column holds; null: the finest, or no time
     * @param now the earlier of the runner's clock and the source's own
     * @param lastSettled what an earlier invocation found settled; null: nothing
     */
    public record From(
            Sync sync,
            @Nullable Integer fractionDigits,
            Instant now,
            @Nullable CursorValue lastSettled) {

        private Optional<CursorValue> ceiling(
                @Nullable Instant oldestOpen, @Nullable Instant sample, @Nullable CursorValue settled) {
            return Ceiling.of(sync, fractionDigits, new Ceiling.Measured(now, oldestOpen, sample, settled));
        }
    }

    /** Whether nothing may be read at all, because nothing is known to have settled. */
    public boolean isClosed() {
        return isSettled && ceiling.isEmpty();
    }

    /** As far as a sample of its open transactions lets it; writers that are still open are not waited for any longer. */
    public static Reach of(From from, Sample sample) {
        if (sample instanceof Sample.OfTimes times) {
            return times.prepared().isEmpty() ? open(from, times) : prepared(from, times);
        }
        if (sample instanceof Sample.OfNumbers numbers) {
            return numbers(from, numbers);
        }
        return unsettled(from);
    }

    /** As far as the clocks and {@code until} let it. */
    public static Reach unsettled(From from) {
        return new Reach(from.ceiling(null, null, null), false, Optional.empty(), Optional.empty());
    }

    private static Reach open(From from, Sample.OfTimes times) {
        Instant oldest = times.oldestOpen().orElse(null);
        CursorValue settled = Ceiling.settled(from.sync().type(), from.fractionDigits(), oldest, times.at());
        List<Sample.Session> holding = holding(from, times);
        return new Reach(
                from.ceiling(oldest, times.at(), null),
                true,
                holding.isEmpty() ? Optional.empty() : Optional.of(HeldBack.by("open transaction", holding)),
                Optional.of(settled));
    }

    /** Those that lower the ceiling. */
    private static List<Sample.Session> holding(From from, Sample.OfTimes times) {
        CursorValue free = from.ceiling(null, times.at(), null).orElseThrow();
        return times.open().stream()
                .filter(session -> from.ceiling(session.since(), times.at(), null)
                        .orElseThrow()
                        .isBelow(free))
                .toList();
    }

    private static Reach prepared(From from, Sample.OfTimes times) {
        CursorValue sampled = Ceiling.settled(from.sync().type(), from.fractionDigits(), null, times.at());
        CursorValue free = from.ceiling(null, times.at(), null).orElseThrow();
        return held(
                from,
                free,
                trusted(from, sampled),
                last -> from.ceiling(null, times.at(), last),
                HeldBack.by("prepared transaction", times.prepared()));
    }

    private static Reach numbers(From from, Sample.OfNumbers numbers) {
        CursorValue highest = numbers.highest().orElse(null);
        if (highest == null) {
            // Rows that are visible by the time of the snapshot were not when it was found out who writes.
            return new Reach(Optional.empty(), true, Optional.empty(), Optional.empty());
        }
        Optional<CursorValue> free = from.ceiling(null, null, highest);
        if (numbers.writers().isEmpty() && numbers.prepared().isEmpty()) {
            return new Reach(free, true, Optional.empty(), Optional.of(highest));
        }
        HeldBack why = numbers.prepared().isEmpty()
                ? HeldBack.by(
                        "writers still open after "
                                + Step.written(from.sync().settle().timeout()),
                        numbers.writers())
                : HeldBack.by("prepared transaction", numbers.prepared());
        return held(from, free.orElseThrow(), trusted(from, highest), last -> from.ceiling(null, null, last), why);
    }

    private static Reach held(
            From from,
            CursorValue free,
            @Nullable CursorValue last,
            Function<CursorValue, Optional<CursorValue>> under,
            HeldBack why) {
        if (last == null) {
            return new Reach(Optional.empty(), true, Optional.of(why), Optional.empty());
        }
        CursorValue ceiling = under.apply(last).orElseThrow();
        return new Reach(
                Optional.of(ceiling),
                true,
                ceiling.isBelow(free) ? Optional.of(why) : Optional.empty(),
                Optional.empty());
    }

    /** What settled last, unless it lies above what there is now: then the source is not what it was. */
    private static @Nullable CursorValue trusted(From from, CursorValue now) {
        CursorValue last = from.lastSettled();
        return last == null || last.isAbove(now) ? null : last;
    }
}
