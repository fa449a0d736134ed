package dev.weir.run;

import dev.failsafe.Execution;
import dev.failsafe.RetryPolicy;
import dev.failsafe.RetryPolicyBuilder;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.project.Limits;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Tries work again when its failure may pass: as often and as far apart as the connection's {@code retry} says, the
 * delays doubling, with 25 % jitter. Thread-safe.
 *
 * <p>Nothing is begun while the connection's {@code breaker} is open. What had begun before goes on: a short absence that
 * several threads meet at once is what retries are for. Source of the rule: contract, section 7.
 */
final class Retries {

    private static final double JITTER = 0.25;

    /** Told before each wait. */
    @FunctionalInterface
    interface Listener {
        /**
         * @param attempt the attempt that failed, from 1
         * @param attempts how many there will be at most
         * @param delay how long until the next one
         */
        void scheduled(int attempt, int attempts, Duration delay, RunException reason);

        /** Told, and says nothing. */
        Listener SILENT = (attempt, attempts, delay, reason) -> {};
    }

    private final RetryPolicy<Object> policy;
    private final Cancellation cancellation;
    private final Breaker breaker;
    private final int attempts;

    Retries(Cancellation cancellation, Limits.Retry retry, Breaker breaker) {
        this.cancellation = cancellation;
        this.breaker = breaker;
        this.attempts = retry.attempts();
        RetryPolicyBuilder<Object> builder = RetryPolicy.builder()
                .handleIf(failure -> failure instanceof RunException run
                        && run.isRetryable()
                        && !(run instanceof UnknownOutcomeException)
                        && !cancellation.isCancelled())
                .withMaxAttempts(attempts)
                .withJitter(JITTER);
        // Failsafe wants the longest delay above the first one.
        this.policy = retry.delay().compareTo(retry.maxDelay()) < 0
                ? builder.withBackoff(retry.delay(), retry.maxDelay()).build()
                : builder.withDelay(retry.delay()).build();
    }

    /**
     * Does the work, each attempt from the start; the last failure is thrown, with earlier ones suppressed.
     *
     * @throws RunException {@code WR0507} when the connection's breaker is open
     */
    <T> T run(Supplier<T> work, Listener listener) {
        boolean trial = breaker.enter();
        return attempt(work, listener, trial);
    }

    /** The same whatever the breaker says: for a question that must be answered. */
    <T> T insist(Supplier<T> work, Listener listener) {
        return attempt(work, listener, false);
    }

    private <T> T attempt(Supplier<T> work, Listener listener, boolean once) {
        Execution<Object> execution = Execution.of(policy);
        RunException earlier = null;
        while (true) {
            try {
                return counted(work);
            } catch (RunException e) {
                if (earlier != null && earlier != e) {
                    e.addSuppressed(earlier);
                }
                earlier = e;
                execution.recordException(e);
                if (once || execution.isComplete()) {
                    throw e;
                }
                listener.scheduled(execution.getAttemptCount(), attempts, execution.getDelay(), e);
                cancellation.pause(execution.getDelay());
            }
        }
    }

    private <T> T counted(Supplier<T> work) {
        boolean unreachable = false;
        try {
            return work.get();
        } catch (RunException e) {
            unreachable = e.isUnreachable() || e instanceof UnknownOutcomeException;
            if (unreachable) {
                breaker.failed(e);
            }
            throw e;
        } finally {
            if (!unreachable) {
                breaker.answered();
            }
        }
    }
}
