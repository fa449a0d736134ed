package dev.weir.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wish to stop, carried from a signal to whatever is under way.
 *
 * <p>Thread-safe. Once cancelled it stays so. Threads are not interrupted, because an interrupt closes the channels that
 * hold locks; statements and sockets are cancelled by the actions registered here.
 */
public final class Cancellation {

    /** Something stopped because it was asked to. */
    public static final class CancelledException extends RuntimeException {
        CancelledException() {
            super("cancelled");
        }
    }

    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final List<Runnable> actions = new CopyOnWriteArrayList<>();

    /** Asks everything to stop; returns at once. */
    public void cancel() {
        cancelled.countDown();
        actions.forEach(Runnable::run);
    }

    public boolean isCancelled() {
        return cancelled.getCount() == 0;
    }

    /** @throws CancelledException when cancelled */
    public void check() {
        if (isCancelled()) {
            throw new CancelledException();
        }
    }

    /** Runs an action, which must not fail or block, when cancelled; at once if that was before. */
    public void onCancel(Runnable action) {
        actions.add(action);
        if (isCancelled()) {
            action.run();
        }
    }

    /**
     * Waits.
     *
     * @throws CancelledException as soon as cancelled
     */
    public void pause(Duration duration) {
        try {
            if (cancelled.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new CancelledException();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException();
        }
    }
}
