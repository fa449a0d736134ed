package dev.weir.state;

import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;

/**
 * A position and whose it is.
 *
 * @param key which position
 * @param position where it is, or was
 */
public record Moved(PositionKey key, Position position) {}
