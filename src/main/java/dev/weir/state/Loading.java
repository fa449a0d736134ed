package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a source are read, and for which sink.
 *
 * <p>Immutable. Source of the rule: contract, section 6.
 *
 * @param sink {@code connection.table}, the table as its system spells it
 * @param source {@code connection.entity}, the entity as its system spells it
 * @param cursor what the range is counted in; null: every row, whatever the range
 * @param range which rows; null: every row. An empty one is none at all
 */
public record Loading(
        String sink,
        String source,
        @Nullable Cursor cursor,
        @Nullable CursorRange range) {

    public Loading {
        if (cursor != null && range != null && !cursor.type().equals(range.to().type())) {
            throw new IllegalArgumentException("a range of " + range.to().type() + " over " + cursor);
        }
    }

    /** Whether a row of the source could be read for the same sink by both: where cursors differ, any could. */
    public boolean overlaps(Loading other) {
        if (!isBeside(other)) {
            return false;
        }
        CursorRange mine = range;
        CursorRange others = other.range;
        boolean comparable = cursor != null && cursor.equals(other.cursor) && mine != null && others != null;
        return !comparable || mine.intersects(others);
    }

    /** Whether whatever overlaps the other overlaps this too. */
    boolean covers(Loading other) {
        CursorRange mine = range;
        CursorRange others = other.range;
        if (!isBeside(other)) {
            return false;
        }
        if (cursor == null || mine == null) {
            return true;
        }
        if (!cursor.equals(other.cursor) || others == null) {
            return false;
        }
        boolean fromBelow = mine.from().isBelow(others.from())
                || (mine.from().equals(others.from()) && (mine.fromInclusive() || !others.fromInclusive()));
        return fromBelow && !others.to().isAbove(mine.to());
    }

    private boolean isBeside(Loading other) {
        return sink.equals(other.sink) && source.equals(other.source);
    }
}
