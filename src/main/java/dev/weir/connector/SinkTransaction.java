package dev.weir.connector;

import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.util.List;
import java.util.Optional;

/**
 * Rows, marks and chunks on their way into one sink connection: all of them, or none.
 *
 * <p>Nothing is visible to anybody before {@link #commit()}; closing without it rolls back.
 */
public interface SinkTransaction extends AutoCloseable {

    /**
     * Creates a table for the columns, with the exact types of the system.
     *
     * @param keys the merge keys; empty for other strategies
     * @throws dev.weir.fault.RunException {@code WR0523} naming the column whose type the system cannot hold
     */
    void create(TableName table, List<Column> columns, List<String> keys);

    /**
     * Writes the rows.
     *
     * @throws RawRefusedException when raw rows cannot go in as they are: this transaction must be rolled back
     */
    Written write(TableName table, Staged rows, SinkWrite how);

    /**
     * Deletes the rows of some keys; a key the table does not hold is passed over. Before rows are merged in the same
     * transaction, since they may take what a deleted row held.
     *
     * @param gone each key once and no NULL key, with the order column where there is one; none of the rows to be merged
     *     has such a key
     * @param how a stored row that is newer by its order column is kept
     */
    Written delete(TableName table, Staged gone, SinkWrite.Merge how);

    /** Whether the table holds no row, as this transaction sees it. */
    boolean isEmpty(TableName table);

    /**
     * Moves a mark by compare-and-set on the whole former mark, creating the ledger beside the table when it is missing.
     *
     * @param former the mark as it was read before the slice; empty: there was none of any generation
     * @param next the mark to keep; of a newer generation than the former, it is kept beside it
     * @throws dev.weir.fault.RunException {@code WR0520} when the mark is not the former one any more: another process
     *     was here, and this transaction must be rolled back
     */
    void move(TableName table, PositionKey key, Optional<Mark> former, Mark next);

    /**
     * Keeps a chunk of a backfill as loaded, creating its ledger beside the table when it is missing.
     *
     * <p>Source of the rule: contract, section 6.
     *
     * @throws dev.weir.fault.RunException {@code WR0520} when the chunk was committed before, or is by another
     *     transaction at the same time: this one must be rolled back. A system whose transactions do not wait for each
     *     other says so no later than at {@link #commit()}
     */
    void complete(TableName table, ChunkMark done);

    /**
     * Makes all of it durable and visible.
     *
     * @throws dev.weir.fault.UnknownOutcomeException when the answer did not come: see {@link Sink#hasCommitted}
     */
    void commit();

    /** Rolls back unless committed. Never fails. */
    @Override
    void close();

    /**
     * What a write did.
     *
     * @param rows how many rows were delivered: inserted or replaced
     * @param keptNewer how many staged rows or keys had no effect because the stored row is newer
     * @param deleted how many stored rows were deleted by their keys
     */
    record Written(long rows, long keptNewer, long deleted) {

        public static final Written NOTHING = new Written(0, 0);

        public Written(long rows, long keptNewer) {
            this(rows, keptNewer, 0);
        }

        /** Both of them. */
        public Written and(Written other) {
            return new Written(rows + other.rows, keptNewer + other.keptNewer, deleted + other.deleted);
        }
    }
}
