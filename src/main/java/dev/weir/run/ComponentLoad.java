package dev.weir.run;

import dev.weir.connector.Source;
import dev.weir.fault.RunException;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Advance;
import dev.weir.slicing.Participation;
import dev.weir.slicing.Slice;
import dev.weir.state.ActiveRanges;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** One pass of one component: what its sinks say, a slice of each source, and a commit in each connection. */
final class ComponentLoad {

    private final Invocation invocation;
    private final Pass.Shared shared;
    private final Journal journal;
    private final Component component;
    private final boolean firstPass;
    private final Map<String, Journal.Node> told = new LinkedHashMap<>();
    private final Map<String, Turn> turns = new LinkedHashMap<>();

    /** The names of sinks that did not come through. */
    private final Set<String> failedSinks = new HashSet<>();

    /** The ids of sources that could not be read, or whose sinks' positions could not be remembered. */
    private final Set<String> failedSources = new HashSet<>();

    ComponentLoad(Invocation invocation, Pass.Shared shared, Journal journal, Component component, boolean firstPass) {
        this.invocation = invocation;
        this.shared = shared;
        this.journal = journal;
        this.component = component;
        this.firstPass = firstPass;
    }

    /**
     * How the pass came out for a component.
     *
     * @param failed whether a source, or a sink below one, failed
     * @param caughtUp whether nothing is left below the ceiling of any source with a stop, for any selected sink
     * @param moved whether a sink delivered rows or moved
     * @param heldBack whether a source may not be read as far as it could be
     */
    record Result(boolean failed, boolean caughtUp, boolean moved, boolean heldBack) {}

    /** @param blocked pipelines that cannot run, by name, with the node above them that failed */
    Result run(Map<String, String> blocked) {
        skip(blocked);
        Component ready = component.without(blocked.keySet());
        component.sources().stream()
                .filter(source -> !ready.sources().contains(source))
                .forEach(source -> journal.started(source.node()).leftOut("nothing below it can be loaded"));
        if (ready.pipelines().isEmpty()) {
            return new Result(true, false, false, false);
        }
        ready.sources().forEach(source -> told.put(source.node().id(), journal.started(source.node())));
        Comparison.Compared compared;
        ActiveRanges.Held range;
        try {
            compared = new Comparison(invocation.scope(), journal.runId(), ready)
                    .compare(shared.options().fullRefresh() && firstPass);
            invocation.faults().reached(Faults.Point.COMPARED);
            new Adoption(invocation).of(ready, compared);
            range = shared.ranges().enter(journal.runId(), ready, compared);
        } catch (RuntimeException e) {
            told.values().forEach(node -> node.failed(e));
            ready.pipelines()
                    .forEach(pipeline -> skip(
                            pipeline.sinks(), pipeline.scopedSources().get(0).id()));
            return new Result(true, false, false, false);
        }
        try (range) {
            return load(ready, compared.without(new SliceGuard(invocation.scope()).refused(ready, compared)));
        }
    }

    private Result load(Component ready, Comparison.Compared compared) {
        tellRefused(ready, compared.refused());
        ready.sources().forEach(source -> read(source, compared));
        skipBelowFailedSources(ready);
        if (component.readsAnew()) {
            shared.fullReads().forget(ready.pipelines());
            skip(shared.fullReads().prepare(journal, ready.pipelines()));
        }
        invocation.faults().reached(Faults.Point.STAGED);
        Bindings bindings = shared.bindings().now();
        Component today = ready.in(bindings);
        tellRefused(ready, bindings.failedSinks());
        SliceCommit commit = new SliceCommit(invocation, journal, bindings, today, compared, turns, shared.times());
        boolean moved = commit(commit);
        report(today, commit);
        boolean failed = isFailed(commit);
        return new Result(failed, !failed && isCaughtUp(), moved, isHeldBack());
    }

    private boolean commit(SliceCommit commit) {
        long began = System.nanoTime();
        boolean moved = commit.run(failedSinks, failedSources, shared.options().failFast());
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        for (Turn turn : turns.values()) {
            shared.widths().failed(turn.source(), commit.failures(turn.source()));
            if (hasCommitted(turn.source(), commit)) {
                shared.widths().committed(turn, turn.read().took().plus(took));
            }
        }
        return moved;
    }

    private void skip(Map<String, String> blocked) {
        component.pipelines().stream()
                .filter(pipeline -> blocked.containsKey(pipeline.name()))
                .forEach(pipeline -> skip(pipeline.sinks(), blocked.get(pipeline.name())));
    }

    private void skip(List<BoundSink> sinks, String above) {
        for (BoundSink sink : sinks) {
            if (failedSinks.add(sink.name())) {
                journal.started(sink.node()).skipped(above);
            }
        }
    }

    private void tellRefused(Component ready, Map<String, RunException> refused) {
        ready.pipelines().stream()
                .flatMap(pipeline -> pipeline.sinks().stream())
                .filter(sink -> refused.containsKey(sink.name()) && failedSinks.add(sink.name()))
                .forEach(sink -> journal.started(sink.node()).failed(refused.get(sink.name())));
    }

    private void read(BoundSource source, Comparison.Compared compared) {
        Journal.Node node = told.get(source.node().id());
        List<Comparison.Ready> sinks = compared.of(source);
        if (sinks.isEmpty()) {
            node.paused();
            return;
        }
        node.resumed();
        try {
            SourceTime time = shared.times().get(source.node().id());
            time.check();
            Participation participation = Participation.of(compared.positions(source));
            Turn turn =
                    shared.bindings().reading(source.node(), bound -> turn(bound, node, time, participation, sinks));
            node.outside(turn.read().outside());
            turns.put(source.node().id(), turn);
            shared.widths().read(turn);
            node.paused();
        } catch (RuntimeException e) {
            failedSources.add(source.node().id());
            node.failed(e);
        }
    }

    /** What is at its end below writers under way waits for them, and goes on where that takes it further. */
    private Turn turn(
            BoundSource source,
            Journal.Node node,
            SourceTime time,
            Participation participation,
            List<Comparison.Ready> sinks) {
        Function<BoundSource, SliceReader.Asked> asking =
                sized -> SliceReader.Asked.of(sized, time, participation, sinks, firstPass);
        SliceReader.Asked asked = asking.apply(source);
        if (asked.slice() instanceof Slice.Nothing && time.settle()) {
            return turn(source, node, time, participation, sinks);
        }
        SliceReader.Read read = asked.isNothing()
                ? SliceReader.Read.nothing(asked.slice())
                : read(
                        source,
                        node,
                        opened -> asking.apply(
                                shared.widths().sized(source, opened, participation.lower(), time.ceiling())));
        Advance advance = Advance.of(read.slice(), participation.lower(), read.rows(), read.max(), read.next());
        return advance.atEnd() && time.settle()
                ? turn(source, node, time, participation, sinks)
                : new Turn(source, participation, read, advance);
    }

    /** Each attempt decides anew what it asks: a window that took too long is narrower the next time. */
    private SliceReader.Read read(BoundSource source, Journal.Node node, Function<Source, SliceReader.Asked> asking) {
        String connection = source.node().connection();
        SliceReader reader = new SliceReader(invocation.engine());
        return invocation
                .connections()
                .retries(connection)
                .run(
                        () -> {
                            invocation.cancellation().check();
                            invocation.connections().pace(connection);
                            try {
                                return invocation
                                        .connections()
                                        .reading(
                                                connection,
                                                opened -> reader.read(source, opened, asking.apply(opened), rows -> {
                                                    invocation.faults().reached(Faults.Point.MID_READ);
                                                    node.progress(rows);
                                                }));
                            } catch (RunException e) {
                                shared.widths().failed(source, List.of(e));
                                throw e;
                            }
                        },
                        node.retries());
    }

    private void skipBelowFailedSources(Component ready) {
        for (BoundPipeline pipeline : ready.pipelines()) {
            pipeline.scopedSources().stream()
                    .map(SourceNode::id)
                    .filter(failedSources::contains)
                    .findFirst()
                    .ifPresent(source -> skip(pipeline.sinks(), source));
        }
    }

    private void report(Component ready, SliceCommit commit) {
        for (BoundSource source : ready.sources()) {
            String id = source.node().id();
            Journal.Node node = told.get(id);
            if (failedSources.contains(id)) {
                commit.stateFailure(id).ifPresent(node::failed);
                continue;
            }
            node.resumed();
            Turn turn = turns.get(id);
            if (turn == null) {
                node.succeeded(0, null);
            } else {
                new SourceReport(journal, turn, shared.times().get(id))
                        .tell(node, commit.positions(source), !hasCommitted(source, commit));
            }
        }
    }

    /** Whether every selected sink below a source came through, those included that could not even be bound. */
    private boolean hasCommitted(BoundSource source, SliceCommit commit) {
        return invocation.plan().below(source.node()).stream()
                .flatMap(pipeline -> pipeline.sinks().stream().map(sink -> BoundSink.name(pipeline.name(), sink)))
                .allMatch(commit.committed()::contains);
    }

    private boolean isFailed(SliceCommit commit) {
        return !failedSources.isEmpty()
                || !component.sources().stream().allMatch(source -> hasCommitted(source, commit));
    }

    private boolean isHeldBack() {
        return component.sources().stream()
                .anyMatch(source ->
                        shared.times().get(source.node().id()).heldBack().isPresent());
    }

    private boolean isCaughtUp() {
        return component.sources().stream()
                .filter(source -> source.incremental().orElseThrow().sync().hasStop())
                .allMatch(source -> turns.get(source.node().id()).advance().atEnd());
    }
}
