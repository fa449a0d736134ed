package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Generations;
import dev.weir.slicing.LiteralException;
import dev.weir.slicing.Mark;
import dev.weir.slicing.Moment;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Reconciliation;
import dev.weir.slicing.Strategy;
import dev.weir.state.Edit;
import dev.weir.state.StateStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Moves positions by an operator's decision: each edit starts a generation, which the next pass carries into the sinks.
 *
 * <p>The marks of the sinks that can be opened are read first, so that an edit that would double rows is refused at once.
 * Used by one thread, while the entity is locked. Source of the rules: contract, sections 2.4 and 5.
 */
final class PositionEdits {

    /** How the run ids of edits begin. */
    static final String BY_HAND = "edit-";

    private final Plan plan;
    private final SourceNode source;
    private final StateStore state;
    private final Connections connections;
    private final Instant now;
    private final Faults faults;
    private final Consumer<String> notes;

    PositionEdits(
            Plan plan,
            SourceNode source,
            StateStore state,
            Connections connections,
            Instant now,
            Faults faults,
            Consumer<String> notes) {
        this.plan = plan;
        this.source = source;
        this.state = state;
        this.connections = connections;
        this.now = now;
        this.faults = faults;
        this.notes = notes;
    }

    /** Who edits, and why. */
    record Why(String reason, String who) {}

    /** One position below the source, as mark and state tell it. */
    private record Found(
            SinkNode sink,
            PositionKey key,
            @Nullable Position state,
            @Nullable Mark mark,
            boolean hasRows,
            boolean wasRead) {

        /** Where the sink stands by this cursor; null: nowhere, or by another cursor, which is not compared. */
        @Nullable
        CursorValue stood(Cursor today) {
            return cursor().filter(today::equals).isPresent() ? stood() : null;
        }

        boolean standsNowhere() {
            return stood() == null;
        }

        private @Nullable CursorValue stood() {
            if (mark != null) {
                return mark.value();
            }
            if (state == null) {
                return null;
            }
            // What an edit wrote that no pass has carried is a wish: the sink still stands where it stood then.
            return state.runId().startsWith(BY_HAND) ? state.stood() : state.value();
        }

        Optional<Cursor> cursor() {
            return mark != null
                    ? Optional.of(mark.cursor())
                    : Optional.ofNullable(state).map(Position::cursor);
        }
    }

    /** Moves every position below the source to the value, which itself counts as loaded. */
    void set(String value, Why why) {
        List<Found> found = find();
        Cursor cursor = cursor(found);
        CursorValue wanted = parse(cursor, value);
        change(Edit.Kind.SET, found, cursor, any -> wanted, why);
    }

    /** Starts every position below the source at {@code initial} again. */
    void clear(Why why) {
        List<Found> found = find();
        change(Edit.Kind.CLEAR, found, cursor(found), any -> null, why);
    }

    /** Moves every position below the source back to where it stood after a run. */
    void rollback(String runId, Why why) {
        Map<PositionKey, Position> then = state.positionsAfter(plan.project(), source.key(), runId)
                .orElseThrow(() -> new UsageException(
                        Code.BAD_VALUE, "--to-run", "no run '" + runId + "' is known", "list the runs: weir runs"));
        List<Found> found = find();
        Cursor cursor = cursor(found);
        for (Position position : then.values()) {
            if (!position.cursor().equals(cursor)) {
                throw new RunException(
                        Code.CURSOR_CHANGED,
                        source.key(),
                        "after run " + runId + " the position was of cursor " + position.cursor() + ", and now it is "
                                + cursor,
                        "start over with 'weir state clear " + source.key() + "'");
            }
        }
        change(
                Edit.Kind.ROLLBACK,
                found,
                cursor,
                one -> Optional.ofNullable(then.get(one.key()))
                        .map(Position::value)
                        .orElse(null),
                why);
    }

    /** Says where one sink stands, and writes that into the sink as its mark. */
    void adopt(String sinkId, String value, Why why) {
        List<Found> all = find();
        List<Found> found =
                all.stream().filter(one -> one.sink().id().equals(sinkId)).toList();
        if (found.isEmpty()) {
            throw new UsageException(
                    Code.BAD_VALUE,
                    "--sink",
                    "no sink '" + sinkId + "' is loaded from " + source.key(),
                    "its sinks are: "
                            + String.join(
                                    ", ",
                                    all.stream().map(one -> one.sink().id()).toList()));
        }
        Cursor cursor = cursor(all);
        CursorValue wanted = parse(cursor, value);
        long generation = generation(all);
        List<Edit.Change> changes = new ArrayList<>();
        for (Found one : found) {
            // Without a mark of this cursor nothing but the operator knows where the sink stands; state may remember
            // a table of before.
            if (one.mark() != null && one.mark().cursor().equals(cursor)) {
                refuseGoingBack(one, cursor, wanted);
            }
        }
        for (Found one : found) {
            Mark mark = new Mark(cursor, generation, wanted, 1, wanted, 0, !one.hasRows(), editId(generation), now);
            write(one, mark);
            changes.add(new Edit.Change(one.key(), one.state(), position(cursor, generation, wanted, wanted)));
        }
        save(new Edit(Edit.Kind.ADOPT, plan.project(), source.key(), why.reason(), why.who(), changes));
    }

    private void write(Found one, Mark mark) {
        connections.writing(one.sink().connection(), sink -> {
            write(sink, one, mark);
            return mark;
        });
    }

    private void write(Sink sink, Found one, Mark mark) {
        if (sink.describe(one.sink().table()).isEmpty()) {
            throw new RunException(
                    Code.SINK_AND_MARK_DISAGREE,
                    one.sink().id(),
                    "there is no such table, so it stands nowhere",
                    "load it from initial: weir state clear " + source.key());
        }
        try (SinkTransaction transaction = sink.begin()) {
            transaction.move(one.sink().table(), one.key(), Optional.ofNullable(one.mark()), mark);
            faults.reached(Faults.Point.BEFORE_SINK_COMMIT);
            transaction.commit();
            faults.reached(Faults.Point.AFTER_SINK_COMMIT);
        }
    }

    private void change(
            Edit.Kind kind, List<Found> found, Cursor cursor, Function<Found, @Nullable CursorValue> wanted, Why why) {
        long generation = generation(found);
        List<Edit.Change> changes = new ArrayList<>();
        for (Found one : found) {
            CursorValue value = wanted.apply(one);
            refuseGoingBack(one, cursor, value);
            if (!one.wasRead()) {
                notes.accept(one.sink().id() + " could not be asked where it stands; its next run will be");
            }
            changes.add(
                    new Edit.Change(one.key(), one.state(), position(cursor, generation, value, one.stood(cursor))));
        }
        save(new Edit(kind, plan.project(), source.key(), why.reason(), why.who(), changes));
    }

    private void save(Edit edit) {
        faults.reached(Faults.Point.BEFORE_STATE_WRITE);
        state.edit(edit);
        faults.reached(Faults.Point.AFTER_STATE_WRITE);
    }

    private Position position(
            Cursor cursor, long generation, @Nullable CursorValue start, @Nullable CursorValue stood) {
        return new Position(cursor, generation, start, start, stood, editId(generation), now);
    }

    private static String editId(long generation) {
        return BY_HAND + generation;
    }

    private static void refuseGoingBack(Found one, Cursor cursor, @Nullable CursorValue wanted) {
        SinkNode sink = one.sink();
        boolean doubles = sink.strategy() == Strategy.APPEND && !sink.acceptsDuplicates() && one.hasRows();
        if (!doubles || one.standsNowhere()) {
            return;
        }
        CursorValue stood = one.stood(cursor);
        if (wanted == null || stood == null || wanted.isBelow(stood)) {
            throw new RunException(
                    Code.BACK_IN_APPEND,
                    sink.id(),
                    "it stands at " + (stood == null ? "a value of another cursor" : stood)
                            + " and appends, so going back to " + (wanted == null ? "initial" : wanted)
                            + " would append rows a second time",
                    "empty the table together with its mark, make it a merge, or say duplicates: 'accept'");
        }
    }

    private List<Found> find() {
        Map<PositionKey, Position> positions = state.positions(plan.project(), source.key());
        List<Found> found = new ArrayList<>();
        for (PipelineNode pipeline : plan.below(source)) {
            for (SinkNode sink : pipeline.sinks()) {
                PositionKey key = new PositionKey(plan.project(), pipeline.name(), sink.id(), source.key());
                found.add(find(sink, key, positions.get(key)));
            }
        }
        return found;
    }

    private Found find(SinkNode node, PositionKey key, @Nullable Position remembered) {
        try {
            return connections.writing(node.connection(), sink -> {
                Mark mark = sink.mark(node.table(), key).orElse(null);
                boolean rows = sink.describe(node.table()).isPresent() && sink.hasRows(node.table());
                return new Found(node, key, remembered, mark, rows, true);
            });
        } catch (RunException e) {
            return new Found(node, key, remembered, null, true, false);
        }
    }

    /** Greater than every number read, so that it is the newest everywhere. */
    private long generation(List<Found> found) {
        List<Long> known = new ArrayList<>();
        for (Found one : found) {
            known.add(one.state() == null ? 0 : one.state().generation());
            known.add(one.mark() == null ? 0 : one.mark().generation());
        }
        state.refresh(plan.project(), source.key())
                .map(Reconciliation.Refresh::number)
                .ifPresent(known::add);
        return Generations.next(now, known);
    }

    /** The cursor the project names now, typed by the source, or by what is stored where the source does not answer. */
    private Cursor cursor(List<Found> found) {
        String column = source.sync()
                .orElseThrow(() -> new UsageException(
                        Code.NEEDS_INCREMENTAL,
                        source.key(),
                        "it is read in full and has no position",
                        "give it a sync block to read it incrementally"))
                .cursor();
        SourceNode asked = inRuns();
        try {
            return connections
                    .reading(source.connection(), opened -> SourceBinder.bind(asked, opened))
                    .incremental()
                    .orElseThrow()
                    .cursor();
        } catch (RunException e) {
            return found.stream()
                    .flatMap(one -> one.cursor().stream())
                    .filter(stored -> stored.column().equals(column))
                    .findFirst()
                    .orElseThrow(() -> e);
        }
    }

    /** The source as runs read it: they move positions, and backfills do not. */
    private SourceNode inRuns() {
        source.tokens().ifPresent(query -> query.text().ofBackfill().ifPresent(token -> {
            throw new UsageException(
                    Code.BAD_TOKEN,
                    query.place().toString(),
                    source.key() + ": the token " + token + " is for backfills, which have no position",
                    "take it out to load the entity by runs");
        }));
        return source.at(new Moment.OfRun(now));
    }

    private CursorValue parse(Cursor cursor, String value) {
        try {
            return cursor.type().parse(value);
        } catch (LiteralException e) {
            throw new UsageException(
                    Code.BAD_VALUE, "--value", e.getMessage(), "the cursor of " + source.key() + " is " + cursor);
        }
    }
}
