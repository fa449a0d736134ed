package dev.weir.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.fault.Redactor;
import dev.weir.run.BackfillForecast;
import dev.weir.slicing.Backfill;
import dev.weir.slicing.ChunkStatus;
import dev.weir.slicing.ChunkStep;
import dev.weir.slicing.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** What a backfill would do, as {@code weir backfill --dry-run} prints it. */
final class BackfillReport {

    private final Redactor redactor;

    BackfillReport(Redactor redactor) {
        this.redactor = redactor;
    }

    /** The plan in a few lines, then a line for each chunk. */
    List<String> text(BackfillForecast forecast) {
        Backfill plan = forecast.plan();
        List<String> lines = new ArrayList<>();
        lines.add("backfill " + forecast.identity().backfillId() + ": pipeline "
                + forecast.identity().pipeline() + ", [" + Spelling.of(plan.from()) + " → " + Spelling.of(plan.to())
                + "), " + size(plan) + ", into " + String.join(", ", forecast.sinks()));
        int width = forecast.chunks().stream()
                .mapToInt(chunk -> chunk.chunk().spelled().length())
                .max()
                .orElse(0);
        for (BackfillForecast.OfChunk chunk : forecast.chunks()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s  %-" + width + "s  %-9s  %12s  %s",
                    chunk.chunk().id(),
                    chunk.chunk().spelled(),
                    chunk.status(),
                    rows(forecast, chunk.rows()),
                    chunk.runId()));
        }
        lines.add(summary(forecast));
        if (plan.isLarge()) {
            lines.add("note: these are many chunks; a larger --window makes fewer");
        }
        forecast.refusal().ifPresent(why -> lines.add("refused: " + redactor.redact(why)));
        return lines;
    }

    private static String size(Backfill plan) {
        ChunkStep step = plan.step();
        String chunks = plan.count() == 1 ? "1 chunk" : plan.count() + " chunks";
        return step == null ? chunks : chunks + " of " + step;
    }

    private static String rows(BackfillForecast forecast, OptionalLong rows) {
        return rows.isEmpty() ? "? rows" : (forecast.exact() ? "" : "~") + rows.getAsLong() + " rows";
    }

    private static String summary(BackfillForecast forecast) {
        long completed = forecast.count(ChunkStatus.COMPLETED);
        long left = forecast.chunks().size() - completed;
        boolean known =
                forecast.chunks().stream().allMatch(chunk -> chunk.rows().isPresent());
        long rows = forecast.chunks().stream()
                .filter(chunk -> chunk.status() != ChunkStatus.COMPLETED)
                .mapToLong(chunk -> chunk.rows().orElse(0))
                .sum();
        return left + (left == 1 ? " chunk" : " chunks") + " to run" + (known ? ", about " + rows + " rows" : "") + "; "
                + completed + " completed; nothing was written";
    }

    /** One object. */
    String json(BackfillForecast forecast) {
        Backfill plan = forecast.plan();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("backfillId", forecast.identity().backfillId());
        node.put("pipeline", forecast.identity().pipeline());
        node.put("from", Spelling.of(plan.from()));
        node.put("to", Spelling.of(plan.to()));
        ChunkStep step = plan.step();
        node.put("window", step == null ? null : step.toString());
        node.put("timezone", plan.zone().toString());
        node.put("cursor", forecast.cursor().column());
        node.put("type", forecast.cursor().type().toString());
        ArrayNode sinks = node.putArray("sinks");
        forecast.sinks().forEach(sinks::add);
        node.put("estimate", forecast.exact() ? "counted" : "spread");
        ArrayNode chunks = node.putArray("chunks");
        for (BackfillForecast.OfChunk chunk : forecast.chunks()) {
            ObjectNode one = chunks.addObject();
            one.put("id", chunk.chunk().id());
            one.put("from", Spelling.of(chunk.chunk().from()));
            one.put("to", Spelling.of(chunk.chunk().to()));
            one.put("status", chunk.status().toString());
            if (chunk.rows().isPresent()) {
                one.put("estimatedRows", chunk.rows().getAsLong());
            } else {
                one.putNull("estimatedRows");
            }
            one.put("runId", chunk.runId());
        }
        node.put("refusal", forecast.refusal().map(redactor::redact).orElse(null));
        return node.toString();
    }
}
