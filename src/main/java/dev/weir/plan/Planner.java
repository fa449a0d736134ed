package dev.weir.plan;

import dev.weir.connector.Connector;
import dev.weir.fault.Code;
import dev.weir.project.Call;
import dev.weir.project.ConnectionSpec;
import dev.weir.project.PipelineSpec;
import dev.weir.project.Place;
import dev.weir.project.Problems;
import dev.weir.project.Project;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final List<Pairings.Written> written = new ArrayList<>();

    private Planner(Project project, Map<String, Connector> connectors, Problems problems) {
        this.project = project;
        this.problems = problems;
        ConnectionCheck check = new ConnectionCheck(connectors, problems);
        for (ConnectionSpec connection : project.connections()) {
            check.check(connection).ifPresent(known -> this.connectors.put(connection.name(), known));
        }
        this.entities = new Entities(project, problems);
        this.sources = new Sources(entities, problems);
    }

    /**
     * The plan of everything in the project that has no problem; all problems are added.
     *
     * @param project as loaded, with the same problems
     * @param connectors every connector there is, by name
     * @param problems to be thrown before the plan is used
     */
    public static Plan plan(Project project, Map<String, Connector> connectors, Problems problems) {
        return new Planner(project, connectors, problems).plan();
    }

    private Plan plan() {
        project.pipelines().forEach(this::resolve);
        Map<EntityRef, SourceNode> nodes = sources.nodes();
        Sinks sinks = new Sinks(entities, connectors, problems);
        Pairings pairings = new Pairings(problems);
        List<PipelineNode> pipelines = new ArrayList<>();
        for (PipelineSpec pipeline : project.pipelines()) {
            pipeline(pipeline, nodes, sinks, pairings).ifPresent(pipelines::add);
        }
        pairings.checkShared(written);
        return new Plan(
                project.name(),
                project.dir(),
                project.settings(),
                connections(nodes, pipelines),
                List.copyOf(nodes.values()),
                pipelines);
    }

    /** Finds the entities of a pipeline's calls, and tells the sources of them. */
    private void resolve(PipelineSpec pipeline) {
        Set<EntityRef> read = new LinkedHashSet<>();
        for (Call.Source call : pipeline.calls(Call.Source.class)) {
            entities.find(call.connection(), call.entity()).ifPresent(ref -> {
                refs.put(call, ref);
                read.add(ref);
                sources.add(ref, call);
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

    private Optional<PipelineNode> pipeline(
            PipelineSpec spec, Map<EntityRef, SourceNode> nodes, Sinks sinks, Pairings pairings) {
        int before = problems.count();
        List<Call.Source> calls = spec.calls(Call.Source.class);
        List<SourceNode> read = calls.stream()
                .map(refs::get)
                .filter(ref -> ref != null && nodes.containsKey(ref))
                .distinct()
                .map(nodes::get)
                .toList();
        boolean allKnown = spec.sound() && calls.stream().allMatch(call -> nodes.containsKey(refs.get(call)));
        oneIncremental(spec, calls, nodes);
        Optional<Call.Sink> call = sinkCall(spec);
        Optional<EntityRef> table = call.flatMap(sink -> entities.find(sink.connection(), sink.entity()));
        Optional<SinkNode> sink = table.flatMap(ref -> sinks.node(ref, call.get()));
        sink.ifPresent(node -> {
            written.add(new Pairings.Written(spec.name(), node));
            pairings.check(spec.name(), read, allKnown, node, SinkLine.of(call.get(), entities.spec(table.get())));
        });
        Optional<CompiledSql> sql = spec.sound() && call.isPresent() ? compile(spec, nodes) : Optional.empty();
        if (sql.isEmpty() || sink.isEmpty() || !allKnown || problems.count() > before) {
            return Optional.empty();
        }
        return Optional.of(new PipelineNode(spec.name(), Place.of(spec.file()), sql.get(), read, sink.get()));
    }

    private void oneIncremental(PipelineSpec spec, List<Call.Source> calls, Map<EntityRef, SourceNode> nodes) {
        Set<SourceNode> incremental = new LinkedHashSet<>();
        for (Call.Source call : calls) {
            SourceNode node = nodes.get(refs.get(call));
            if (node != null && node.isIncremental() && incremental.add(node) && incremental.size() > 1) {
                problems.add(
                        Code.NOT_SUPPORTED,
                        call.place(),
                        "pipeline " + spec.name() + " reads a second incremental source, " + node.key()
                                + "; that is not supported yet",
                        "write two pipelines, or read one of the two whole, without sync");
            }
        }
    }

    /** The one sink of a pipeline. */
    private Optional<Call.Sink> sinkCall(PipelineSpec spec) {
        List<Call.Sink> calls = spec.calls(Call.Sink.class);
        if (calls.isEmpty() && spec.sound()) {
            problems.add(
                    Code.NO_SINK,
                    new Place(spec.file(), 1, 1),
                    "pipeline " + spec.name() + " has no sink, and intermediate results are not supported yet",
                    "begin it with INSERT INTO {{ sink('connection', 'table', strategy: 'merge', keys: ['id']) }}");
        }
        for (int i = 1; i < calls.size(); i++) {
            problems.add(
                    Code.NOT_SUPPORTED,
                    calls.get(i).place(),
                    "pipeline " + spec.name() + " has a second sink; that is not supported yet",
                    "write one pipeline for each sink");
        }
        return calls.size() == 1 ? Optional.of(calls.get(0)) : Optional.empty();
    }

    private Optional<CompiledSql> compile(PipelineSpec spec, Map<EntityRef, SourceNode> nodes) {
        Map<Call, String> ids = new HashMap<>();
        refs.forEach((call, ref) -> {
            if (nodes.containsKey(ref)) {
                ids.put(call, nodes.get(ref).id());
            }
        });
        return new SqlCompiler(spec, ids, problems).compile();
    }

    private Map<String, PlannedConnection> connections(Map<EntityRef, SourceNode> nodes, List<PipelineNode> pipelines) {
        Set<String> sinks = new TreeSet<>();
        pipelines.forEach(pipeline -> sinks.add(pipeline.sink().connection()));
        Set<String> used = new TreeSet<>(sinks);
        nodes.values().forEach(node -> used.add(node.connection()));
        Map<String, PlannedConnection> planned = new HashMap<>();
        for (ConnectionSpec spec : project.connections()) {
            Connector connector = connectors.get(spec.name());
            if (connector != null && used.contains(spec.name())) {
                planned.put(
                        spec.name(),
                        new PlannedConnection(
                                ConnectionCheck.settings(spec, project.dir(), sinks.contains(spec.name())), connector));
            }
        }
        return planned;
    }
}
