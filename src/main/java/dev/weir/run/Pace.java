package dev.weir.run;

import dev.failsafe.RateLimiter;
import dev.weir.project.Limits;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps a connection's {@code rate_limit}: evenly spread, never in bursts. Thread-safe. */
final class Pace {

    private final @Nullable RateLimiter<Object> limiter;
    private final Cancellation cancellation;

    /** @param rate empty: no limit */
    Pace(Optional<Limits.Rate> rate, Cancellation cancellation) {
        this.limiter = rate.map(limit ->
                        RateLimiter.smoothBuilder(limit.count(), limit.per()).build())
                .orElse(null);
        this.cancellation = cancellation;
    }

    /**
     * Waits until it is this caller's turn.
     *
     * @throws Cancellation.CancelledException when cancelled meanwhile
     */
    void await() {
        if (limiter == null) {
            return;
        }
        Duration wait = limiter.reservePermit();
        if (!wait.isZero()) {
            cancellation.pause(wait);
        }
    }
}
