package dev.weir.run;

import dev.weir.connector.Staged;
import dev.weir.engine.StagedSource;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Mark;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Slice;
import dev.weir.slicing.Strategy;
import dev.weir.slicing.Sync;
import dev.weir.state.Moved;
import dev.weir.state.Stretch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs a component's pipelines over the slices that were read, and commits each into its sinks. */
final class SliceCommit {

    private final Invocation invocation;
    private final Journal journal;
    private final Component component;
    private final Comparison.Compared compared;
    private final Map<String, Turn> turns;
    private final Map<String, SourceTime> times;
    private final Workers workers;
    private final Outputs outputs;

    /** Where each sink stands, by the source's id and the sink's name. */
    private final Map<String, Map<String, @Nullable CursorValue>> positions = new HashMap<>();

    /** The names of the sinks that came through. */
    private final Set<String> committed = new HashSet<>();

    /** Why sinks did not come through, by the id of a source above them. */
    private final Map<String, List<RuntimeException>> failures = new HashMap<>();

    private final Map<String, RuntimeException> stateFailures = new HashMap<>();

    SliceCommit(
            Invocation invocation,
            Journal journal,
            Bindings bindings,
            Component component,
            Comparison.Compared compared,
            Map<String, Turn> turns,
            Map<String, SourceTime> times,
            Workers workers) {
        this.invocation = invocation;
        this.journal = journal;
        this.component = component;
        this.compared = compared;
        this.turns = turns;
        this.times = times;
        this.workers = workers;
        this.outputs =
                new Outputs(invocation.engine(), invocation.scope(), journal.runId(), journal.began(), bindings, turns);
        component.sources().forEach(source -> positions.put(source.node().id(), compared.positions(source)));
    }

    /** Where each sink stands in a source now. */
    Map<String, @Nullable CursorValue> positions(BoundSource source) {
        return positions.get(source.node().id());
    }

    /** The names of the sinks that came through. */
    Set<String> committed() {
        return committed;
    }

    /** Why sinks below a source did not come through. */
    List<RuntimeException> failures(BoundSource source) {
        return failures.getOrDefault(source.node().id(), List.of());
    }

    /** What kept the positions in a source from being remembered. */
    Optional<RuntimeException> stateFailure(String source) {
        return Optional.ofNullable(stateFailures.get(source));
    }

    /** What one sink gets. */
    private record Share(BoundPipeline pipeline, BoundSink sink, Outputs.Choice choice) {}

    /**
     * Commits what each sink gets.
     *
     * @param failedSinks sinks that take no part any more; those that fail are added
     * @param failedSources sources whose positions could not be remembered are added
     * @param failFast whether nothing is started after a failure
     * @return whether anything was committed
     */
    boolean run(Set<String> failedSinks, Set<String> failedSources, boolean failFast) {
        try {
            Map<List<String>, List<Share>> units = units(failedSinks);
            runIntermediates(units, failedSources);
            List<Supplier<Boolean>> commits = units.values().stream()
                    .<Supplier<Boolean>>map(unit -> () -> commit(unit, failedSinks, failedSources, failFast))
                    .toList();
            return all(commits).contains(true);
        } finally {
            drop();
        }
    }

    /** Several at once where each can have the rows for itself. */
    private List<Boolean> all(List<Supplier<Boolean>> commits) {
        boolean areShared = turns.values().stream()
                .anyMatch(
                        turn -> turn.read().staged().flatMap(StagedSource::raw).isPresent());
        return areShared ? commits.stream().map(Supplier::get).toList() : workers.all(commits);
    }

    /** Whether anything was committed. */
    private boolean commit(List<Share> unit, Set<String> failedSinks, Set<String> failedSources, boolean failFast) {
        if (failFast && isLeftOut(unit, failedSinks, failedSources)) {
            return false;
        }
        SinkLoad.Result result = load(unit);
        synchronized (this) {
            noteFailure(unit, result);
            Set<String> outcome = result.failed() ? failedSinks : committed;
            unit.forEach(share -> outcome.add(share.sink().name()));
            remember(unit, marks(result), failedSources);
        }
        return !result.kept().isEmpty();
    }

    private synchronized boolean isLeftOut(List<Share> unit, Set<String> failedSinks, Set<String> failedSources) {
        if (failedSinks.isEmpty() && failedSources.isEmpty()) {
            return false;
        }
        for (Share share : unit) {
            failedSinks.add(share.sink().name());
            journal.started(share.sink().node()).leftOut("something failed before, and --fail-fast is given");
        }
        return true;
    }

    private void noteFailure(List<Share> unit, SinkLoad.Result result) {
        if (result.failure() != null) {
            unit.get(0).choice().feeds().keySet().forEach(source -> failures.computeIfAbsent(
                            source, key -> new ArrayList<>())
                    .add(result.failure()));
        }
    }

    private static Map<PositionKey, Mark> marks(SinkLoad.Result result) {
        Map<PositionKey, Mark> marks = new HashMap<>();
        for (Entry entry : result.kept()) {
            if (entry instanceof Entry.Move move) {
                marks.put(move.key(), move.mark());
            }
        }
        return marks;
    }

    /** The sinks that commit together: those of one pipeline in one connection. */
    private Map<List<String>, List<Share>> units(Set<String> failedSinks) {
        Map<List<String>, List<Share>> units = new LinkedHashMap<>();
        for (BoundPipeline pipeline : component.pipelines()) {
            for (BoundSink sink : pipeline.sinks()) {
                if (!failedSinks.contains(sink.name())) {
                    units.computeIfAbsent(List.of(pipeline.name(), sink.node().connection()), key -> new ArrayList<>())
                            .add(new Share(pipeline, sink, choice(pipeline, sink)));
                }
            }
        }
        return units;
    }

    private Outputs.Choice choice(BoundPipeline pipeline, BoundSink sink) {
        Map<String, Turn.Feed> feeds = new LinkedHashMap<>();
        for (SourceNode source : pipeline.scopedSources()) {
            Turn turn = turns.get(source.id());
            Optional<CursorRange> again = SliceReader.Asked.again(turn.source(), ready(turn, sink))
                    .filter(range -> turn.read().again().containsKey(range));
            feeds.put(source.id(), new Turn.Feed(turn.participates(sink), again));
        }
        return new Outputs.Choice(pipeline.name(), feeds);
    }

    private Comparison.Ready ready(Turn turn, BoundSink sink) {
        return compared.of(turn.source()).stream()
                .filter(ready -> ready.name().equals(sink.name()))
                .findFirst()
                .orElseThrow();
    }

    private List<Outputs.Choice> choices(Map<List<String>, List<Share>> units) {
        return units.values().stream()
                .flatMap(List::stream)
                .map(Share::choice)
                .filter(this::hasRows)
                .toList();
    }

    /** Runs those that a sink still asks for; the others are told why not. */
    private void runIntermediates(Map<List<String>, List<Share>> units, Set<String> failedSources) {
        List<BoundPipeline> asked = new ArrayList<>();
        for (BoundPipeline intermediate : component.intermediates()) {
            Optional<String> above = intermediate.scopedSources().stream()
                    .map(SourceNode::id)
                    .filter(failedSources::contains)
                    .findFirst();
            if (above.isPresent()) {
                journal.started(intermediate.node()).skipped(above.get());
            } else if (isAsked(intermediate, units)) {
                asked.add(intermediate);
            } else {
                journal.started(intermediate.node()).leftOut("nothing that reads it can be loaded");
            }
        }
        outputs.runIntermediates(journal, asked, choices(units));
    }

    private boolean isAsked(BoundPipeline intermediate, Map<List<String>, List<Share>> units) {
        return units.values().stream()
                .anyMatch(unit -> outputs.isAbove(intermediate, unit.get(0).pipeline()));
    }

    private boolean hasRows(Outputs.Choice choice) {
        return choice.feeds().entrySet().stream()
                .anyMatch(feed -> turns.get(feed.getKey()).rows(feed.getValue()) > 0);
    }

    private SinkLoad.Result load(List<Share> unit) {
        List<SinkLoad.Part> parts = unit.stream().map(this::part).toList();
        return new SinkLoad(invocation, journal, unit.get(0).pipeline(), parts).load();
    }

    private SinkLoad.Part part(Share share) {
        Optional<Supplier<Staged>> rows =
                hasRows(share.choice()) ? Optional.of(() -> outputs.of(share.choice())) : Optional.empty();
        List<Entry.Move> moves = new ArrayList<>();
        Optional<PipelineBinder.Deleted> deleted = Optional.empty();
        boolean tableExists = true;
        for (Map.Entry<String, Turn.Feed> entry : share.choice().feeds().entrySet()) {
            Turn turn = turns.get(entry.getKey());
            Comparison.Ready ready = ready(turn, share.sink());
            tableExists &= ready.facts().tableExists();
            Optional<PipelineBinder.Deleted> gone = deleted(turn, ready, entry.getValue());
            move(turn, ready, entry.getValue(), gone.isPresent()).ifPresent(moves::add);
            deleted = deleted.or(() -> gone);
        }
        return new SinkLoad.Part(share.sink(), tableExists, rows, moves, deleted);
    }

    /**
     * The mark's move; empty where the sink gets nothing of this source and stands where it stood. What is deleted moves
     * the mark too, on the spot: else a process that another has overtaken would delete what that one loaded.
     */
    private Optional<Entry.Move> move(Turn turn, Comparison.Ready ready, Turn.Feed feed, boolean deletes) {
        Mark former = ready.facts().standing().mark();
        CursorValue position =
                feed.slice() ? turn.advance().position() : ready.stands().position();
        long generation = ready.stands().generation();
        boolean sameGeneration = former != null && former.generation() == generation;
        boolean stands = Objects.equals(position, former == null ? null : former.value())
                && (sameGeneration || (former == null && generation == 0));
        if (!deletes && turn.rows(feed) == 0 && (stands || !feed.slice())) {
            return Optional.empty();
        }
        Mark next = new Mark(
                turn.source().incremental().orElseThrow().cursor(),
                generation,
                ready.stands().generationStart(),
                sameGeneration ? Math.addExact(former.seq(), 1) : 1,
                position,
                sameGeneration ? former.rowsDelivered() : 0,
                false,
                journal.runId(),
                invocation.clock().instant());
        return Optional.of(new Entry.Move(ready.facts().key(), former, next));
    }

    /**
     * What a window write deletes: what it gets once more, and from {@code lower} to the new position; without a next
     * row, to the ceiling. Also where there was no table: a backfill may have made and filled it since that was asked.
     */
    private Optional<PipelineBinder.Deleted> deleted(Turn turn, Comparison.Ready ready, Turn.Feed feed) {
        if (ready.sink().node().strategy() != Strategy.WINDOW) {
            return Optional.empty();
        }
        Optional<CursorRange> slice = feed.slice() ? sliceRange(turn) : Optional.empty();
        Optional<CursorRange> range = feed.again()
                .map(again -> slice.map(above -> new CursorRange(again.from(), again.fromInclusive(), above.to()))
                        .orElse(again))
                .or(() -> slice);
        String column = turn.source().incremental().orElseThrow().cursor().column();
        return range.map(deleted -> new PipelineBinder.Deleted(column, deleted));
    }

    private Optional<CursorRange> sliceRange(Turn turn) {
        if (!(turn.read().slice() instanceof Slice.Window asked) || asked.rows().isEmpty()) {
            return Optional.empty();
        }
        Sync sync = turn.source().incremental().orElseThrow().sync();
        CursorValue lower = turn.participation().lower();
        CursorValue position = turn.advance().position();
        CursorValue to = turn.read().next().isPresent() && position != null
                ? position
                : times.get(turn.source().node().id())
                        .ceiling()
                        .orElse(sync.type().greatest());
        CursorValue initial = sync.initial() == null ? sync.type().least() : sync.initial();
        CursorRange range = lower == null ? CursorRange.startingAt(initial, to) : CursorRange.above(lower, to);
        return range.isEmpty() ? Optional.empty() : Optional.of(range);
    }

    private void remember(List<Share> unit, Map<PositionKey, Mark> marks, Set<String> failedSources) {
        List<Moved> moved = new ArrayList<>();
        for (Share share : unit) {
            for (String source : share.choice().feeds().keySet()) {
                Comparison.Ready ready = ready(turns.get(source), share.sink());
                Mark mark = marks.get(ready.facts().key());
                if (mark != null) {
                    positions.get(source).put(share.sink().name(), mark.value());
                    moved.add(new Moved(
                            ready.facts().key(), position(ready, mark), stretch(share.choice(), source, mark)));
                }
            }
        }
        if (moved.isEmpty()) {
            return;
        }
        try {
            invocation.save(moved);
        } catch (RuntimeException e) {
            unit.get(0).choice().feeds().keySet().forEach(source -> {
                failedSources.add(source);
                stateFailures.put(source, e);
            });
        }
    }

    /** What a slice has added to what is loaded; null: nothing, as where only rows below it were read once more. */
    private @Nullable Stretch stretch(Outputs.Choice choice, String source, Mark mark) {
        Turn turn = turns.get(source);
        CursorValue to = mark.value();
        boolean hasSlice = choice.feeds().get(source).slice() && turn.read().slice() instanceof Slice.Window;
        if (!hasSlice || to == null || to.equals(turn.participation().lower())) {
            return null;
        }
        CursorRange rows = ((Slice.Window) turn.read().slice()).rows();
        return new Stretch(rows.from(), rows.fromInclusive(), to, turn.read().rows());
    }

    private static Position position(Comparison.Ready ready, Mark mark) {
        Position state = ready.facts().standing().state();
        boolean sameGeneration = state != null && state.generation() == mark.generation();
        return new Position(
                mark.cursor(),
                mark.generation(),
                mark.generationStart(),
                mark.value(),
                sameGeneration ? state.stood() : null,
                mark.runId(),
                mark.committedAt());
    }

    private void drop() {
        outputs.drop();
        turns.values().forEach(turn -> invocation.engine().drop(turn.read().id()));
        turns.values().forEach(turn -> turn.read().forgetRaw());
        turns.values().forEach(turn -> turn.read().again().values().forEach(again -> invocation
                .engine()
                .drop(again.id())));
    }
}
