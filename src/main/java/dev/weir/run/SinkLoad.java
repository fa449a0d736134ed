package dev.weir.run;

import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.Staged;
import dev.weir.engine.Keyed;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.plan.SinkNode;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Strategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Commits the rows of one pipeline into its sinks in one connection, and their marks with them: all of it, or nothing.
 *
 * <p>Source of the rule: contract, sections 2.2 and 2.4.
 */
final class SinkLoad {

    private final Invocation invocation;
    private final Journal journal;
    private final String connection;
    private final BoundPipeline pipeline;
    private final List<Part> parts;
    private final List<Journal.Node> told = new ArrayList<>();

    /** Which part is being worked on: it is the one a failure belongs to. */
    private int at;

    /** @param parts sinks of the pipeline, all in the connection, at least one */
    SinkLoad(Invocation invocation, Journal journal, BoundPipeline pipeline, List<Part> parts) {
        this.invocation = invocation;
        this.journal = journal;
        this.pipeline = pipeline;
        this.parts = parts;
        this.connection = parts.get(0).sink().node().connection();
    }

    /**
     * What one sink is to take.
     *
     * @param tableExists whether the sink's table was there when it was asked where it stands
     * @param rows runs the SQL; empty: nothing is staged that it should be run over
     * @param moves of the marks, one for each source that has something to tell
     * @param deleted what a window write deletes
     */
    record Part(
            BoundSink sink,
            boolean tableExists,
            Optional<Supplier<Staged>> rows,
            List<Move> moves,
            Optional<PipelineBinder.Deleted> deleted) {}

    /**
     * A mark's move.
     *
     * @param former the mark as it was found; null: none
     * @param unfinished the mark to keep, but for what only the write tells: its rows and whether the table is empty
     */
    record Move(PositionKey key, @Nullable Mark former, Mark unfinished) {}

    /**
     * How it came out.
     *
     * @param failed whether nothing was committed; it is told already
     * @param marks the marks that were committed, by their keys
     */
    record Result(boolean failed, Map<PositionKey, Mark> marks) {}

    /** Does it, and tells it. */
    Result load() {
        parts.forEach(part -> told.add(journal.started(part.sink().node())));
        List<Optional<Staged>> rows = new ArrayList<>();
        try {
            for (at = 0; at < parts.size(); at++) {
                Part part = parts.get(at);
                rows.add(part.rows().map(Supplier::get).map(staged -> unique(part, staged)));
            }
            at = 0;
            Committed committed = invocation
                    .connections()
                    .retries(connection)
                    .run(() -> commit(rows), told.get(0).retries());
            succeeded(committed);
            return new Result(false, committed.marks());
        } catch (RuntimeException e) {
            failed(e);
            return new Result(true, Map.of());
        } finally {
            for (int i = 0; i < parts.size(); i++) {
                invocation.engine().drop(keyedId(i));
                invocation.engine().drop(emptyId(i));
            }
        }
    }

    private void succeeded(Committed committed) {
        for (int i = 0; i < parts.size(); i++) {
            Written written = committed.written().get(i);
            BoundSink sink = parts.get(i).sink();
            if (written.keptNewer() > 0) {
                invocation
                        .notes()
                        .accept(sink.node().id() + ": " + written.keptNewer()
                                + " rows were not written because the stored row is newer by "
                                + sink.orderBy().orElse("order_by"));
            }
            told.get(i).succeeded(written.rows(), null);
        }
    }

    private void failed(RuntimeException e) {
        int culprit = Math.min(at, parts.size() - 1);
        for (int i = 0; i < parts.size(); i++) {
            if (e instanceof Outputs.AboveFailed above) {
                told.get(i).skipped(above.getMessage());
            } else if (i == culprit) {
                told.get(i).failed(e);
            } else {
                told.get(i).leftOut(parts.get(culprit).sink().node().id() + " failed, and the two commit together");
            }
        }
    }

    /** @param written by part */
    private record Committed(List<Written> written, Map<PositionKey, Mark> marks) {}

    private String keyedId(int part) {
        return pipeline.node().id() + "#keyed" + connection + part;
    }

    private String emptyId(int part) {
        return pipeline.node().id() + "#empty" + connection + part;
    }

    private Staged unique(Part part, Staged rows) {
        SinkNode node = part.sink().node();
        if (node.strategy() != Strategy.MERGE) {
            return rows;
        }
        Keyed keyed = invocation
                .engine()
                .checkKeys(
                        node.id(), keyedId(at), rows, node.keys(), part.sink().orderBy());
        if (keyed.duplicateGroups() > 0) {
            told.get(at).duplicates(node.keys(), keyed.duplicateGroups(), keyed.extraRows());
        }
        return keyed.rows();
    }

    private Committed commit(List<Optional<Staged>> rows) {
        invocation.cancellation().check();
        invocation.connections().pace(connection);
        Map<PositionKey, Mark> sent = new LinkedHashMap<>();
        try {
            List<Optional<Staged>> all = withEmpty(rows);
            return invocation.connections().writing(connection, sink -> commit(sink, all, sent));
        } catch (UnknownOutcomeException e) {
            return lookUp(sent, e);
        }
    }

    private Committed commit(Sink sink, List<Optional<Staged>> rows, Map<PositionKey, Mark> sent) {
        List<Boolean> exists = new ArrayList<>();
        boolean anything = false;
        for (at = 0; at < parts.size(); at++) {
            Part part = parts.get(at);
            exists.add(part.tableExists()
                    || sink.describe(part.sink().node().table()).isPresent());
            anything |=
                    !exists.get(at) || rows.get(at).isPresent() || !part.moves().isEmpty();
        }
        at = 0;
        List<Written> written = new ArrayList<>();
        if (!anything) {
            parts.forEach(part -> written.add(new Written(0, 0)));
            return new Committed(written, Map.of());
        }
        try (SinkTransaction transaction = sink.begin()) {
            for (at = 0; at < parts.size(); at++) {
                Part part = parts.get(at);
                SinkNode node = part.sink().node();
                if (!exists.get(at)) {
                    transaction.create(node.table(), pipeline.columns(), node.keys());
                }
                Written did = rows.get(at)
                        .map(staged -> transaction.write(
                                node.table(), staged, PipelineBinder.write(part.sink(), part.deleted())))
                        .orElse(new Written(0, 0));
                written.add(did);
                part.moves().forEach(move -> sent.put(move.key(), move(transaction, node, move, did)));
            }
            at = 0;
            invocation.faults().reached(Faults.Point.BEFORE_SINK_COMMIT);
            transaction.commit();
            invocation.faults().reached(Faults.Point.AFTER_SINK_COMMIT);
            return new Committed(written, Map.copyOf(sent));
        }
    }

    /**
     * The rows of each part, none of the pipeline's columns for a window whose rows are all gone at the source. Made before
     * the transaction begins, since one of a DuckDB sink would not see them.
     */
    private List<Optional<Staged>> withEmpty(List<Optional<Staged>> rows) {
        List<Optional<Staged>> all = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            boolean gone = rows.get(i).isEmpty() && parts.get(i).deleted().isPresent();
            all.add(gone ? Optional.of(invocation.engine().empty(emptyId(i), pipeline.columns())) : rows.get(i));
        }
        return all;
    }

    private Mark move(SinkTransaction transaction, SinkNode node, Move move, Written written) {
        Mark wanted = move.unfinished();
        Mark next = new Mark(
                wanted.cursor(),
                wanted.generation(),
                wanted.generationStart(),
                wanted.seq(),
                wanted.value(),
                Math.addExact(wanted.rowsDelivered(), written.rows()),
                transaction.isEmpty(node.table()),
                wanted.runId(),
                wanted.committedAt());
        transaction.move(node.table(), move.key(), Optional.ofNullable(move.former()), next);
        return next;
    }

    /** Our own run id in a mark means committed; its absence means that nothing was, and the work may be done again. */
    private Committed lookUp(Map<PositionKey, Mark> sent, UnknownOutcomeException unknown) {
        if (sent.isEmpty()) {
            throw unknown;
        }
        Part marked = parts.stream()
                .filter(part -> !part.moves().isEmpty())
                .findFirst()
                .orElseThrow();
        PositionKey key = marked.moves().get(0).key();
        if (!hasCommitted(marked.sink().node(), key, sent.get(key), unknown)) {
            throw RunException.unreachable(unknown.fault(), unknown);
        }
        invocation
                .notes()
                .accept(marked.sink().node().id()
                        + ": the answer to a COMMIT was lost; the mark shows that it took effect");
        return new Committed(parts.stream().map(part -> delivered(part, sent)).toList(), Map.copyOf(sent));
    }

    private static Written delivered(Part part, Map<PositionKey, Mark> sent) {
        return part.moves().stream()
                .findFirst()
                .map(move -> new Written(
                        sent.get(move.key()).rowsDelivered() - move.unfinished().rowsDelivered(), 0))
                .orElse(new Written(0, 0));
    }

    /** Asked until it is answered: without an answer nothing may be tried again. */
    private boolean hasCommitted(SinkNode node, PositionKey key, Mark sent, UnknownOutcomeException unknown) {
        try {
            return invocation
                    .connections()
                    .retries(connection)
                    .insist(
                            () -> {
                                invocation.connections().resetSink(connection);
                                return invocation
                                        .connections()
                                        .writing(connection, sink -> sink.hasCommitted(node.table(), key, sent));
                            },
                            Retries.Listener.SILENT);
        } catch (RuntimeException e) {
            unknown.addSuppressed(e);
            throw unknown;
        }
    }
}
