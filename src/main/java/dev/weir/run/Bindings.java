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
import java.util.Optional;

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
            Plan plan,
            Connections connections,
            PipelineBinder binder,
            Retries retries,
            Cancellation cancellation,
            Clock clock) {
        Map<String, BoundSource> sources = new LinkedHashMap<>();
        Map<String, Clocks> clocks = new LinkedHashMap<>();
        Map<String, RunException> failedSources = new LinkedHashMap<>();
        List<Fault> faults = new ArrayList<>();
        for (SourceNode node : plan.sources()) {
            cancellation.check();
            try {
                Answer answer = retries.run(() -> ask(node, connections, clock), SILENT);
                answer.clocks().ifPresent(seen -> clocks.put(node.id(), seen));
                sources.put(node.id(), answer.bound());
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
                retries.run(() -> check(bound, connections), SILENT);
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

    /** What a source said when it was bound. */
    private record Answer(BoundSource bound, Optional<Clocks> clocks) {}

    private static final Retries.Listener SILENT = (attempt, delay, reason) -> {};

    private static Answer ask(SourceNode node, Connections connections, Clock clock) {
        try {
            Source source = connections.source(node.connection());
            BoundSource bound = SourceBinder.bind(node, source);
            boolean asksTime = bound.incremental()
                    .filter(how -> how.cursor().type().isTime())
                    .isPresent();
            return new Answer(
                    bound, asksTime ? Optional.of(new Clocks(source.clock(), clock.instant())) : Optional.empty());
        } catch (RunException e) {
            if (e.isRetryable()) {
                connections.resetSource(node.connection());
            }
            throw e;
        }
    }

    private static boolean check(BoundPipeline pipeline, Connections connections) {
        String connection = pipeline.node().sink().connection();
        try {
            PipelineBinder.checkSink(pipeline, connections.sink(connection));
            return true;
        } catch (RunException e) {
            if (e.isRetryable()) {
                connections.resetSink(connection);
            }
            throw e;
        }
    }
}
