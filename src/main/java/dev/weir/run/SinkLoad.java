package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.engine.Keyed;
import dev.weir.event.NodeKind;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SinkNode;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Strategy;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs one pipeline over what is staged, and commits its rows and its mark into its sink, together. */
final class SinkLoad {

    private final Invocation invocation;
    private final Journal journal;

    SinkLoad(Invocation invocation, Journal journal) {
        this.invocation = invocation;
        this.journal = journal;
    }

    /**
     * What a sink is to take.
     *
     * @param tableExists whether the sink's table was there when it was asked where it stands
     * @param sourceRows whether anything is staged that the SQL should be run over
     * @param move the mark's move; empty: it stays, or the source has none
     * @param deleted what a window write deletes
     */
    record Task(
            BoundPipeline pipeline,
            boolean tableExists,
            boolean sourceRows,
            Map<String, RenderContext.Watermark> watermarks,
            Optional<Move> move,
            Optional<PipelineBinder.Deleted> deleted) {}

    /**
     * A mark's move.
     *
     * @param former the mark as it was found; null: none
     * @param unfinished the mark to keep, but for what only the write tells: its rows and whether the table is empty
     */
    record Move(PositionKey key, @Nullable Mark former, Mark unfinished) {}

    /**
     * Does it, and tells it.
     *
     * @return the mark as it was committed; empty where none moved
     * @throws RunException when it failed, which is told already
     */
    Optional<Mark> load(Task task) {
        SinkNode node = task.pipeline().node().sink();
        Journal.Node told = journal.started(node.id(), NodeKind.SINK_WRITE);
        try {
            Optional<Staged> rows = task.sourceRows() ? Optional.of(output(task, told)) : Optional.empty();
            Committed committed = invocation.retries().run(() -> commit(task, rows), told.retries());
            if (committed.keptNewer() > 0) {
                invocation
                        .notes()
                        .accept(node.id() + ": " + committed.keptNewer()
                                + " rows were not written because the stored row is newer by "
                                + task.pipeline().orderBy().orElse("order_by"));
            }
            told.succeeded(committed.rows(), null);
            return committed.mark();
        } catch (RuntimeException e) {
            told.failed(e);
            throw e;
        } finally {
            invocation.engine().drop(outputId(task));
            invocation.engine().drop(keyedId(task));
        }
    }

    private record Committed(long rows, long keptNewer, Optional<Mark> mark) {}

    private static String outputId(Task task) {
        return "out_" + task.pipeline().node().name();
    }

    private static String keyedId(Task task) {
        return "keyed_" + task.pipeline().node().name();
    }

    private Staged output(Task task, Journal.Node told) {
        invocation.cancellation().check();
        String sql = task.pipeline()
                .node()
                .sql()
                .render(new RenderContext(journal.runId(), journal.began(), task.watermarks()));
        Staged rows = invocation.engine().run(task.pipeline().node().place().toString(), outputId(task), sql);
        SinkNode node = task.pipeline().node().sink();
        if (node.strategy() != Strategy.MERGE) {
            return rows;
        }
        Keyed keyed = invocation
                .engine()
                .checkKeys(
                        node.id(),
                        keyedId(task),
                        rows,
                        node.keys(),
                        task.pipeline().orderBy());
        if (keyed.duplicateGroups() > 0) {
            told.duplicates(node.keys(), keyed.duplicateGroups(), keyed.extraRows());
        }
        return keyed.rows();
    }

    private Committed commit(Task task, Optional<Staged> rows) {
        invocation.cancellation().check();
        SinkNode node = task.pipeline().node().sink();
        Sink sink = invocation.connections().sink(node.connection());
        Mark sent = null;
        try {
            boolean exists = task.tableExists() || sink.describe(node.table()).isPresent();
            boolean writes = rows.isPresent() || task.deleted().isPresent();
            if (exists && !writes && task.move().isEmpty()) {
                return new Committed(0, 0, Optional.empty());
            }
            try (SinkTransaction transaction = sink.begin()) {
                if (!exists) {
                    transaction.create(node.table(), task.pipeline().columns(), node.keys());
                }
                Written written = writes ? write(task, rows, transaction) : new Written(0, 0);
                sent = task.move()
                        .map(move -> move(transaction, node.table(), move, written))
                        .orElse(null);
                invocation.faults().reached(Faults.Point.BEFORE_SINK_COMMIT);
                transaction.commit();
                invocation.faults().reached(Faults.Point.AFTER_SINK_COMMIT);
                return new Committed(written.rows(), written.keptNewer(), Optional.ofNullable(sent));
            }
        } catch (UnknownOutcomeException e) {
            return lookUp(task, node, sent, e);
        } catch (RunException e) {
            if (e.isRetryable()) {
                invocation.connections().resetSink(node.connection());
            }
            throw e;
        }
    }

    private Written write(Task task, Optional<Staged> rows, SinkTransaction transaction) {
        SinkNode node = task.pipeline().node().sink();
        SinkWrite how = PipelineBinder.write(task.pipeline(), task.deleted());
        Staged staged = rows.orElseGet(() -> nothing(task));
        return transaction.write(node.table(), staged, how);
    }

    /** No rows, of the pipeline's columns: for a window whose rows are all gone at the source. */
    private Staged nothing(Task task) {
        return invocation.engine().empty(outputId(task), task.pipeline().columns());
    }

    private Mark move(SinkTransaction transaction, TableName table, Move move, Written written) {
        Mark wanted = move.unfinished();
        Mark next = new Mark(
                wanted.cursor(),
                wanted.generation(),
                wanted.generationStart(),
                wanted.seq(),
                wanted.value(),
                Math.addExact(wanted.rowsDelivered(), written.rows()),
                transaction.isEmpty(table),
                wanted.runId(),
                wanted.committedAt());
        transaction.move(table, move.key(), Optional.ofNullable(move.former()), next);
        return next;
    }

    /** Asked until it is answered: without an answer nothing may be tried again. */
    private boolean hasCommitted(SinkNode node, PositionKey key, Mark sent, UnknownOutcomeException unknown) {
        try {
            return invocation
                    .retries()
                    .run(
                            () -> {
                                invocation.connections().resetSink(node.connection());
                                return invocation
                                        .connections()
                                        .sink(node.connection())
                                        .hasCommitted(node.table(), key, sent);
                            },
                            (attempt, delay, reason) -> {});
        } catch (RuntimeException e) {
            unknown.addSuppressed(e);
            throw unknown;
        }
    }

    /** Our own run id in the mark means committed; its absence means that nothing was, and the work may be done again. */
    private Committed lookUp(Task task, SinkNode node, @Nullable Mark sent, UnknownOutcomeException unknown) {
        if (sent == null || task.move().isEmpty()) {
            throw unknown;
        }
        if (!hasCommitted(node, task.move().get().key(), sent, unknown)) {
            throw RunException.passing(unknown.fault(), unknown);
        }
        invocation.notes().accept(node.id() + ": the answer to a COMMIT was lost; the mark shows that it took effect");
        long delivered = sent.rowsDelivered() - task.move().get().unfinished().rowsDelivered();
        return new Committed(delivered, 0, Optional.of(sent));
    }
}
