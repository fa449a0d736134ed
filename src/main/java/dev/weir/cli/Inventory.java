package dev.weir.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.weir.connector.Column;
import dev.weir.connector.Connector;
import dev.weir.connector.Entity;
import dev.weir.connector.TableName;
import dev.weir.fault.Redactor;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.plan.SyncText;
import dev.weir.project.ConnectionSpec;
import dev.weir.project.EntitySpec;
import dev.weir.project.Project;
import dev.weir.project.Value;
import dev.weir.slicing.Sync;
import java.util.Map;
import java.util.TreeSet;

/** What a project holds, as one object of JSON; options that connectors call secret are left out. */
final class Inventory {

    private final Project project;
    private final Plan plan;
    private final Map<String, Connector> connectors;
    private final Redactor redactor;

    Inventory(Project project, Plan plan, Map<String, Connector> connectors, Redactor redactor) {
        this.redactor = redactor;
        this.project = project;
        this.plan = plan;
        this.connectors = connectors;
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("project", project.name());
        ArrayNode connections = json.putArray("connections");
        project.connections().forEach(connection -> addConnection(connections.addObject(), connection));
        ArrayNode entities = json.putArray("entities");
        for (String key : keys()) {
            addEntity(entities.addObject(), key);
        }
        ArrayNode pipelines = json.putArray("pipelines");
        plan.pipelines().forEach(pipeline -> addPipeline(pipelines.addObject(), pipeline));
        hide(json);
        return json;
    }

    /** Text by text, before any of it is wrapped or escaped. */
    private void hide(JsonNode json) {
        if (json instanceof ObjectNode object) {
            object.properties().forEach(property -> property.setValue(hidden(property.getValue())));
        } else if (json instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, hidden(array.get(i)));
            }
        }
    }

    private JsonNode hidden(JsonNode value) {
        hide(value);
        return value.isTextual() ? TextNode.valueOf(redactor.redact(value.asText())) : value;
    }

    private void addConnection(ObjectNode json, ConnectionSpec connection) {
        Connector connector =
                connectors.get(connection.connector().map(Value.Scalar::text).orElseThrow());
        json.put("name", connection.name());
        json.put("connector", connector.name());
        ObjectNode options = json.putObject("options");
        for (Connector.Option option : connector.options()) {
            ConnectionSpec.Option given = connection.options().get(option.name());
            if (given != null && !option.secret()) {
                given.value().ifPresent(value -> options.put(option.name(), value.text()));
            }
        }
    }

    /** Declared ones, and those that pipelines name. */
    private TreeSet<String> keys() {
        TreeSet<String> keys = new TreeSet<>();
        for (ConnectionSpec connection : project.connections()) {
            connection.entities().forEach(entity -> keys.add(key(connection, entity)));
        }
        plan.sources().forEach(source -> keys.add(source.key()));
        plan.sinks().forEach(sink -> keys.add(sink.id()));
        return keys;
    }

    private static String key(ConnectionSpec connection, EntitySpec entity) {
        return connection.name() + "." + TableName.parse(entity.name().text());
    }

    private void addEntity(ObjectNode json, String key) {
        json.put("key", key);
        plan.sources().stream()
                .filter(source -> source.key().equals(key))
                .findFirst()
                .ifPresent(source -> addRead(json, source));
        ArrayNode readBy = json.putArray("readBy");
        ArrayNode writtenBy = json.putArray("writtenBy");
        for (PipelineNode pipeline : plan.pipelines()) {
            if (pipeline.sources().stream().anyMatch(source -> source.key().equals(key))) {
                readBy.add(pipeline.name());
            }
            if (pipeline.sinks().stream().anyMatch(sink -> sink.id().equals(key))) {
                writtenBy.add(pipeline.name());
            }
        }
    }

    private static void addRead(ObjectNode json, SourceNode source) {
        if (source.entity() instanceof Entity.Query query) {
            json.put("query", query.sql());
        }
        if (source.columns().isEmpty()) {
            json.putNull("columns");
        } else {
            ArrayNode columns = json.putArray("columns");
            for (Column column : source.columns()) {
                columns.addObject().put("name", column.name()).put("type", column.type());
            }
        }
        if (source.sync().isPresent()) {
            addSync(json.putObject("sync"), source.sync().get());
        } else {
            json.putNull("sync");
        }
    }

    private static void addSync(ObjectNode json, SyncText sync) {
        Sync.Text text = sync.text();
        json.put("cursor", sync.cursor());
        json.put("max_window", text.maxWindow());
        json.put("target", text.target());
        json.put("target_rows", text.targetRows());
        json.put("max_window_limit", text.maxWindowLimit());
        json.put("initial", text.initial());
        json.put("until", text.until());
        json.put("delay", text.delay());
        json.put("lookback", text.lookback());
        json.put("nulls", text.nulls());
    }

    private static void addPipeline(ObjectNode json, PipelineNode pipeline) {
        json.put("name", pipeline.name());
        json.put("file", pipeline.place().toString());
        ArrayNode sources = json.putArray("sources");
        pipeline.sources().forEach(source -> sources.add(source.key()));
        ArrayNode refs = json.putArray("refs");
        pipeline.refs().forEach(refs::add);
        ArrayNode sinks = json.putArray("sinks");
        pipeline.sinks().forEach(sink -> addSink(sinks.addObject(), sink));
    }

    private static void addSink(ObjectNode json, SinkNode sink) {
        json.put("key", sink.id());
        json.put("strategy", sink.strategy().toString());
        if (!sink.keys().isEmpty()) {
            ArrayNode keys = json.putArray("keys");
            sink.keys().forEach(keys::add);
        }
        sink.orderBy().ifPresent(column -> json.put("order_by", column));
        if (sink.keepColumns()) {
            json.put("keep_columns", true);
        }
        sink.deleteWhen().ifPresent(condition -> json.put("delete_when", condition.text()));
        if (sink.exactlyOnce()) {
            json.put("delivery", "exactly_once");
        }
        if (sink.acceptsSlices()) {
            json.put("per_slice", "accept");
        }
        if (sink.acceptsDuplicates()) {
            json.put("duplicates", "accept");
        }
    }
}
