package dev.weir.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out of a SELECT's parse tree whether it does nothing but pick columns of one relation, each row of which it gives
 * once. What of the tree it does not know is more than that.
 */
final class PlainPick {

    private final String id;
    private final List<Column> columns;

    /** @param columns of the relation of that id */
    PlainPick(String id, List<Column> columns) {
        this.id = id;
        this.columns = columns;
    }

    /**
     * The column of the relation that each column of the SELECT is, by the name the SELECT gives it.
     *
     * @param query the statement's query node
     * @return empty: it is no mere picking
     */
    Optional<Map<String, String>> of(JsonNode query) {
        JsonNode from = query.path("from_table");
        boolean plain = query.path("type").asText().equals("SELECT_NODE")
                && isBare(query, "cte_map", "select_list", "from_table", "aggregate_handling")
                && query.path("cte_map").path("map").isEmpty()
                && query.path("aggregate_handling").asText().equals("STANDARD_HANDLING")
                && from.path("type").asText().equals("BASE_TABLE")
                && isBare(from, "alias", "schema_name", "table_name", "qualified_name")
                && from.path("schema_name").asText().equals("staging")
                && from.path("table_name").asText().equals(id);
        if (!plain) {
            return Optional.empty();
        }
        String alias = from.path("alias").asText();
        String table = DuckSession.folded(alias.isEmpty() ? id : alias);
        Map<String, String> picked = new LinkedHashMap<>();
        int count = 0;
        for (JsonNode item : query.path("select_list")) {
            List<Column> these = picked(item, table);
            if (these.isEmpty()) {
                return Optional.empty();
            }
            count += these.size();
            String as = item.path("alias").asText();
            these.forEach(column -> picked.put(as.isEmpty() ? column.name() : as, column.name()));
        }
        return picked.size() == count ? Optional.of(picked) : Optional.empty();
    }

    private static boolean isBare(JsonNode node, String... fields) {
        return ParseTree.others(node, fields).isEmpty();
    }

    /** The columns an item of the list stands for; none: it is something else. */
    private List<Column> picked(JsonNode item, String table) {
        return switch (item.path("type").asText()) {
            case "STAR" ->
                isBare(item, "class", "relation_name")
                                && isOf(table, item.path("relation_name").asText())
                        ? columns
                        : List.of();
            case "COLUMN_REF" ->
                isBare(item, "class", "alias", "column_names") ? named(item.path("column_names"), table) : List.of();
            default -> List.of();
        };
    }

    private static boolean isOf(String table, String relation) {
        return relation.isEmpty() || DuckSession.folded(relation).equals(table);
    }

    private List<Column> named(JsonNode path, String table) {
        List<String> parts = new ArrayList<>();
        path.forEach(part -> parts.add(part.asText()));
        if (parts.isEmpty() || parts.size() > 2 || parts.size() == 2 && !isOf(table, parts.get(0))) {
            return List.of();
        }
        String name = DuckSession.folded(parts.get(parts.size() - 1));
        List<Column> found = columns.stream()
                .filter(column -> DuckSession.folded(column.name()).equals(name))
                .toList();
        // A column of the relation's own name might be what the first part means.
        boolean ambiguous = parts.size() == 2
                && columns.stream()
                        .anyMatch(column -> DuckSession.folded(column.name()).equals(table));
        return found.size() == 1 && !ambiguous ? found : List.of();
    }
}
