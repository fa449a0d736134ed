package dev.weir.plan;

import dev.weir.project.Settings;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What there is to run, free of contradictions as far as that can be told without connecting. Immutable.
 *
 * @param project the project's name
 * @param dir the project's folder, absolute
 * @param connections by name: those in use, a connection being written to when a sink in this plan lies in it
 * @param sources by key
 * @param pipelines each behind the pipelines it refers to, else by name; all that any of them refers to are here
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

    /** @throws IllegalArgumentException when there is no such pipeline in the plan: a programming error */
    public PipelineNode pipeline(String name) {
        return pipelines.stream()
                .filter(pipeline -> pipeline.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no pipeline " + name + " in the plan"));
    }

    /** The pipelines that write something. */
    public List<PipelineNode> loaded() {
        return pipelines.stream().filter(PipelineNode::isLoaded).toList();
    }

    /** The sinks, in the order of their pipelines. */
    public List<SinkNode> sinks() {
        return pipelines.stream().flatMap(pipeline -> pipeline.sinks().stream()).toList();
    }

    /** The pipelines whose rows this one reads, directly or not, each behind those it refers to itself. */
    public List<PipelineNode> upstream(PipelineNode pipeline) {
        Set<String> names = new LinkedHashSet<>();
        collect(pipeline, names);
        return pipelines.stream().filter(node -> names.contains(node.name())).toList();
    }

    private void collect(PipelineNode pipeline, Set<String> names) {
        for (String ref : pipeline.refs()) {
            if (names.add(ref)) {
                collect(pipeline(ref), names);
            }
        }
    }

    /** The sources whose rows the pipeline reads, directly or through others, by key. */
    public List<SourceNode> sources(PipelineNode pipeline) {
        Set<String> ids = new LinkedHashSet<>();
        pipeline.sources().forEach(source -> ids.add(source.id()));
        upstream(pipeline).forEach(node -> node.sources().forEach(source -> ids.add(source.id())));
        return sources.stream().filter(source -> ids.contains(source.id())).toList();
    }

    /** The sources among {@link #sources(PipelineNode)} whose slices drive the pipeline; empty: it is read whole. */
    public List<SourceNode> incrementalSources(PipelineNode pipeline) {
        return sources(pipeline).stream().filter(SourceNode::isIncremental).toList();
    }

    /** The pipelines that write what they read of a source, directly or through others. */
    public List<PipelineNode> below(SourceNode source) {
        return loaded().stream()
                .filter(pipeline ->
                        sources(pipeline).stream().anyMatch(read -> read.id().equals(source.id())))
                .toList();
    }
}
