package dev.weir.connector;

import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * One read-only snapshot of an entity: REPEATABLE READ where the source has it.
 *
 * <p>Closed as soon as the rows are staged, so that no sink's work holds it open. Used by one thread at a time.
 */
public interface Snapshot extends AutoCloseable {

    /**
     * The lowest finite cursor in the range, floored to the whole microsecond.
     *
     * @return empty where no row lies in the range
     */
    Optional<CursorValue> lowest(CursorRange range);

    /**
     * How many rows have a finite cursor in the range.
     *
     * @param limit where counting stops
     */
    long count(CursorRange range, long limit);

    /** How many rows have a NULL cursor; counting stops at the limit. */
    long countNull(long limit);

    /** How many rows have an infinite or NaN cursor; counting stops at the limit. Zero for types that have none. */
    long countInfinite(long limit);

    /**
     * Whether the rows of a range are found through an index, so that a pass costs what its rows cost.
     *
     * @return empty where the system finds ranges without one
     */
    Optional<Boolean> isIndexed(CursorRange range);

    /** The rows of a range, or all of them for a full read. The read is used up before the snapshot is closed. */
    SliceRead read(Optional<CursorRange> range);

    /**
     * The rows of a range as the source sends them, kept for sinks of the same system.
     *
     * @param folder where what does not fit into memory is kept; made if it is not there
     * @param progress hears now and then how many rows have come so far; an exception ends the read
     * @return empty where the source or one of the columns asked for has no such form; nothing was read then
     */
    default Optional<RawRows> readRaw(CursorRange range, Path folder, LongConsumer progress) {
        return Optional.empty();
    }

    /**
     * Ends the snapshot and any read still under way.
     *
     * @throws dev.weir.fault.RunException only when rows that were staged went with the snapshot
     */
    @Override
    void close();
}
