package dev.weir.run;

import dev.failsafe.CircuitBreaker;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.project.Limits;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a connection alone for a while that has failed several times in a row, so that not everything that wants it waits
 * out its own retries. Thread-safe.
 *
 * <p>Only a system that gives no answer counts as failed; one that refuses something has answered.
 */
final class Breaker {

    private final String connection;
    private final Limits.Breaker limits;
    private final Clock clock;
    private final CircuitBreaker<Object> circuit;
    private @Nullable Instant since;
    private @Nullable Instant until;
    private String last = "";

    Breaker(String connection, Limits.Breaker limits, Clock clock) {
        this.connection = connection;
        this.limits = limits;
        this.clock = clock;
        this.circuit = CircuitBreaker.builder()
                .withFailureThreshold(limits.failures())
                .withDelay(limits.cooldown())
                .withSuccessThreshold(1)
                .build();
    }

    /**
     * Asks to begin something.
     *
     * @return whether it is a trial, of which there is one attempt
     * @throws RunException {@code WR0507} when the connection is left alone
     */
    synchronized boolean enter() {
        if (!circuit.tryAcquirePermit()) {
            throw leftAlone();
        }
        return circuit.isHalfOpen();
    }

    /** The system has answered, with whatever. */
    synchronized void answered() {
        circuit.recordSuccess();
        if (circuit.isOpen()) {
            // What was under way when it opened has come through: nothing is gained by waiting any longer.
            circuit.close();
        }
        since = null;
    }

    /** The system has given no answer. */
    synchronized void failed(RunException failure) {
        boolean wasOpen = circuit.isOpen();
        circuit.recordFailure();
        last = failure.fault().code() + " " + failure.fault().place() + ": "
                + failure.fault().what();
        if (circuit.isOpen() && !wasOpen) {
            Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
            since = since == null ? now : since;
            until = now.plus(limits.cooldown());
        }
    }

    private RunException leftAlone() {
        String when = circuit.isHalfOpen()
                ? "one attempt is under way just now"
                : "one attempt is let through after " + until + ", and then all if it succeeds";
        return new RunException(
                Code.BREAKER_OPEN,
                connection,
                "nothing is asked of it since " + since + ", because " + limits.failures()
                        + (limits.failures() == 1 ? " attempt failed" : " attempts in a row failed") + "; the last: "
                        + last,
                when + "; breaker: of the connection says after how many failures, and for how long");
    }
}
