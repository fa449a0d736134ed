package dev.weir.connector;

import dev.weir.slicing.Sample;
import java.time.Instant;
import java.util.List;

/**
 * A connection that reads.
 *
 * <p>Used by one thread at a time, except {@link #cancel()}. Every failure is a {@link dev.weir.fault.RunException} with
 * the place {@code connection.entity}, retryable where a later attempt may not meet it.
 */
public interface Source extends AutoCloseable {

    /**
     * The columns of an entity, in its own order.
     *
     * @throws dev.weir.fault.RunException {@code WR0501} when the table is missing or may not be read
     */
    List<SourceColumn> describe(Entity entity);

    /** The source's own clock; the runner's where the source is a file. */
    Instant clock();

    /**
     * Opens one read-only snapshot of the source: all that is asked of it comes from one instant.
     *
     * @throws dev.weir.fault.RunException when a column is missing (the real columns are listed) or cannot be read as
     *     the type asked for
     */
    Snapshot open(ReadRequest request);

    /**
     * Finds out who may still commit rows whose cursors are not above all that is visible: outside any transaction, so
     * that each snapshot opened afterwards is younger than the answer. Source of the rule: contract, section 3.2.
     *
     * @param request one with a cursor
     */
    Sample sample(ReadRequest request);

    /**
     * The same sample with those of its writers that are still open, and all that is prepared by now; as it was of a source
     * that never tells of any.
     */
    default Sample.OfNumbers sampleAgain(Sample.OfNumbers earlier) {
        return earlier;
    }

    /** Makes whatever the source is doing end soon with an error. Thread-safe; never fails. */
    void cancel();

    /** Ends the connection. Never fails. */
    @Override
    void close();
}
