package dev.weir.connector;

import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Mark;
import dev.weir.slicing.OnSchemaChange;
import dev.weir.slicing.PlanKey;
import dev.weir.slicing.PositionKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A connection that writes into a transactional system.
 *
 * <p>Used by one thread at a time, except {@link #cancel()}. Every failure is a {@link dev.weir.fault.RunException} with
 * the place {@code connection.table}, retryable where a later attempt may not meet it.
 */
public interface Sink extends AutoCloseable {

    /**
     * The columns of a table with the DuckDB types their values come back as; empty: the table does not exist.
     *
     * <p>A column whose type weir cannot write has the system's own type name as its type.
     */
    Optional<List<Column>> describe(TableName table);

    /** Whether an existing table holds a row. */
    boolean hasRows(TableName table);

    /**
     * How columns go into an existing table; one that cannot take them without losing something is refused. Changes
     * nothing.
     *
     * @throws dev.weir.fault.RunException {@code WR0523} naming column and both types when a value could be rounded,
     *     cut or change its meaning; {@code WR0503} when the table lacks a column, or has one more, and neither the policy
     *     nor the write provides for it, or when the table may not be written
     */
    Fit fit(TableName table, List<Column> columns, SinkWrite write, OnSchemaChange policy);

    /**
     * Whether a table takes rows undecoded whose columns a source tells of so, or would once it is made: a guess that spares
     * a vain attempt, since the write looks again.
     *
     * @param columns by the names they have in the table
     */
    default boolean takesRaw(TableName table, Map<String, SourceColumn> columns) {
        return false;
    }

    /**
     * Gives the table the columns and types that a fit calls for, in a transaction of its own. To do so twice is as to do
     * so once.
     *
     * @throws dev.weir.fault.RunException {@code WR0503} when the system refuses, as for an index or a view on the column
     */
    void alter(TableName table, Fit fit);

    /** The mark of the newest generation; empty where there is none, or no ledger yet. Reads only. */
    Optional<Mark> mark(TableName table, PositionKey key);

    /** The marks of all generations of a position, newest first; none where there is no ledger yet. Reads only. */
    List<Mark> marks(TableName table, PositionKey key);

    /** The keys of all positions of any pipeline with a mark for this sink's table. Reads only. */
    List<PositionKey> marked(TableName table, String sink);

    /**
     * The chunks of a plan that were committed, of every restart; none where there is no ledger yet. Reads only.
     *
     * @return by restart and chunk id; up to 100,000 for each restart
     */
    List<ChunkMark> chunks(TableName table, PlanKey plan);

    /**
     * The chunks that other plans of the same project, pipeline and sink have committed. Reads only.
     *
     * @param plan whose chunks are left out, at no cost however many they are
     * @return by plan, restart and chunk id
     */
    List<ChunkMark> chunksOfOthers(TableName table, PlanKey plan);

    /** The chunks that any plan of the project, pipeline and sink has committed, as {@link #chunksOfOthers}. Reads only. */
    List<ChunkMark> chunksOfAll(TableName table, String project, String pipeline, String sink);

    /** The chunk; empty where it was not committed, or there is no ledger yet. Reads only. */
    Optional<ChunkMark> chunk(TableName table, ChunkKey key);

    /** Begins the one transaction that will hold rows, marks and chunks. */
    SinkTransaction begin();

    /**
     * Whether a COMMIT whose answer was lost took effect: reads the mark under a row lock, on a fresh connection.
     *
     * @param moved the mark that was to be committed
     */
    boolean hasCommitted(TableName table, PositionKey key, Mark moved);

    /**
     * Whether a COMMIT of a chunk whose answer was lost took effect: looks for it under a lock, on a fresh connection.
     *
     * @param runId the run of the attempt that was to commit it
     */
    boolean hasCommitted(TableName table, ChunkKey key, String runId);

    /** Makes whatever the sink is doing end soon with an error. Thread-safe; never fails. */
    void cancel();

    /** Ends the connection; a transaction still open is rolled back. Never fails. */
    @Override
    void close();
}
