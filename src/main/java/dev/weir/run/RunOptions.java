package dev.weir.run;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How a run is to go.
 *
 * @param untilCaughtUp whether passes repeat
 * @param maxRuns after how many passes the loop stops, at least 1
 * @param requireCaughtUp whether every other end than caught up is exit code 4
 * @param pause how long to wait between two passes
 * @param fullRefresh whether the first pass starts incremental sources at {@code initial} again
 * @param failFast whether the first failure keeps nodes that have not started from starting
 * @param threads how many sources are loaded at once, and how many threads DuckDB uses; empty: what weir.yml says
 * @param patience how long to wait for an entity another process loads
 * @param command the command line's words for the history, without secrets
 */
public record RunOptions(
        boolean untilCaughtUp,
        int maxRuns,
        boolean requireCaughtUp,
        Duration pause,
        boolean fullRefresh,
        boolean failFast,
        OptionalInt threads,
        Duration patience,
        String command) {

    /** The default of {@code --max-runs}. */
    public static final int DEFAULT_MAX_RUNS = 100;

    /** Whether another pass may follow one of that number, from 1, without a pause. */
    boolean goesOnAfter(int pass) {
        return untilCaughtUp && pass < maxRuns && pause.isZero();
    }

    /** One pass. */
    public static RunOptions once(String command) {
        return new RunOptions(
                false,
                DEFAULT_MAX_RUNS,
                false,
                Duration.ZERO,
                false,
                false,
                OptionalInt.empty(),
                Duration.ZERO,
                command);
    }
}
