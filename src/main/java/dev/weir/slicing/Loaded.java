package dev.weir.slicing;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cursor values whose rows a sink holds: what must not be appended once more.
 *
 * <p>Immutable and thread-safe. Source of the rule: contract, section 6, "Append".
 *
 * @param cursor what they were loaded by
 * @param range what was loaded; infinite, NaN and NULL cursors never are
 * @param by who loaded it, for messages
 */
public record Loaded(Cursor cursor, CursorRange range, String by) {

    /**
     * What forward runs had loaded when they left a mark; empty: nothing.
     *
     * @param start where its generation started when that was not decided by hand, inclusive; null: at the lowest value
     */
    public static Optional<Loaded> by(Mark mark, @Nullable CursorValue start) {
        CursorValue to = mark.value();
        if (to == null) {
            return Optional.empty();
        }
        CursorRange range = mark.generationStart() != null
                ? CursorRange.above(mark.generationStart(), to)
                : CursorRange.startingAt(start == null ? mark.cursor().type().least() : start, to);
        return Optional.of(new Loaded(mark.cursor(), range, "runs, the last of them " + mark.runId()));
    }

    /** What a chunk of a backfill has loaded. */
    public static Loaded by(ChunkMark chunk) {
        return new Loaded(
                chunk.cursor(),
                new Chunk(0, chunk.from(), chunk.to()).range(),
                "backfill " + chunk.key().plan().backfillId());
    }

    /**
     * What keeps a range from being appended; empty: nothing does.
     *
     * <p>What was loaded by another cursor is always in the way: nobody can tell which rows it was.
     */
    public static Optional<Loaded> inTheWayOf(CursorRange range, Cursor cursor, List<Loaded> loaded) {
        return loaded.stream()
                .filter(one -> !one.cursor().equals(cursor) || one.range().intersects(range))
                .findFirst();
    }
}
