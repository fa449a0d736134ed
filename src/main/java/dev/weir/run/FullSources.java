package dev.weir.run;

import dev.weir.connector.Source;
import dev.weir.event.NodeKind;
import dev.weir.fault.RunException;
import java.util.HashSet;
import java.util.Set;

/** Stages sources that are read in full: each once an invocation, when the first pipeline needs it. */
final class FullSources {

    private final Invocation invocation;
    private final Set<String> staged = new HashSet<>();
    private final Set<String> failed = new HashSet<>();

    FullSources(Invocation invocation) {
        this.invocation = invocation;
    }

    /** Whether the source is staged, now or before; a failure is told once and stays one. */
    boolean isStaged(Journal journal, BoundSource bound) {
        String id = bound.node().id();
        if (staged.contains(id) || failed.contains(id)) {
            return staged.contains(id);
        }
        Journal.Node told = journal.started(id, NodeKind.SOURCE_LOAD);
        try {
            long rows = invocation.retries().run(() -> read(bound, told), told.retries());
            staged.add(id);
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
