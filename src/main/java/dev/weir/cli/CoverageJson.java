package dev.weir.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.fault.Redactor;
import dev.weir.run.CoverageReport;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Spelling;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The object of {@code weir coverage --json}. Values of cursors are texts, as in events. */
final class CoverageJson {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Redactor redactor;

    CoverageJson(Redactor redactor) {
        this.redactor = redactor;
    }

    String of(CoverageReport report) {
        ObjectNode root = JSON.objectNode();
        root.put("pipeline", report.pipeline());
        root.put("at", report.at().toString());
        ArrayNode sinks = root.putArray("sinks");
        report.sinks().forEach(sink -> sinks.add(sink(sink)));
        return root.toString();
    }

    private ObjectNode sink(CoverageReport.OfSink sink) {
        ObjectNode json = JSON.objectNode();
        json.put("sink", sink.sink());
        json.put("notRead", sink.notRead().map(redactor::redact).orElse(null));
        ArrayNode sources = json.putArray("sources");
        for (CoverageReport.OfSource source : sink.sources()) {
            ObjectNode one = sources.addObject();
            one.put("source", source.source());
            ArrayNode cursors = one.putArray("cursors");
            source.cursors().forEach(cursor -> cursors.add(cursor(cursor)));
        }
        return json;
    }

    private static ObjectNode cursor(CoverageReport.OfCursor cursor) {
        ObjectNode json = JSON.objectNode();
        json.put("cursor", cursor.cursor().column());
        json.put("type", cursor.cursor().type().toString());
        ArrayNode stretches = json.putArray("stretches");
        cursor.stretches().forEach(stretch -> stretches.add(stretch(stretch)));
        ArrayNode holes = json.putArray("holes");
        cursor.holes().forEach(hole -> holes.add(range(hole)));
        return json;
    }

    private static ObjectNode stretch(CoverageReport.Stretch stretch) {
        ObjectNode json = range(stretch.range());
        json.put("times", stretch.times());
        ArrayNode by = json.putArray("by");
        stretch.by().forEach(by::add);
        json.put("first", stretch.first().map(Instant::toString).orElse(null));
        json.put("last", stretch.last().toString());
        if (stretch.rows().isPresent()) {
            json.put("rows", stretch.rows().getAsLong());
        } else {
            json.putNull("rows");
        }
        return json;
    }

    private static ObjectNode range(CoverageReport.Range range) {
        return JSON.objectNode()
                .put("from", text(range.from()))
                .put("fromInclusive", range.fromInclusive())
                .put("to", text(range.to()))
                .put("toInclusive", range.toInclusive());
    }

    private static @Nullable String text(@Nullable CursorValue value) {
        return value == null ? null : Spelling.of(value);
    }
}
