package dev.weir.run;

import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.SourceNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything of a plan settled with the systems it connects to, before anything runs.
 *
 * @param sources the sources that answered, by id
 * @param pipelines the pipelines that can run
 * @param failedSources the sources that did not answer, by id
 * @param failedPipelines the pipelines whose sink cannot take their rows, by name
 */
record Bindings(
        Map<String, BoundSource> sources,
        List<BoundPipeline> pipelines,
        Map<String, RunException> failedSources,
        Map<String, RunException> failedPipelines) {

    /** @throws UsageException with every problem of the project that shows only now: nothing ran */
    static Bindings of(Plan plan, Connections connections, PipelineBinder binder, Cancellation cancellation) {
        Map<String, BoundSource> sources = new LinkedHashMap<>();
        Map<String, RunException> failedSources = new LinkedHashMap<>();
        List<Fault> faults = new ArrayList<>();
        for (SourceNode node : plan.sources()) {
            cancellation.check();
            try {
                sources.put(node.id(), SourceBinder.bind(node, connections.source(node.connection())));
            } catch (UsageException e) {
                faults.addAll(e.faults());
            } catch (RunException e) {
                failedSources.put(node.id(), e);
            }
        }
        List<BoundPipeline> pipelines = new ArrayList<>();
        Map<String, RunException> failedPipelines = new LinkedHashMap<>();
        for (PipelineNode node : plan.pipelines()) {
            if (!node.sources().stream().allMatch(source -> sources.containsKey(source.id()))) {
                continue;
            }
            cancellation.check();
            try {
                BoundPipeline bound = binder.bind(node, sources);
                PipelineBinder.checkSink(bound, connections.sink(node.sink().connection()));
                pipelines.add(bound);
            } catch (UsageException e) {
                faults.addAll(e.faults());
            } catch (RunException e) {
                failedPipelines.put(node.name(), e);
            }
        }
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
        return new Bindings(sources, pipelines, failedSources, failedPipelines);
    }
}
