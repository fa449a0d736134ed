package dev.weir.state;

import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import org.jspecify.annotations.Nullable;

/**
 * A position and whose it is.
 *
 * @param key which position
 * @param position where it is, or was
 * @param stretch what was loaded when it moved there; null: nothing, or not known, as when a mark is adopted or an
 *     operator moves it; never known of moves that are read
 */
public record Moved(
        PositionKey key, Position position, @Nullable Stretch stretch) {

    /** A move that loaded nothing. */
    public Moved(PositionKey key, Position position) {
        this(key, position, null);
    }
}
