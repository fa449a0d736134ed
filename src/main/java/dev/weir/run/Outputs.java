package dev.weir.run;

import dev.weir.connector.RawPick;
import dev.weir.connector.Staged;
import dev.weir.engine.DuckEngine;
import dev.weir.engine.StageListener;
import dev.weir.engine.StagedSource;
import dev.weir.plan.Plan;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SourceNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of a component's pipelines in one pass. Each pipeline's SQL runs once for each distinct choice of rows that a
 * sink below it gets, by one thread at a time.
 *
 * <p>Source of the rule: contract, section 2.4, "Several incremental sources in one pipeline".
 */
final class Outputs {

    private final DuckEngine engine;
    private final Plan plan;
    private final Cancellation cancellation;
    private final String runId;
    private final Instant began;
    private final Bindings bindings;
    private final Map<String, Turn> turns;
    private final Map<Choice, Staged> done = new LinkedHashMap<>();
    private final Map<Choice, RuntimeException> failed = new HashMap<>();
    private final Map<List<Object>, String> relations = new HashMap<>();

    /** Of the choices whose rows were raw, those that were wanted decoded all the same. */
    private final Map<Choice, Staged> decoded = new HashMap<>();

    /** The sources whose rows were raw, and are in DuckDB now. */
    private final Set<String> staged = new HashSet<>();

    /**
     * @param runId what {@code run_id} stands for
     * @param began what {@code run_started_at} stands for
     * @param turns the slices that were read, by the source's id
     */
    Outputs(DuckEngine engine, Scope scope, String runId, Instant began, Bindings bindings, Map<String, Turn> turns) {
        this.engine = engine;
        this.plan = scope.plan();
        this.cancellation = scope.cancellation();
        this.runId = runId;
        this.began = began;
        this.bindings = bindings;
        this.turns = turns;
    }

    /**
     * A pipeline, and the rows it is run over.
     *
     * @param feeds by the id of each incremental source it reads
     */
    record Choice(String pipeline, Map<String, Turn.Feed> feeds) {}

    /** A pipeline could not run because one it reads had failed. */
    static final class AboveFailed extends RuntimeException {
        AboveFailed(String name, RuntimeException cause) {
            super(name, cause);
        }
    }

    /** Whether a pipeline reads another, directly or not. */
    boolean isAbove(BoundPipeline other, BoundPipeline pipeline) {
        return bindings.upstream(plan, pipeline).contains(other);
    }

    /** Runs the intermediate results that these choices need, and tells of each; what fails is told, and kept. */
    void runIntermediates(Journal journal, List<BoundPipeline> intermediates, List<Choice> choices) {
        for (BoundPipeline intermediate : intermediates) {
            Set<Choice> needed = new LinkedHashSet<>();
            for (Choice choice : choices) {
                if (isAbove(intermediate, pipeline(choice.pipeline()))) {
                    needed.add(choice(intermediate, choice.feeds()));
                }
            }
            Journal.Node told = journal.started(intermediate.node());
            try {
                long rows = 0;
                for (Choice choice : needed) {
                    rows += of(choice).rows();
                }
                told.succeeded(rows, null);
            } catch (AboveFailed e) {
                told.skipped(e.getMessage());
            } catch (RuntimeException e) {
                told.failed(e);
            }
        }
    }

    /**
     * The rows of a choice.
     *
     * @throws AboveFailed when a pipeline it reads has failed
     * @throws dev.weir.fault.RunException when its own SQL fails
     */
    synchronized Staged of(Choice choice) {
        Staged staged = done.get(choice);
        if (staged != null) {
            return staged;
        }
        if (failed.containsKey(choice)) {
            throw failed.get(choice);
        }
        try {
            cancellation.check();
            staged = run(choice);
            done.put(choice, staged);
            return staged;
        } catch (RuntimeException e) {
            failed.put(choice, e);
            throw e;
        }
    }

    /** Frees what was staged. */
    void drop() {
        ids().forEach(id -> engine.drop(id));
        staged.forEach(id -> engine.drop(id));
    }

    private List<String> ids() {
        List<String> ids = new ArrayList<>(relations.values());
        done.keySet().forEach(choice -> ids.add(id(choice)));
        return ids;
    }

    private Staged run(Choice choice) {
        return raw(choice).orElseGet(() -> inDuckDb(choice));
    }

    /** Rows that the pipeline only picks columns of, and that no sink of it needs decoded. */
    private Optional<Staged> raw(Choice choice) {
        BoundPipeline pipeline = pipeline(choice.pipeline());
        if (!pipeline.takesRaw()
                || pipeline.pickedNames().isEmpty()
                || choice.feeds().size() != 1) {
            return Optional.empty();
        }
        Map.Entry<String, Turn.Feed> feed = choice.feeds().entrySet().iterator().next();
        if (!feed.getValue().slice() || feed.getValue().again().isPresent()) {
            return Optional.empty();
        }
        Map<String, String> names = pipeline.pickedNames().get();
        return turns.get(feed.getKey())
                .read()
                .staged()
                .flatMap(StagedSource::raw)
                .map(rows -> {
                    RawPick pick = new RawPick(rows, names, () -> decoded.computeIfAbsent(choice, this::inDuckDb));
                    return new Staged(id(choice), pipeline.columns(), rows.rows(), Optional.of(pick), Set.of());
                });
    }

    /** What only picks columns copies no rows. */
    private Staged inDuckDb(Choice choice) {
        BoundPipeline pipeline = pipeline(choice.pipeline());
        if (pipeline.pickedNames().isEmpty() || choice.feeds().size() != 1 || isRead(pipeline)) {
            return runSql(choice);
        }
        Map.Entry<String, Turn.Feed> feed = choice.feeds().entrySet().iterator().next();
        Turn turn = turns.get(feed.getKey());
        return engine.pick(
                        id(choice),
                        relation(turn, feed.getValue()),
                        pipeline.columns(),
                        pipeline.pickedNames().get(),
                        turn.rows(feed.getValue()))
                .withUnique(unique(pipeline, turn, feed.getValue()));
    }

    /** The keys that were compared when the slice was read. */
    private static Set<List<String>> unique(BoundPipeline pipeline, Turn turn, Turn.Feed feed) {
        Set<List<String>> unique = new HashSet<>();
        if (feed.slice() && feed.again().isEmpty()) {
            Set<List<String>> compared =
                    turn.read().staged().map(StagedSource::unique).orElse(Set.of());
            pipeline.pickedKeys().forEach((keys, columns) -> {
                if (compared.contains(columns)) {
                    unique.add(keys);
                }
            });
        }
        return unique;
    }

    /** Whether others read it, and want it under its own name. */
    private boolean isRead(BoundPipeline pipeline) {
        return bindings.pipelines().stream()
                .anyMatch(other -> other.node().refs().contains(pipeline.name()));
    }

    private Staged runSql(Choice choice) {
        BoundPipeline pipeline = pipeline(choice.pipeline());
        Map<String, String> relation = new HashMap<>();
        Map<String, RenderContext.Watermark> watermarks = new HashMap<>();
        for (SourceNode source : pipeline.scopedSources()) {
            Turn turn = turns.get(source.id());
            Turn.Feed feed = choice.feeds().get(source.id());
            relation.put(source.id(), relation(turn, feed));
            watermarks.put(
                    source.id(),
                    turn.source().incremental().orElseThrow().watermark(Optional.ofNullable(turn.watermark(feed))));
        }
        for (String ref : pipeline.node().refs()) {
            BoundPipeline other = pipeline(ref);
            if (!other.scopedSources().isEmpty()) {
                Choice above = choice(other, choice.feeds());
                rowsAbove(above);
                relation.put(other.node().id(), id(above));
            }
        }
        RenderContext context = new RenderContext(runId, began, relation, watermarks);
        String place = pipeline.node().place().toString();
        return engine.run(place, id(choice), pipeline.node().sql().render(context));
    }

    private void rowsAbove(Choice above) {
        try {
            of(above);
        } catch (AboveFailed e) {
            throw e;
        } catch (RuntimeException e) {
            throw new AboveFailed(above.pipeline(), e);
        }
    }

    /** The choice of another pipeline's rows that goes with these feeds. */
    private static Choice choice(BoundPipeline pipeline, Map<String, Turn.Feed> feeds) {
        Map<String, Turn.Feed> own = new LinkedHashMap<>();
        pipeline.scopedSources().forEach(source -> own.put(source.id(), feeds.get(source.id())));
        return new Choice(pipeline.name(), own);
    }

    /** The first choice of a pipeline has the pipeline's own name. */
    private String id(Choice choice) {
        String base = pipeline(choice.pipeline()).node().id();
        int before = 0;
        for (Choice earlier : done.keySet()) {
            if (earlier.equals(choice)) {
                break;
            }
            before += earlier.pipeline().equals(choice.pipeline()) ? 1 : 0;
        }
        return before == 0 ? base : base + "#" + before;
    }

    /** The relation that holds a feed's rows. */
    private String relation(Turn turn, Turn.Feed feed) {
        String source = turn.source().node().id();
        List<String> parts = new ArrayList<>();
        if (feed.slice() && turn.read().staged().isPresent()) {
            decode(turn);
            parts.add(turn.read().id());
        }
        feed.again().ifPresent(range -> parts.add(turn.read().again().get(range).id()));
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<Object> key = List.of(source, feed);
        String known = relations.get(key);
        if (known != null) {
            return known;
        }
        String id = source + "#feed" + relations.size();
        relations.put(key, id);
        if (parts.isEmpty()) {
            engine.empty(id, turn.source().columns());
        } else {
            engine.union(id, parts, turn.source().columns());
        }
        return id;
    }

    /** Stages what has stayed as its source sent it. */
    private void decode(Turn turn) {
        String id = turn.read().id();
        turn.read()
                .staged()
                .flatMap(StagedSource::raw)
                .filter(rows -> staged.add(id))
                .ifPresent(rows -> engine.stage(id, turn.source().request(), rows.decoded(), StageListener.NONE));
    }

    private BoundPipeline pipeline(String name) {
        return bindings.pipeline(name).orElseThrow();
    }
}
