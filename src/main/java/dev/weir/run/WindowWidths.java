package dev.weir.run;

import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.AutoWindow;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Slice;
import dev.weir.slicing.Step;
import dev.weir.slicing.Sync;
import dev.weir.slicing.Target;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How wide the next window of each source with {@code max_window: auto} is, from pass to pass of one invocation. Other
 * sources are left as they are.
 *
 * <p>Thread-safe: the window of a slice may be asked for while the one before is still being committed. By
 * then it is known how many rows that one holds, and how long those before it took.
 */
final class WindowWidths {

    private final Earlier earlier;
    private final Map<String, Chosen> chosen = new HashMap<>();

    /** What an earlier invocation chose; empty: nothing is known of it. */
    @FunctionalInterface
    interface Earlier {
        Optional<Step> width(String source, Cursor cursor, Target target);

        /** Nothing is known. */
        Earlier NONE = (source, cursor, target) -> Optional.empty();
    }

    /** Keeps what was chosen for the invocation that follows. */
    @FunctionalInterface
    interface Keeper {
        void keep(String source, Cursor cursor, Target target, Step width);
    }

    /**
     * @param source its key
     * @param before what the earlier invocation chose; null: nothing
     */
    private record Chosen(
            String source, Cursor cursor, @Nullable Step before, AutoWindow window) {

        Chosen with(AutoWindow next) {
            return new Chosen(source, cursor, before, next);
        }
    }

    WindowWidths(Earlier earlier) {
        this.earlier = earlier;
    }

    /**
     * The source with windows of the width that is chosen now. Of a source of which nothing is known yet, it is found out
     * by a few questions.
     *
     * @param lower where the next window begins, exclusive; null: on the first run
     * @param ceiling the highest value this invocation may reach; empty: there is none
     */
    BoundSource sized(BoundSource source, Source opened, @Nullable CursorValue lower, Optional<CursorValue> ceiling) {
        return sized(source).orElseGet(() -> {
            AutoWindow window = first(source, opened, lower, ceiling);
            return source.with(sync -> sync.within(window));
        });
    }

    /** The same where nothing has to be found out; empty: nothing is known of the source yet. */
    Optional<BoundSource> sized(BoundSource source) {
        BoundSource.Incremental incremental = source.incremental().orElseThrow();
        Target target = incremental.sync().target();
        return target == null
                ? Optional.of(source)
                : known(source, incremental, target).map(window -> source.with(sync -> sync.within(window)));
    }

    private synchronized Optional<AutoWindow> known(
            BoundSource source, BoundSource.Incremental incremental, Target target) {
        Chosen known = chosen.get(source.node().id());
        if (known != null && known.cursor().equals(incremental.cursor())) {
            return Optional.of(known.window());
        }
        Optional<Step> width = earlier.width(source.node().key(), incremental.cursor(), target);
        return width.map(step -> {
            AutoWindow window = new AutoWindow(target, incremental.sync().maxWindow(), step);
            chosen.put(source.node().id(), new Chosen(source.node().key(), incremental.cursor(), step, window));
            return window;
        });
    }

    /** Where no row is left there is nothing to go by: what comes meanwhile is read a unit at a time, and that is not kept. */
    private AutoWindow first(
            BoundSource source, Source opened, @Nullable CursorValue lower, Optional<CursorValue> ceiling) {
        BoundSource.Incremental incremental = source.incremental().orElseThrow();
        Sync sync = incremental.sync();
        Target target = sync.target();
        CursorType type = sync.type();
        CursorValue end = ceiling.orElse(type.greatest());
        CursorRange left = lower != null
                ? CursorRange.above(lower, end)
                : CursorRange.startingAt(sync.initial() != null ? sync.initial() : type.least(), end);
        if (left.isEmpty()) {
            return AutoWindow.narrowest(type, target, sync.maxWindow());
        }
        try (Snapshot snapshot = opened.open(source.request())) {
            Optional<AutoWindow> found = snapshot.lowest(left)
                    .map(lowest -> AutoWindow.first(
                            target, sync.maxWindow(), CursorRange.startingAt(lowest, end), snapshot::count));
            found.ifPresent(window -> choose(source, window));
            return found.orElseGet(() -> AutoWindow.narrowest(type, target, sync.maxWindow()));
        }
    }

    private synchronized void choose(BoundSource source, AutoWindow window) {
        Cursor cursor = source.incremental().orElseThrow().cursor();
        chosen.put(source.node().id(), new Chosen(source.node().key(), cursor, null, window));
    }

    /** Takes note of how many rows a slice holds, as soon as it is read. */
    void read(Turn turn) {
        seen(turn, Target.Rows.class, Duration.ZERO);
    }

    /**
     * Takes note of how long a slice took that all its sinks have committed.
     *
     * @param took from the first question to the source to the last commit
     */
    void committed(Turn turn, Duration took) {
        seen(turn, Target.Time.class, took);
    }

    private synchronized void seen(Turn turn, Class<? extends Target> by, Duration took) {
        Chosen known = chosen.get(turn.source().node().id());
        if (known != null
                && by.isInstance(known.window().target())
                && turn.read().slice() instanceof Slice.Window window) {
            AutoWindow.Seen seen = AutoWindow.Seen.of(
                    window, turn.advance().atEnd(), turn.read().rows(), took);
            chosen.put(turn.source().node().id(), known.with(known.window().after(seen)));
        }
    }

    /** Takes note of failures to read or to load a slice: after a time-out windows are narrower. */
    synchronized void failed(BoundSource source, List<? extends RuntimeException> failures) {
        Sync sync = source.incremental().orElseThrow().sync();
        Target target = sync.target();
        if (target == null || failures.stream().noneMatch(WindowWidths::isTimeOut)) {
            return;
        }
        Chosen known = chosen.get(source.node().id());
        if (known == null) {
            choose(source, AutoWindow.narrowest(sync.type(), target, sync.maxWindow()));
        } else {
            chosen.put(source.node().id(), known.with(known.window().afterTimeOut()));
        }
    }

    private static boolean isTimeOut(RuntimeException failure) {
        return failure instanceof RunException run && run.fault().code() == Code.TIMED_OUT;
    }

    /** Hands over what is not what the earlier invocation chose. */
    synchronized void keep(Keeper keeper) {
        chosen.values().stream()
                .filter(known -> !known.window().width().equals(known.before()))
                .forEach(known -> keeper.keep(
                        known.source(),
                        known.cursor(),
                        known.window().target(),
                        known.window().width()));
    }
}
