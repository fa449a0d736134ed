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

/**
 * The open sources, or sinks, of one connection: each used by one thread at a time, for as long as the connection's
 * {@code timeout} allows. Thread-safe.
 */
final class Pool<C> {

    private static final Duration LOOK_UP = Duration.ofMillis(100);

    private final Semaphore permits;
    private final Supplier<C> open;
    private final Consumer<C> cancel;
    private final Consumer<C> close;
    private final TimeLimit limit;
    private final Cancellation cancellation;
    private final Deque<One<C>> idle = new ArrayDeque<>();

    /** @param reached by a cancellation until it is closed */
    private record One<C>(C opened, Cancellation.Registration reached) {}

    /** @param most how many may be in use at once */
    Pool(
            int most,
            Supplier<C> open,
            Consumer<C> cancel,
            Consumer<C> close,
            TimeLimit limit,
            Cancellation cancellation) {
        this.permits = new Semaphore(most, true);
        this.open = open;
        this.cancel = cancel;
        this.close = close;
        this.limit = limit;
        this.cancellation = cancellation;
    }

    /**
     * Does something with one of them, waiting for one to come free.
     *
     * @throws Cancellation.CancelledException when cancelled while waiting
     * @throws RunException {@code WR0506} when it takes too long
     */
    <T> T use(Function<C, T> work) {
        acquire();
        try {
            One<C> one = take();
            boolean lost = true;
            TimeLimit.Running running = limit.start(() -> cancel.accept(one.opened()));
            try {
                T result = running.run(() -> work.apply(one.opened()));
                lost = false;
                return result;
            } catch (RunException e) {
                lost = e.isRetryable();
                throw e;
            } finally {
                running.close();
                giveBack(one, lost || running.hasElapsed());
            }
        } finally {
            permits.release();
        }
    }

    /** Ends those that nobody uses. */
    void reset() {
        while (true) {
            One<C> one = poll();
            if (one == null) {
                return;
            }
            end(one);
        }
    }

    /**
     * Ends one once it is idle, and keeps whoever asks for it waiting for a while.
     *
     * @throws Cancellation.CancelledException when cancelled while waiting
     */
    void rest(Duration duration) {
        acquire();
        try {
            reset();
            cancellation.pause(duration);
        } finally {
            permits.release();
        }
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

    private One<C> take() {
        One<C> one = poll();
        if (one != null) {
            return one;
        }
        C opened = open.get();
        return new One<>(opened, cancellation.onCancel(() -> cancel.accept(opened)));
    }

    private void giveBack(One<C> one, boolean lost) {
        if (lost) {
            end(one);
            return;
        }
        synchronized (idle) {
            idle.push(one);
        }
    }

    private void end(One<C> one) {
        one.reached().close();
        close.accept(one.opened());
    }

    private One<C> poll() {
        synchronized (idle) {
            return idle.poll();
        }
    }
}
