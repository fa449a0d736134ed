package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.ReadRequest;
import dev.weir.engine.DuckEngine;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SourceNode;
import dev.weir.plan.SyncCheck;
import dev.weir.plan.SyncText;
import dev.weir.project.Problems;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Sync;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the SQL of a plan's pipelines as far as that needs no system but DuckDB, in memory.
 *
 * <p>A pipeline whose sources all declare their columns is bound as a run binds it, its output settled with its sink.
 * The SQL of every other one is read. Connects to nothing and writes nothing.
 */
public final class Validation {

    /** What stands for the type of a watermark where only the source's catalog knows it: the SQL is not bound then. */
    private static final CursorType ANY = CursorType.of(CursorType.Kind.BIGINT);

    private final Plan plan;
    private final Problems problems;
    private final Map<String, BoundSource> declared = new HashMap<>();
    private int bound;
    private int read;

    private Validation(Plan plan, Problems problems) {
        this.plan = plan;
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
     * @param plan what is free of problems so far
     * @param problems takes everything that is wrong
     */
    public static Checked check(Plan plan, Problems problems) {
        return new Validation(plan, problems).check();
    }

    private Checked check() {
        if (plan.pipelines().isEmpty()) {
            return new Checked(0, 0);
        }
        plan.sources().forEach(source -> declared(source).ifPresent(known -> declared.put(source.id(), known)));
        Path spill = SpillFolders.in(plan.dir().resolve(".weir")).unused("validate");
        try (DuckEngine engine = DuckEngine.start(Engines.settings(plan, spill))) {
            for (PipelineNode pipeline : plan.pipelines()) {
                check(engine, pipeline);
            }
        } catch (UsageException e) {
            e.faults().forEach(problems::add);
        }
        return new Checked(bound, read);
    }

    private void check(DuckEngine engine, PipelineNode pipeline) {
        try {
            if (isDeclared(pipeline)) {
                new PipelineBinder(engine).bind(pipeline, declared);
                bound++;
            } else {
                engine.parse(pipeline.place().toString(), pipeline.sql().render(anyContext(pipeline)));
                read++;
            }
        } catch (UsageException e) {
            e.faults().forEach(problems::add);
        }
    }

    private boolean isDeclared(PipelineNode pipeline) {
        Set<String> watermarks = pipeline.sql().watermarks();
        return pipeline.sources().stream().allMatch(source -> {
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
                .map(type -> SyncCheck.parse(source, type))
                .map(sync -> incremental(text, sync));
    }

    private static BoundSource.Incremental incremental(SyncText text, Sync sync) {
        return new BoundSource.Incremental(new Cursor(text.cursor(), sync.type()), null, sync);
    }

    private static RenderContext anyContext(PipelineNode pipeline) {
        Map<String, RenderContext.Watermark> watermarks = new HashMap<>();
        pipeline.sql()
                .watermarks()
                .forEach(id -> watermarks.put(id, new RenderContext.Watermark(ANY, Optional.empty())));
        return new RenderContext("validate", Instant.EPOCH, watermarks);
    }
}
