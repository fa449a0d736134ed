package dev.weir.slicing;

import org.jspecify.annotations.Nullable;

/**
 * Everything known of one sink below a source before a slice is read.
 *
 * @param sink its name, unique among the sinks below the source
 * @param keepsMarks whether the sink is transactional, so that its mark is the truth
 * @param acceptsDuplicates whether an append sink says {@code duplicates: 'accept'}
 * @param state what state remembers; null: nothing
 * @param mark the sink's mark of the newest generation; null: none
 * @param table what the sink's table holds
 */
public record Standing(
        String sink,
        boolean keepsMarks,
        Strategy strategy,
        boolean acceptsDuplicates,
        @Nullable Position state,
        @Nullable Mark mark,
        Table table) {

    /** What a sink's table holds. */
    public enum Table {
        GONE,
        EMPTY,
        ROWS,
        /** Rows, all of which another pipeline's mark or a backfill's chunks explain. */
        OTHER_PIPELINES_ROWS
    }

    /** The same sink, with a position in state that an operator's decision put there. */
    public Standing withState(Position decided) {
        return new Standing(sink, keepsMarks, strategy, acceptsDuplicates, decided, mark, table);
    }

    /** Whether the sink is an append sink with rows of its own that must not come twice. */
    boolean wouldDouble() {
        return strategy == Strategy.APPEND && !acceptsDuplicates && table == Table.ROWS;
    }

    long stateGeneration() {
        return state == null ? 0 : state.generation();
    }

    long markGeneration() {
        return mark == null ? 0 : mark.generation();
    }
}
