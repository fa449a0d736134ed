package dev.weir.run;

import dev.weir.engine.DuckEngine;
import dev.weir.plan.Plan;
import dev.weir.state.Moved;
import dev.weir.state.StateStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * What all passes of one invocation share.
 *
 * @param plan what was selected
 * @param whole all there is in the project
 * @param now the runner's clock when the invocation began, for every pass
 * @param notes takes what a person should know, a sentence each
 */
record Invocation(
        Plan plan,
        Plan whole,
        DuckEngine engine,
        Connections connections,
        StateStore state,
        Clock clock,
        Instant now,
        Cancellation cancellation,
        Faults faults,
        Consumer<String> notes) {

    /** What is looked at when it is found out where sinks stand. */
    Scope scope() {
        return new Scope(plan, whole, connections, Remembered.of(state, plan.project()), clock, cancellation);
    }

    /**
     * Waits for others, who may be waiting for a file that only one process at a time can open: what is idle is let go.
     *
     * @throws Cancellation.CancelledException as soon as cancelled
     */
    void pauseForOthers(Duration duration) {
        connections.release();
        cancellation.pause(duration);
    }

    /** Remembers where sinks stand now. A failure is WR0527; the sinks' marks stay the truth. */
    void save(List<Moved> moved) {
        faults.reached(Faults.Point.BEFORE_STATE_WRITE);
        state.save(moved);
        faults.reached(Faults.Point.AFTER_STATE_WRITE);
    }
}
