package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.engine.DuckEngine;
import dev.weir.engine.SliceShape;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Refuses sinks below SQL that needs more than one slice to be right, unless they accept that. Pipelines are told in the
 * order of the plan, each behind those it reads. Source of the rule: contract, section 2.3.
 */
final class SliceRules {

    private final DuckEngine engine;
    private final Plan plan;

    /** What was found in each pipeline's own SQL, by its name. */
    private final Map<String, List<SliceShape.Finding>> found = new HashMap<>();

    SliceRules(DuckEngine engine, Plan plan) {
        this.engine = engine;
        this.plan = plan;
    }

    /**
     * @param context what the SQL is rendered by
     * @param columns those of each relation it reads that are known, by id
     * @throws UsageException {@code WR0337} for each sink that does not accept it
     */
    void check(PipelineNode node, RenderContext context, Map<String, List<Column>> columns) {
        Set<String> incremental = incremental(node);
        List<SliceShape.Finding> own = incremental.isEmpty()
                ? List.of()
                : new WrittenSql(node.place(), node.sql(), context)
                                .read(sql -> engine.shape(node.place().toString(), sql, columns, incremental))
                                .findings()
                                .stream()
                                .map(finding -> written(node, context, finding))
                                .toList();
        found.put(node.name(), own);
        List<SliceShape.Finding> all = new ArrayList<>(own);
        plan.upstream(node).forEach(above -> all.addAll(found.getOrDefault(above.name(), List.of())));
        if (all.isEmpty()) {
            return;
        }
        List<Fault> faults = node.sinks().stream()
                .filter(sink -> !sink.acceptsSlices())
                .map(sink -> refused(node, sink, all.get(0)))
                .toList();
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
    }

    /** The relations whose rows are those of a slice. */
    private Set<String> incremental(PipelineNode node) {
        Set<String> ids = new HashSet<>();
        node.sources().stream().filter(SourceNode::isScoped).forEach(source -> ids.add(source.id()));
        for (String ref : node.refs()) {
            PipelineNode above = plan.pipeline(ref);
            if (plan.sources(above).stream().anyMatch(SourceNode::isScoped)) {
                ids.add(above.id());
            }
        }
        return ids;
    }

    private static SliceShape.Finding written(PipelineNode node, RenderContext context, SliceShape.Finding finding) {
        return new SliceShape.Finding(
                new WrittenSql(node.place(), node.sql(), context).written(finding.place()), finding.reason());
    }

    private static Fault refused(PipelineNode node, SinkNode sink, SliceShape.Finding finding) {
        return new Fault(
                Code.NEEDS_MORE_THAN_A_SLICE,
                finding.place(),
                "the SQL that feeds " + sink.id() + " (pipeline " + node.name()
                        + ") is run over one slice at a time, and " + finding.reason()
                        + ": it would see a part of the rows",
                "move that into a view of the sink, or read the source whole, without sync; if a result for each slice"
                        + " is what you want, write sink('" + sink.connection() + "', '" + sink.table()
                        + "', …, per_slice: 'accept')");
    }
}
