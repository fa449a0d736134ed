package dev.weir.plan;

import dev.weir.project.Settings;
import dev.weir.slicing.Moment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What there is to run, free of contradictions as far as that can be told without connecting. Immutable.
 *
 * @param project the project's name
 * @param dir the project's folder, absolute
 * @param connections by name: those in use, a connection being written to when a sink in this plan lies in it
 * @param others the project's other connections, by name
 * @param sources by key
 * @param pipelines each behind the pipelines it refers to, else by name; all that any of them refers to are here
 */
public record Plan(
        String project,
        Path dir,
        Settings settings,
        Map<String, PlannedConnection> connections,
        Map<String, PlannedConnection> others,
        List<SourceNode> sources,
        List<PipelineNode> pipelines) {

    public Plan {
        connections = Map.copyOf(connections);
        others = Map.copyOf(others);
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

    /** The same plan, its connections in use opened in another way. */
    public Plan connecting(UnaryOperator<PlannedConnection> change) {
        Map<String, PlannedConnection> changed = new HashMap<>();
        connections.forEach((name, connection) -> changed.put(name, change.apply(connection)));
        return new Plan(project, dir, settings, changed, others, sources, pipelines);
    }

    /** The same plan, the tokens of its sources filled: see {@link SourceNode#at}. */
    public Plan at(Moment moment) {
        return reading(source -> source.at(moment));
    }

    /** The same plan with other sources in place of these, under the same ids. */
    Plan reading(UnaryOperator<SourceNode> change) {
        return new Plan(
                project,
                dir,
                settings,
                connections,
                others,
                sources.stream().map(change).toList(),
                pipelines.stream().map(pipeline -> pipeline.reading(change)).toList());
    }

    /**
     * These pipelines alone, with the sources they read and the connections they use.
     *
     * @param these each behind those it refers to; all that any of them refers to are among them
     */
    Plan restrictedTo(List<PipelineNode> these) {
        List<SourceNode> read = sources.stream()
                .filter(source ->
                        these.stream().anyMatch(pipeline -> pipeline.sources().contains(source)))
                .toList();
        Map<String, PlannedConnection> all = new HashMap<>(others);
        all.putAll(connections);
        Map<String, PlannedConnection> used = new HashMap<>();
        read.forEach(source ->
                used.put(source.connection(), all.get(source.connection()).written(false)));
        these.stream()
                .flatMap(pipeline -> pipeline.sinks().stream())
                .map(SinkNode::connection)
                .forEach(name -> used.put(name, all.get(name).written(true)));
        all.keySet().removeAll(used.keySet());
        return new Plan(project, dir, settings, used, all, read, these);
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

    /** The pipelines that write what they read of a source, directly or through others. */
    public List<PipelineNode> below(SourceNode source) {
        return loaded().stream()
                .filter(pipeline ->
                        sources(pipeline).stream().anyMatch(read -> read.id().equals(source.id())))
                .toList();
    }
}
