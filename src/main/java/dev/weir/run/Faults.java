package dev.weir.run;

/**
 * Told whenever a run, or an edit of a position, reaches a point at which dying must lose nothing and double nothing.
 *
 * <p>A no-op in production. Tests halt the process in it.
 */
@FunctionalInterface
public interface Faults {

    /** The points, in the order a slice passes them; an edit of a position passes those of commit and state. */
    enum Point {
        LOCKED,
        /** What marks and state say is known, and nothing of it is taken up yet. */
        COMPARED,
        MID_READ,
        STAGED,
        BEFORE_SINK_COMMIT,
        AFTER_SINK_COMMIT,
        BEFORE_STATE_WRITE,
        AFTER_STATE_WRITE,
        BEFORE_FINAL_STATUS
    }

    /** Nothing happens at any point. */
    Faults NONE = point -> {};

    void reached(Point point);
}
