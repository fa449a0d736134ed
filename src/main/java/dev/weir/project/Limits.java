package dev.weir.project;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How gently a connection is used. Immutable.
 *
 * @param maxConcurrency at most so many slices are read from it at once; empty: as many as there are threads
 * @param rate how often it may be asked for a slice or a transaction; empty: as often as there is need
 * @param timeout how long one attempt to read a slice, or one transaction, may take, above zero; empty: for ever
 */
public record Limits(
        Retry retry, OptionalInt maxConcurrency, Optional<Rate> rate, Optional<Duration> timeout, Breaker breaker) {

    public static final Limits NONE =
            new Limits(Retry.DEFAULT, OptionalInt.empty(), Optional.empty(), Optional.empty(), Breaker.DEFAULT);

    /**
     * How often, and how far apart, work is tried again that failed in a way that may pass.
     *
     * @param attempts how many in all, at least 1: 1 tries nothing again
     * @param delay between the first and the second attempt, above zero; doubled for each further one
     * @param maxDelay the longest one, not shorter than the first
     */
    public record Retry(int attempts, Duration delay, Duration maxDelay) {

        /** Source of the numbers: contract, section 7. */
        public static final Retry DEFAULT = new Retry(3, Duration.ofSeconds(1), Duration.ofSeconds(30));
    }

    /**
     * At most so many in a time.
     *
     * @param count at least 1
     */
    public record Rate(int count, Duration per) {}

    /**
     * When a connection that gives no answer is left alone.
     *
     * @param failures after so many failed attempts in a row, at least 1
     * @param cooldown for how long, above zero
     */
    public record Breaker(int failures, Duration cooldown) {

        /** More than one node's usual attempts, so that one that fails for itself stops no other. */
        public static final Breaker DEFAULT = new Breaker(5, Duration.ofSeconds(30));
    }
}
