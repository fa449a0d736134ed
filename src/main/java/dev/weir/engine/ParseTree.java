package dev.weir.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** DuckDB's own parse tree of a SELECT, as JSON. */
final class ParseTree {

    private ParseTree() {}

    /** The tree with all its fields, or what is wrong: {@code error} is true. */
    static JsonNode of(Connection connection, String sql) throws SQLException {
        try (PreparedStatement serialize = connection.prepareStatement("SELECT json_serialize_sql(?)")) {
            serialize.setString(1, sql);
            try (ResultSet result = serialize.executeQuery()) {
                result.next();
                return new ObjectMapper().readTree(result.getString(1));
            }
        } catch (JsonProcessingException e) {
            throw new SQLException("DuckDB's parse tree is no JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** What is wrong, where the tree is one of an error. */
    static Optional<SqlError> error(JsonNode tree) {
        if (!tree.path("error").asBoolean()) {
            return Optional.empty();
        }
        int position = tree.path("position").asInt(-1);
        return Optional.of(new SqlError(
                tree.path("error_message").asText(), position < 0 ? OptionalInt.empty() : OptionalInt.of(position)));
    }

    /** The lowest place in the text a part of the tree comes from; empty where it does not say. */
    static OptionalInt position(JsonNode node) {
        return node.findValues("query_location").stream()
                .filter(JsonNode::isInt)
                .mapToInt(JsonNode::asInt)
                .min();
    }

    /** Whether a field of the tree says something: DuckDB writes all fields, most of them empty. */
    static boolean isGiven(JsonNode field) {
        return !(field.isMissingNode()
                || field.isNull()
                || (field.isContainerNode() && field.isEmpty())
                || (field.isBoolean() && !field.asBoolean())
                || (field.isTextual() && field.asText().isEmpty()));
    }

    /** The fields of a node that say something and are none of these; every node has a type and a place. */
    static List<String> others(JsonNode node, String... fields) {
        Set<String> known = new HashSet<>(List.of("type", "query_location", "query_location_length"));
        known.addAll(List.of(fields));
        return node.properties().stream()
                .filter(field -> !known.contains(field.getKey()) && isGiven(field.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
