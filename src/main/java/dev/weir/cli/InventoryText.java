package dev.weir.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The lines of {@code weir ls}: none is longer than a terminal is wide, as far as names allow. */
final class InventoryText {

    private static final int WIDTH = 80;
    private static final int LABEL = 16;

    private final List<String> lines = new ArrayList<>();

    private InventoryText() {}

    static List<String> of(JsonNode inventory) {
        InventoryText text = new InventoryText();
        text.connections(inventory.path("connections"));
        text.entities(inventory.path("entities"));
        text.pipelines(inventory.path("pipelines"));
        return text.lines;
    }

    private void connections(JsonNode connections) {
        heading("connections", connections);
        for (JsonNode connection : connections) {
            lines.add("  " + connection.path("name").asText() + "  ("
                    + connection.path("connector").asText() + ")");
            for (Map.Entry<String, JsonNode> option : connection.path("options").properties()) {
                labelled(option.getKey(), List.of(option.getValue().asText()));
            }
        }
    }

    private void entities(JsonNode entities) {
        heading("entities", entities);
        for (JsonNode entity : entities) {
            lines.add("  " + entity.path("key").asText());
            if (entity.has("query")) {
                labelled("query", List.of(entity.path("query").asText().strip().split("\\s+")), " ");
            }
            if (entity.has("columns")) {
                labelled("columns", columns(entity.path("columns")));
                labelled("sync", sync(entity.path("sync")));
            }
            names("read by", entity.path("readBy"));
            names("written by", entity.path("writtenBy"));
            if (entity.path("readBy").isEmpty() && entity.path("writtenBy").isEmpty()) {
                lines.add("    no pipeline uses it");
            }
        }
    }

    private void pipelines(JsonNode pipelines) {
        heading("pipelines", pipelines);
        for (JsonNode pipeline : pipelines) {
            lines.add("  " + pipeline.path("name").asText() + "  ("
                    + pipeline.path("file").asText() + ")");
            names("reads", pipeline.path("sources"));
            names("ref", pipeline.path("refs"));
            for (JsonNode sink : pipeline.path("sinks")) {
                List<String> written = options(sink);
                labelled("writes", List.of(sink.path("key").asText()));
                labelled("", written.subList(1, written.size()));
            }
        }
    }

    private void heading(String name, JsonNode items) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.add(items.isEmpty() ? name + ": none" : name);
    }

    private void names(String label, JsonNode names) {
        if (!names.isEmpty()) {
            labelled(label, items(names, JsonNode::asText));
        }
    }

    private static List<String> columns(JsonNode columns) {
        return columns.isNull()
                ? List.of("all, with the types of the source")
                : items(
                        columns,
                        column -> column.path("name").asText() + " "
                                + column.path("type").asText());
    }

    private static List<String> sync(JsonNode sync) {
        return sync.isNull() ? List.of("none: read in full") : options(sync);
    }

    private static List<String> items(JsonNode array, Function<JsonNode, String> shown) {
        return StreamSupport.stream(array.spliterator(), false).map(shown).toList();
    }

    /** {@code key: value}, those without a value left out. */
    private static List<String> options(JsonNode options) {
        return options.properties().stream()
                .filter(option -> !option.getValue().isNull())
                .map(option -> option.getKey() + ": " + value(option.getValue()))
                .toList();
    }

    private static String value(JsonNode value) {
        return value.isArray()
                ? items(value, JsonNode::asText).stream().collect(Collectors.joining(", ", "[", "]"))
                : value.asText();
    }

    private void labelled(String label, List<String> items) {
        labelled(label, items, ", ");
    }

    /** The items behind the label, as many on a line as fit. */
    private void labelled(String label, List<String> items, String separator) {
        String indent = " ".repeat(LABEL);
        StringBuilder line = new StringBuilder(String.format("    %-" + (LABEL - 4) + "s", label));
        int begun = line.length();
        for (int i = 0; i < items.size(); i++) {
            String item = items.get(i) + (i + 1 < items.size() ? separator : "");
            if (line.length() > begun && line.length() + item.stripTrailing().length() > WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(indent);
            }
            line.append(item);
        }
        lines.add(line.toString().stripTrailing());
    }
}
