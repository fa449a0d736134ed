package dev.weir.run;

import dev.weir.fault.RunException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.state.ActiveRanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One complete run over the selected nodes: at most one slice of each windowed source. */
final class Pass {

    private final Invocation invocation;
    private final Shared shared;
    private List<Component> components;
    private final Journal journal;
    private final int number;
    private final boolean first;
    private volatile boolean failed;

    /**
     * What all passes of an invocation share.
     *
     * @param times of the incremental sources, by id
     */
    record Shared(
            CurrentBindings bindings,
            Map<String, SourceTime> times,
            FullReads fullReads,
            ForwardRanges ranges,
            ReadAhead ahead,
            WindowWidths widths,
            Workers workers,
            RunOptions options) {}

    /** @param number which one of the invocation, from 1 */
    Pass(Invocation invocation, Shared shared, Journal journal, int number) {
        this.invocation = invocation;
        this.shared = shared;
        this.components = components();
        this.journal = journal;
        this.number = number;
        this.first = number == 1;
    }

    /**
     * How a pass came out.
     *
     * @param hasStop whether a selected source can be caught up
     * @param caughtUp whether every such source is
     * @param moved whether a position moved or rows were delivered
     * @param heldBack whether a source could not be read as far as it could be, because lower cursors may still be committed
     */
    record Result(
            boolean failed, boolean cancelled, boolean hasStop, boolean caughtUp, boolean moved, boolean heldBack) {}

    Result run() {
        if (first) {
            tellFailedBindings();
        }
        List<ComponentLoad.Result> results;
        // Before anything is read: what is read in full is read once for all.
        try (ActiveRanges.Held held = first ? holdFullSources() : null) {
            results = load(isOver() ? Map.of() : prepare());
            if (first) {
                loadPipelinesOfFullSources();
            }
        }
        boolean cancelled = invocation.cancellation().isCancelled();
        // What was under way when the signal came did not fail: it was stopped.
        boolean anyFailed = cancelled ? journal.failed() > 0 : failed;
        return new Result(
                anyFailed,
                cancelled,
                hasStop(),
                !failed && results.stream().allMatch(ComponentLoad.Result::caughtUp),
                results.stream().anyMatch(ComponentLoad.Result::moved),
                results.stream().anyMatch(ComponentLoad.Result::heldBack));
    }

    private List<Component> components() {
        return Component.of(shared.bindings().now(), shared.times());
    }

    private ActiveRanges.@Nullable Held holdFullSources() {
        return shared.ranges().enter(journal.runId(), pipelinesOfFullSources());
    }

    private boolean hasStop() {
        return components.stream()
                .flatMap(component -> component.sources().stream())
                .anyMatch(source -> source.incremental().orElseThrow().sync().hasStop());
    }

    /** Whether nothing further may start. */
    private boolean isOver() {
        return invocation.cancellation().isCancelled()
                || (failed && shared.options().failFast());
    }

    private Map<String, String> prepare() {
        Bindings before = shared.bindings().now();
        Map<String, String> blocked = new HashMap<>();
        for (Component component : components) {
            if (!component.readsAnew()) {
                blocked.putAll(shared.fullReads().prepare(journal, component.pipelines()));
            }
        }
        failed |= !blocked.isEmpty();
        tellFailedSince(before);
        components = components();
        shared.ahead().keepOnly(components);
        return blocked;
    }

    private List<ComponentLoad.Result> load(Map<String, String> blocked) {
        List<Supplier<Optional<ComponentLoad.Result>>> work = new ArrayList<>();
        for (Component component : components) {
            work.add(() -> isOver() ? Optional.empty() : Optional.of(load(component, blocked)));
        }
        return shared.workers().all(work).stream().flatMap(Optional::stream).toList();
    }

    private ComponentLoad.Result load(Component component, Map<String, String> blocked) {
        ComponentLoad load = new ComponentLoad(invocation, shared, journal, component, number);
        ComponentLoad.Result result = load.run(blocked);
        // Several threads come here: a failure is only ever added, never read and written back.
        if (result.failed()) {
            failed = true;
        }
        return result;
    }

    private List<BoundPipeline> pipelinesOfFullSources() {
        return shared.bindings().now().loaded().stream()
                .filter(pipeline -> pipeline.scopedSources().isEmpty())
                .toList();
    }

    private void loadPipelinesOfFullSources() {
        Bindings before = shared.bindings().now();
        Map<String, String> blocked =
                isOver() ? Map.of() : shared.fullReads().prepare(journal, pipelinesOfFullSources());
        failed |= !blocked.isEmpty();
        tellFailedSince(before);
        for (BoundPipeline pipeline : pipelinesOfFullSources()) {
            if (isOver()) {
                return;
            }
            if (blocked.containsKey(pipeline.name())) {
                pipeline.sinks().forEach(sink -> journal.started(sink.node()).skipped(blocked.get(pipeline.name())));
            } else {
                load(pipeline);
            }
        }
    }

    private void load(BoundPipeline pipeline) {
        Map<String, List<SinkLoad.Part>> units = new LinkedHashMap<>();
        for (BoundSink sink : pipeline.sinks()) {
            units.computeIfAbsent(sink.node().connection(), key -> new ArrayList<>())
                    .add(new SinkLoad.Part(
                            sink,
                            false,
                            Optional.of(() -> shared.fullReads().output(journal, pipeline)),
                            List.of(),
                            Optional.empty()));
        }
        for (List<SinkLoad.Part> unit : units.values()) {
            failed |= new SinkLoad(invocation, journal, pipeline, unit).load().failed();
        }
        shared.fullReads().release(pipeline);
    }

    /** Sinks that could not be bound anew when the columns of what is read in full had changed. */
    private void tellFailedSince(Bindings before) {
        Bindings now = shared.bindings().now();
        for (BoundPipeline pipeline : before.pipelines()) {
            for (BoundSink sink : pipeline.sinks()) {
                RunException failure = now.failedSinks().get(sink.name());
                if (failure != null) {
                    failed = true;
                    journal.started(sink.node()).failed(failure);
                }
            }
        }
    }

    /** Sources and sinks that could not be bound fail here, where the run tells of them; what is below is skipped. */
    private void tellFailedBindings() {
        Bindings bindings = shared.bindings().now();
        for (SourceNode node : invocation.plan().sources()) {
            RunException failure = bindings.failedSources().get(node.id());
            if (failure != null) {
                failed = true;
                journal.started(node).failed(failure);
            }
        }
        for (PipelineNode node : invocation.plan().pipelines()) {
            Optional<String> above = invocation.plan().sources(node).stream()
                    .map(SourceNode::id)
                    .filter(bindings.failedSources()::containsKey)
                    .findFirst();
            if (above.isPresent() && node.sinks().isEmpty()) {
                journal.started(node).skipped(above.get());
            }
            for (SinkNode sink : node.sinks()) {
                RunException failure = bindings.failedSinks().get(BoundSink.name(node.name(), sink));
                if (failure != null) {
                    failed = true;
                    journal.started(sink).failed(failure);
                } else {
                    above.ifPresent(source -> journal.started(sink).skipped(source));
                }
            }
        }
    }
}
