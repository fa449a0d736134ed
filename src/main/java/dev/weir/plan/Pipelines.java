package dev.weir.plan;

import dev.weir.project.Call;
import dev.weir.project.PipelineSpec;
import dev.weir.project.Place;
import dev.weir.project.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes the nodes of pipelines, each behind those it reads. */
final class Pipelines {

    private final Graph graph;
    private final Entities entities;
    private final Map<Call, EntityRef> refs;
    private final Map<EntityRef, SourceNode> sources;
    private final Sinks sinks;
    private final Map<String, String> databases;
    private final Problems problems;
    private final Pairings pairings;
    private final NodeIds ids = new NodeIds();
    private final List<Pairings.Written> written = new ArrayList<>();

    private final Map<String, PipelineNode> nodes = new LinkedHashMap<>();
    private final Map<Place, CompiledSql> others = new HashMap<>();

    /** What each pipeline reads, directly or through others, by its name; one with problems too. */
    private final Map<String, Reads> reads = new HashMap<>();

    /** @param allKnown whether that is all it reads */
    private record Reads(Set<SourceNode> sources, boolean allKnown) {}

    /**
     * @param refs what the calls of all pipelines name
     * @param databases what the connections lead to, by their names
     */
    Pipelines(
            Graph graph,
            Entities entities,
            Map<Call, EntityRef> refs,
            Map<EntityRef, SourceNode> sources,
            Sinks sinks,
            Map<String, String> databases,
            Problems problems) {
        this.databases = databases;
        this.graph = graph;
        this.entities = entities;
        this.refs = refs;
        this.sources = sources;
        this.sinks = sinks;
        this.problems = problems;
        this.pairings = new Pairings(problems);
    }

    /** Those without problems, each behind those it reads. */
    List<PipelineNode> nodes() {
        return List.copyOf(nodes.values());
    }

    /** The SQL of those with problems, by their files. */
    Map<Place, CompiledSql> others() {
        return Map.copyOf(others);
    }

    /** Refuses tables that two sinks may not share. */
    void checkShared() {
        pairings.checkShared(written);
    }

    /** Makes the node; none, and a problem, when something is wrong with it or with one it reads. */
    void add(PipelineSpec spec) {
        int before = problems.count();
        Set<SourceNode> own = sourcesOf(spec);
        Reads all = reads(spec, own);
        reads.put(spec.name(), all);
        List<Call.Sink> calls = spec.calls(Call.Sink.class);
        List<SinkNode> made = new ArrayList<>();
        for (Call.Sink call : calls) {
            sink(spec, call, all).ifPresent(made::add);
        }
        Optional<CompiledSql> sql = spec.sound() ? compile(spec) : Optional.empty();
        String id = ids.pipeline(spec.name());
        if (sql.isPresent() && made.size() == calls.size() && all.allKnown() && problems.count() == before) {
            nodes.put(
                    spec.name(),
                    new PipelineNode(
                            id,
                            spec.name(),
                            Place.of(spec.file()),
                            sql.get(),
                            List.copyOf(own),
                            graph.refs(spec),
                            made));
        } else {
            sql.ifPresent(compiled -> others.put(Place.of(spec.file()), compiled));
        }
    }

    private Set<SourceNode> sourcesOf(PipelineSpec spec) {
        Set<SourceNode> found = new LinkedHashSet<>();
        for (Call.Source call : spec.calls(Call.Source.class)) {
            if (sources.containsKey(refs.get(call))) {
                found.add(sources.get(refs.get(call)));
            }
        }
        return found;
    }

    private Reads reads(PipelineSpec spec, Set<SourceNode> own) {
        Set<SourceNode> all = new LinkedHashSet<>(own);
        boolean known = spec.sound()
                && spec.calls(Call.Source.class).stream().allMatch(call -> sources.containsKey(refs.get(call)));
        for (Call.Ref call : spec.calls(Call.Ref.class)) {
            Reads through = reads.get(call.pipeline().text());
            known &= through != null
                    && through.allKnown()
                    && nodes.containsKey(call.pipeline().text());
            if (through != null) {
                all.addAll(through.sources());
            }
        }
        return new Reads(all, known);
    }

    private Optional<SinkNode> sink(PipelineSpec spec, Call.Sink call, Reads reads) {
        Optional<EntityRef> table = Optional.ofNullable(refs.get(call));
        Optional<SinkNode> sink = table.flatMap(ref -> sinks.node(nodeId(spec, ref), ref, call));
        sink.ifPresent(node -> {
            written.add(new Pairings.Written(
                    spec.name(), node, databases.getOrDefault(node.connection(), node.connection())));
            pairings.check(
                    spec.name(),
                    List.copyOf(reads.sources()),
                    reads.allKnown(),
                    node,
                    SinkLine.of(call, entities.spec(table.get())));
        });
        return sink;
    }

    /** Two pipelines may merge into one table. */
    private String nodeId(PipelineSpec spec, EntityRef table) {
        long pipelines = graph.specs().stream()
                .filter(other -> other.calls(Call.Sink.class).stream().anyMatch(call -> table.equals(refs.get(call))))
                .count();
        return pipelines > 1 ? table.key() + "#" + spec.name() : table.key();
    }

    private Optional<CompiledSql> compile(PipelineSpec spec) {
        Map<Call, String> named = new HashMap<>();
        refs.forEach((call, ref) -> {
            if (sources.containsKey(ref)) {
                named.put(call, sources.get(ref).id());
            }
        });
        for (Call.Ref call : spec.calls(Call.Ref.class)) {
            PipelineNode node = nodes.get(call.pipeline().text());
            if (node != null) {
                named.put(call, node.id());
            }
        }
        return new SqlCompiler(spec, named, problems).compile();
    }
}
