package dev.weir.run;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /** An action that waits for a cancellation. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {

        /** Forgets the action: what it would end has ended. */
        @Override
        void close();
    }

    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final Set<Runnable> actions = ConcurrentHashMap.newKeySet();

    /** Asks everything to stop; returns at once. */
    public void cancel() {
        cancelled.countDown();
        // Each on its own: a server that does not answer one of them must not hold up the others.
        actions.forEach(Cancellation::start);
    }

    /** Does something beside everything else, that keeps no process alive. */
    static void start(Runnable action) {
        Thread thread = new Thread(action, "weir-cancel");
        thread.setDaemon(true);
        thread.start();
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

    /**
     * Runs an action when cancelled, in a thread of its own; at once, and here, if that was before. It must not fail, and
     * may be run twice.
     */
    Registration onCancel(Runnable action) {
        actions.add(action);
        if (isCancelled()) {
            action.run();
        }
        return () -> actions.remove(action);
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
