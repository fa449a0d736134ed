package dev.weir.run;

import dev.weir.connector.Source;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.SourceNode;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything of a plan settled with the systems it connects to, before anything runs.
 *
 * @param sources the sources that answered, by id
 * @param clocks what the clocks of sources with time cursors said, by id
 * @param pipelines the pipelines that can run
 * @param failedSources the sources that did not answer, by id
 * @param failedPipelines the pipelines whose sink cannot take their rows, by name
 */
record Bindings(
        Map<String, BoundSource> sources,
        Map<String, Clocks> clocks,
        List<BoundPipeline> pipelines,
        Map<String, RunException> failedSources,
        Map<String, RunException> failedPipelines) {

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
        Map<String, BoundSource> sources = new LinkedHashMap<>();
        Map<String, Clocks> clocks = new LinkedHashMap<>();
        Map<String, RunException> failedSources = new LinkedHashMap<>();
        List<Fault> faults = new ArrayList<>();
        for (SourceNode node : plan.sources()) {
            cancellation.check();
            try {
                Source source = connections.source(node.connection());
                BoundSource bound = SourceBinder.bind(node, source);
                if (bound.incremental()
                        .filter(how -> how.cursor().type().isTime())
                        .isPresent()) {
                    clocks.put(node.id(), new Clocks(source.clock(), clock.instant()));
                }
                sources.put(node.id(), bound);
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
        return new Bindings(sources, clocks, pipelines, failedSources, failedPipelines);
    }
}
