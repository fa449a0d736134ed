package dev.weir.event;

import static dev.weir.event.Samples.AT;
import static dev.weir.event.Samples.ID;
import static dev.weir.event.Samples.RUN;
import static dev.weir.event.Samples.id;

import dev.weir.fault.Redactor;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A run shown on a pretended screen of 80 by 24, in a time that stands still between its steps. */
abstract class OnAScreen {

    static final TerminalLook PLAIN = new TerminalLook(false, true);
    static final Outcome OK = new Outcome.Success();
    static final long SECOND = 1_000_000_000L;
    static final Cursor TIME = new Cursor("at", CursorType.of(CursorType.Kind.TIMESTAMP));

    private final AtomicLong nanos = new AtomicLong(77 * SECOND);
    PretendScreen screen = new PretendScreen(80, 24);
    TerminalRenderer renderer = renderer(PLAIN, true);

    final TerminalRenderer renderer(TerminalLook look, boolean loop) {
        return new TerminalRenderer(screen, new Redactor(List.of("$ecret")), look, screen.size(), nanos::get, loop);
    }

    final void on(int columns, int rows) {
        screen = new PretendScreen(columns, rows);
        renderer = renderer(PLAIN, true);
    }

    final void seconds(double seconds) {
        nanos.addAndGet((long) (seconds * SECOND));
    }

    final List<String> drawn() {
        renderer.draw();
        return screen.shown();
    }

    final void started(String name) {
        renderer.accept(Samples.nodeStarted(name, NodeKind.SOURCE_LOAD));
    }

    final void read(String name, long rows, Incremental incremental) {
        renderer.accept(
                new Event.NodeCompleted(AT, RUN, name, NodeKind.SOURCE_LOAD, name, OK, rows, 0, 10, incremental));
    }

    /** A pass of a second: from, to. */
    final void pass(String name, long rows, Incremental incremental) {
        started(name);
        seconds(1);
        read(name, rows, incremental);
    }

    static Incremental ids(@Nullable Long before, long after, @Nullable Long ceiling, @Nullable Boolean caughtUp) {
        return new Incremental(
                new Incremental.Window(id(before == null ? 0 : before), id(after), before == null, null),
                ID,
                before == null ? null : id(before),
                id(after),
                ceiling == null ? null : id(ceiling),
                Boolean.TRUE.equals(caughtUp),
                null,
                0,
                null,
                caughtUp);
    }

    static Incremental times(String before, String after, String ceiling) {
        CursorValue from = TIME.type().parse(before);
        CursorValue to = TIME.type().parse(after);
        return new Incremental(
                new Incremental.Window(from, to, false, null),
                TIME,
                from,
                to,
                TIME.type().parse(ceiling),
                false,
                null,
                0,
                null,
                false);
    }

    final void fourPasses(String name) {
        pass(name, 10_000, ids(null, 10_000, 50_000L, false));
        pass(name, 10_000, ids(10_000L, 20_000, 50_000L, false));
        pass(name, 10_000, ids(20_000L, 30_000, 50_000L, false));
        pass(name, 10_000, ids(30_000L, 40_000, 50_000L, false));
    }
}
