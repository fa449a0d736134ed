package dev.weir.run;

import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Sync;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything of a plan settled with the systems it connects to, before anything runs.
 *
 * @param sources the sources that answered, by id
 * @param clocks what the clocks of sources with time cursors said, by id
 * @param pipelines the pipelines that can run, each behind those it reads, with the sinks that can take their rows
 * @param failedSources the sources that did not answer, by id
 * @param failedSinks the sinks that cannot take their pipeline's rows, by {@link BoundSink#name()}
 */
record Bindings(
        Map<String, BoundSource> sources,
        Map<String, Clocks> clocks,
        List<BoundPipeline> pipelines,
        Map<String, RunException> failedSources,
        Map<String, RunException> failedSinks) {

    /**
     * Two clocks at one moment.
     *
     * @param source the source's own
     * @param runner this machine's
     */
    record Clocks(Instant source, Instant runner) {}

    /** @throws UsageException with every problem of the project that shows only now: nothing ran */
    static Bindings of(
            Plan plan, Connections connections, PipelineBinder binder, Cancellation cancellation, Clock clock) {
        return new Binding(plan, connections, binder, cancellation, clock).bind();
    }

    /** The same with pipelines whose sinks have changed, or failed. */
    Bindings with(List<BoundPipeline> others, Map<String, RunException> failed) {
        return new Bindings(sources, clocks, List.copyOf(others), failedSources, failed);
    }

    /** The same, its sources of time cursors bounded by what time it is. */
    Bindings upToNow() {
        Map<String, BoundSource> bounded = new LinkedHashMap<>();
        sources.forEach((id, source) -> bounded.put(id, source.with(Sync::upToNow)));
        return new Bindings(bounded, clocks, pipelines, failedSources, failedSinks);
    }

    /**
     * The same, a source and all below it bound anew, since the source's columns have changed. What is wrong then is among
     * the failed: the run goes on without it.
     */
    Bindings anew(
            SourceNode source,
            Plan plan,
            Connections connections,
            PipelineBinder binder,
            Cancellation cancellation,
            Clock clock) {
        return new Binding(plan, connections, binder, cancellation, clock).bindAnew(this, source);
    }

    /** The same, its sources asked who still writes and not waited for. */
    Bindings impatient() {
        Map<String, BoundSource> asked = new LinkedHashMap<>();
        sources.forEach((id, source) -> asked.put(id, source.with(Sync::impatient)));
        return new Bindings(asked, clocks, pipelines, failedSources, failedSinks);
    }

    /** The pipeline of that name; empty: it cannot run. */
    Optional<BoundPipeline> pipeline(String name) {
        return pipelines.stream()
                .filter(pipeline -> pipeline.name().equals(name))
                .findFirst();
    }

    /** The pipelines that write something. */
    List<BoundPipeline> loaded() {
        return pipelines.stream()
                .filter(pipeline -> !pipeline.sinks().isEmpty())
                .toList();
    }

    /** The pipelines one reads, directly or not, each behind those it reads itself. */
    List<BoundPipeline> upstream(Plan plan, BoundPipeline pipeline) {
        List<String> names =
                plan.upstream(pipeline.node()).stream().map(PipelineNode::name).toList();
        return pipelines.stream().filter(other -> names.contains(other.name())).toList();
    }
}
