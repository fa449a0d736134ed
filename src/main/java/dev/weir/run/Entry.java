package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.TableName;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a sink keeps of a load in the transaction of its rows, so that what was loaded can be told from the sink alone.
 *
 * <p>Source of the rule: contract, sections 2.4 and 6.
 */
sealed interface Entry {

    /** Puts it into the transaction and answers what is kept: it knows now what only the write could tell. */
    Entry keep(SinkTransaction transaction, TableName table, Written written);

    /** Whether a COMMIT whose answer was lost has kept it: see {@link Sink#hasCommitted}. */
    boolean hasCommitted(Sink sink, TableName table);

    /** How many rows came with it; 0 before it is kept. */
    long rows();

    /**
     * A mark's move.
     *
     * @param former the mark as it was found; null: none
     * @param mark the mark to keep; its rows are those delivered before, and whether the table is empty is not known,
     *     until it is kept
     */
    record Move(PositionKey key, @Nullable Mark former, Mark mark, long rows) implements Entry {

        Move(PositionKey key, @Nullable Mark former, Mark mark) {
            this(key, former, mark, 0);
        }

        @Override
        public Move keep(SinkTransaction transaction, TableName table, Written written) {
            Mark next = new Mark(
                    mark.cursor(),
                    mark.generation(),
                    mark.generationStart(),
                    mark.seq(),
                    mark.value(),
                    Math.addExact(mark.rowsDelivered(), written.rows()),
                    // A table that rows have just gone into need not be asked.
                    written.rows() == 0 && transaction.isEmpty(table),
                    mark.runId(),
                    mark.committedAt());
            transaction.move(table, key, Optional.ofNullable(former), next);
            return new Move(key, former, next, written.rows());
        }

        @Override
        public boolean hasCommitted(Sink sink, TableName table) {
            return sink.hasCommitted(table, key, mark);
        }
    }

    /**
     * A chunk of a backfill.
     *
     * @param mark its rows are not known until it is kept
     */
    record Done(ChunkMark mark) implements Entry {

        @Override
        public Done keep(SinkTransaction transaction, TableName table, Written written) {
            Done kept = new Done(new ChunkMark(
                    mark.key(),
                    mark.source(),
                    mark.cursor(),
                    mark.from(),
                    mark.to(),
                    mark.fingerprint(),
                    written.rows(),
                    mark.runId(),
                    mark.committedAt()));
            transaction.complete(table, kept.mark());
            return kept;
        }

        @Override
        public boolean hasCommitted(Sink sink, TableName table) {
            return sink.hasCommitted(table, mark.key(), mark.runId());
        }

        @Override
        public long rows() {
            return mark.rows();
        }
    }
}
