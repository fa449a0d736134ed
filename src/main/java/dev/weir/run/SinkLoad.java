package dev.weir.run;

import dev.weir.connector.RawRefusedException;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.engine.Keyed;
import dev.weir.engine.Parted;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.plan.SinkNode;
import dev.weir.slicing.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Commits the rows of one pipeline into its sinks in one connection, and their marks with them: all of it, or nothing.
 *
 * <p>Source of the rule: contract, sections 2.2 and 2.4.
 */
final class SinkLoad {

    private static final String KEYED = "keyed";
    private static final String KEPT = "kept";
    private static final String GONE = "gone";
    private static final String EMPTY = "empty";

    /** What it stages itself. */
    private static final List<String> OWN = List.of(KEYED, KEPT, GONE, EMPTY);

    private final Invocation invocation;
    private final Journal journal;
    private final String connection;
    private final BoundPipeline pipeline;
    private final List<Part> parts;
    private final String ids;
    private final List<Journal.Node> told = new ArrayList<>();

    /** Which part is being worked on: it is the one a failure belongs to. */
    private int at;

    /** @param parts sinks of the pipeline, all in the connection, at least one */
    SinkLoad(Invocation invocation, Journal journal, BoundPipeline pipeline, List<Part> parts) {
        this(invocation, journal, pipeline, parts, "");
    }

    /** @param ids what tells the relations of this load from those of others that are under way */
    SinkLoad(Invocation invocation, Journal journal, BoundPipeline pipeline, List<Part> parts, String ids) {
        this.invocation = invocation;
        this.journal = journal;
        this.pipeline = pipeline;
        this.parts = parts;
        this.ids = ids;
        this.connection = parts.get(0).sink().node().connection();
    }

    /**
     * What one sink is to take.
     *
     * @param tableExists whether the sink's table was there when it was asked where it stands
     * @param rows runs the SQL; empty: nothing is staged that it should be run over
     * @param entries what it keeps beside the rows
     * @param deleted what a window write deletes
     */
    record Part(
            BoundSink sink,
            boolean tableExists,
            Optional<Supplier<Staged>> rows,
            List<? extends Entry> entries,
            Optional<PipelineBinder.Deleted> deleted) {}

    /**
     * How it came out.
     *
     * @param failure why nothing was committed; it is told already. Null: all was
     * @param kept the entries that were committed
     */
    record Result(@Nullable RuntimeException failure, List<Entry> kept) {

        boolean failed() {
            return failure != null;
        }
    }

    /** Does it, and tells it. */
    Result load() {
        parts.forEach(part -> told.add(journal.started(part.sink().node())));
        List<Optional<Parted>> rows = new ArrayList<>();
        try {
            for (at = 0; at < parts.size(); at++) {
                Part part = parts.get(at);
                rows.add(part.rows().map(Supplier::get).map(staged -> prepared(part, staged)));
            }
            at = 0;
            Committed committed = committed(rows);
            succeeded(committed);
            return new Result(null, committed.kept());
        } catch (RuntimeException e) {
            failed(e);
            return new Result(e, List.of());
        } finally {
            for (int i = 0; i < parts.size(); i++) {
                for (String what : OWN) {
                    invocation.engine().drop(id(what, i));
                }
            }
        }
    }

    private Parted prepared(Part part, Staged rows) {
        return parted(part, unique(part, rows));
    }

    /** Rows that cannot go in as their source sent them are decoded, and go in as all others do. */
    private Committed committed(List<Optional<Parted>> rows) {
        try {
            return retried(rows);
        } catch (RawRefusedException e) {
            List<Optional<Parted>> decoded = new ArrayList<>();
            for (at = 0; at < parts.size(); at++) {
                Part part = parts.get(at);
                decoded.add(rows.get(at).map(all -> prepared(part, decoded(all.kept()))));
            }
            at = 0;
            return retried(decoded);
        }
    }

    private static Staged decoded(Staged rows) {
        return rows.raw().map(pick -> pick.decoded().get()).orElse(rows);
    }

    private Committed retried(List<Optional<Parted>> rows) {
        return invocation
                .connections()
                .retries(connection)
                .run(() -> commit(rows), told.get(0).retries());
    }

    private void succeeded(Committed committed) {
        for (int i = 0; i < parts.size(); i++) {
            Written written = committed.written().get(i);
            BoundSink sink = parts.get(i).sink();
            if (written.keptNewer() > 0) {
                invocation
                        .notes()
                        .accept(sink.node().id() + ": " + written.keptNewer()
                                + " rows had no effect because the stored row is newer by "
                                + sink.orderBy().orElse("order_by"));
            }
            told.get(i).succeeded(written);
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
    private record Committed(List<Written> written, List<Entry> kept) {}

    /** An entry on its way, the sink it is for, and what is on its way there with it. */
    private record Sent(SinkNode sink, Entry entry, Written written) {}

    /** The relation of a part that holds what the word says, one of {@link #OWN}. */
    private String id(String what, int part) {
        return pipeline.node().id() + "#" + what + ids + connection + part;
    }

    private Staged unique(Part part, Staged rows) {
        SinkNode node = part.sink().node();
        if (node.strategy() != Strategy.MERGE || areForTheSinkToCompare(node, rows)) {
            return rows;
        }
        Keyed keyed = invocation
                .engine()
                .checkKeys(
                        node.id(),
                        id(KEYED, at),
                        decoded(rows),
                        node.keys(),
                        part.sink().orderBy());
        if (keyed.duplicateGroups() > 0) {
            told.get(at).duplicates(node.keys(), keyed.duplicateGroups(), keyed.extraRows());
        }
        return keyed.rows();
    }

    /** Raw rows without NULL keys: the sink refuses them where two are of one key. */
    private static boolean areForTheSinkToCompare(SinkNode node, Staged rows) {
        return rows.raw()
                .filter(pick -> node.keys().stream().allMatch(key -> pick.nulls(key) == 0))
                .isPresent();
    }

    private Parted parted(Part part, Staged rows) {
        return part.sink()
                .node()
                .deleteWhen()
                .map(condition -> invocation
                        .engine()
                        .part(
                                condition.place().toString(),
                                rows,
                                condition.text(),
                                part.sink().keyColumns(),
                                id(KEPT, at),
                                id(GONE, at)))
                .orElse(new Parted(rows, Optional.empty()));
    }

    private Committed commit(List<Optional<Parted>> rows) {
        invocation.cancellation().check();
        invocation.connections().pace(connection);
        List<Sent> sent = new ArrayList<>();
        try {
            List<Optional<Parted>> all = withEmpty(rows);
            return invocation.connections().writing(connection, sink -> commit(sink, all, sent));
        } catch (UnknownOutcomeException e) {
            return lookUp(sent, e);
        }
    }

    private Committed commit(Sink sink, List<Optional<Parted>> rows, List<Sent> sent) {
        List<Boolean> exists = new ArrayList<>();
        boolean anything = false;
        for (at = 0; at < parts.size(); at++) {
            Part part = parts.get(at);
            exists.add(part.tableExists()
                    || sink.describe(part.sink().node().table()).isPresent());
            anything |= !exists.get(at)
                    || rows.get(at).isPresent()
                    || !part.entries().isEmpty();
        }
        at = 0;
        List<Written> written = new ArrayList<>();
        if (!anything) {
            parts.forEach(part -> written.add(Written.NOTHING));
            return new Committed(written, List.of());
        }
        try (SinkTransaction transaction = sink.begin()) {
            for (at = 0; at < parts.size(); at++) {
                Part part = parts.get(at);
                SinkNode node = part.sink().node();
                if (!exists.get(at)) {
                    transaction.create(node.table(), pipeline.columns(), node.keys());
                }
                // A table that is made now has every column, also those that one before it lacked.
                boolean whole = !exists.get(at);
                Written did = rows.get(at)
                        .map(output -> write(transaction, part, output, whole))
                        .orElse(Written.NOTHING);
                written.add(did);
                part.entries()
                        .forEach(entry -> sent.add(new Sent(node, entry.keep(transaction, node.table(), did), did)));
            }
            at = 0;
            invocation.faults().reached(Faults.Point.BEFORE_SINK_COMMIT);
            transaction.commit();
            invocation.faults().reached(Faults.Point.AFTER_SINK_COMMIT);
            return new Committed(written, entries(sent));
        }
    }

    private static Written write(SinkTransaction transaction, Part part, Parted rows, boolean whole) {
        TableName table = part.sink().node().table();
        SinkWrite how = PipelineBinder.write(part.sink(), part.deleted());
        Written deleted = Written.NOTHING;
        if (how instanceof SinkWrite.Merge merge && rows.gone().isPresent()) {
            deleted = transaction.delete(table, rows.gone().get(), merge);
        }
        Staged taken = whole ? rows.kept() : part.sink().taken(rows.kept());
        return deleted.and(transaction.write(table, taken, how));
    }

    private static List<Entry> entries(List<Sent> sent) {
        return sent.stream().map(Sent::entry).toList();
    }

    /**
     * The rows of each part, none of the pipeline's columns for a window whose rows are all gone at the source. Made before
     * the transaction begins, since one of a DuckDB sink would not see them.
     */
    private List<Optional<Parted>> withEmpty(List<Optional<Parted>> rows) {
        List<Optional<Parted>> all = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            boolean gone = rows.get(i).isEmpty() && parts.get(i).deleted().isPresent();
            all.add(gone ? Optional.of(nothing(i)) : rows.get(i));
        }
        return all;
    }

    private Parted nothing(int part) {
        return new Parted(invocation.engine().empty(id(EMPTY, part), pipeline.columns()), Optional.empty());
    }

    /** Our own run id in an entry means committed; its absence means that nothing was, and the work may be done again. */
    private Committed lookUp(List<Sent> sent, UnknownOutcomeException unknown) {
        if (sent.isEmpty()) {
            throw unknown;
        }
        Sent first = sent.get(0);
        if (!hasCommitted(first, unknown)) {
            throw RunException.unreachable(unknown.fault(), unknown);
        }
        invocation
                .notes()
                .accept(first.sink().id() + ": the answer to a COMMIT was lost; the mark shows that it took effect");
        List<Written> written =
                parts.stream().map(part -> delivered(part.sink().node(), sent)).toList();
        return new Committed(written, entries(sent));
    }

    private static Written delivered(SinkNode sink, List<Sent> sent) {
        return sent.stream()
                .filter(one -> one.sink().equals(sink))
                .findFirst()
                .map(Sent::written)
                .orElse(Written.NOTHING);
    }

    /** Asked until it is answered: without an answer nothing may be tried again. */
    private boolean hasCommitted(Sent sent, UnknownOutcomeException unknown) {
        try {
            return invocation
                    .connections()
                    .retries(connection)
                    .insist(
                            () -> {
                                invocation.connections().resetSink(connection);
                                return invocation.connections().writing(connection, sink -> sent.entry()
                                        .hasCommitted(sink, sent.sink().table()));
                            },
                            Retries.Listener.SILENT);
        } catch (RuntimeException e) {
            unknown.addSuppressed(e);
            throw unknown;
        }
    }
}
