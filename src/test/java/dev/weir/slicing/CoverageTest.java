package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.slicing.Coverage.Hole;
import dev.weir.slicing.Coverage.Segment;
import dev.weir.slicing.Coverage.Stretch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class CoverageTest {

    private static final CursorType TINYINT = CursorType.of(CursorType.Kind.TINYINT);
    private static final CursorType TIMESTAMP = CursorType.of(CursorType.Kind.TIMESTAMP);
    private static final int LEAST = -128;
    private static final int GREATEST = 127;

    /** A stretch and, value by value, what it holds. */
    record Loaded(Stretch stretch, int first, int last) {
        boolean holds(int value) {
            return first <= value && value <= last;
        }
    }

    @Provide
    Arbitrary<List<Loaded>> loads() {
        Arbitrary<Integer> places = Arbitraries.oneOf(
                Arbitraries.integers().between(LEAST, GREATEST),
                Arbitraries.integers().between(-4, 4),
                Arbitraries.of(LEAST, GREATEST));
        return Combinators.combine(
                        places,
                        places,
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of("a", "b", "c"),
                        Arbitraries.integers().between(0, 5))
                .as((one, other, kind, by, second) ->
                        loaded(Math.min(one, other), Math.max(one, other), kind, by, at(second)))
                .list()
                .ofMaxSize(12)
                .withoutEdgeCases();
    }

    private static Loaded loaded(int low, int high, int kind, String by, Instant at) {
        return switch (kind) {
            case 0 -> new Loaded(Stretch.of(CursorRange.above(value(low), value(high)), by, at), low + 1, high);
            case 1 -> new Loaded(Stretch.of(CursorRange.startingAt(value(low), value(high)), by, at), low, high);
            case 2 -> new Loaded(Stretch.upTo(value(high), by, at), LEAST, high);
            default ->
                low == high
                        ? new Loaded(new Stretch(TINYINT, value(low), null, by, at), low, GREATEST)
                        : new Loaded(Stretch.of(new Chunk(7, value(low), value(high)), by, at), low, high - 1);
        };
    }

    @Property
    void segmentsAreWhatEveryValueSays(@ForAll("loads") List<Loaded> loads) {
        Coverage coverage = coverage(loads);

        assertThat(coverage.segments()).isEqualTo(valueByValue(loads));
    }

    @Property
    void theOrderOfStretchesDoesNotMatter(@ForAll("loads") List<Loaded> loads, @ForAll Random random) {
        List<Loaded> shuffled = new ArrayList<>(loads);
        Collections.shuffle(shuffled, random);

        assertThat(coverage(shuffled)).isEqualTo(coverage(loads));
    }

    @Property
    void holesAreTheValuesBetweenThatNobodyLoaded(@ForAll("loads") List<Loaded> loads) {
        List<Integer> held = new ArrayList<>();
        for (int value = LEAST; value <= GREATEST; value++) {
            if (holds(loads, value)) {
                held.add(value);
            }
        }
        List<Hole> expected = new ArrayList<>();
        for (int i = 1; i < held.size(); i++) {
            if (held.get(i) > held.get(i - 1) + 1) {
                expected.add(new Hole(value(held.get(i - 1) + 1), value(held.get(i))));
            }
        }

        assertThat(coverage(loads).holes()).isEqualTo(expected);
    }

    @Test
    void theChunksOfOneBackfillAreOneSegment() {
        Backfill plan = Backfill.parse(TIMESTAMP, new Backfill.Text("2026-01-01", "2026-01-06", "15m", null));
        List<Stretch> chunks = new ArrayList<>();
        plan.chunks().forEach(chunk -> chunks.add(Stretch.of(chunk, "d7a7c6e21e0d8ecb", at(chunk.number()))));

        assertThat(Coverage.of(chunks).segments())
                .containsExactly(new Segment(
                        plan.from(), plan.to(), 1, new TreeSet<>(List.of("d7a7c6e21e0d8ecb")), at(0), at(479)));
        assertThat(Coverage.of(chunks).holes()).isEmpty();

        chunks.remove(200);
        assertThat(Coverage.of(chunks).holes())
                .containsExactly(
                        new Hole(plan.chunk(200).from(), plan.chunk(200).to()));
    }

    @Test
    void aChunkAndAForwardRunMeetAtTheMicrosecond() {
        CursorValue noon = TIMESTAMP.parse("2026-01-01T12:00:00");
        CursorValue one = TIMESTAMP.parse("2026-01-01T13:00:00");
        Chunk chunk = new Chunk(0, TIMESTAMP.parse("2026-01-01"), noon);
        Stretch replayed = Stretch.of(chunk, "replay", at(2));

        Stretch fromNoon = Stretch.of(CursorRange.startingAt(noon, one), "forward", at(1));
        assertThat(Coverage.of(List.of(fromNoon, replayed)).holes()).isEmpty();

        Stretch afterNoon = Stretch.of(CursorRange.above(noon, one), "forward", at(1));
        assertThat(Coverage.of(List.of(afterNoon, replayed)).holes())
                .as("the row at noon is in neither")
                .containsExactly(new Hole(noon, TIMESTAMP.parse("2026-01-01T12:00:00.000001")));
    }

    @Test
    void nothingLoadedCoversNothing() {
        assertThat(Coverage.of(List.of()).segments()).isEmpty();
        assertThat(Coverage.of(List.of()).holes()).isEmpty();
    }

    @Test
    void oneCursorHasOneType() {
        List<Stretch> mixed =
                List.of(Stretch.upTo(value(1), "a", at(0)), Stretch.upTo(TIMESTAMP.parse("2026-01-01"), "a", at(0)));

        assertThatThrownBy(() -> Coverage.of(mixed)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Coverage coverage(List<Loaded> loads) {
        return Coverage.of(loads.stream().map(Loaded::stretch).toList());
    }

    private static List<Segment> valueByValue(List<Loaded> loads) {
        List<Segment> segments = new ArrayList<>();
        int begins = LEAST;
        for (int value = LEAST; value <= GREATEST; value++) {
            boolean ends = value == GREATEST || !alike(over(loads, value), over(loads, value + 1));
            if (ends) {
                if (holds(loads, value)) {
                    segments.add(segment(loads, begins, value));
                }
                begins = value + 1;
            }
        }
        return segments;
    }

    private static Segment segment(List<Loaded> loads, int first, int last) {
        List<Stretch> parts = loads.stream()
                .filter(load -> load.first() <= last && load.last() >= first && load.first() <= load.last())
                .map(Loaded::stretch)
                .toList();
        return new Segment(
                first == LEAST ? null : value(first),
                last == GREATEST ? null : value(last + 1),
                over(loads, first).size(),
                loaders(over(loads, first)),
                parts.stream().map(Stretch::at).min(Instant::compareTo).orElseThrow(),
                parts.stream().map(Stretch::at).max(Instant::compareTo).orElseThrow());
    }

    private static boolean alike(List<Loaded> some, List<Loaded> others) {
        return some.size() == others.size() && loaders(some).equals(loaders(others));
    }

    private static TreeSet<String> loaders(List<Loaded> loads) {
        TreeSet<String> loaders = new TreeSet<>();
        loads.forEach(load -> loaders.add(load.stretch().by()));
        return loaders;
    }

    private static List<Loaded> over(List<Loaded> loads, int value) {
        return loads.stream().filter(load -> load.holds(value)).toList();
    }

    private static boolean holds(List<Loaded> loads, int value) {
        return !over(loads, value).isEmpty();
    }

    private static CursorValue value(int units) {
        return TINYINT.units(units);
    }

    private static Instant at(int second) {
        return Instant.ofEpochSecond(second);
    }
}
