package dev.weir.run;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Cursor;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settles a plan with the systems it connects to: sources first, then each pipeline behind those it reads. */
final class Binding {

    private final Plan plan;
    private final Connections connections;
    private final PipelineBinder binder;
    private final Cancellation cancellation;
    private final Clock clock;
    private final Map<String, BoundSource> sources = new LinkedHashMap<>();
    private final Map<String, Bindings.Clocks> clocks = new LinkedHashMap<>();
    private final Map<String, RunException> failedSources = new LinkedHashMap<>();
    private final Map<String, BoundPipeline> pipelines = new LinkedHashMap<>();
    private final Map<String, RunException> failedSinks = new LinkedHashMap<>();
    private final List<Fault> faults = new ArrayList<>();

    Binding(Plan plan, Connections connections, PipelineBinder binder, Cancellation cancellation, Clock clock) {
        this.plan = plan;
        this.connections = connections;
        this.binder = binder;
        this.cancellation = cancellation;
        this.clock = clock;
    }

    Bindings bind() {
        plan.sources().forEach(this::bind);
        plan.pipelines().forEach(this::bind);
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
        return new Bindings(sources, clocks, List.copyOf(pipelines.values()), failedSources, failedSinks);
    }

    /** What was bound before, a source of it and the pipelines that read it bound anew. */
    Bindings bindAnew(Bindings before, SourceNode changed) {
        sources.putAll(before.sources());
        clocks.putAll(before.clocks());
        failedSources.putAll(before.failedSources());
        failedSinks.putAll(before.failedSinks());
        BoundSource stale = sources.remove(changed.id());
        bind(changed);
        failedByFaults().ifPresent(failure -> failedSources.put(changed.id(), failure));
        Optional.ofNullable(sources.get(changed.id())).ifPresent(renewed -> refuseOtherCursor(stale, renewed));
        for (PipelineNode node : plan.pipelines()) {
            Optional<BoundPipeline> bound = before.pipeline(node.name());
            if (bound.isPresent() && bound.get().reads(changed)) {
                bind(node);
                failedByFaults().ifPresent(failure -> node.sinks()
                        .forEach(sink -> failedSinks.put(BoundSink.name(node.name(), sink), failure)));
            } else {
                bound.ifPresent(same -> pipelines.put(node.name(), same));
            }
        }
        return new Bindings(sources, clocks, List.copyOf(pipelines.values()), failedSources, failedSinks);
    }

    /** What is wrong with the project now that the run is under way: a failure of the run. */
    private Optional<RunException> failedByFaults() {
        Optional<RunException> failure = faults.stream().findFirst().map(RunException::new);
        faults.clear();
        return failure;
    }

    /** Positions belong to a cursor of one type; what follows from another one is decided when a run begins. */
    private void refuseOtherCursor(BoundSource stale, BoundSource renewed) {
        Optional<Cursor> before = stale.incremental().map(BoundSource.Incremental::cursor);
        Optional<Cursor> now = renewed.incremental().map(BoundSource.Incremental::cursor);
        if (!before.equals(now)) {
            sources.remove(renewed.node().id());
            failedSources.put(
                    renewed.node().id(),
                    new RunException(
                            Code.CURSOR_CHANGED,
                            renewed.node().key(),
                            "its cursor was " + before.map(Cursor::toString).orElse("none")
                                    + " when this run began, and is "
                                    + now.map(Cursor::toString).orElse("none") + " now",
                            "run again to see what that means for the positions that are stored"));
        }
    }

    /** What a source said when it was bound. */
    private record Answer(BoundSource bound, Optional<Bindings.Clocks> clocks) {}

    private void bind(SourceNode node) {
        cancellation.check();
        String connection = node.connection();
        try {
            Answer answer = connections.retries(connection).run(() -> ask(node), Retries.Listener.SILENT);
            answer.clocks().ifPresent(seen -> clocks.put(node.id(), seen));
            sources.put(node.id(), answer.bound());
        } catch (UsageException e) {
            faults.addAll(e.faults());
        } catch (RunException e) {
            failedSources.put(node.id(), e);
        }
    }

    private Answer ask(SourceNode node) {
        return connections.reading(node.connection(), source -> {
            BoundSource bound = SourceBinder.bind(node, source);
            boolean asksTime = bound.incremental()
                    .filter(how -> how.cursor().type().isTime())
                    .isPresent();
            return new Answer(
                    bound,
                    asksTime ? Optional.of(new Bindings.Clocks(source.clock(), clock.instant())) : Optional.empty());
        });
    }

    private void bind(PipelineNode node) {
        boolean canRun = plan.sources(node).stream().allMatch(source -> sources.containsKey(source.id()))
                && node.refs().stream().allMatch(pipelines::containsKey);
        if (!canRun) {
            return;
        }
        cancellation.check();
        try {
            BoundPipeline bound = binder.bind(node, new PipelineBinder.Bound(sources, pipelines));
            // One that was refused before has no part in what was compared and read since.
            List<BoundSink> takers = bound.sinks().stream()
                    .filter(sink -> !failedSinks.containsKey(sink.name()))
                    .flatMap(sink -> taking(bound, sink).stream())
                    .toList();
            pipelines.put(node.name(), bound.writing(takers));
        } catch (UsageException e) {
            faults.addAll(e.faults());
        }
    }

    private Optional<BoundSink> taking(BoundPipeline pipeline, BoundSink sink) {
        SinkNode node = sink.node();
        try {
            return connections
                    .retries(node.connection())
                    .run(
                            () -> connections.writing(
                                    node.connection(),
                                    opened -> Optional.of(PipelineBinder.fitted(pipeline, sink, opened))),
                            Retries.Listener.SILENT);
        } catch (UsageException e) {
            faults.addAll(e.faults());
            return Optional.empty();
        } catch (RunException e) {
            failedSinks.put(sink.name(), e);
            return Optional.empty();
        }
    }
}
