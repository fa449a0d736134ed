package dev.weir.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.fault.Redactor;
import dev.weir.fault.RunException;
import dev.weir.run.SchemaDiff;
import dev.weir.run.SchemaDiff.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What {@code weir schema diff} prints. */
final class SchemaDiffReport {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Redactor redactor;

    SchemaDiffReport(Redactor redactor) {
        this.redactor = redactor;
    }

    List<String> text(SchemaDiff diff) {
        List<String> lines = new ArrayList<>();
        for (SchemaDiff.OfSink sink : diff.sinks()) {
            lines.add(sink.sink() + " of " + sink.pipeline() + " (on_schema_change: " + sink.policy() + ")");
            if (!sink.exists() && sink.refusal().isEmpty()) {
                lines.add("  no table yet: the next run creates it");
            }
            lines.addAll(lines(sink.differences(), "+", "-"));
            if (sink.exists() && sink.differences().isEmpty() && sink.refusal().isEmpty()) {
                lines.add("  no difference");
            }
            refusal(sink.refusal()).ifPresent(lines::add);
        }
        for (SchemaDiff.OfSource source : diff.sources()) {
            if (!source.differences().isEmpty() || source.refusal().isPresent()) {
                lines.add(source.source() + " (as declared)");
                lines.addAll(lines(source.differences(), "+", "·"));
                refusal(source.refusal()).ifPresent(lines::add);
            }
        }
        return lines;
    }

    private static List<String> lines(List<Difference> differences, String added, String gone) {
        int name = width(differences.stream().map(Difference::column).toList());
        int type = width(differences.stream().map(SchemaDiffReport::types).toList());
        return differences.stream()
                .map(difference -> {
                    String sign =
                            switch (difference.kind()) {
                                case NEW -> added;
                                case GONE -> gone;
                                case RETYPED -> "~";
                            };
                    String format = "  %s %-" + name + "s  %-" + type + "s  %s";
                    return String.format(
                            Locale.ROOT, format, sign, difference.column(), types(difference), difference.becomes());
                })
                .toList();
    }

    private static int width(List<String> cells) {
        return cells.stream().mapToInt(String::length).max().orElse(1);
    }

    private static String types(Difference difference) {
        return difference.other().map(other -> other + " -> ").orElse("") + difference.type();
    }

    private Optional<String> refusal(Optional<RunException> refusal) {
        return refusal.map(failure -> "  the next run is refused: " + redactor.redact(failure.getMessage()));
    }

    String json(SchemaDiff diff) {
        ObjectNode root = JSON.objectNode();
        ArrayNode sinks = root.putArray("sinks");
        for (SchemaDiff.OfSink sink : diff.sinks()) {
            ObjectNode json = sinks.addObject();
            json.put("pipeline", sink.pipeline());
            json.put("sink", sink.sink());
            json.put("onSchemaChange", sink.policy().toString());
            json.put("exists", sink.exists());
            differences(json, sink.differences(), sink.refusal());
        }
        ArrayNode sources = root.putArray("sources");
        for (SchemaDiff.OfSource source : diff.sources()) {
            ObjectNode json = sources.addObject();
            json.put("source", source.source());
            differences(json, source.differences(), source.refusal());
        }
        return root.toString();
    }

    private void differences(ObjectNode json, List<Difference> differences, Optional<RunException> refusal) {
        ArrayNode array = json.putArray("differences");
        for (Difference difference : differences) {
            ObjectNode one = array.addObject();
            one.put("kind", difference.kind().name().toLowerCase(Locale.ROOT));
            one.put("column", difference.column());
            one.put("type", difference.type());
            one.put("tableType", difference.other().orElse(null));
            one.put("becomes", difference.becomes());
        }
        json.put(
                "refusal",
                refusal.map(failure -> redactor.redact(failure.getMessage())).orElse(null));
    }
}
