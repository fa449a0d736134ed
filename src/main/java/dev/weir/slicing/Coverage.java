package dev.weir.slicing;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What of one cursor was loaded, how often, by whom and when, and what lies between.
 *
 * <p>Exact: ends are compared in units, so {@code (a, b]}, {@code [a, b]} and {@code [a, b)} meet where no value lies
 * between them, and nowhere else. Immutable and thread-safe.
 *
 * @param segments what was loaded, in order, none overlapping another; those that touch differ in how often or by whom
 */
public record Coverage(List<Segment> segments) {

    /**
     * One stretch that was loaded at once.
     *
     * @param from the lowest value, inclusive; null: the type's least, so that nothing lies below
     * @param to the end, exclusive; null: past the type's greatest, so that nothing lies above
     * @param by who loaded it: stretches of one loader that touch count as one
     * @param at when it was committed
     */
    public record Stretch(
            CursorType type,
            @Nullable CursorValue from,
            @Nullable CursorValue to,
            String by,
            Instant at) {

        /** What a forward run loaded: {@code (a, b]}, or {@code [a, b]}. */
        public static Stretch of(CursorRange range, String by, Instant at) {
            CursorType type = range.from().type();
            if (!range.fromInclusive() && range.from().isGreatest()) {
                return new Stretch(type, range.from(), range.from(), by, at);
            }
            CursorValue first =
                    range.fromInclusive() ? range.from() : range.from().plus(BigInteger.ONE);
            return new Stretch(type, first, after(range.to()), by, at);
        }

        /** What a chunk loaded: {@code [from, to)}. */
        public static Stretch of(Chunk chunk, String by, Instant at) {
            return new Stretch(chunk.from().type(), chunk.from(), chunk.to(), by, at);
        }

        /** What a first forward run without {@code initial} loaded: everything up to a value, inclusive. */
        public static Stretch upTo(CursorValue to, String by, Instant at) {
            return new Stretch(to.type(), null, after(to), by, at);
        }

        private static @Nullable CursorValue after(CursorValue last) {
            return last.isGreatest() ? null : last.plus(BigInteger.ONE);
        }

        private BigInteger start() {
            return from == null ? type.least().units() : from.units();
        }

        private BigInteger end() {
            return to == null ? type.greatest().units().add(BigInteger.ONE) : to.units();
        }

        private boolean isEmpty() {
            return start().compareTo(end()) >= 0;
        }
    }

    /**
     * A stretch of values that were all loaded equally often by the same loaders.
     *
     * @param from the lowest value, inclusive; null: the type's least, so that nothing lies below
     * @param to the end, exclusive; null: past the type's greatest, so that nothing lies above
     * @param times how often each of its values was loaded, at least once
     * @param by who loaded it
     * @param first when the first part of it was committed
     * @param last when the last one was
     */
    public record Segment(
            @Nullable CursorValue from,
            @Nullable CursorValue to,
            int times,
            SortedSet<String> by,
            Instant first,
            Instant last) {}

    /**
     * Values that nobody loaded, between two that somebody did.
     *
     * @param from the lowest of them, inclusive
     * @param to the next one loaded
     */
    public record Hole(CursorValue from, CursorValue to) {}

    public Coverage {
        segments = List.copyOf(segments);
    }

    /**
     * Lays stretches of one cursor over each other, in any order; a stretch that holds no value counts for nothing.
     *
     * @throws IllegalArgumentException when they are of different types: a programming error
     */
    public static Coverage of(Collection<Stretch> stretches) {
        List<Stretch> starting = stretches.stream()
                .filter(stretch -> !stretch.isEmpty())
                .sorted(Comparator.comparing(Stretch::start))
                .toList();
        if (starting.stream().map(Stretch::type).distinct().count() > 1) {
            throw new IllegalArgumentException("stretches of one cursor are of one type");
        }
        Sweep sweep = new Sweep();
        starting.forEach(sweep::begin);
        sweep.endAll();
        return new Coverage(sweep.segments);
    }

    /** What lies between segments that do not touch, in order. */
    public List<Hole> holes() {
        return IntStream.range(1, segments.size())
                .mapToObj(
                        i -> new Hole(segments.get(i - 1).to(), segments.get(i).from()))
                .filter(hole -> hole.from().isBelow(hole.to()))
                .toList();
    }

    /** Walks up the cursor and knows at each place which stretches lie over it. */
    private static final class Sweep {

        private final List<Segment> segments = new ArrayList<>();
        private final PriorityQueue<Stretch> open = new PriorityQueue<>(Comparator.comparing(Stretch::end));
        private final TreeMap<String, Integer> loaders = new TreeMap<>();
        private final TreeMap<Instant, Integer> commits = new TreeMap<>();
        private BigInteger reached = BigInteger.ZERO;

        void begin(Stretch stretch) {
            while (!open.isEmpty() && open.element().end().compareTo(stretch.start()) <= 0) {
                end();
            }
            reach(stretch.type(), stretch.start());
            open.add(stretch);
            loaders.merge(stretch.by(), 1, Integer::sum);
            commits.merge(stretch.at(), 1, Integer::sum);
        }

        void endAll() {
            while (!open.isEmpty()) {
                end();
            }
        }

        private void end() {
            Stretch stretch = open.element();
            reach(stretch.type(), stretch.end());
            open.remove();
            loaders.computeIfPresent(stretch.by(), (by, count) -> count == 1 ? null : count - 1);
            commits.computeIfPresent(stretch.at(), (at, count) -> count == 1 ? null : count - 1);
        }

        /** Everything from where the walk stood up to here lies under the stretches that are open. */
        private void reach(CursorType type, BigInteger place) {
            if (!open.isEmpty() && reached.compareTo(place) < 0) {
                add(new Segment(
                        reached.equals(type.least().units()) ? null : type.units(reached),
                        place.compareTo(type.greatest().units()) > 0 ? null : type.units(place),
                        open.size(),
                        new TreeSet<>(loaders.keySet()),
                        commits.firstKey(),
                        commits.lastKey()));
            }
            reached = place;
        }

        private void add(Segment next) {
            Segment before = segments.isEmpty() ? null : segments.get(segments.size() - 1);
            if (before == null
                    || !before.to().equals(next.from())
                    || before.times() != next.times()
                    || !before.by().equals(next.by())) {
                segments.add(next);
                return;
            }
            segments.set(
                    segments.size() - 1,
                    new Segment(
                            before.from(),
                            next.to(),
                            next.times(),
                            next.by(),
                            before.first().isBefore(next.first()) ? before.first() : next.first(),
                            before.last().isAfter(next.last()) ? before.last() : next.last()));
        }
    }
}
