package dev.weir.event;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.fault.Fault;
import dev.weir.fault.Redactor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.HeldBack;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Events as JSON: the names, the order and the presence of fields. Rule: contract, section 4.3. */
final class EventFields {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final Redactor redactor;

    EventFields(Redactor redactor) {
        this.redactor = redactor;
    }

    /** {@code yyyy-MM-ddTHH:mm:ss.SSSZ}, cut to the millisecond. */
    static String time(Instant instant) {
        return TIME.format(instant);
    }

    /** The whole event, envelope first. */
    ObjectNode of(Event event) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("event", event.event());
        json.put("at", time(event.at()));
        json.put("runId", event.runId());
        add(json, event);
        return json;
    }

    private void add(ObjectNode json, Event event) {
        if (event instanceof Event.RunStarted e) {
            json.put("projectName", e.projectName());
            json.put("nodeCount", e.nodeCount());
            json.put("pass", e.pass());
            json.put("now", time(e.now()));
        } else if (event instanceof Event.NodeStarted e) {
            json.put("nodeId", e.nodeId());
            json.put("kind", e.kind().toString());
            json.put("name", e.name());
        } else if (event instanceof Event.NodeProgress e) {
            json.put("nodeId", e.nodeId());
            json.put("name", e.name());
            json.put("rows", e.rows());
            json.put("bytes", e.bytes());
        } else if (event instanceof Event.RetryScheduled e) {
            json.put("nodeId", e.nodeId());
            json.put("name", e.name());
            json.put("attempt", e.attempt());
            json.put("maxAttempts", e.maxAttempts());
            json.put("delayMs", e.delayMs());
            json.put("reason", redactor.redact(e.reason()));
        } else if (event instanceof Event.MergeKeyDuplicatesDetected e) {
            json.put("nodeId", e.nodeId());
            json.put("sink", e.sink());
            e.keys().forEach(json.putArray("keys")::add);
            json.put("duplicateGroups", e.duplicateGroups());
            json.put("extraRows", e.extraRows());
        } else if (event instanceof Event.RowsOutsideWindows e) {
            json.put("nodeId", e.nodeId());
            json.put("nullCursors", e.nullCursors());
            json.put("infiniteCursors", e.infiniteCursors());
            json.put("belowInitial", e.belowInitial());
            json.put("future", e.future());
        } else if (event instanceof Event.NodeCompleted e) {
            addNode(json, e);
        } else if (event instanceof Event.WatermarkAdvanced e) {
            json.put("key", e.key());
            json.put("cursor", e.cursor().column());
            json.put("type", e.cursor().type().toString());
            json.put("before", text(e.before()));
            json.put("after", e.after().toString());
        } else if (event instanceof Event.RunCompleted e) {
            json.put("status", e.status().toString());
            json.put("succeeded", e.succeeded());
            json.put("failed", e.failed());
            json.put("skipped", e.skipped());
            json.put("durationMs", e.durationMs());
        } else if (event instanceof Event.LoopCompleted e) {
            json.put("passes", e.passes());
            json.put("stopped", e.stopped());
            json.put("exitCode", e.exitCode());
        } else if (event instanceof Event.BackfillStarted e) {
            json.put("backfillId", e.backfillId());
            json.put("pipeline", e.pipeline());
            json.put("from", e.from());
            json.put("to", e.to());
            json.put("chunks", e.chunks());
            json.put("pending", e.pending());
        } else if (event instanceof Event.ChunkStarted e) {
            addChunk(json, e);
        } else if (event instanceof Event.ChunkCompleted e) {
            addChunk(json, e.backfillId(), e.chunk(), e.chunkRunId());
            add(json, e.outcome());
            json.put("durationMs", e.durationMs());
        } else if (event instanceof Event.BackfillCompleted e) {
            json.put("backfillId", e.backfillId());
            json.put("status", e.status().toString());
            add(json, e.totals());
            json.put("durationMs", e.durationMs());
            json.put("exitCode", e.exitCode());
        } else {
            throw new IllegalStateException("an event without fields: " + event.event());
        }
    }

    /** The fields of a node that has ended: those of its event, and of {@code run_results.json}. */
    void addNode(ObjectNode json, Event.NodeCompleted node) {
        json.put("nodeId", node.nodeId());
        json.put("kind", node.kind().toString());
        json.put("name", node.name());
        json.put("status", node.outcome().status());
        json.put("rows", node.rows());
        json.put("bytes", node.bytes());
        json.put("durationMs", node.durationMs());
        if (node.outcome() instanceof Outcome.Success success && success.deleted() > 0) {
            json.put("deleted", success.deleted());
        } else if (node.outcome() instanceof Outcome.Failed failed) {
            add(json, failed.fault());
        } else if (node.outcome() instanceof Outcome.Skipped skipped) {
            json.put("errorMessage", redactor.redact(skipped.why()));
        }
        Incremental incremental = node.incremental();
        if (incremental != null) {
            add(json, incremental);
        }
    }

    private void add(ObjectNode json, Fault fault) {
        json.put("errorCode", fault.code().toString());
        json.put("errorMessage", redactor.redact(fault.place() + ": " + fault.what() + "; " + fault.remedy()));
    }

    /** The fields of a chunk whose attempt begins: those of its event, and of its run's {@code run_results.json}. */
    static void addChunk(ObjectNode json, Event.ChunkStarted event) {
        addChunk(json, event.backfillId(), event.chunk(), event.chunkRunId());
    }

    private static void addChunk(ObjectNode json, String backfillId, ChunkRef chunk, String chunkRunId) {
        json.put("backfillId", backfillId);
        json.putObject("chunk")
                .put("number", chunk.number())
                .put("count", chunk.count())
                .put("id", chunk.id())
                .put("from", chunk.from())
                .put("to", chunk.to());
        json.put("chunkRunId", chunkRunId);
    }

    private void add(ObjectNode json, ChunkOutcome outcome) {
        json.put("status", outcome.status());
        if (outcome instanceof ChunkOutcome.Completed completed) {
            json.put("rows", completed.rows());
        } else if (outcome instanceof ChunkOutcome.Failed failed) {
            add(json, failed.fault());
        } else if (outcome instanceof ChunkOutcome.Pending pending) {
            json.put("errorMessage", redactor.redact(pending.why()));
        }
    }

    private static void add(ObjectNode json, ChunkTotals totals) {
        json.put("chunks", totals.chunks());
        json.put("completed", totals.completed());
        json.put("skipped", totals.skipped());
        json.put("claimedElsewhere", totals.claimedElsewhere());
        json.put("failed", totals.failed());
        json.put("pending", totals.pending());
        json.put("rows", totals.rows());
    }

    private void add(ObjectNode json, Incremental incremental) {
        Incremental.Window window = incremental.window();
        if (window == null) {
            json.putNull("window");
        } else {
            ObjectNode range = json.putObject("window")
                    .put("lower", text(window.lower()))
                    .put("upper", text(window.upper()))
                    .put("lowerInclusive", window.lowerInclusive());
            if (window.autoWidth() != null) {
                range.put("autoWidth", window.autoWidth().toString());
            }
        }
        json.putObject("watermark")
                .put("cursor", incremental.cursor().column())
                .put("type", incremental.cursor().type().toString())
                .put("before", text(incremental.before()))
                .put("after", text(incremental.after()));
        json.put("ceiling", text(incremental.ceiling()));
        json.put("atEnd", incremental.atEnd());
        if (incremental.skippedWindows() != null) {
            json.put("skippedWindows", incremental.skippedWindows());
        }
        if (incremental.reread() > 0) {
            json.put("reread", incremental.reread());
        }
        if (incremental.heldBack() != null) {
            add(json.putObject("heldBack"), incremental.heldBack());
        }
        if (incremental.caughtUp() != null) {
            json.put("caughtUp", incremental.caughtUp());
        }
    }

    private void add(ObjectNode json, HeldBack heldBack) {
        json.put("reason", heldBack.reason());
        json.put("since", heldBack.since() == null ? null : time(heldBack.since()));
        heldBack.sessions().stream().map(redactor::redact).forEach(json.putArray("sessions")::add);
    }

    /** Values as text: a number of JSON is a double to many readers. */
    private static @Nullable String text(@Nullable CursorValue value) {
        return value == null ? null : value.toString();
    }
}
