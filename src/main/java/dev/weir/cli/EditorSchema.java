package dev.weir.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.connector.Connector;
import dev.weir.project.Grammar;
import dev.weir.project.Key;
import dev.weir.project.Shape;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * JSON Schema of connections.yml and weir.yml, for editors: draft 7, which their YAML servers know.
 *
 * <p>Takes what the readers take, and refuses what they refuse for its shape. What depends on the type of a cursor, or on
 * what a system holds, is for {@code weir validate} to tell. A value with a {@code $} may become anything.
 */
final class EditorSchema {

    private static final String DRAFT = "http://json-schema.org/draft-07/schema#";

    /** Both need a backslash in a string of Java alone. */
    private static final String VARIABLE = "\\$";

    private EditorSchema() {}

    /** Of weir.yml. */
    static ObjectNode weir() {
        ObjectNode schema = root("weir.yml", "Settings of a project of weir.");
        schema.setAll(shape(Grammar.WEIR));
        return schema;
    }

    /**
     * Of connections.yml.
     *
     * @param connectors whose options there are
     */
    static ObjectNode connections(Collection<Connector> connectors) {
        ObjectNode schema =
                root("connections.yml", "Where data is read and written: a top-level key names a connection.");
        schema.putArray("type").add("object").add("null");
        schema.putObject("propertyNames").put("pattern", whole(Grammar.CONNECTION_NAME));
        schema.putObject("additionalProperties").put("$ref", "#/definitions/connection");
        ObjectNode definitions = schema.putObject("definitions");
        ObjectNode connection = definitions.putObject("connection");
        connection.put("type", "object");
        properties(connection, Grammar.CONNECTION.keys());
        connection.withObject("/properties").set("connector", connector(connectors));
        ArrayNode kinds = connection.putArray("allOf");
        for (Connector known : connectors) {
            ObjectNode kind = kinds.addObject();
            ObjectNode chosen = kind.putObject("if");
            chosen.putObject("properties").putObject("connector").put("const", known.name());
            chosen.putArray("required").add("connector");
            kind.putObject("then").put("$ref", "#/definitions/" + known.name());
            definitions.set(known.name(), options(known));
        }
        definitions.set("entities", shape(entities()));
        return schema;
    }

    private static ObjectNode root(String file, String description) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("$schema", DRAFT);
        root.put("title", file);
        root.put("description", description);
        return root;
    }

    private static Shape entities() {
        return Grammar.CONNECTION.keys().stream()
                .filter(key -> key.name().equals("entities"))
                .findFirst()
                .orElseThrow()
                .shape();
    }

    private static ObjectNode connector(Collection<Connector> connectors) {
        ObjectNode schema =
                shape(new Shape.Word(connectors.stream().map(Connector::name).toList()));
        schema.put("description", "What it connects to.");
        return schema;
    }

    /** Everything that a connection of a connector takes, and nothing else. */
    private static ObjectNode options(Connector connector) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        ObjectNode properties = schema.putObject("properties");
        Grammar.CONNECTION.names().forEach(name -> properties.put(name, true));
        ArrayNode required = JsonNodeFactory.instance.arrayNode();
        for (Connector.Option option : connector.options()) {
            ObjectNode value = shape(option.words().isEmpty() ? new Shape.Text() : new Shape.Word(option.words()));
            value.put("description", sentence(option.description()));
            if (option.required()) {
                value.put("minLength", 1);
                required.add(option.name());
            }
            properties.set(option.name(), value);
        }
        schema.set("required", required);
        schema.put("additionalProperties", false);
        return schema;
    }

    private static String sentence(String words) {
        return words.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + words.substring(1) + ".";
    }

    private static void properties(ObjectNode schema, List<Key> keys) {
        ObjectNode properties = schema.putObject("properties");
        for (Key key : keys) {
            boolean shared = key.name().equals("entities");
            ObjectNode value = shared ? reference("#/definitions/entities") : shape(key.shape());
            value.put("description", key.description());
            key.usual().ifPresent(usual -> usually(value, key.shape(), usual));
            properties.set(key.name(), value);
        }
        List<String> required =
                keys.stream().filter(Key::required).map(Key::name).toList();
        if (!required.isEmpty()) {
            ArrayNode names = schema.putArray("required");
            required.forEach(names::add);
        }
    }

    private static ObjectNode reference(String target) {
        ObjectNode reference = JsonNodeFactory.instance.objectNode();
        reference.putArray("allOf").addObject().put("$ref", target);
        return reference;
    }

    private static void usually(ObjectNode schema, Shape shape, String usual) {
        if (shape instanceof Shape.Count) {
            schema.put("default", Integer.parseInt(usual));
        } else {
            schema.put("default", usual);
        }
    }

    private static ObjectNode shape(Shape shape) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        if (shape instanceof Shape.Text) {
            types(schema, "string", "number", "boolean");
        } else if (shape instanceof Shape.Word word) {
            word(schema.putArray("anyOf"), word);
        } else if (shape instanceof Shape.Count count) {
            ArrayNode either = schema.putArray("anyOf");
            either.addObject()
                    .put("type", "integer")
                    .put("minimum", count.least())
                    .put("maximum", count.most());
            either.addObject().put("type", "string").put("pattern", "^[0-9]+$|" + VARIABLE);
        } else if (shape instanceof Shape.Spelled spelled) {
            types(schema, spelled.numbers() ? new String[] {"string", "number"} : new String[] {"string"});
            schema.put("pattern", whole(spelled.pattern()) + "|" + VARIABLE);
            if (spelled.numbers()) {
                schema.put("exclusiveMinimum", 0);
            }
        } else if (shape instanceof Shape.Texts texts) {
            ArrayNode either = schema.putArray("anyOf");
            either.add(shape(new Shape.Text()));
            either.addObject().put("type", "array").set("items", shape(new Shape.Text()));
            if (texts.mayBeAbsent()) {
                either.addObject().put("type", "null");
            }
        } else if (shape instanceof Shape.Block block) {
            block(schema, block);
        } else {
            named(schema, (Shape.Named) shape);
        }
        return schema;
    }

    private static void types(ObjectNode schema, String... types) {
        ArrayNode array = schema.putArray("type");
        for (String type : types) {
            array.add(type);
        }
    }

    private static void word(ArrayNode either, Shape.Word shape) {
        ArrayNode words = either.addObject().putArray("enum");
        for (String word : shape.words()) {
            words.add(word);
            if (word.equals("true") || word.equals("false")) {
                words.add(Boolean.parseBoolean(word));
            }
        }
        either.addObject().put("type", "string").put("pattern", VARIABLE);
    }

    /** Nothing under a key counts as no keys. */
    private static void block(ObjectNode schema, Shape.Block block) {
        boolean needed = block.keys().stream().anyMatch(Key::required);
        types(schema, needed ? new String[] {"object"} : new String[] {"object", "null"});
        properties(schema, block.keys());
        schema.put("additionalProperties", false);
    }

    private static void named(ObjectNode schema, Shape.Named named) {
        types(schema, named.needed() ? new String[] {"object"} : new String[] {"object", "null"});
        if (named.needed()) {
            schema.put("minProperties", 1);
        }
        schema.set("additionalProperties", shape(named.each()));
    }

    private static String whole(Pattern pattern) {
        return "^(?:" + pattern + ")$";
    }
}
