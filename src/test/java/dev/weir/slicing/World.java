package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A source, some sinks and a state, run as the run will run them, in which anything may die, fail, get lost or be put
 * back at any step.
 */
final class World {

    /** The process died. */
    static final class Died extends RuntimeException {
        Died(int step) {
            super("died at step " + step);
        }
    }

    /** How an invocation is disturbed. */
    static final class Disturbance {
        private final int diesAt;
        private final List<Integer> failing;
        private int steps;

        /**
         * @param diesAt the step at which the process dies; negative: never
         * @param failing which sink's transaction fails, pass by pass; beyond the list: none
         */
        Disturbance(int diesAt, List<Integer> failing) {
            this.diesAt = diesAt;
            this.failing = failing;
        }

        static Disturbance none() {
            return new Disturbance(-1, List.of());
        }

        private void step() {
            if (steps++ == diesAt) {
                throw new Died(diesAt);
            }
        }

        int steps() {
            return steps;
        }

        private boolean fails(int pass, int sink) {
            return pass < failing.size() && failing.get(pass) == sink;
        }
    }

    private static final int TOO_MANY_PASSES = 300;

    private final Shape shape;
    private final SourceRows source;
    private final Map<String, ModelSink> sinks = new LinkedHashMap<>();
    private final Cursor cursor;
    private Map<String, Position> state = new HashMap<>();
    private Optional<Reconciliation.Refresh> refresh = Optional.empty();
    /** Where the cursors are; may lie where no calendar of ours reaches, so that generations have a clock of their own. */
    private Instant now;

    private Instant calendar = Instant.parse("2026-01-01T00:00:00Z");
    private @Nullable CursorValue highestCeiling;

    World(Shape shape, List<ModelSink> sinks) {
        this.shape = shape;
        this.source = shape.source();
        this.cursor = new Cursor("c", shape.column().type());
        this.now = shape.now();
        sinks.forEach(sink -> this.sinks.put(sink.name(), sink));
    }

    Shape shape() {
        return shape;
    }

    SourceRows source() {
        return source;
    }

    List<ModelSink> sinks() {
        return List.copyOf(sinks.values());
    }

    Set<String> names() {
        return Set.copyOf(sinks.keySet());
    }

    Instant now() {
        return now;
    }

    /** Time passes, or the clock steps back, by so many grains of the cursor and as many seconds of the calendar. */
    void clock(long grains) {
        now = Shape.later(now, shape.column(), grains);
        calendar = calendar.plusSeconds(grains);
    }

    Map<String, Position> state() {
        return Map.copyOf(state);
    }

    /** A row arrives so many grains above the newest one that any invocation could have seen. */
    void arrive(long grains) {
        CursorType type = shape.column().type();
        CursorValue newest = highestCeiling == null
                ? shape.at(0)
                : source.highest(CursorRange.startingAt(type.least(), highestCeiling))
                        .orElse(shape.at(0));
        CursorValue value = newest.plus(shape.column().grain().multiply(BigInteger.valueOf(grains)));
        if (value.isAbove(newest)) {
            source.add(value.units().multiply(SourceRows.finePerUnit(type)));
        }
    }

    /** State as it was once, or empty. */
    void restoreState(Map<String, Position> remembered) {
        state = new HashMap<>(remembered);
        refresh = Optional.empty();
    }

    /** {@code run --until-caught-up} of those sinks. */
    Outcome run(Set<String> selected, Sync sync, Disturbance disturbance) {
        return run(selected, sync, disturbance, false);
    }

    /** The same with {@code --full-refresh}. */
    Outcome refresh(Set<String> selected, Sync sync, Disturbance disturbance) {
        List<Long> known = new ArrayList<>();
        sinks.values().forEach(sink -> known.addAll(generations(sink, true)));
        refresh = Optional.of(new Reconciliation.Refresh(Generations.next(calendar, known), selected));
        return run(selected, sync, disturbance, true);
    }

    /**
     * How an invocation ended.
     *
     * @param atEnd whether every sink that was not refused came to the end
     * @param refused why the others did not take part in its last pass
     */
    record Outcome(boolean atEnd, Map<String, Verdict.Refused> refused) {}

    private Outcome run(Set<String> selected, Sync sync, Disturbance disturbance, boolean anew) {
        CursorValue ceiling = shape.ceiling(now).orElse(null);
        CursorValue end = ceiling == null ? sync.type().greatest() : ceiling;
        highestCeiling = highestCeiling == null ? end : CursorValue.max(highestCeiling, end);
        for (int pass = 0; ; pass++) {
            assertThat(pass).as("passes of a loop that must end").isLessThan(TOO_MANY_PASSES);
            disturbance.step();
            Map<String, Verdict> verdicts = decide(selected, anew && pass == 0);
            Map<String, Verdict.Stands> standing = new LinkedHashMap<>();
            Map<String, Verdict.Refused> refused = new LinkedHashMap<>();
            verdicts.forEach((sink, verdict) -> {
                if (verdict instanceof Verdict.Stands stands) {
                    standing.put(sink, stands);
                } else {
                    refused.put(sink, (Verdict.Refused) verdict);
                }
            });
            if (standing.isEmpty()) {
                return new Outcome(false, refused);
            }
            Pass read = pass(standing, sync, ceiling);
            disturbance.step();
            boolean failed = commit(read, standing, disturbance, pass, end);
            if (failed || read.advance().atEnd()) {
                return new Outcome(!failed, refused);
            }
        }
    }

    Map<String, Verdict> decide(Set<String> selected, boolean anew) {
        List<Standing> standings = new ArrayList<>();
        for (String name : selected) {
            Standing standing = sinks.get(name).standing(state.get(name));
            standings.add(anew ? standing.withState(fromInitial(standing)) : standing);
        }
        boolean committed = refresh.isPresent()
                && sinks.values().stream()
                        .anyMatch(sink -> Reconciliation.hasCommitted(
                                refresh.get(),
                                sink.name(),
                                state.get(sink.name()),
                                sink.content().mark()));
        Map<String, Verdict> verdicts = Reconciliation.decide(standings, refresh, committed);
        standings.forEach(standing -> Justice.assertJust(standing, verdicts.get(standing.sink())));
        return verdicts;
    }

    private Position fromInitial(Standing standing) {
        CursorValue stood = standing.mark() == null ? null : standing.mark().value();
        return new Position(cursor, refresh.orElseThrow().number(), null, null, stood, "refresh", now);
    }

    private Pass pass(Map<String, Verdict.Stands> standing, Sync sync, @Nullable CursorValue ceiling) {
        Map<String, @Nullable CursorValue> positions = new LinkedHashMap<>();
        standing.forEach((sink, stands) -> positions.put(sink, stands.position()));
        Participation participation = Participation.of(positions);
        standing.keySet().retainAll(participation.participants());
        return Pass.over(source, new Slice.From(sync, participation.lower(), ceiling, participation.nextHigher()));
    }

    /** Commits each participant's transaction, then its state; says whether one failed. */
    private boolean commit(
            Pass read, Map<String, Verdict.Stands> participants, Disturbance disturbance, int pass, CursorValue end) {
        boolean failed = false;
        List<String> names = List.copyOf(sinks.keySet());
        for (Map.Entry<String, Verdict.Stands> participant : participants.entrySet()) {
            Verdict.Stands from = participant.getValue();
            Justice.assertAdvances(source, read, from.position(), end);
            if (disturbance.fails(pass, names.indexOf(participant.getKey()))) {
                failed = true;
                continue;
            }
            sinks.get(participant.getKey()).commit(source, read, from, stood(participant.getKey(), from), end, now);
            disturbance.step();
            remember(participant.getKey(), from, read.position());
            disturbance.step();
        }
        return failed;
    }

    private void remember(String sink, Verdict.Stands from, @Nullable CursorValue position) {
        CursorValue stood = stood(sink, from);
        state.put(sink, new Position(cursor, from.generation(), from.generationStart(), position, stood, "run", now));
    }

    /** Where the sink stood when the generation began, as far as state knows. */
    @Nullable
    CursorValue stood(String sink, Verdict.Stands from) {
        Position known = state.get(sink);
        return known != null && known.generation() == from.generation() ? known.stood() : null;
    }

    /**
     * {@code state set} and {@code state clear} over every position: a new generation each.
     *
     * @param start where it starts, exclusive; null: at {@code initial}
     * @param reachable whether the marks can be read while editing
     */
    void edit(@Nullable CursorValue start, boolean reachable) {
        for (ModelSink sink : sinks.values()) {
            edit(sink, start, reachable);
        }
    }

    void edit(ModelSink sink, @Nullable CursorValue start, boolean reachable) {
        Position known = state.get(sink.name());
        CursorValue stood = stood(sink, known, reachable);
        long number = Generations.next(calendar, generations(sink, reachable));
        Position edited = new Position(cursor, number, start, start, stood, "edit", now);
        boolean sees = reachable && sink.keepsMarks();
        Verdict verdict = Reconciliation.decide(List.of(sink.standing(edited)), Optional.empty(), false)
                .get(sink.name());
        if (sees
                && verdict instanceof Verdict.Refused refused
                && refused.disagreement() == Verdict.Disagreement.BACK_IN_APPEND) {
            return;
        }
        if (!sink.keepsMarks() && start != null) {
            boolean nowhere = known == null || known.value() == null;
            sink.skip(
                    nowhere
                            ? CursorRange.startingAt(start.type().least(), start)
                            : CursorRange.above(known.value(), start));
        }
        state.put(sink.name(), edited);
    }

    /** Where the sink stood: by its mark, or as far as state knows without the edits no pass has carried. */
    private static @Nullable CursorValue stood(ModelSink sink, @Nullable Position known, boolean reachable) {
        if (reachable && sink.keepsMarks()) {
            Mark mark = sink.content().mark();
            return mark == null ? null : mark.value();
        }
        if (known == null) {
            return null;
        }
        return known.runId().equals("edit") ? known.stood() : known.value();
    }

    private List<Long> generations(ModelSink sink, boolean reachable) {
        List<Long> known = new ArrayList<>();
        if (state.containsKey(sink.name())) {
            known.add(state.get(sink.name()).generation());
        }
        if (reachable && sink.content().mark() != null) {
            known.add(sink.content().mark().generation());
        }
        return known;
    }
}
