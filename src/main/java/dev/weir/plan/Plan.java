package dev.weir.plan;

import dev.weir.project.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What there is to run, free of contradictions as far as that can be told without connecting. Immutable.
 *
 * @param project the project's name
 * @param dir the project's folder, absolute
 * @param connections by name: those in use, a connection being written to when a sink in this plan lies in it
 * @param sources by key
 * @param pipelines by name
 */
public record Plan(
        String project,
        Path dir,
        Settings settings,
        Map<String, PlannedConnection> connections,
        List<SourceNode> sources,
        List<PipelineNode> pipelines) {

    public Plan {
        connections = Map.copyOf(connections);
        sources = List.copyOf(sources);
        pipelines = List.copyOf(pipelines);
    }

    /** @throws IllegalArgumentException when the plan does not use such a connection: a programming error */
    public PlannedConnection connection(String name) {
        PlannedConnection connection = connections.get(name);
        if (connection == null) {
            throw new IllegalArgumentException("no connection " + name + " in the plan");
        }
        return connection;
    }

    /** The sinks, in the order of their pipelines. */
    public List<SinkNode> sinks() {
        return pipelines.stream().map(PipelineNode::sink).toList();
    }

    /** The pipelines that read a source. */
    public List<PipelineNode> below(SourceNode source) {
        return pipelines.stream()
                .filter(pipeline -> pipeline.sources().contains(source))
                .toList();
    }
}
