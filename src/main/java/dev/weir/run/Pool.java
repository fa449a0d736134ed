package dev.weir.run;

import dev.weir.fault.RunException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The open sources, or sinks, of one connection: each used by one thread at a time. Thread-safe. */
final class Pool<C> {

    private static final Duration LOOK_UP = Duration.ofMillis(100);

    private final Semaphore permits;
    private final Supplier<C> open;
    private final Consumer<C> cancel;
    private final Consumer<C> close;
    private final Cancellation cancellation;
    private final Deque<C> idle = new ArrayDeque<>();

    /** @param most how many may be in use at once */
    Pool(int most, Supplier<C> open, Consumer<C> cancel, Consumer<C> close, Cancellation cancellation) {
        this.permits = new Semaphore(most, true);
        this.open = open;
        this.cancel = cancel;
        this.close = close;
        this.cancellation = cancellation;
    }

    /**
     * Does something with one of them, waiting for one to come free.
     *
     * @throws Cancellation.CancelledException when cancelled while waiting
     */
    <T> T use(Function<C, T> work) {
        acquire();
        try {
            C one = take();
            boolean lost = true;
            try {
                T result = work.apply(one);
                lost = false;
                return result;
            } catch (RunException e) {
                lost = e.isRetryable();
                throw e;
            } finally {
                giveBack(one, lost);
            }
        } finally {
            permits.release();
        }
    }

    /** Ends those that nobody uses. */
    void reset() {
        while (true) {
            C one = poll();
            if (one == null) {
                return;
            }
            close.accept(one);
        }
    }

    void close() {
        reset();
    }

    private void acquire() {
        try {
            while (!permits.tryAcquire(LOOK_UP.toMillis(), TimeUnit.MILLISECONDS)) {
                cancellation.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Cancellation.CancelledException();
        }
    }

    private C take() {
        C one = poll();
        if (one != null) {
            return one;
        }
        C opened = open.get();
        cancellation.onCancel(() -> cancel.accept(opened));
        return opened;
    }

    private void giveBack(C one, boolean lost) {
        if (lost) {
            close.accept(one);
            return;
        }
        synchronized (idle) {
            idle.push(one);
        }
    }

    private C poll() {
        synchronized (idle) {
            return idle.poll();
        }
    }
}
