package dev.weir.run;

import dev.weir.plan.Plan;
import dev.weir.plan.PlannedConnection;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Participation;
import dev.weir.slicing.Slice;
import dev.weir.state.ActiveRanges;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the next slices of a component while its sinks are at work on the last ones, so that neither waits for the other.
 *
 * <p>What is read so is what the next pass would read: the pass takes it only where its sinks stand where they were to
 * stand, its source is bound as it was, and nobody was let into its ranges meanwhile; else it is thrown away. A read that
 * failed is thrown away too, and the pass meets the failure itself. Nothing is ever written here. Thread-safe.
 */
final class ReadAhead implements AutoCloseable {

    private final Invocation invocation;
    private final WindowWidths widths;
    private final ExecutorService threads = Executors.newCachedThreadPool(ReadAhead::thread);

    /** Keeps the slices that wait in memory few, however many components there are. */
    private final Semaphore room;

    /** What waits for passes that are still to come. */
    private final Map<List<String>, Begun> kept = new ConcurrentHashMap<>();

    /** @param most how many components may have slices waiting */
    ReadAhead(Invocation invocation, WindowWidths widths, int most) {
        this.invocation = invocation;
        this.widths = widths;
        this.room = new Semaphore(most);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "weir-ahead");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * What a component's next pass will find.
     *
     * @param compared where its sinks stand now
     * @param turns what is being committed, by the source's id
     * @param times of the sources, by id
     */
    record Now(
            Component component,
            Comparison.Compared compared,
            Map<String, Turn> turns,
            Map<String, SourceTime> times) {}

    /**
     * Begins to read, where there is something to be read already, and room for it.
     *
     * @param range what keeps backfills away; it passes over to what was begun
     * @param mayKeep whether the range may be kept for another pass: nobody waits for it
     * @return what the caller has to {@link #keep} once its pass is over; empty: nothing was begun, and the range is its own
     */
    Optional<Begun> begin(Now now, ActiveRanges.Held range, BooleanSupplier mayKeep) {
        if (now.component().readsAnew() || !invocation.engine().hasRoomToSpill() || !room.tryAcquire()) {
            return Optional.empty();
        }
        boolean begins = false;
        try {
            Map<String, NextSlice> next = new LinkedHashMap<>();
            for (BoundSource source : now.component().sources()) {
                next(now, source).ifPresent(slice -> next.put(source.node().id(), slice));
            }
            begins = !next.isEmpty() && mayKeep.getAsBoolean();
            if (!begins) {
                return Optional.empty();
            }
            next.values().forEach(slice -> threads.execute(slice::read));
            return Optional.of(new Begun(key(now.component()), range, next));
        } finally {
            if (!begins) {
                room.release();
            }
        }
    }

    private static List<String> key(Component component) {
        return component.sources().stream().map(source -> source.node().id()).toList();
    }

    /** The slice a source's next pass will ask for; empty: that cannot be said yet. */
    private Optional<NextSlice> next(Now now, BoundSource source) {
        String id = source.node().id();
        Turn turn = now.turns().get(id);
        SourceTime time = now.times().get(id);
        if (turn == null || turn.advance().atEnd() || !time.isFinal() || !readsBesideItsSinks(source)) {
            return Optional.empty();
        }
        Participation participation = Participation.of(after(now, source));
        String other = turn.read().id().equals(id) ? id + "#ahead" : id;
        return widths.sized(source)
                .map(sized -> now.component()
                        .asks(sized, time, participation, now.compared().of(source), false))
                .filter(asked -> asked.slice() instanceof Slice.Window)
                .map(asked -> new NextSlice(invocation, widths, source, participation, asked.under(other)));
    }

    /** What makes its writers wait for its readers is not read while this invocation may be writing it. */
    private boolean readsBesideItsSinks(BoundSource source) {
        Plan plan = invocation.plan();
        PlannedConnection read = plan.connection(source.node().connection());
        return read.connector().readsBesideWrites()
                || plan.sinks().stream()
                        .map(sink -> plan.connection(sink.connection()).database())
                        .noneMatch(read.database()::equals);
    }

    /** Where each sink will stand in a source, by name, if all goes well. */
    private static Map<String, @Nullable CursorValue> after(Now now, BoundSource source) {
        Map<String, @Nullable CursorValue> positions = now.compared().positions(source);
        Turn turn = now.turns().get(source.node().id());
        if (turn != null) {
            turn.participation()
                    .participants()
                    .forEach(sink -> positions.put(sink, turn.advance().position()));
        }
        return positions;
    }

    /** Has it wait for the next pass of its component. */
    void keep(Begun begun) {
        kept.put(begun.component, begun);
    }

    /** What was begun for a component, which the caller has to end; empty: nothing was, or it was let go. */
    Optional<Begun> take(Component component) {
        return Optional.ofNullable(kept.remove(key(component)));
    }

    /** Throws away all that waits: who waits for a chunk may have nothing kept that the chunk waits for. */
    void letGo() {
        kept.keySet().forEach(key -> end(kept.remove(key)));
    }

    /** Throws away what was begun for components that are no more, since their sources go with others now. */
    void keepOnly(List<Component> components) {
        List<List<String>> keys = components.stream().map(ReadAhead::key).toList();
        for (List<String> key : kept.keySet()) {
            if (!keys.contains(key)) {
                end(kept.remove(key));
            }
        }
    }

    private static void end(@Nullable Begun gone) {
        if (gone != null) {
            gone.close();
        }
    }

    /** Ends what is still being read, and waits for that. */
    @Override
    public void close() {
        letGo();
        threads.shutdown();
    }

    /** The next slices of one component, being read. Thread-safe, but for its end. */
    final class Begun implements AutoCloseable {

        private final List<String> component;
        private final ActiveRanges.Held range;
        private final Map<String, NextSlice> slices;
        private boolean over;

        /** @param component its key */
        private Begun(List<String> component, ActiveRanges.Held range, Map<String, NextSlice> slices) {
            this.component = component;
            this.range = range;
            this.slices = new ConcurrentHashMap<>(slices);
        }

        /** What keeps backfills away from the slices, in which nobody was let since they were begun. */
        ActiveRanges.Held range() {
            return range;
        }

        /**
         * The slice of a source, once it is read; empty: it was not begun, it failed, or it is not the one to be read now.
         *
         * @param source as it is bound now; null: it could not be bound any more
         * @param participation where its sinks stand
         * @param node told how far it has come
         */
        Optional<Turn> turn(@Nullable BoundSource source, Participation participation, Journal.Node node) {
            NextSlice slice =
                    source == null ? null : slices.remove(source.node().id());
            if (slice == null) {
                return Optional.empty();
            }
            if (!slice.isOf(source, participation)) {
                slice.end();
                return Optional.empty();
            }
            return slice.turn(node);
        }

        /** Throws away what was not asked for; the range stays as it is. Once done it does nothing. */
        void rest() {
            slices.values().forEach(NextSlice::end);
            slices.clear();
            if (!over) {
                over = true;
                room.release();
            }
        }

        /** Throws it all away. */
        @Override
        public void close() {
            rest();
            range.close();
        }
    }
}
