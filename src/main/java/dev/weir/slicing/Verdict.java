package dev.weir.slicing;

import org.jspecify.annotations.Nullable;

/** What the comparison of a sink's mark with state came to. */
public sealed interface Verdict {

    /** Why a sink stands where it stands. */
    enum Reason {
        /** Mark and state say the same. */
        AGREE,
        /** The mark is taken: state was behind, ahead, older, or lost. */
        ADOPT,
        /** At the generation's start, or nowhere where none was started. */
        START,
        /** The sink keeps no marks and stands where state says. */
        STATE,
        /** Takes up a full refresh that another sink has committed. */
        REFRESH
    }

    /**
     * The sink takes part.
     *
     * @param position where it starts from, exclusive; null: nowhere, from {@code initial}
     * @param generation the generation its next mark is of
     * @param generationStart where that generation starts, exclusive; null: from {@code initial}
     */
    record Stands(
            Reason reason,
            @Nullable CursorValue position,
            long generation,
            @Nullable CursorValue generationStart) implements Verdict {}

    /** Why a sink cannot take part. */
    enum Disagreement {
        /** No mark, but rows, in an append sink. */
        ROWS_WITHOUT_MARK,
        /** The mark lies below what the sink held when an operator moved it on. */
        ROWS_MISSING,
        /** A mark, but its table is gone. */
        TABLE_GONE,
        /** A mark, but its table is empty though it was not at its last commit. */
        TABLE_EMPTIED,
        /** Going back in an append sink that holds rows. */
        BACK_IN_APPEND
    }

    /**
     * The sink fails with WR0528, or WR0529 for {@link Disagreement#BACK_IN_APPEND}; the others run without it.
     *
     * @param missingAbove where the range that may be missing starts, exclusive; null: from {@code initial}
     * @param missingUpTo where it ends, inclusive; null: no range is known
     */
    record Refused(
            Disagreement disagreement,
            @Nullable CursorValue missingAbove,
            @Nullable CursorValue missingUpTo) implements Verdict {}
}
