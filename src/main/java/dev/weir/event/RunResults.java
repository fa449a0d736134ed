package dev.weir.event;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code run_results.json} says: the run, and for each node its newest completion with the fields of its event.
 *
 * <p>Its size depends on the nodes, not on the passes.
 */
final class RunResults {

    private final String runId;
    private final EventFields fields;
    private final Map<String, Completion> nodes = new LinkedHashMap<>();
    private Event.@Nullable RunStarted first;
    private Event.@Nullable RunCompleted lastPass;
    private Event.@Nullable LoopCompleted loop;
    private Event.@Nullable ChunkStarted chunk;
    private @Nullable Ending ending;
    private int pass;

    /** @param rowsOfAllPasses what the node moved in the whole run */
    private record Completion(Event.NodeCompleted event, int pass, long rowsOfAllPasses) {}

    private record Ending(
            RunStatus status, Instant at, @Nullable Integer exitCode) {}

    RunResults(String runId, EventFields fields) {
        this.runId = runId;
        this.fields = fields;
    }

    void accept(Event event) {
        if (event instanceof Event.RunStarted e) {
            first = first == null ? e : first;
            pass = e.pass();
        } else if (event instanceof Event.NodeCompleted e) {
            nodes.compute(e.nodeId(), (id, former) -> {
                long before = former == null ? 0 : former.rowsOfAllPasses();
                return new Completion(e, pass, before + e.rows());
            });
        } else if (event instanceof Event.RunCompleted e) {
            lastPass = e;
        } else if (event instanceof Event.LoopCompleted e) {
            loop = e;
        } else if (event instanceof Event.ChunkStarted e) {
            chunk = e;
        }
    }

    void finish(RunStatus status, Instant at, @Nullable Integer exitCode) {
        ending = new Ending(status, at, exitCode);
    }

    String json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("runId", runId);
        if (chunk != null) {
            EventFields.addChunk(json, chunk);
        }
        if (first != null) {
            json.put("projectName", first.projectName());
        }
        json.put("status", ending == null ? "running" : ending.status().toString());
        if (first != null) {
            json.put("startedAt", EventFields.time(first.at()));
            json.put("now", EventFields.time(first.now()));
        }
        addEnding(json);
        json.put("passes", pass);
        if (lastPass != null) {
            json.put("succeeded", lastPass.succeeded());
            json.put("failed", lastPass.failed());
            json.put("skipped", lastPass.skipped());
        }
        if (loop != null) {
            json.put("stopped", loop.stopped());
        }
        ArrayNode array = json.putArray("nodes");
        nodes.values().forEach(completion -> addNode(array.addObject(), completion));
        return json.toPrettyString() + "\n";
    }

    private void addEnding(ObjectNode json) {
        if (ending == null) {
            return;
        }
        json.put("endedAt", EventFields.time(ending.at()));
        if (first != null) {
            json.put("durationMs", Duration.between(first.at(), ending.at()).toMillis());
        }
        if (ending.exitCode() != null) {
            json.put("exitCode", ending.exitCode());
        }
    }

    private void addNode(ObjectNode json, Completion completion) {
        fields.addNode(json, completion.event());
        json.put("pass", completion.pass());
        json.put("rowsOfAllPasses", completion.rowsOfAllPasses());
        json.put("completedAt", EventFields.time(completion.event().at()));
    }
}
