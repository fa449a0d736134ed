package dev.weir.run;

import java.util.function.IntFunction;

/**
 * Repeats passes until one of the endings applies, the first of them in their order.
 *
 * <p>Source of the rule: contract, section 4.1.
 */
final class CatchUpLoop {

    private final RunOptions options;
    private final Cancellation cancellation;

    CatchUpLoop(RunOptions options, Cancellation cancellation) {
        this.options = options;
        this.cancellation = cancellation;
    }

    /** @param passes how many passes were begun */
    record Ended(int passes, LoopEnd end) {}

    /**
     * @param pass runs the pass of that number, from 1
     * @param goOn told after a pass that another follows
     */
    Ended run(IntFunction<Pass.Result> pass, Runnable goOn) {
        for (int number = 1; ; number++) {
            Pass.Result result = pass.apply(number);
            LoopEnd end = end(number, result);
            if (end != null) {
                return new Ended(number, options.requireCaughtUp() ? end.requiringCaughtUp(result.heldBack()) : end);
            }
            if (!result.moved()) {
                throw new IllegalStateException("pass " + number + " moved nothing and is not caught up");
            }
            goOn.run();
            try {
                cancellation.pause(options.pause());
            } catch (Cancellation.CancelledException e) {
                return new Ended(number, LoopEnd.cancelled(false));
            }
        }
    }

    private @org.jspecify.annotations.Nullable LoopEnd end(int number, Pass.Result result) {
        if (result.failed()) {
            return LoopEnd.runFailed();
        }
        if (result.cancelled()) {
            return LoopEnd.cancelled(false);
        }
        if (!result.hasStop()) {
            return LoopEnd.noStop();
        }
        if (result.caughtUp()) {
            return LoopEnd.caughtUp();
        }
        return number >= options.maxRuns() ? LoopEnd.maxRuns(options.maxRuns()) : null;
    }
}
