package dev.weir.connector;

import dev.weir.slicing.CursorValue;
import java.util.Optional;

/**
 * The rows of a slice as their source has sent them, whole and checked, kept so that a sink of the same system can take them
 * undecoded, as often as it likes, once the snapshot is closed.
 *
 * <p>Used by one thread at a time.
 */
public interface RawRows extends AutoCloseable {

    /** How many there are, exactly. */
    long rows();

    /** The greatest finite cursor among them, floored to the whole microsecond; empty: there is none. */
    Optional<CursorValue> max();

    /** How many of them have a NULL in a column, which is one of those asked for. */
    long nulls(String column);

    /** All of them once more, to be decoded. */
    SliceRead decoded();

    /** Forgets them. Never fails. */
    @Override
    void close();
}
