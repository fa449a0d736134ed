package dev.weir.state;

import java.time.Duration;

/** Waits, so that tests need not. */
@FunctionalInterface
public interface Sleeper {

    /** Waits that long, or until interrupted. */
    void sleep(Duration time) throws InterruptedException;
}
