package dev.weir.run;

import dev.failsafe.Execution;
import dev.failsafe.RetryPolicy;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Tries work again when its failure may pass: 3 attempts, 1 s to 30 s apart, doubling, with 25 % jitter.
 *
 * <p>Source of the rule: contract, section 7.
 */
final class Retries {

    static final int ATTEMPTS = 3;
    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);
    private static final double JITTER = 0.25;

    /** Told before each wait. */
    @FunctionalInterface
    interface Listener {
        /**
         * @param attempt the attempt that failed, from 1
         * @param delay how long until the next one
         */
        void scheduled(int attempt, Duration delay, RunException reason);
    }

    private final RetryPolicy<Object> policy;
    private final Cancellation cancellation;

    Retries(Cancellation cancellation) {
        this(cancellation, FIRST_DELAY);
    }

    Retries(Cancellation cancellation, Duration firstDelay) {
        this.cancellation = cancellation;
        this.policy = RetryPolicy.builder()
                .handleIf(failure -> failure instanceof RunException run
                        && run.isRetryable()
                        && !(run instanceof UnknownOutcomeException)
                        && !cancellation.isCancelled())
                .withMaxAttempts(ATTEMPTS)
                .withBackoff(firstDelay, LONGEST_DELAY)
                .withJitter(JITTER)
                .build();
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
                listener.scheduled(execution.getAttemptCount(), execution.getDelay(), e);
                cancellation.pause(execution.getDelay());
            }
        }
    }
}
