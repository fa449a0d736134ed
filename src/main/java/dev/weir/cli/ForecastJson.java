package dev.weir.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.fault.Redactor;
import dev.weir.run.Forecast;
import dev.weir.slicing.CursorRange;
import org.jspecify.annotations.Nullable;

/** The object of {@code weir plan --json}. Values of cursors are texts, as in events. */
final class ForecastJson {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Redactor redactor;

    ForecastJson(Redactor redactor) {
        this.redactor = redactor;
    }

    String of(Forecast forecast) {
        ObjectNode root = JSON.objectNode();
        root.put("now", forecast.now().toString());
        ArrayNode sources = root.putArray("sources");
        forecast.sources().forEach(source -> sources.add(source(source)));
        return root.toString();
    }

    private ObjectNode source(Forecast.OfSource source) {
        ObjectNode json = JSON.objectNode();
        json.put("nodeId", source.nodeId());
        json.put("key", source.key());
        json.put("mode", source.isIncremental() ? "incremental" : "full");
        source.failure().ifPresent(failure -> json.put("failure", redactor.redact(failure)));
        source.next().ifPresent(next -> {
            json.put("cursor", next.cursor().column());
            json.put("type", next.cursor().type().toString());
            json.put("watermark", text(next.watermark().orElse(null)));
            json.put("ceiling", text(next.ceiling().orElse(null)));
            json.set("window", next.window().map(ForecastJson::range).orElse(null));
            json.put("rows", next.rows());
            json.put("rowsLeft", next.rowsLeft());
            json.put("rowsCountedUpTo", Forecast.COUNTED);
            next.autoWidth().ifPresent(width -> json.put("autoWidth", width.toString()));
            boolean isAbout = next.autoWidth().isPresent() && !next.passesAreExact();
            next.passesLeft().ifPresent(passes -> json.put(isAbout ? "passesLeftAbout" : "passesLeftAtMost", passes));
            json.put("passesAreExact", next.passesAreExact());
            ArrayNode again = json.putArray("again");
            next.again().forEach(range -> again.add(range(range)));
            json.put("rowsAgain", next.rowsAgain());
            next.heldBack().ifPresent(held -> {
                ObjectNode by =
                        json.putObject("heldBack").put("reason", held.reason()).put("since", text(held.since()));
                held.sessions().stream().map(redactor::redact).forEach(by.putArray("sessions")::add);
            });
        });
        ArrayNode sinks = json.putArray("sinks");
        source.sinks().forEach(sink -> sinks.add(sink(sink)));
        return json;
    }

    private ObjectNode sink(Forecast.OfSink sink) {
        ObjectNode json = JSON.objectNode();
        json.put("pipeline", sink.pipeline());
        json.put("sink", sink.node().id());
        json.put("strategy", sink.node().strategy().toString());
        json.put("guarantee", sink.guarantee());
        json.put("stands", text(sink.stands().orElse(null)));
        json.put("takesPart", sink.takesPart());
        sink.notRead().ifPresent(why -> json.put("notRead", redactor.redact(why)));
        sink.refusal().ifPresent(why -> json.put("refusal", redactor.redact(why)));
        ArrayNode said = json.putArray("notes");
        sink.said().forEach(text -> said.add(redactor.redact(text)));
        return json;
    }

    private static ObjectNode range(CursorRange range) {
        return JSON.objectNode()
                .put("lower", range.from().toString())
                .put("upper", range.to().toString())
                .put("lowerInclusive", range.fromInclusive());
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
