package dev.weir.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.fault.Redactor;
import dev.weir.run.PlanLook;
import dev.weir.run.PlanLook.Standing;
import dev.weir.slicing.Spelling;
import dev.weir.state.BackfillRecord;
import dev.weir.state.ChunkRecord;
import dev.weir.state.RunRecord;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The objects of {@code weir backfill list --json} and {@code weir backfill show --json}. */
final class BackfillJson {

    private final Redactor redactor;

    BackfillJson(Redactor redactor) {
        this.redactor = redactor;
    }

    /** A plan, without its chunks. */
    ObjectNode plan(BackfillRecord plan) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("backfillId", plan.backfillId());
        node.put("pipeline", plan.pipeline());
        node.put("from", Spelling.of(plan.from()));
        node.put("to", Spelling.of(plan.to()));
        node.put("window", plan.chunk());
        node.put("timezone", plan.zone());
        node.put("cursor", plan.cursor().column());
        node.put("type", plan.cursor().type().toString());
        node.put("into", plan.into());
        node.put("restart", plan.restart());
        node.put("createdAt", plan.createdAt().toString());
        node.put("command", redactor.redact(plan.command()));
        node.put("chunkCount", plan.chunks());
        return node;
    }

    static void addCounts(ObjectNode node, Map<Standing, Integer> counts, long recordsLoaded) {
        ObjectNode into = node.putObject("counts");
        counts.forEach((standing, count) -> into.put(standing.toString(), count));
        node.put("recordsLoaded", recordsLoaded);
    }

    /** Everything that is kept of a plan. */
    ObjectNode all(PlanLook look, List<RunRecord> runs) {
        ObjectNode node = plan(look.plan());
        Map<Standing, Integer> counts = new EnumMap<>(Standing.class);
        for (Standing standing : Standing.values()) {
            counts.put(standing, look.count(standing));
        }
        addCounts(node, counts, look.recordsLoaded());
        node.put("fingerprint", look.plan().fingerprint());
        ObjectNode inputs = node.putObject("inputs");
        look.plan().inputs().forEach((name, value) -> inputs.put(name, redactor.redact(value)));
        ArrayNode chunks = node.putArray("chunks");
        look.chunks().forEach(seen -> chunks.add(chunk(look.plan(), seen)));
        ArrayNode attempts = node.putArray("runs");
        runs.forEach(run -> attempts.add(RunReport.json(run)));
        return node;
    }

    /** A chunk's row of state, and whether somebody who lives holds it. */
    private ObjectNode chunk(BackfillRecord plan, PlanLook.Seen seen) {
        ChunkRecord chunk = seen.chunk();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("backfillId", plan.backfillId());
        node.put("chunkId", chunk.chunkId());
        node.put("chunkFrom", Spelling.of(chunk.from()));
        node.put("chunkTo", Spelling.of(chunk.to()));
        node.put("status", chunk.status().toString());
        node.put("held", seen.standing() == Standing.RUNNING);
        node.put("claimedBy", chunk.claimedBy());
        node.put("claimedAt", text(chunk.claimedAt()));
        node.put("attempts", chunk.attempts());
        node.put("startedAt", text(chunk.startedAt()));
        node.put("completedAt", text(chunk.completedAt()));
        node.put("recordsLoaded", chunk.recordsLoaded());
        node.put("runId", chunk.runId());
        node.put("error", chunk.error() == null ? null : redactor.redact(chunk.error()));
        return node;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
