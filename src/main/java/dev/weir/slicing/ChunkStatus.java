package dev.weir.slicing;

import java.util.Locale;
import java.util.Set;

/**
 * Where a chunk stands: {@code pending → claimed → running → completed | failed}.
 *
 * <p>Source of the rule: contract, section 6.
 */
public enum ChunkStatus {
    /** Nobody has taken it yet. */
    PENDING,
    /** Somebody holds it and has read nothing. */
    CLAIMED,
    /** Somebody holds it and loads it. */
    RUNNING,
    /** Its rows are in every sink. */
    COMPLETED,
    /** The last attempt left nothing behind; the next invocation tries again. */
    FAILED;

    /**
     * Whether a chunk may go on from here to there, in the hands of whoever holds its claim.
     *
     * <p>Besides the line itself: what a dead worker left claimed or running is claimed anew; a claim whose rows turn
     * out to be in the sinks completes without running; a claim that cannot run yet is given back, one that is
     * interrupted fails. That a chunk is begun anew, because a restart forgets the outcomes or a sink has lost the rows,
     * is no transition: it starts again at pending.
     */
    public boolean mayBecome(ChunkStatus next) {
        return switch (this) {
            case PENDING, FAILED -> next == CLAIMED;
            case CLAIMED -> true;
            case RUNNING -> Set.of(COMPLETED, FAILED, CLAIMED).contains(next);
            case COMPLETED -> false;
        };
    }

    /** Whether nothing is left to do: completed. A failed chunk is tried again. */
    public boolean isFinal() {
        return this == COMPLETED;
    }

    /**
     * The status that a stored text names.
     *
     * @throws IllegalArgumentException when the text names none
     */
    public static ChunkStatus of(String text) {
        for (ChunkStatus status : values()) {
            if (status.toString().equals(text)) {
                return status;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is no status of a chunk");
    }

    /** As it is stored and printed: {@code pending}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
