package dev.weir.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The names a SELECT's own FROM brings: an aggregate over none of them aggregates the rows of the SELECT around it, as DuckDB
 * and Postgres have it.
 */
final class OwnNames {

    private final Map<String, Set<String>> columnsOfRelations;
    private final Set<String> relations = new HashSet<>();
    private final Set<String> columns = new HashSet<>();
    private boolean allColumnsKnown = true;

    /** @param columnsOfRelations in lower case, like the relations */
    OwnNames(Map<String, Set<String>> columnsOfRelations) {
        this.columnsOfRelations = columnsOfRelations;
    }

    void add(JsonNode table) {
        switch (table.path("type").asText()) {
            case "EMPTY" -> {}
            case "JOIN" -> {
                add(table.path("left"));
                add(table.path("right"));
            }
            default -> {
                String relation = lower(table.path("table_name"));
                relations.add(relation);
                relations.add(lower(table.path("alias")));
                relations.add(lower(table.path("function").path("function_name")));
                addColumns(table, columnsOfRelations.get(relation));
            }
        }
    }

    private void addColumns(JsonNode table, Set<String> declared) {
        JsonNode renamed = table.path("column_name_alias");
        renamed.forEach(column -> columns.add(lower(column)));
        if (declared != null) {
            columns.addAll(declared);
        } else if (renamed.isEmpty()) {
            allColumnsKnown = false;
        }
    }

    /** Whether a call names columns, and none of them is of the own FROM. */
    boolean isOverOthersOnly(JsonNode call) {
        List<List<String>> references = new ArrayList<>();
        if (!call.path("schema").asText("").isEmpty() && call.path("arguments").isEmpty()) {
            // Of x.a.sum() DuckDB's parser takes the beginning for a schema.
            references.add(List.of(lower(call.path("schema"))));
        }
        call.forEach(child -> collect(child, references));
        return !references.isEmpty() && references.stream().noneMatch(this::isOwn);
    }

    private static void collect(JsonNode node, List<List<String>> references) {
        switch (node.path("class").asText()) {
            case "SUBQUERY" -> {}
            case "COLUMN_REF" -> {
                List<String> parts = new ArrayList<>();
                node.path("column_names").forEach(part -> parts.add(lower(part)));
                references.add(parts);
            }
            default -> node.forEach(child -> collect(child, references));
        }
    }

    private boolean isOwn(List<String> parts) {
        String head = parts.get(0);
        return columns.contains(head)
                || parts.subList(0, parts.size() - 1).stream().anyMatch(relations::contains)
                || (parts.size() == 1 && (!allColumnsKnown || relations.contains(head)));
    }

    private static String lower(JsonNode text) {
        return text.asText("").toLowerCase(Locale.ROOT);
    }
}
