package dev.weir.run;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still while the one it follows is set back: what an invocation tells is in the order in which it
 * happened, and nothing takes less than no time. Thread-safe.
 */
final class ForwardClock extends Clock {

    private final Clock followed;
    private final AtomicReference<Instant> latest = new AtomicReference<>(Instant.MIN);

    ForwardClock(Clock followed) {
        this.followed = followed;
    }

    @Override
    public Instant instant() {
        Instant now = followed.instant();
        return latest.accumulateAndGet(now, (before, after) -> after.isAfter(before) ? after : before);
    }

    @Override
    public ZoneId getZone() {
        return followed.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new ForwardClock(followed.withZone(zone));
    }
}
