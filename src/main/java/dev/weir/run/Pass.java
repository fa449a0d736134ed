package dev.weir.run;

import dev.weir.event.NodeKind;
import dev.weir.fault.RunException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Sync;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One complete run over the selected nodes: at most one slice of each windowed source. */
final class Pass {

    private final Invocation invocation;
    private final Bindings bindings;
    private final Map<String, SourceTime> times;
    private final FullSources fullSources;
    private final RunOptions options;
    private final Journal journal;
    private final int number;
    private boolean failed;

    Pass(
            Invocation invocation,
            Bindings bindings,
            Map<String, SourceTime> times,
            FullSources fullSources,
            RunOptions options,
            Journal journal,
            int number) {
        this.invocation = invocation;
        this.bindings = bindings;
        this.times = times;
        this.fullSources = fullSources;
        this.options = options;
        this.journal = journal;
        this.number = number;
    }

    /**
     * How a pass came out.
     *
     * @param hasStop whether a selected source can be caught up
     * @param caughtUp whether every such source is
     * @param moved whether a position moved or rows were delivered
     */
    record Result(boolean failed, boolean cancelled, boolean hasStop, boolean caughtUp, boolean moved) {}

    Result run() {
        fullSources.passStarted();
        boolean hasStop = false;
        boolean caughtUp = true;
        boolean moved = false;
        if (number == 1) {
            tellFailedBindings();
        }
        for (SourceNode node : incrementalSources()) {
            if (isOver()) {
                break;
            }
            Optional<IncrementalLoad.Result> result = load(node);
            Sync sync = bindings.sources()
                    .get(node.id())
                    .incremental()
                    .orElseThrow()
                    .sync();
            hasStop |= sync.hasStop();
            failed |= result.isEmpty() || result.get().failed();
            moved |= result.isPresent() && result.get().moved();
            caughtUp &= !sync.hasStop() || (result.isPresent() && result.get().atEnd());
        }
        if (number == 1) {
            loadPipelinesOfFullSources();
        }
        boolean cancelled = invocation.cancellation().isCancelled();
        // What was under way when the signal came did not fail: it was stopped.
        boolean anyFailed = cancelled ? journal.failed() > 0 : failed;
        return new Result(anyFailed, cancelled, hasStop, caughtUp && !failed, moved);
    }

    private List<SourceNode> incrementalSources() {
        return invocation.plan().sources().stream()
                .filter(SourceNode::isIncremental)
                .filter(node -> bindings.sources().containsKey(node.id()))
                .toList();
    }

    /** Whether nothing further may start. */
    private boolean isOver() {
        return invocation.cancellation().isCancelled() || (failed && options.failFast());
    }

    private Optional<IncrementalLoad.Result> load(SourceNode node) {
        List<BoundPipeline> ready = new ArrayList<>();
        boolean complete = true;
        for (BoundPipeline pipeline : bindings.pipelines()) {
            if (pipeline.node().incrementalSource().filter(node::equals).isEmpty()) {
                continue;
            }
            boolean anew = times.get(node.id()).ceiling().isEmpty();
            if (fullSourcesAreStaged(pipeline.node(), anew)) {
                ready.add(pipeline);
            } else {
                complete = false;
            }
        }
        if (ready.isEmpty()) {
            return Optional.empty();
        }
        BoundSource bound = bindings.sources().get(node.id());
        IncrementalLoad load = new IncrementalLoad(invocation, journal, bound, times.get(node.id()));
        IncrementalLoad.Result result =
                load.run(ready, number == 1, options.fullRefresh() && number == 1, options.failFast());
        return Optional.of(complete ? result : new IncrementalLoad.Result(true, false, result.moved()));
    }

    private boolean fullSourcesAreStaged(PipelineNode pipeline, boolean anew) {
        for (SourceNode source : pipeline.sources()) {
            if (!source.isIncremental()
                    && !fullSources.isStaged(journal, bindings.sources().get(source.id()), anew)) {
                failed = true;
                journal.skipped(pipeline.sink().id(), NodeKind.SINK_WRITE, source.id());
                return false;
            }
        }
        return true;
    }

    private void loadPipelinesOfFullSources() {
        for (BoundPipeline pipeline : bindings.pipelines()) {
            if (pipeline.node().incrementalSource().isPresent() || isOver()) {
                continue;
            }
            if (!fullSourcesAreStaged(pipeline.node(), false)) {
                continue;
            }
            try {
                new SinkLoad(invocation, journal)
                        .load(new SinkLoad.Task(pipeline, false, true, Map.of(), Optional.empty(), Optional.empty()));
            } catch (RuntimeException e) {
                failed = true;
            }
        }
    }

    /** Sources and sinks that could not be bound fail here, where the run tells of them; what is below is skipped. */
    private void tellFailedBindings() {
        for (SourceNode node : invocation.plan().sources()) {
            RunException failure = bindings.failedSources().get(node.id());
            if (failure != null) {
                failed = true;
                journal.started(node.id(), NodeKind.SOURCE_LOAD).failed(failure);
            }
        }
        for (PipelineNode node : invocation.plan().pipelines()) {
            RunException failure = bindings.failedPipelines().get(node.name());
            if (failure != null) {
                failed = true;
                journal.started(node.sink().id(), NodeKind.SINK_WRITE).failed(failure);
                continue;
            }
            node.sources().stream()
                    .filter(source -> bindings.failedSources().containsKey(source.id()))
                    .findFirst()
                    .ifPresent(source -> journal.skipped(node.sink().id(), NodeKind.SINK_WRITE, source.id()));
        }
    }
}
