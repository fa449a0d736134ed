package dev.weir.run;

import dev.weir.connector.Staged;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SourceNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Sources that are read in full, and the pipelines that read nothing else: staged once an invocation, or anew where
 * that is asked for. Thread-safe. Source of the rule: contract, section 4.1.
 */
final class FullReads {

    private final Invocation invocation;
    private final CurrentBindings bindings;
    private final Set<String> staged = new HashSet<>();

    /** The rows of pipelines, by their ids. */
    private final Map<String, Staged> outputs = new HashMap<>();

    /** What could not be read or run, by the id of its node: it stays so. */
    private final Set<String> failed = new HashSet<>();

    FullReads(Invocation invocation, CurrentBindings bindings) {
        this.invocation = invocation;
        this.bindings = bindings;
    }

    /**
     * Stages what these pipelines need of it and what is not staged yet.
     *
     * @return the pipelines that cannot run, by name, with the name of the node above them that failed
     */
    synchronized Map<String, String> prepare(Journal journal, List<BoundPipeline> pipelines) {
        Map<String, String> blocked = new LinkedHashMap<>();
        for (BoundPipeline pipeline : pipelines) {
            prepare(journal, pipeline).ifPresent(failedNode -> blocked.put(pipeline.name(), failedNode));
        }
        return blocked;
    }

    /** Forgets what these pipelines need of it, so that it is read anew. */
    synchronized void forget(List<BoundPipeline> pipelines) {
        for (BoundPipeline pipeline : pipelines) {
            List<String> needed = needs(pipeline);
            staged.removeAll(needed);
            outputs.keySet().removeAll(needed);
        }
    }

    /**
     * The rows of a pipeline that reads nothing but what is staged.
     *
     * @throws dev.weir.fault.RunException when its SQL fails
     */
    synchronized Staged output(Journal journal, BoundPipeline pipeline) {
        Staged known = outputs.get(pipeline.node().id());
        if (known != null) {
            return known;
        }
        Staged rows = run(journal, pipeline);
        outputs.put(pipeline.node().id(), rows);
        return rows;
    }

    private Staged run(Journal journal, BoundPipeline pipeline) {
        invocation.cancellation().check();
        String sql =
                pipeline.node().sql().render(new RenderContext(journal.runId(), journal.began(), Map.of(), Map.of()));
        return invocation
                .engine()
                .run(pipeline.node().place().toString(), pipeline.node().id(), sql);
    }

    /** Frees the rows of a pipeline, unless others read them. */
    synchronized void release(BoundPipeline pipeline) {
        if (!staged.contains(pipeline.node().id())) {
            outputs.remove(pipeline.node().id());
            invocation.engine().drop(pipeline.node().id());
        }
    }

    /** The ids of everything read in full above a pipeline. */
    private List<String> needs(BoundPipeline pipeline) {
        return Stream.concat(
                        fullSources(pipeline).map(SourceNode::id),
                        fullPipelines(pipeline).map(above -> above.node().id()))
                .toList();
    }

    private static Stream<SourceNode> fullSources(BoundPipeline pipeline) {
        return pipeline.sources().stream().filter(source -> !source.isScoped());
    }

    private Stream<BoundPipeline> fullPipelines(BoundPipeline pipeline) {
        return bindings.now().upstream(invocation.plan(), pipeline).stream()
                .filter(above -> above.scopedSources().isEmpty());
    }

    private Optional<String> prepare(Journal journal, BoundPipeline pipeline) {
        Optional<String> source = fullSources(pipeline)
                .filter(node -> !isStaged(journal, node))
                .map(SourceNode::id)
                .findFirst();
        if (source.isPresent()) {
            return source;
        }
        return fullPipelines(pipeline)
                .filter(above -> !hasRun(journal, above))
                .map(BoundPipeline::name)
                .findFirst();
    }

    private boolean isStaged(Journal journal, SourceNode node) {
        String id = node.id();
        if (staged.contains(id) || failed.contains(id)) {
            return staged.contains(id);
        }
        Journal.Node told = journal.started(node);
        try {
            Retries retries = invocation.connections().retries(node.connection());
            long rows = bindings.reading(node, bound -> retries.run(() -> read(bound, told), told.retries()));
            staged.add(id);
            told.succeeded(rows, null);
            return true;
        } catch (RuntimeException e) {
            failed.add(id);
            told.failed(e);
            return false;
        }
    }

    private long read(BoundSource bound, Journal.Node told) {
        invocation.cancellation().check();
        String connection = bound.node().connection();
        invocation.connections().pace(connection);
        return invocation.connections().reading(connection, source -> new SliceReader(invocation.engine())
                .readWhole(bound, source, rows -> {
                    invocation.faults().reached(Faults.Point.MID_READ);
                    told.progress(rows);
                })
                .rows());
    }

    /** A pipeline that writes as well has no node for its rows: its sinks tell how it came out. */
    private boolean hasRun(Journal journal, BoundPipeline pipeline) {
        String id = pipeline.node().id();
        if (staged.contains(id) || failed.contains(id)) {
            return staged.contains(id);
        }
        Optional<Journal.Node> told =
                pipeline.node().sinks().isEmpty() ? Optional.of(journal.started(pipeline.node())) : Optional.empty();
        Optional<String> above = prepare(journal, pipeline);
        if (above.isPresent()) {
            failed.add(id);
            told.ifPresent(node -> node.skipped(above.get()));
            return false;
        }
        try {
            long rows = output(journal, pipeline).rows();
            staged.add(id);
            told.ifPresent(node -> node.succeeded(rows, null));
            return true;
        } catch (RuntimeException e) {
            failed.add(id);
            told.ifPresent(node -> node.failed(e));
            return false;
        }
    }
}
