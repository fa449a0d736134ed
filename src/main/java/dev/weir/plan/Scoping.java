package dev.weir.plan;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.UsageException;
import dev.weir.project.Nearest;
import dev.weir.project.Place;
import dev.weir.slicing.Moment;
import dev.weir.slicing.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a backfill of one pipeline runs on, whatever its range: every chunk reads the rows of its bounds, and nothing that
 * the bounds cannot scope is loaded as if they did.
 *
 * <p>Immutable. The tokens of its sources are not filled: {@link #at} gives the plan of one chunk. Source of the rules:
 * contract, section 6.
 *
 * @param plan the pipeline and those it reads, which write nothing; its incremental sources without {@code initial},
 *     {@code until}, {@code max_window} and {@code lookback}
 * @param pipeline the one that writes, with its sinks where the backfill writes them
 * @param scoped the sources that the bounds of a chunk scope, by a cursor, by tokens or by both; at least one
 */
public record Scoping(Plan plan, PipelineNode pipeline, List<SourceNode> scoped) {

    private static final String CURSOR = "--cursor";

    public Scoping {
        scoped = List.copyOf(scoped);
    }

    /**
     * The backfill of a pipeline.
     *
     * @param whole all there is in the project
     * @param name the pipeline's; null in a project with one pipeline
     * @param cursor the column that scopes in place of the cursors of the sources; null: those
     * @param into the connection to write to in place of that of each sink; null: those
     * @throws UsageException with everything that refuses it: {@code WR0217}, {@code WR0208} and {@code WR0207} for the
     *     pipeline, {@code WR0601} when nothing in it can be scoped, {@code WR0335} for a sink that each chunk would
     *     replace, {@code WR0602} for an append sink of which cannot be known what it holds, {@code WR0202}, {@code
     *     WR0210}, {@code WR0212} and {@code WR0105} for the connection
     */
    public static Scoping of(Plan whole, @Nullable String name, @Nullable String cursor, @Nullable String into) {
        PipelineNode node = find(whole, name);
        if (!node.isLoaded()) {
            throw new UsageException(
                    Code.NO_SINK,
                    node.place().toString(),
                    node.name() + " writes nothing: it has no sink",
                    "begin it with INSERT INTO {{ sink('connection', 'table', strategy: 'merge', keys: ['id']) }}");
        }
        List<Fault> faults = new ArrayList<>();
        PipelineNode written = into == null ? node : new Rehearsal(whole, node, into).writing(faults);
        List<PipelineNode> pipelines = new ArrayList<>();
        whole.upstream(node).forEach(above -> pipelines.add(above.writing(List.of())));
        pipelines.add(written);
        Set<String> renamed = cursor == null ? Set.of() : scopedByColumn(whole.sources(node));
        Plan plan = whole.restrictedTo(pipelines).reading(source -> scope(source, cursor, renamed));
        Scoping scoping = new Scoping(
                plan,
                plan.pipeline(node.name()),
                plan.sources().stream().filter(SourceNode::isScoped).toList());
        scoping.refuse(cursor, whole.sources(node), faults);
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
        return scoping;
    }

    private static PipelineNode find(Plan whole, @Nullable String name) {
        List<String> known =
                whole.pipelines().stream().map(PipelineNode::name).sorted().toList();
        if (name == null && known.size() != 1) {
            throw new UsageException(
                    Code.BAD_SELECTION,
                    "PIPELINE",
                    "no pipeline is named",
                    "name the one to backfill; " + Nearest.hint("", known));
        }
        if (name != null && !known.contains(name)) {
            throw new UsageException(
                    Code.UNKNOWN_PIPELINE,
                    "PIPELINE",
                    "there is no pipeline '" + name + "'",
                    Nearest.hint(name, known));
        }
        return whole.pipeline(name == null ? known.get(0) : name);
    }

    /** The ids of the sources that {@code --cursor} means. */
    private static Set<String> scopedByColumn(List<SourceNode> sources) {
        boolean anyIncremental = sources.stream().anyMatch(SourceNode::isIncremental);
        return sources.stream()
                .filter(source -> sources.size() == 1
                        || (anyIncremental
                                ? source.isIncremental()
                                : source.tokens().isEmpty()))
                .map(SourceNode::id)
                .collect(Collectors.toSet());
    }

    private static SourceNode scope(SourceNode source, @Nullable String cursor, Set<String> renamed) {
        if (cursor != null && renamed.contains(source.id())) {
            SyncText scope = source.sync()
                    .map(sync -> sync.scopedBy(cursor, Place.of(CURSOR)))
                    .orElseGet(() -> SyncText.unbounded(cursor, Place.of(CURSOR)));
            return source.scopedBy(scope);
        }
        return source.sync().map(sync -> source.scopedBy(sync.scoped())).orElse(source);
    }

    /** @param forward the sources as {@code run} reads them */
    private void refuse(@Nullable String cursor, List<SourceNode> forward, List<Fault> faults) {
        if (cursor != null && cursor.isBlank()) {
            faults.add(new Fault(Code.BAD_VALUE, CURSOR, "it names no column", "write the name of a column"));
        }
        if (scoped.isEmpty()) {
            faults.add(new Fault(
                    Code.NO_SCOPE,
                    pipeline.place().toString(),
                    "pipeline " + pipeline.name() + ": nothing it reads can be scoped to a range",
                    "name the column that orders its rows with " + CURSOR + ", give its source a sync block, or a query"
                            + " with ${backfill.start} and ${backfill.end}"));
        } else if (cursor != null && scoped.stream().noneMatch(source -> isScopedBy(source, cursor))) {
            faults.add(new Fault(
                    Code.NO_SCOPE,
                    CURSOR,
                    "pipeline " + pipeline.name() + " reads several queries, and tokens scope all of them",
                    "take " + CURSOR + " out"));
        }
        for (SinkNode sink : pipeline.sinks()) {
            if (sink.strategy() == Strategy.REPLACE) {
                faults.add(new Fault(
                        Code.INCREMENTAL_INTO_REPLACE,
                        sink.place().toString(),
                        "pipeline " + pipeline.name() + " writes " + sink.id()
                                + " with replace: each chunk would wipe the ones before",
                        "write strategy: 'merge' with the columns that tell rows apart as keys, or load the table whole:"
                                + " weir run " + pipeline.name()));
            }
            if (sink.strategy() == Strategy.APPEND && !sink.acceptsDuplicates()) {
                forward.stream()
                        .filter(this::isScopedHere)
                        .filter(source -> !isRemembered(source))
                        .findFirst()
                        .ifPresent(source -> faults.add(unknown(sink, source)));
            }
        }
    }

    private static boolean isScopedBy(SourceNode source, String cursor) {
        return source.sync().filter(sync -> sync.cursor().equals(cursor)).isPresent();
    }

    private boolean isScopedHere(SourceNode source) {
        return scoped.stream().anyMatch(other -> other.id().equals(source.id()));
    }

    /** Whether it can be known what is loaded of a source: runs keep its position, or only backfills can read it. */
    private static boolean isRemembered(SourceNode forward) {
        return forward.isIncremental()
                || forward.tokens().flatMap(query -> query.text().ofBackfill()).isPresent();
    }

    private static Fault unknown(SinkNode sink, SourceNode source) {
        return new Fault(
                Code.WOULD_DOUBLE,
                sink.place().toString(),
                sink.id() + " takes rows by append, and runs read " + source.key()
                        + " without a position: what it holds of the range cannot be known, and would come twice",
                "write strategy: 'merge' with keys, or duplicates: 'accept' where that is right");
    }

    /**
     * Refuses a chunk that the tokens of a source cannot mean exactly. To be asked of every chunk before the first one
     * runs.
     *
     * @throws UsageException {@code WR0606} at the query's place: a token that numbers have no value for, or dates alone
     *     where the chunk does not begin and end with a day
     */
    public void check(Moment.OfChunk chunk) {
        List<Fault> faults = new ArrayList<>();
        for (SourceNode source : scoped) {
            source.tokens().ifPresent(query -> query.text()
                    .contradiction(chunk, source.isIncremental())
                    .ifPresent(found -> faults.add(new Fault(
                            Code.BAD_TOKEN,
                            query.place().toString(),
                            source.key() + ": " + found.what(),
                            found.remedy()))));
        }
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
    }

    /** The plan of one chunk that {@link #check} lets pass: the tokens of its sources filled. */
    public Plan at(Moment.OfChunk chunk) {
        return plan.at(chunk);
    }
}
