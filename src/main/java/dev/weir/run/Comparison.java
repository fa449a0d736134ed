package dev.weir.run;

import dev.weir.fault.RunException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.SinkNode;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Generations;
import dev.weir.slicing.Mark;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Reconciliation;
import dev.weir.slicing.Reconciliation.Refresh;
import dev.weir.slicing.Standing;
import dev.weir.slicing.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks the sinks below a component's sources where they stand, and has it compared with state. Changes nothing. */
final class Comparison {

    private final Scope scope;
    private final String runId;
    private final Component component;
    private final Map<String, RunException> refused = new LinkedHashMap<>();

    Comparison(Scope scope, String runId, Component component) {
        this.scope = scope;
        this.runId = runId;
        this.component = component;
    }

    /** A sink that takes part, and where it stands in one source. */
    record Ready(SinkFacts facts, Verdict.Stands stands) {
        BoundSink sink() {
            return facts.sink();
        }

        String name() {
            return facts.sink().name();
        }
    }

    /**
     * Where the sinks stand.
     *
     * @param ready by the source's id; a sink that was refused for one source takes part in none
     * @param refused by the sink's name; the others run as if it were not selected
     * @param refreshes the number of the full refresh that begins, by the source's id; empty: none does
     */
    record Compared(Map<String, List<Ready>> ready, Map<String, RunException> refused, Map<String, Long> refreshes) {

        /** The same without sinks that were refused since. */
        Compared without(Map<String, RunException> others) {
            Map<String, List<Ready>> left = new LinkedHashMap<>();
            ready.forEach((id, sinks) -> left.put(
                    id,
                    sinks.stream()
                            .filter(sink -> !others.containsKey(sink.name()))
                            .toList()));
            Map<String, RunException> all = new LinkedHashMap<>(refused);
            all.putAll(others);
            return new Compared(left, all, refreshes);
        }

        List<Ready> of(BoundSource source) {
            return ready.get(source.node().id());
        }

        /** Where each sink stands in a source, by the sink's name. */
        Map<String, @Nullable CursorValue> positions(BoundSource source) {
            Map<String, @Nullable CursorValue> positions = new LinkedHashMap<>();
            of(source).forEach(sink -> positions.put(sink.name(), sink.stands().position()));
            return positions;
        }
    }

    /** @param fullRefresh whether the sinks start over */
    Compared compare(boolean fullRefresh) {
        Map<String, List<Ready>> decided = new LinkedHashMap<>();
        Map<String, Long> refreshes = new LinkedHashMap<>();
        for (BoundSource source : component.sources()) {
            List<Ready> ready = fullRefresh ? startOver(source, refreshes) : compare(source);
            decided.put(source.node().id(), ready);
        }
        Map<String, List<Ready>> ready = new LinkedHashMap<>();
        decided.forEach((id, sinks) -> ready.put(
                id,
                sinks.stream().filter(sink -> !refused.containsKey(sink.name())).toList()));
        return new Compared(ready, refused, refreshes);
    }

    private List<Ready> compare(BoundSource source) {
        Map<PositionKey, Position> state = state(source);
        Optional<Refresh> noted = noted(source);
        List<SinkFacts> found = new ArrayList<>();
        for (BoundSink sink : component.sinks(source)) {
            Position remembered = remembered(source, sink, state, noted);
            facts(source, sink, remembered).ifPresent(found::add);
        }
        return decided(
                source,
                found,
                Reconciliation.decide(standings(found), noted, isCommitted(source, noted, state, found)));
    }

    private List<Ready> startOver(BoundSource source, Map<String, Long> refreshes) {
        long number = nextGeneration(source);
        List<SinkFacts> found = new ArrayList<>();
        for (BoundSink sink : component.sinks(source)) {
            facts(source, sink, startingOver(source, number)).ifPresent(found::add);
        }
        long above = found.stream()
                .map(facts -> facts.standing().mark())
                .filter(mark -> mark != null)
                .mapToLong(mark -> Math.addExact(mark.generation(), 1))
                .reduce(number, Math::max);
        found.replaceAll(facts ->
                new SinkFacts(facts.sink(), facts.key(), facts.standing().withState(startingOver(source, above))));
        refreshes.put(source.node().id(), above);
        return decided(source, found, Reconciliation.decide(standings(found), Optional.empty(), false));
    }

    private static List<Standing> standings(List<SinkFacts> found) {
        return found.stream().map(SinkFacts::standing).toList();
    }

    private Map<PositionKey, Position> state(BoundSource source) {
        return scope.remembered().positions(source.node().key());
    }

    private Optional<Refresh> noted(BoundSource source) {
        return scope.remembered().refresh(source.node().key());
    }

    private long nextGeneration(BoundSource source) {
        List<Long> known = new ArrayList<>(
                state(source).values().stream().map(Position::generation).toList());
        noted(source).ifPresent(refresh -> known.add(refresh.number()));
        return Generations.next(scope.clock().instant(), known);
    }

    /** Empty when the sink does not answer or its position is of another cursor. */
    private Optional<SinkFacts> facts(BoundSource source, BoundSink sink, @Nullable Position remembered) {
        String connection = sink.node().connection();
        PositionKey key = sink.key(scope.plan().project(), source.node().key());
        Cursor cursor = source.incremental().orElseThrow().cursor();
        try {
            return Optional.of(scope.connections()
                    .retries(connection)
                    .run(
                            () -> {
                                scope.cancellation().check();
                                return scope.connections()
                                        .writing(
                                                connection,
                                                opened -> SinkFacts.read(
                                                        sink, key, opened, cursor, scope.whole(), remembered));
                            },
                            Retries.Listener.SILENT));
        } catch (RunException e) {
            refused.putIfAbsent(sink.name(), e);
            return Optional.empty();
        }
    }

    /**
     * What state remembers of a sink. A position of a former cursor is not compared with anything when the sink has
     * yet to take up a full refresh that another has committed: it starts over.
     */
    private @Nullable Position remembered(
            BoundSource source, BoundSink sink, Map<PositionKey, Position> state, Optional<Refresh> noted) {
        Cursor cursor = source.incremental().orElseThrow().cursor();
        Position known =
                state.get(sink.key(scope.plan().project(), source.node().key()));
        if (known == null || known.cursor().equals(cursor) || noted.isEmpty()) {
            return known;
        }
        long number = noted.get().number();
        boolean committed = state.values().stream().anyMatch(position -> position.generation() == number);
        boolean takesUp = noted.get().sinks().contains(sink.name()) && known.generation() < number;
        return committed && takesUp ? startingOver(source, number) : known;
    }

    private Position startingOver(BoundSource source, long number) {
        Cursor cursor = source.incremental().orElseThrow().cursor();
        return new Position(
                cursor, number, null, null, null, runId, scope.clock().instant());
    }

    private boolean isCommitted(
            BoundSource source, Optional<Refresh> noted, Map<PositionKey, Position> state, List<SinkFacts> found) {
        if (noted.isEmpty()) {
            return false;
        }
        boolean here = found.stream()
                .anyMatch(facts -> Reconciliation.hasCommitted(
                        noted.get(),
                        facts.standing().sink(),
                        facts.standing().state(),
                        facts.standing().mark()));
        return here || elsewhere(source, noted.get(), state, found);
    }

    /** Sinks that are not selected: by state, and by their marks where they can be asked. */
    private boolean elsewhere(
            BoundSource source, Refresh noted, Map<PositionKey, Position> state, List<SinkFacts> found) {
        Set<String> selected = new HashSet<>();
        found.forEach(facts -> selected.add(facts.standing().sink()));
        for (PipelineNode pipeline : scope.whole().below(source.node())) {
            for (SinkNode node : pipeline.sinks()) {
                BoundSink other = new BoundSink(pipeline.name(), node, Optional.empty());
                if (!noted.sinks().contains(other.name()) || selected.contains(other.name())) {
                    continue;
                }
                PositionKey key =
                        other.key(scope.plan().project(), source.node().key());
                if (Reconciliation.hasCommitted(noted, other.name(), state.get(key), mark(node, key))) {
                    return true;
                }
            }
        }
        return false;
    }

    private @Nullable Mark mark(SinkNode node, PositionKey key) {
        if (!scope.connections().has(node.connection())) {
            return null;
        }
        try {
            return scope.connections()
                    .writing(node.connection(), sink -> sink.mark(node.table(), key))
                    .orElse(null);
        } catch (RunException e) {
            return null;
        }
    }

    private List<Ready> decided(BoundSource source, List<SinkFacts> found, Map<String, Verdict> verdicts) {
        List<Ready> ready = new ArrayList<>();
        for (SinkFacts facts : found) {
            Verdict verdict = verdicts.get(facts.standing().sink());
            if (verdict instanceof Verdict.Refused no) {
                refused.putIfAbsent(
                        facts.sink().name(),
                        Refusals.of(facts.sink(), source.node().key(), no));
            } else if (verdict instanceof Verdict.Stands stands) {
                ready.add(new Ready(facts, stands));
            }
        }
        return ready;
    }
}
