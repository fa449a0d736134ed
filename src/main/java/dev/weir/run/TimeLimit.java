package dev.weir.run;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.slicing.Step;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Ends what takes longer than a connection's {@code timeout} allows, by cancelling what it works with.
 *
 * <p>Nobody is interrupted: see {@link Cancellation}. Thread-safe.
 */
final class TimeLimit {

    /** A statement may begin just after the one that was cancelled. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final String connection;
    private final Optional<Duration> limit;
    private final ScheduledExecutorService timer;

    /**
     * @param limit empty: for ever
     * @param timer waits for the time to elapse, and does nothing else
     */
    TimeLimit(String connection, Optional<Duration> limit, ScheduledExecutorService timer) {
        this.connection = connection;
        this.limit = limit;
        this.timer = timer;
    }

    /** Work under way. */
    final class Running implements AutoCloseable {

        private final Optional<ScheduledFuture<?>> alarm;
        private boolean elapsed;
        private boolean ended;

        private Running(Runnable cancel) {
            this.alarm = limit.map(most -> timer.scheduleAtFixedRate(
                    () -> {
                        if (elapses()) {
                            Cancellation.start(cancel);
                        }
                    },
                    most.toNanos(),
                    AGAIN.toNanos(),
                    TimeUnit.NANOSECONDS));
        }

        /** Whether there is anything left to cancel: what is closed may be in other hands, though an alarm was on its way. */
        private synchronized boolean elapses() {
            elapsed |= !ended;
            return !ended;
        }

        /** Whether the time has run out, so that what was worked with is of no use any more. Once closed it stays as it is. */
        synchronized boolean hasElapsed() {
            return elapsed;
        }

        /**
         * Does the work.
         *
         * @throws RunException {@code WR0506} when it failed after its time had run out; a COMMIT whose outcome is unknown
         *     stays one
         */
        <T> T run(Supplier<T> work) {
            try {
                return work.get();
            } catch (UnknownOutcomeException | Cancellation.CancelledException e) {
                throw e;
            } catch (RuntimeException e) {
                throw hasElapsed() ? timedOut(e) : e;
            }
        }

        @Override
        public void close() {
            synchronized (this) {
                ended = true;
            }
            alarm.ifPresent(waiting -> waiting.cancel(false));
        }
    }

    /** @param cancel makes the work end soon with an error; may be run several times */
    Running start(Runnable cancel) {
        return new Running(cancel);
    }

    private RunException timedOut(RuntimeException failure) {
        String place = failure instanceof RunException known ? known.fault().place() : connection;
        return RunException.unreachable(
                new Fault(
                        Code.TIMED_OUT,
                        place,
                        "it was ended unfinished: timeout: " + Step.written(limit.orElseThrow()) + " of the connection "
                                + connection + " was reached",
                        "a smaller max_window takes less time; or allow more with a longer timeout"),
                failure);
    }
}
