package dev.weir.event;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the nodes of an invocation have done so far, in the order they were first started. Used under its owner's lock. */
final class Progress {

    private final Wording wording;
    private final Map<String, NodeProgress> nodes = new LinkedHashMap<>();
    private Event.@Nullable RunCompleted lastPass;
    private @Nullable BackfillProgress backfill;

    Progress(Wording wording) {
        this.wording = wording;
    }

    void accept(Event event, long nanos) {
        if (event instanceof Event.NodeStarted e) {
            nodes.computeIfAbsent(e.nodeId(), id -> new NodeProgress(wording.clean(e.name()), e.kind(), nanos))
                    .started(nanos);
        } else if (event instanceof Event.NodeProgress e && nodes.containsKey(e.nodeId())) {
            nodes.get(e.nodeId()).progressed(e.rows(), nanos);
        } else if (event instanceof Event.NodeCompleted e) {
            nodes.computeIfAbsent(e.nodeId(), id -> new NodeProgress(wording.clean(e.name()), e.kind(), nanos))
                    .completed(e, nanos);
        } else if (event instanceof Event.RunCompleted e) {
            lastPass = e;
        } else if (event instanceof Event.BackfillStarted e) {
            backfill = new BackfillProgress(wording.clean(e.pipeline()), e.chunks(), nanos);
        }
        if (backfill != null) {
            accept(backfill, event, nanos);
        }
    }

    private static void accept(BackfillProgress backfill, Event event, long nanos) {
        if (event instanceof Event.ChunkStarted e) {
            backfill.started(e, nanos);
        } else if (event instanceof Event.ChunkCompleted e) {
            backfill.completed(e, nanos);
        } else if (event instanceof Event.NodeProgress e) {
            backfill.progressed(e);
        }
    }

    /** The backfill that the runs belong to; empty outside one. */
    Optional<BackfillProgress> backfill() {
        return Optional.ofNullable(backfill);
    }

    Collection<NodeProgress> nodes() {
        return nodes.values();
    }

    Optional<Event.RunCompleted> lastPass() {
        return Optional.ofNullable(lastPass);
    }
}
