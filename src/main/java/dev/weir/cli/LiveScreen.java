package dev.weir.cli;

import dev.weir.event.ScreenSize;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has something drawn ten times a second, at the size the screen has; a change of size is learnt from SIGWINCH. */
final class LiveScreen implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LiveScreen.class);
    private static final String RESIZED = "WINCH";
    private static final long EVERY_MILLIS = 100;

    private final Screen screen;
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "weir-screen");
        thread.setDaemon(true);
        return thread;
    });
    private final Object former;
    private volatile ScreenSize size;
    private volatile boolean resized;

    LiveScreen(Screen screen, ScreenSize size) {
        this.screen = screen;
        this.size = size;
        this.former = Signals.register(RESIZED, () -> resized = true);
    }

    void start(Runnable draw) {
        ticks.scheduleWithFixedDelay(() -> tick(draw), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick(Runnable draw) {
        if (resized) {
            resized = false;
            size = screen.size().orElse(size);
        }
        try {
            draw.run();
        } catch (RuntimeException e) {
            // A run does not fail because it cannot be shown.
            LOG.error("internal error: the live lines end here", e);
            ticks.shutdown();
        }
    }

    ScreenSize size() {
        return size;
    }

    @Override
    public void close() {
        ticks.shutdown();
        if (former != null) {
            Signals.unregister(RESIZED, former);
        }
    }
}
