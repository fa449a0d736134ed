package dev.weir.plan;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.fault.Code;
import dev.weir.project.Call;
import dev.weir.project.ConnectionSpec;
import dev.weir.project.PipelineSpec;
import dev.weir.project.Place;
import dev.weir.project.Problems;
import dev.weir.project.Project;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Makes a plan of a project, and finds every problem that can be found without connecting. */
public final class Planner {

    private final Project project;
    private final Problems problems;
    private final Entities entities;
    private final Sources sources;
    private final Map<String, Connector> connectors = new HashMap<>();
    private final Map<Call, EntityRef> refs = new HashMap<>();
    private final Graph graph;

    /** The entities whose rows a pipeline reads, directly or through others, by its name. */
    private final Map<String, Set<EntityRef>> readBy = new HashMap<>();

    private Planner(Project project, Map<String, Connector> connectors, Problems problems) {
        this.project = project;
        this.problems = problems;
        ConnectionCheck check = new ConnectionCheck(connectors, problems);
        for (ConnectionSpec connection : project.connections()) {
            check.check(connection).ifPresent(known -> this.connectors.put(connection.name(), known));
        }
        this.entities = new Entities(project, problems);
        this.sources = new Sources(entities, problems);
        this.graph = new Graph(project.pipelines(), problems);
    }

    /**
     * The plan of everything in the project that has no problem; all problems are added.
     *
     * @param project as loaded, with the same problems
     * @param connectors every connector there is, by name
     * @param problems to be thrown before the plan is used
     */
    public static Plan plan(Project project, Map<String, Connector> connectors, Problems problems) {
        return draft(project, connectors, problems).plan();
    }

    /**
     * A plan, and what has no place in it.
     *
     * @param others the SQL of the pipelines that have problems, by their files, as far as it could be compiled
     */
    public record Draft(Plan plan, Map<Place, CompiledSql> others) {}

    /** As {@link #plan}, keeping the SQL of pipelines with problems, so that its own can be found too. */
    public static Draft draft(Project project, Map<String, Connector> connectors, Problems problems) {
        return new Planner(project, connectors, problems).draft();
    }

    private Draft draft() {
        List<PipelineSpec> ordered = graph.ordered();
        ordered.forEach(this::resolve);
        Map<EntityRef, SourceNode> nodes = sources.nodes();
        Sinks sinks = new Sinks(entities, connectors, problems);
        Pipelines made = new Pipelines(graph, entities, refs, nodes, sinks, databases(), problems);
        ordered.forEach(made::add);
        made.checkShared();
        Map<String, PlannedConnection> used = connections(nodes, made.nodes());
        Map<String, PlannedConnection> others = connections();
        others.keySet().removeAll(used.keySet());
        Plan plan = new Plan(
                project.name(),
                project.dir(),
                project.settings(),
                used,
                others,
                List.copyOf(nodes.values()),
                made.nodes());
        return new Draft(plan, made.others());
    }

    private Map<String, String> databases() {
        Map<String, String> databases = new HashMap<>();
        connections().forEach((name, connection) -> databases.put(name, connection.database()));
        return databases;
    }

    /** Finds the entities of a pipeline's calls, and tells the sources of them. */
    private void resolve(PipelineSpec pipeline) {
        Set<EntityRef> read = new LinkedHashSet<>();
        graph.refs(pipeline).forEach(ref -> read.addAll(readBy.getOrDefault(ref, Set.of())));
        for (Call.Source call : pipeline.calls(Call.Source.class)) {
            entities.find(call.connection(), call.entity()).ifPresent(ref -> {
                refs.put(call, ref);
                read.add(ref);
                sources.add(ref, call);
                entities.refuseSecondName(ref, call.entity());
                checkReadable(ref, call.connection().place());
            });
        }
        for (Call.Watermark call : pipeline.calls(Call.Watermark.class)) {
            entities.find(call.connection(), call.entity()).ifPresent(ref -> {
                if (pipeline.sound() && !read.contains(ref)) {
                    problems.add(
                            Code.BAD_TEMPLATE,
                            call.place(),
                            "the watermark of " + ref.key() + ", which this pipeline does not read",
                            "read it with source(), or take the call out");
                }
                refs.put(call, ref);
                sources.add(ref, call);
            });
        }
        for (Call.Sink call : pipeline.calls(Call.Sink.class)) {
            entities.find(call.connection(), call.entity()).ifPresent(ref -> refs.put(call, ref));
        }
        readBy.put(pipeline.name(), read);
    }

    private void checkReadable(EntityRef ref, Place place) {
        Connector connector = connectors.get(ref.connection());
        if (connector != null && !connector.capabilities().source()) {
            problems.add(
                    Code.BAD_VALUE,
                    place,
                    ref.connection() + " cannot be read from: " + connector.name() + " is no source",
                    "read from another connection");
        }
    }

    /** Those in use, a connection being written to when a sink lies in it. */
    private Map<String, PlannedConnection> connections(Map<EntityRef, SourceNode> nodes, List<PipelineNode> pipelines) {
        Set<String> sinks = new TreeSet<>();
        pipelines.forEach(pipeline -> pipeline.sinks().forEach(sink -> sinks.add(sink.connection())));
        Set<String> used = new TreeSet<>(sinks);
        nodes.values().forEach(node -> used.add(node.connection()));
        Map<String, PlannedConnection> planned = connections();
        planned.keySet().retainAll(used);
        planned.replaceAll((name, connection) -> connection.written(sinks.contains(name)));
        return planned;
    }

    /** All whose connector is known. */
    private Map<String, PlannedConnection> connections() {
        Map<String, PlannedConnection> all = new HashMap<>();
        for (ConnectionSpec spec : project.connections()) {
            Connector connector = connectors.get(spec.name());
            if (connector != null) {
                ConnectionSettings settings = ConnectionCheck.settings(spec, project.dir(), false);
                all.put(spec.name(), new PlannedConnection(settings, connector, spec.limits()));
            }
        }
        return all;
    }
}
