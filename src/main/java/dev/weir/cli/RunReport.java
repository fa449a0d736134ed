package dev.weir.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.event.RunFiles;
import dev.weir.state.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of one run, as {@code weir runs} and {@code weir runs show} print it. */
final class RunReport {

    private RunReport() {}

    /** How many milliseconds an ended run took. */
    static Optional<Long> duration(RunRecord run) {
        return run.endedAt() == null
                ? Optional.empty()
                : Optional.of(Duration.between(run.startedAt(), run.endedAt()).toMillis());
    }

    /** A run's row of the history. */
    static ObjectNode json(RunRecord run) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("runId", run.runId());
        node.put("project", run.project());
        node.put("command", run.command());
        node.put("status", run.status().toString());
        node.put("startedAt", run.startedAt().toString());
        node.put("endedAt", run.endedAt() == null ? null : run.endedAt().toString());
        node.put("pass", run.passes());
        node.put("exitCode", run.exitCode());
        node.put("host", run.process().host());
        node.put("pid", run.process().pid());
        node.put("succeeded", run.counts().succeeded());
        node.put("failed", run.counts().failed());
        node.put("skipped", run.counts().skipped());
        node.put("rows", run.counts().rows());
        node.put("trigger", run.trigger().toString());
        node.put("backfillId", run.backfillId());
        node.put("chunkRunId", run.chunkRunId());
        return node;
    }

    /** The row, and what its {@code run_results.json} says; null where there is none to read. */
    static ObjectNode json(RunRecord run, RunFiles.Results results) {
        ObjectNode node = json(run);
        if (results instanceof RunFiles.Read read) {
            node.set("results", read.json());
        } else {
            node.putNull("results");
        }
        return node;
    }

    /** The same for people, a line each. */
    static List<String> text(RunRecord run, RunFiles.Results results) {
        List<String> lines = new ArrayList<>();
        lines.add("run " + run.runId() + ": " + run.status());
        lines.add("  command  " + run.command());
        if (run.trigger() == RunRecord.Trigger.BACKFILL) {
            lines.add("  backfill " + run.backfillId());
            lines.add("  chunk    run_id=" + run.chunkRunId());
        }
        lines.add("  started  " + run.startedAt());
        lines.add("  ended    " + ended(run));
        lines.add("  process  " + run.process().pid() + " on " + run.process().host());
        if (run.passes() != null) {
            lines.add("  pass     " + run.passes());
        }
        if (run.exitCode() != null) {
            lines.add("  exit     " + run.exitCode());
        }
        if (run.endedAt() != null) {
            RunRecord.Counts counts = run.counts();
            lines.add("  nodes    " + counts.succeeded() + " succeeded, " + counts.failed() + " failed, "
                    + counts.skipped() + " skipped; " + counts.rows() + " rows written");
        }
        if (results instanceof RunFiles.Read read) {
            lines.add("");
            read.json().path("nodes").forEach(node -> addNode(lines, node));
        } else {
            lines.add("  results  " + ((RunFiles.Missing) results).why());
        }
        return lines;
    }

    private static String ended(RunRecord run) {
        if (run.endedAt() != null) {
            return run.endedAt() + ", after " + duration(run).orElseThrow() + "ms";
        }
        return run.status() == RunRecord.Status.RUNNING ? "not yet" : "never: its process is gone";
    }

    private static void addNode(List<String> lines, JsonNode node) {
        String status = node.path("status").asText();
        String shown = (status.equals("success") ? "ok" : status) + " "
                + node.path("name").asText();
        lines.add(
                status.equals("skipped")
                        ? shown
                        : shown + " " + node.path("rows").asLong() + " rows "
                                + node.path("durationMs").asLong() + "ms");
        if (node.path("watermark").isObject()) {
            lines.add("   " + window(node.path("window")) + "watermark of "
                    + node.path("watermark").path("cursor").asText() + " ("
                    + node.path("watermark").path("type").asText() + "): "
                    + value(node.path("watermark").path("before")) + " → "
                    + value(node.path("watermark").path("after")) + standing(node));
        }
        String error = node.path("errorMessage").asText("");
        if (!error.isEmpty()) {
            String code = node.path("errorCode").asText("");
            lines.add("   " + (code.isEmpty() ? "" : code + " ") + error);
        }
    }

    private static String window(JsonNode window) {
        if (!window.isObject()) {
            return "nothing was asked for, ";
        }
        String lower = window.path("lower").isNull()
                ? "(…"
                : (window.path("lowerInclusive").asBoolean() ? "[" : "(") + value(window.path("lower"));
        String upper = window.path("upper").isNull() ? "…)" : value(window.path("upper")) + "]";
        return "window " + lower + ", " + upper + ", ";
    }

    private static String value(@Nullable JsonNode value) {
        return value == null || value.isNull() || value.isMissingNode() ? "none" : value.asText();
    }

    private static String standing(JsonNode node) {
        if (node.path("caughtUp").isBoolean()) {
            return node.path("caughtUp").asBoolean() ? ", caught up" : ", not caught up";
        }
        return node.path("atEnd").asBoolean() ? ", at the end" : "";
    }
}
