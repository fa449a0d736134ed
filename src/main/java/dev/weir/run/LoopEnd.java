package dev.weir.run;

/**
 * Why a loop stopped, in its words and with its exit code.
 *
 * <p>Source of the rule: contract, section 4.1.
 *
 * @param stopped the words after {@code stopped:}
 */
public record LoopEnd(String stopped, int exitCode) {

    static final int SUCCESS = 0;
    static final int FAILED = 1;
    static final int CANCELLED = 3;
    static final int NOT_CAUGHT_UP = 4;

    static final String CAUGHT_UP = "caught up";

    static LoopEnd runFailed() {
        return new LoopEnd("run failed", FAILED);
    }

    /** @param anyFailed whether a node had failed before */
    static LoopEnd cancelled(boolean anyFailed) {
        return new LoopEnd("cancelled", anyFailed ? FAILED : CANCELLED);
    }

    static LoopEnd noStop() {
        return new LoopEnd("no windowed source with a stop", SUCCESS);
    }

    static LoopEnd caughtUp() {
        return new LoopEnd(CAUGHT_UP, SUCCESS);
    }

    static LoopEnd maxRuns(int maxRuns) {
        return new LoopEnd(
                "max runs (" + maxRuns
                        + ") reached before every source caught up; run again to continue from the stored watermarks",
                SUCCESS);
    }

    /**
     * The same end where every end but {@code caught up} is to be told by the exit code.
     *
     * @param heldBack whether a source could not be read as far as it could be
     */
    LoopEnd requiringCaughtUp(boolean heldBack) {
        boolean missed = heldBack || !stopped.equals(CAUGHT_UP);
        return exitCode == SUCCESS && missed ? new LoopEnd(stopped, NOT_CAUGHT_UP) : this;
    }
}
