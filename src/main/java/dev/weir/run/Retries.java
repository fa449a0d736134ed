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
 * <p>Source of the rule: contract, section 7.
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
    private final int attempts;

    Retries(Cancellation cancellation, Limits.Retry retry) {
        this.cancellation = cancellation;
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

    /** Does the work, each attempt from the start; the last failure is thrown, with earlier ones suppressed. */
    <T> T run(Supplier<T> work, Listener listener) {
        Execution<Object> execution = Execution.of(policy);
        RunException earlier = null;
        while (true) {
            try {
                return work.get();
            } catch (RunException e) {
                if (earlier != null && earlier != e) {
                    e.addSuppressed(earlier);
                }
                earlier = e;
                execution.recordException(e);
                if (execution.isComplete()) {
                    throw e;
                }
                listener.scheduled(execution.getAttemptCount(), attempts, execution.getDelay(), e);
                cancellation.pause(execution.getDelay());
            }
        }
    }
}
