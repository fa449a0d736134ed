package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.event.NodeKind;
import dev.weir.fault.RunException;
import dev.weir.plan.PipelineNode;
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

/** Asks the sinks below a source where they stand, and has it compared with state. */
final class SinkComparison {

    private final Invocation invocation;
    private final Journal journal;
    private final BoundSource bound;
    private final List<BoundPipeline> pipelines;
    private final Set<BoundPipeline> refused = new HashSet<>();

    SinkComparison(Invocation invocation, Journal journal, BoundSource bound, List<BoundPipeline> pipelines) {
        this.invocation = invocation;
        this.journal = journal;
        this.bound = bound;
        this.pipelines = pipelines;
    }

    /** A sink that takes part, and where it stands. */
    record Ready(SinkFacts facts, Verdict.Stands stands) {
        String name() {
            return facts.standing().sink();
        }

        boolean tableExists() {
            return facts.standing().table() != Standing.Table.GONE;
        }
    }

    /** @param anyRefused whether a sink failed already; the others run as if it were not selected */
    record Compared(List<Ready> ready, boolean anyRefused) {

        boolean isEmpty() {
            return ready.isEmpty();
        }

        Map<String, @Nullable CursorValue> positions() {
            Map<String, @Nullable CursorValue> positions = new LinkedHashMap<>();
            ready.forEach(sink -> positions.put(sink.name(), sink.stands().position()));
            return positions;
        }
    }

    /** Whether nothing was told of this pipeline's sink yet. */
    boolean isUndecided(BoundPipeline pipeline) {
        return !refused.contains(pipeline);
    }

    /** @param fullRefresh whether the sinks start over, which is noted before anything is committed */
    Compared compare(boolean fullRefresh) {
        Map<PositionKey, Position> state = invocation
                .state()
                .positions(invocation.plan().project(), bound.node().key());
        Optional<Refresh> noted = invocation
                .state()
                .refresh(invocation.plan().project(), bound.node().key());
        long number = fullRefresh ? nextGeneration(state, noted) : 0;
        List<SinkFacts> found = new ArrayList<>();
        for (BoundPipeline pipeline : pipelines) {
            facts(pipeline, state, noted, fullRefresh ? Optional.of(number) : Optional.empty())
                    .ifPresent(found::add);
        }
        if (fullRefresh) {
            number = above(number, found);
            found = startingOver(found, number);
        }
        List<Standing> standings = found.stream().map(SinkFacts::standing).toList();
        Map<String, Verdict> verdicts = fullRefresh
                ? Reconciliation.decide(standings, Optional.empty(), false)
                : Reconciliation.decide(standings, noted, isCommitted(noted, state, found));
        List<Ready> ready = decided(found, verdicts);
        if (fullRefresh && !ready.isEmpty()) {
            Set<String> names = new HashSet<>();
            ready.forEach(sink -> names.add(sink.name()));
            invocation
                    .state()
                    .noteRefresh(invocation.plan().project(), bound.node().key(), new Refresh(number, names));
        }
        return new Compared(ready, ready.size() < pipelines.size());
    }

    private Cursor cursor() {
        return bound.incremental().orElseThrow().cursor();
    }

    private long nextGeneration(Map<PositionKey, Position> state, Optional<Refresh> noted) {
        List<Long> known = new ArrayList<>(
                state.values().stream().map(Position::generation).toList());
        noted.ifPresent(refresh -> known.add(refresh.number()));
        return Generations.next(invocation.clock().instant(), known);
    }

    private static long above(long number, List<SinkFacts> found) {
        return found.stream()
                .map(facts -> facts.standing().mark())
                .filter(mark -> mark != null)
                .mapToLong(mark -> Math.addExact(mark.generation(), 1))
                .reduce(number, Math::max);
    }

    /** Empty when the sink does not answer or its position is of another cursor, which is told. */
    private Optional<SinkFacts> facts(
            BoundPipeline pipeline, Map<PositionKey, Position> state, Optional<Refresh> noted, Optional<Long> refresh) {
        PositionKey key = invocation.key(pipeline, bound.node().key());
        Position remembered = refresh.map(this::startingOver).orElseGet(() -> remembered(pipeline, key, state, noted));
        try {
            return Optional.of(
                    invocation.retries().run(() -> ask(pipeline, key, remembered), (attempt, delay, reason) -> {}));
        } catch (RunException e) {
            fail(pipeline, e);
            return Optional.empty();
        }
    }

    /**
     * What state remembers of a sink. A position of a former cursor is not compared with anything when the sink has
     * yet to take up a full refresh that another has committed: it starts over.
     */
    private @Nullable Position remembered(
            BoundPipeline pipeline, PositionKey key, Map<PositionKey, Position> state, Optional<Refresh> noted) {
        Position known = state.get(key);
        if (known == null || known.cursor().equals(cursor()) || noted.isEmpty()) {
            return known;
        }
        long number = noted.get().number();
        boolean committed = state.values().stream().anyMatch(position -> position.generation() == number);
        boolean takesUp = noted.get().sinks().contains(SinkFacts.name(pipeline)) && known.generation() < number;
        return committed && takesUp ? startingOver(number) : known;
    }

    private SinkFacts ask(BoundPipeline pipeline, PositionKey key, @Nullable Position remembered) {
        invocation.cancellation().check();
        String connection = pipeline.node().sink().connection();
        try {
            Sink sink = invocation.connections().sink(connection);
            return SinkFacts.read(pipeline, key, sink, cursor(), remembered);
        } catch (RunException e) {
            if (e.isRetryable()) {
                invocation.connections().resetSink(connection);
            }
            throw e;
        }
    }

    private Position startingOver(long number) {
        return new Position(
                cursor(),
                number,
                null,
                null,
                null,
                journal.runId(),
                invocation.clock().instant());
    }

    private List<SinkFacts> startingOver(List<SinkFacts> found, long number) {
        return found.stream()
                .map(facts -> new SinkFacts(
                        facts.pipeline(), facts.key(), facts.standing().withState(startingOver(number))))
                .toList();
    }

    private boolean isCommitted(Optional<Refresh> noted, Map<PositionKey, Position> state, List<SinkFacts> found) {
        if (noted.isEmpty()) {
            return false;
        }
        boolean here = found.stream()
                .anyMatch(facts -> Reconciliation.hasCommitted(
                        noted.get(),
                        facts.standing().sink(),
                        facts.standing().state(),
                        facts.standing().mark()));
        return here || elsewhere(noted.get(), state, found);
    }

    /** Sinks that are not selected: by state, and by their marks where they can be asked. */
    private boolean elsewhere(Refresh noted, Map<PositionKey, Position> state, List<SinkFacts> found) {
        Set<String> selected = new HashSet<>();
        found.forEach(facts -> selected.add(facts.standing().sink()));
        for (PipelineNode pipeline : invocation.whole().below(bound.node())) {
            BoundPipeline other = new BoundPipeline(pipeline, List.of(), Optional.empty());
            String name = SinkFacts.name(other);
            if (!noted.sinks().contains(name) || selected.contains(name)) {
                continue;
            }
            PositionKey key = invocation.key(other, bound.node().key());
            if (Reconciliation.hasCommitted(noted, name, state.get(key), mark(pipeline, key))) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Mark mark(PipelineNode pipeline, PositionKey key) {
        if (!invocation.plan().connections().containsKey(pipeline.sink().connection())) {
            return null;
        }
        try {
            return invocation
                    .connections()
                    .sink(pipeline.sink().connection())
                    .mark(pipeline.sink().table(), key)
                    .orElse(null);
        } catch (RunException e) {
            return null;
        }
    }

    private List<Ready> decided(List<SinkFacts> found, Map<String, Verdict> verdicts) {
        List<Ready> ready = new ArrayList<>();
        for (SinkFacts facts : found) {
            Verdict verdict = verdicts.get(facts.standing().sink());
            if (verdict instanceof Verdict.Refused no) {
                fail(
                        facts.pipeline(),
                        Refusals.of(facts.pipeline().node().sink(), bound.node().key(), no));
            } else if (verdict instanceof Verdict.Stands stands) {
                say(facts, stands);
                ready.add(new Ready(facts, stands));
            }
        }
        return ready;
    }

    /** An adopted mark is remembered at once, and what was not as expected is said. */
    private void say(SinkFacts facts, Verdict.Stands stands) {
        Standing standing = facts.standing();
        String sink = facts.pipeline().node().sink().id();
        switch (stands.reason()) {
            case ADOPT -> {
                Position state = standing.state();
                Mark mark = standing.mark();
                invocation
                        .notes()
                        .accept(sink + ": state said " + (state == null ? "nothing" : shown(state.value()))
                                + ", the sink's mark says " + shown(mark.value()) + ": the mark is adopted");
                invocation.save(
                        facts.key(),
                        new Position(
                                mark.cursor(),
                                mark.generation(),
                                mark.generationStart(),
                                mark.value(),
                                state != null && state.generation() == mark.generation() ? state.stood() : null,
                                mark.runId(),
                                mark.committedAt()));
            }
            case START -> {
                if (standing.mark() == null && standing.table() == Standing.Table.ROWS) {
                    invocation
                            .notes()
                            .accept(sink + ": the table holds rows and no mark, so loading starts at "
                                    + (stands.position() == null ? "initial" : stands.position()));
                }
            }
            case REFRESH ->
                invocation.notes().accept(sink + ": takes up the full refresh that another sink has committed");
            case AGREE, STATE -> {}
        }
    }

    private static String shown(@Nullable CursorValue value) {
        return value == null ? "nothing" : value.toString();
    }

    private void fail(BoundPipeline pipeline, RunException e) {
        refused.add(pipeline);
        journal.started(pipeline.node().sink().id(), NodeKind.SINK_WRITE).failed(e);
    }
}
