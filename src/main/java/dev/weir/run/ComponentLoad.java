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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One pass of one component: what its sinks say, a slice of each source, and a commit in each connection. */
final class ComponentLoad {

    private final Invocation invocation;
    private final Pass.Shared shared;
    private final Journal journal;
    private final Component component;
    private final int pass;
    private final Map<String, Journal.Node> told = new LinkedHashMap<>();
    private final Map<String, Turn> turns = new LinkedHashMap<>();

    /** What the pass before has begun to read for this one. */
    private Optional<ReadAhead.Begun> begun = Optional.empty();

    private ActiveRanges.@Nullable Held range;

    /** What is being read for the next pass, to which the range passes over. */
    private Optional<ReadAhead.Begun> next = Optional.empty();

    /** The names of sinks that did not come through. */
    private final Set<String> failedSinks = new HashSet<>();

    /** The ids of sources that could not be read, or whose sinks' positions could not be remembered. */
    private final Set<String> failedSources = ConcurrentHashMap.newKeySet();

    /** @param pass which one of the invocation, from 1 */
    ComponentLoad(Invocation invocation, Pass.Shared shared, Journal journal, Component component, int pass) {
        this.invocation = invocation;
        this.shared = shared;
        this.journal = journal;
        this.component = component;
        this.pass = pass;
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
        begun = shared.ahead().take(ready);
        Comparison.Compared compared;
        try {
            compared = new Comparison(invocation.scope(), journal.runId(), ready)
                    .compare(shared.options().fullRefresh() && pass == 1);
            invocation.faults().reached(Faults.Point.COMPARED);
            new Adoption(invocation).of(ready, compared);
            enter(ready, compared);
        } catch (RuntimeException e) {
            leave();
            told.values().forEach(node -> node.failed(e));
            ready.pipelines()
                    .forEach(pipeline -> skip(
                            pipeline.sinks(), pipeline.scopedSources().get(0).id()));
            return new Result(true, false, false, false);
        }
        try {
            return load(ready, compared.without(new SliceGuard(invocation.scope()).refused(ready, compared)));
        } finally {
            leave();
        }
    }

    /** Has nobody else load what this pass does; who was kept out since the pass before is not let in between. */
    private void enter(Component ready, Comparison.Compared compared) {
        if (begun.isPresent() && !shared.ranges().holds(ready, compared)) {
            begun.get().close();
            begun = Optional.empty();
        }
        range = begun.isPresent()
                ? begun.get().range()
                : shared.ranges().enter(journal.runId(), ready, compared, shared.ahead()::letGo);
    }

    /** Frees what the next pass has no use for. */
    private void leave() {
        begun.ifPresent(ReadAhead.Begun::rest);
        if (next.isPresent()) {
            shared.ahead().keep(next.get());
        } else if (range != null) {
            range.close();
        } else {
            begun.ifPresent(ReadAhead.Begun::close);
        }
    }

    private Result load(Component ready, Comparison.Compared compared) {
        tellRefused(ready, compared.refused());
        readAll(ready, compared);
        skipBelowFailedSources(ready);
        if (component.readsAnew()) {
            shared.fullReads().forget(ready.pipelines());
            skip(shared.fullReads().prepare(journal, ready.pipelines()));
        }
        invocation.faults().reached(Faults.Point.STAGED);
        Bindings bindings = shared.bindings().now();
        Component today = ready.in(bindings);
        tellRefused(ready, bindings.failedSinks());
        goOn(ready, compared);
        SliceCommit commit = new SliceCommit(
                invocation, journal, bindings, today, compared, turns, shared.times(), shared.workers());
        boolean moved = commit(commit);
        report(today, commit);
        boolean failed = isFailed(commit);
        return new Result(failed, !failed && isCaughtUp(), moved, isHeldBack());
    }

    /** Where all is well so far, the next slices are read while the sinks are at work on these. */
    private void goOn(Component ready, Comparison.Compared compared) {
        begun.ifPresent(ReadAhead.Begun::rest);
        begun = Optional.empty();
        if (failedSinks.isEmpty()
                && failedSources.isEmpty()
                && range != null
                && shared.options().goesOnAfter(pass)) {
            ReadAhead.Now now = new ReadAhead.Now(ready, compared, turns, shared.times());
            next = shared.ahead().begin(now, range, () -> shared.ranges().mayKeep(ready));
        }
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

    private void readAll(Component ready, Comparison.Compared compared) {
        List<Supplier<Optional<Turn>>> reads = ready.sources().stream()
                .<Supplier<Optional<Turn>>>map(source -> () -> read(source, compared))
                .toList();
        List<Optional<Turn>> all = shared.workers().all(reads);
        for (Optional<Turn> one : all) {
            one.ifPresent(turn -> turns.put(turn.source().node().id(), turn));
        }
    }

    /** Empty: no sink takes part, or it failed, which is told. */
    private Optional<Turn> read(BoundSource source, Comparison.Compared compared) {
        Journal.Node node = told.get(source.node().id());
        List<Comparison.Ready> sinks = compared.of(source);
        if (sinks.isEmpty()) {
            node.paused();
            return Optional.empty();
        }
        node.resumed();
        try {
            SourceTime time = shared.times().get(source.node().id());
            time.check();
            Participation participation = Participation.of(compared.positions(source));
            Turn turn = begun.flatMap(slices -> slices.turn(
                            shared.bindings().now().sources().get(source.node().id()), participation, node))
                    .orElseGet(() -> shared.bindings()
                            .reading(source.node(), bound -> turn(bound, node, time, participation, sinks)));
            node.outside(turn.read().outside());
            shared.widths().read(turn);
            node.paused();
            return Optional.of(turn);
        } catch (RuntimeException e) {
            failedSources.add(source.node().id());
            node.failed(e);
            return Optional.empty();
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
                sized -> component.asks(sized, time, participation, sinks, pass == 1);
        SliceReader.Asked asked = asking.apply(source);
        if (asked.slice() instanceof Slice.Nothing && time.settle()) {
            return turn(source, node, time, participation, sinks);
        }
        SliceReader.Read read = asked.isNothing()
                ? SliceReader.Read.nothing(asked)
                : read(
                        source,
                        node,
                        opened -> asking.apply(
                                shared.widths().sized(source, opened, participation.lower(), time.ceiling())));
        Advance advance = Advance.of(read.slice(), participation.lower(), read.rows(), read.max(), read.next());
        if (advance.atEnd() && time.settle()) {
            read.forgetRaw();
            return turn(source, node, time, participation, sinks);
        }
        return new Turn(source, participation, read, advance);
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
                                return reader.compared(invocation
                                        .connections()
                                        .reading(
                                                connection,
                                                opened -> reader.read(source, opened, asking.apply(opened), rows -> {
                                                    invocation.faults().reached(Faults.Point.MID_READ);
                                                    node.progress(rows);
                                                })));
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
