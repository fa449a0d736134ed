package dev.weir.run;

import dev.weir.connector.Source;
import dev.weir.event.NodeKind;
import dev.weir.fault.RunException;
import java.util.HashSet;
import java.util.Set;

/**
 * Stages sources that are read in full: each once an invocation, when the first pipeline needs it.
 *
 * <p>Below an incremental source without a ceiling each pass reads them anew: its slices hold rows that arrived
 * meanwhile, and what they refer to arrived meanwhile too. Source of the rule: contract, section 4.1.
 */
final class FullSources {

    private final Invocation invocation;
    private final Set<String> staged = new HashSet<>();
    private final Set<String> failed = new HashSet<>();

    /** What was staged in the pass under way. */
    private final Set<String> fresh = new HashSet<>();

    FullSources(Invocation invocation) {
        this.invocation = invocation;
    }

    /** Begins a pass: from now on nothing counts as read in it. */
    void passStarted() {
        fresh.clear();
    }

    /**
     * Whether the source is staged, now or before; a failure is told once and stays one.
     *
     * @param anew whether only rows read in this pass will do
     */
    boolean isStaged(Journal journal, BoundSource bound, boolean anew) {
        String id = bound.node().id();
        boolean done = anew ? fresh.contains(id) : staged.contains(id);
        if (done || failed.contains(id)) {
            return done;
        }
        Journal.Node told = journal.started(id, NodeKind.SOURCE_LOAD);
        try {
            long rows = invocation.retries().run(() -> read(bound, told), told.retries());
            staged.add(id);
            fresh.add(id);
            told.succeeded(rows, null);
            return true;
        } catch (RuntimeException e) {
            failed.add(id);
            told.failed(e);
            return false;
        }
    }

    private long read(BoundSource bound, Journal.Node told) {
        invocation.cancellation().check();
        String connection = bound.node().connection();
        Source source = invocation.connections().source(connection);
        try {
            return new SliceReader(invocation.engine())
                    .readWhole(bound, source, rows -> {
                        invocation.faults().reached(Faults.Point.MID_READ);
                        told.progress(rows);
                    })
                    .rows();
        } catch (RunException e) {
            if (e.isRetryable()) {
                invocation.connections().resetSource(connection);
            }
            throw e;
        }
    }
}
