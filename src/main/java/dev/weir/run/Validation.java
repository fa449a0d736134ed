package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.ReadRequest;
import dev.weir.engine.DuckEngine;
import dev.weir.fault.UsageException;
import dev.weir.plan.CompiledSql;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.Planner;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SourceNode;
import dev.weir.plan.SyncCheck;
import dev.weir.plan.SyncText;
import dev.weir.project.Place;
import dev.weir.project.Problems;
import dev.weir.slicing.CursorType;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the SQL of a plan's pipelines as far as that needs no system but DuckDB, in memory.
 *
 * <p>A pipeline whose sources all declare their columns is bound as a run binds it, its output settled with its sinks.
 * The SQL of every other one is read, also of those that have other problems. Connects to nothing and writes nothing.
 */
public final class Validation {

    /** What stands for the type of a watermark where only the source's catalog knows it: the SQL is not bound then. */
    private static final CursorType ANY = CursorType.of(CursorType.Kind.BIGINT);

    private final Plan plan;
    private final Problems problems;
    private final Map<String, BoundSource> declared = new HashMap<>();
    private final Map<String, BoundPipeline> bound = new HashMap<>();
    private final Map<Place, CompiledSql> others;
    private int read;

    private Validation(Planner.Draft draft, Problems problems) {
        this.plan = draft.plan();
        this.others = draft.others();
        this.problems = problems;
    }

    /**
     * What was checked.
     *
     * @param bound pipelines whose SQL was bound
     * @param read pipelines whose SQL was read only
     */
    public record Checked(int bound, int read) {}

    /**
     * @param draft what the planner made of the project, with problems or without
     * @param problems takes everything that is wrong
     */
    public static Checked check(Planner.Draft draft, Problems problems) {
        return new Validation(draft, problems).check();
    }

    private Checked check() {
        if (plan.pipelines().isEmpty() && others.isEmpty()) {
            return new Checked(0, 0);
        }
        plan.sources().forEach(source -> declared(source).ifPresent(known -> declared.put(source.id(), known)));
        try (DuckEngine engine =
                DuckEngine.start(Engines.settings(plan, SpillFolders.of(plan).unused("validate")))) {
            SliceRules rules = new SliceRules(engine, plan);
            PipelineBinder binder = new PipelineBinder(engine, plan, rules);
            for (PipelineNode pipeline : plan.pipelines()) {
                check(engine, binder, rules, pipeline);
            }
            others.forEach((place, sql) -> read(engine, place, sql));
        } catch (UsageException e) {
            e.faults().forEach(problems::add);
        }
        return new Checked(bound.size(), read);
    }

    private void check(DuckEngine engine, PipelineBinder binder, SliceRules rules, PipelineNode pipeline) {
        try {
            if (isBindable(pipeline)) {
                PipelineBinder.Bound known = new PipelineBinder.Bound(declared, bound);
                bound.put(pipeline.name(), binder.bind(pipeline, known));
            } else {
                read(engine, pipeline.place(), pipeline.sql());
                pipeline.sinks().stream()
                        .flatMap(sink -> sink.deleteWhen().stream())
                        .forEach(condition ->
                                engine.parseCondition(condition.place().toString(), condition.text()));
                rules.check(pipeline, anyContext(pipeline.sql()), Map.of());
            }
        } catch (UsageException e) {
            e.faults().forEach(problems::add);
        }
    }

    private void read(DuckEngine engine, Place place, CompiledSql sql) {
        try {
            new WrittenSql(place, sql, anyContext(sql)).read(text -> {
                engine.parse(place.toString(), text);
                return true;
            });
            read++;
        } catch (UsageException e) {
            e.faults().forEach(problems::add);
        }
    }

    private boolean isBindable(PipelineNode pipeline) {
        Set<String> watermarks = pipeline.sql().watermarks();
        return bound.keySet().containsAll(pipeline.refs())
                && plan.sources(pipeline).stream().allMatch(source -> {
                    BoundSource known = declared.get(source.id());
                    return known != null && (known.incremental().isPresent() || !watermarks.contains(source.id()));
                });
    }

    /** The source by what the project says of it; empty where only its catalog knows its columns. */
    private static Optional<BoundSource> declared(SourceNode source) {
        if (source.columns().isEmpty()) {
            return Optional.empty();
        }
        Optional<BoundSource.Incremental> incremental = source.sync().flatMap(sync -> incremental(source, sync));
        ReadRequest request =
                new ReadRequest(source.entity(), source.columns(), incremental.map(BoundSource.Incremental::cursor));
        return Optional.of(new BoundSource(source, request, incremental, List.of()));
    }

    private static Optional<BoundSource.Incremental> incremental(SourceNode source, SyncText text) {
        return source.columns().stream()
                .filter(column -> column.name().equals(text.cursor()))
                .findFirst()
                .map(Column::type)
                .map(type -> BoundSource.Incremental.of(
                        text.cursor(), type, Optional.empty(), SyncCheck.parse(source, type)));
    }

    private static RenderContext anyContext(CompiledSql sql) {
        Map<String, RenderContext.Watermark> watermarks = new HashMap<>();
        sql.watermarks().forEach(id -> watermarks.put(id, new RenderContext.Watermark(ANY, Optional.empty())));
        return new RenderContext("validate", Instant.EPOCH, Map.of(), watermarks);
    }
}
