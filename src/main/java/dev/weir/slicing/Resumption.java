package dev.weir.slicing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a backfill does about a plan of the same identity that is already there.
 *
 * <p>Source of the rule: contract, section 6, "Found again".
 */
public sealed interface Resumption {

    /** What the user asked for; both at once is refused before it comes here. */
    enum Wish {
        /** Neither {@code --resume} nor {@code --restart}. */
        NONE,
        /** {@code --resume}: the plan has to be there. */
        RESUME,
        /** {@code --restart}: the outcomes are forgotten and all is replayed. */
        RESTART
    }

    /** What {@code on_existing} says of a plan that is found without a wish. */
    enum OnExisting {
        RESUME,
        ERROR
    }

    /**
     * A plan that was found.
     *
     * @param differences what today's inputs differ in from those stored with it, one a line; empty: in nothing
     * @param isCompleted whether every chunk is completed, in state and in the sinks
     * @param isLive whether another invocation of it is running
     */
    record Found(List<String> differences, boolean isCompleted, boolean isLive) {
        public Found {
            differences = List.copyOf(differences);
        }
    }

    /** There is no plan: it is stored and run. */
    record Begin() implements Resumption {}

    /** Completed chunks are skipped, the others run. */
    record Resume() implements Resumption {}

    /** Every chunk is completed: nothing is run, and it is said. */
    record NothingToDo() implements Resumption {}

    /** Today's inputs are stored, the outcomes are forgotten, all chunks run. */
    record Restart() implements Resumption {}

    /** Why nothing may run. */
    enum Reason {
        /** {@code --resume}, and there is no plan. */
        NO_PLAN,
        /** {@code on_existing: error}, and neither flag. */
        EXISTS,
        /** The plan was begun with other inputs; {@code --restart} accepts today's. */
        OTHER_INPUTS,
        /** {@code --restart}, while another invocation of the plan is running. */
        LIVES
    }

    /**
     * Nothing runs and nothing is written.
     *
     * @param differences what differs, for {@link Reason#OTHER_INPUTS}; else empty
     */
    record Refused(Reason reason, List<String> differences) implements Resumption {
        public Refused {
            differences = List.copyOf(differences);
        }
    }

    /**
     * Decides, before anything is written.
     *
     * @param found null: there is no plan of this identity
     */
    static Resumption decide(@Nullable Found found, Wish wish, OnExisting onExisting) {
        if (found == null) {
            return wish == Wish.RESUME ? new Refused(Reason.NO_PLAN, List.of()) : new Begin();
        }
        if (wish == Wish.RESTART) {
            return found.isLive() ? new Refused(Reason.LIVES, List.of()) : new Restart();
        }
        if (!found.differences().isEmpty()) {
            return new Refused(Reason.OTHER_INPUTS, found.differences());
        }
        if (wish == Wish.NONE && onExisting == OnExisting.ERROR) {
            return new Refused(Reason.EXISTS, List.of());
        }
        return found.isCompleted() ? new NothingToDo() : new Resume();
    }
}
