package dev.weir.engine;

/** Hears how far a slice has come. Called between two chunks, by whichever thread reads; an exception ends the read. */
@FunctionalInterface
public interface StageListener {

    /** Hears nothing. */
    StageListener NONE = rows -> {};

    /** @param rows how many rows have arrived so far */
    void staged(long rows);
}
