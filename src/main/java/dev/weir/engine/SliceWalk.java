package dev.weir.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Walks the parse tree of a SELECT and finds what needs more than one slice. What of the tree it does not know is a finding.
 *
 * <p>For each query and table it says which incremental relations its rows come from; nothing is found where that is none,
 * because full sources are whole in every slice.
 */
final class SliceWalk {

    private static final String STAGING = "staging";
    private final Functions functions;
    private final Map<String, String> incremental = new HashMap<>();
    private final Map<String, Set<String>> columns;
    private final Set<String> reads = new TreeSet<>();
    private final Findings findings = new Findings();

    /**
     * What names mean at a place of the text.
     *
     * @param queries by name in lower case, the incremental relations each WITH reads
     * @param around those the rows of the SELECTs around come from
     */
    private record Scope(Map<String, Set<String>> queries, Set<String> around) {

        private Scope within(Set<String> more) {
            return new Scope(queries, union(around, more));
        }

        private Scope with(String name, Set<String> read) {
            Map<String, Set<String>> all = new HashMap<>(queries);
            all.put(name.toLowerCase(Locale.ROOT), read);
            return new Scope(all, around);
        }
    }

    /**
     * The rows an expression stands above.
     *
     * @param read the incremental relations they come from
     * @param own the names their FROM brings
     */
    private record Rows(Set<String> read, OwnNames own, Scope scope) {}

    /** @param columns of each relation, all in lower case */
    SliceWalk(Functions functions, Set<String> incremental, Map<String, Set<String>> columns) {
        this.functions = functions;
        this.columns = columns;
        incremental.forEach(id -> this.incremental.put(id.toLowerCase(Locale.ROOT), id));
    }

    /** @param query the statement's query node */
    void walk(JsonNode query) {
        query(query, new Scope(Map.of(), Set.of()));
    }

    Set<String> reads() {
        return reads;
    }

    Findings findings() {
        return findings;
    }

    private Set<String> query(JsonNode node, Scope outer) {
        Scope scope = outer;
        for (JsonNode entry : node.path("cte_map").path("map")) {
            JsonNode definition = entry.path("value");
            findings.known(definition, "aliases", "materialized", "query_node", "key_targets");
            scope = scope.with(entry.path("key").asText(), query(definition.path("query_node"), scope));
        }
        return switch (node.path("type").asText()) {
            case "SELECT_NODE" -> select(node, scope);
            case "SET_OPERATION_NODE" -> setOperation(node, scope);
            case "RECURSIVE_CTE_NODE" -> recursive(node, scope);
            default -> unknown(node, scope);
        };
    }

    private Set<String> select(JsonNode node, Scope scope) {
        findings.known(
                node,
                "modifiers",
                "cte_map",
                "select_list",
                "from_table",
                "where_clause",
                "group_expressions",
                "group_sets",
                "aggregate_handling",
                "having",
                "sample",
                "qualify");
        JsonNode from = node.path("from_table");
        Set<String> read = table(from, scope);
        OwnNames own = new OwnNames(columns);
        own.add(from);
        Rows rows = new Rows(read, own, scope);
        if (!node.path("group_expressions").isEmpty()
                || !node.path("group_sets").isEmpty()
                || node.path("aggregate_handling").asText().equals("FORCE_AGGREGATES")) {
            findings.clause(
                    read, node.path("group_expressions").isEmpty() ? from : node.path("group_expressions"), "GROUP BY");
        }
        for (String clause : List.of("having", "qualify", "sample")) {
            if (ParseTree.isGiven(node.path(clause))) {
                findings.clause(
                        read, clause.equals("sample") ? from : node.path(clause), clause.toUpperCase(Locale.ROOT));
            }
        }
        for (String clause : List.of("select_list", "where_clause", "group_expressions", "having", "qualify")) {
            expressions(node.path(clause), rows);
        }
        modifiers(node, node.path("select_list"), rows);
        return read;
    }

    private void modifiers(JsonNode node, JsonNode place, Rows rows) {
        for (JsonNode modifier : node.path("modifiers")) {
            switch (modifier.path("type").asText()) {
                case "ORDER_MODIFIER" -> findings.known(modifier, "orders");
                case "DISTINCT_MODIFIER" -> {
                    findings.known(modifier, "distinct_on_targets");
                    findings.clause(rows.read(), place, "DISTINCT");
                }
                case "LIMIT_MODIFIER" -> {
                    findings.known(modifier, "limit", "offset", "limit_type");
                    boolean all = modifier.path("limit")
                            .path("literal")
                            .path("kind")
                            .asText()
                            .equals("NULL_LITERAL");
                    if (ParseTree.isGiven(modifier.path("offset"))
                            || (ParseTree.isGiven(modifier.path("limit")) && !all)) {
                        findings.clause(rows.read(), modifier, "LIMIT");
                    }
                }
                default -> unknown(modifier, rows.scope());
            }
            expressions(modifier, rows);
        }
    }

    private Set<String> setOperation(JsonNode node, Scope scope) {
        findings.known(node, "modifiers", "cte_map", "setop_type", "setop_all", "children", "left", "right");
        List<JsonNode> sides = new ArrayList<>();
        node.path("children").forEach(sides::add);
        List.of("left", "right").stream()
                .map(node::path)
                .filter(ParseTree::isGiven)
                .forEach(sides::add);
        List<Set<String>> read = sides.stream().map(side -> query(side, scope)).toList();
        Set<String> all = new TreeSet<>();
        read.forEach(all::addAll);
        String operation = node.path("setop_type").asText();
        boolean union = operation.equals("UNION") || operation.equals("UNION_BY_NAME");
        if (union && node.path("setop_all").asBoolean()) {
            for (int i = 0; i < sides.size(); i++) {
                again(read.get(i), all, sides.get(i));
            }
        } else {
            findings.clause(all, sides.get(sides.size() - 1), union ? "UNION without ALL" : operation);
        }
        modifiers(node, node, new Rows(all, new OwnNames(columns), scope));
        return all;
    }

    private Set<String> recursive(JsonNode node, Scope scope) {
        findings.known(
                node, "modifiers", "cte_map", "cte_name", "union_all", "left", "right", "aliases", "key_targets");
        Set<String> start = query(node.path("left"), scope);
        Set<String> step =
                query(node.path("right"), scope.with(node.path("cte_name").asText(), start));
        Set<String> all = union(start, step);
        if (!node.path("union_all").asBoolean() || !node.path("key_targets").isEmpty()) {
            findings.clause(all, node.path("right"), "UNION without ALL");
        }
        again(start, all, node.path("left"));
        again(step, all, node.path("right"));
        modifiers(node, node, new Rows(all, new OwnNames(columns), scope));
        return all;
    }

    /** One side that is the same in every slice, while another is not. */
    private void again(Set<String> side, Set<String> all, JsonNode place) {
        if (side.isEmpty() && !all.isEmpty()) {
            findings.add(
                    place,
                    "a side of UNION ALL reads no incremental source, so that its rows come again with each slice of "
                            + Findings.names(all));
        }
    }

    private Set<String> table(JsonNode node, Scope scope) {
        Set<String> read =
                switch (node.path("type").asText()) {
                    case "EMPTY" -> Set.of();
                    case "BASE_TABLE" -> baseTable(node, scope);
                    case "SUBQUERY" -> {
                        findings.knownTable(node, "subquery");
                        yield query(node.path("subquery").path("node"), scope);
                    }
                    case "JOIN" -> join(node, scope);
                    case "TABLE_FUNCTION" -> tableFunction(node, scope);
                    case "EXPRESSION_LIST" -> {
                        findings.knownTable(node, "values", "expected_types", "expected_names");
                        expressions(node.path("values"), noRows(scope));
                        yield Set.of();
                    }
                    case "PIVOT" -> pivot(node, scope);
                    default -> unknown(node, scope);
                };
        if (ParseTree.isGiven(node.path("sample"))) {
            findings.clause(read, node, "SAMPLE");
        }
        return read;
    }

    private Set<String> baseTable(JsonNode node, Scope scope) {
        findings.knownTable(node, "schema_name", "table_name", "catalog_name", "qualified_name");
        String name = node.path("table_name").asText().toLowerCase(Locale.ROOT);
        String schema = node.path("schema_name").asText("");
        if (schema.isEmpty() && scope.queries().containsKey(name)) {
            return scope.queries().get(name);
        }
        boolean staged = schema.isEmpty() || schema.equalsIgnoreCase(STAGING);
        if (!staged || !incremental.containsKey(name)) {
            return Set.of();
        }
        reads.add(incremental.get(name));
        return Set.of(incremental.get(name));
    }

    private Set<String> join(JsonNode node, Scope scope) {
        findings.knownTable(
                node,
                "left",
                "right",
                "condition",
                "join_type",
                "ref_type",
                "using_columns",
                "delim_flipped",
                "duplicate_eliminated_columns",
                "is_implicit",
                "ranking_expression",
                "nearest_count",
                "nearest_order_type",
                "nearest_approx");
        Set<String> left = table(node.path("left"), scope);
        Set<String> right = table(node.path("right"), scope.within(left));
        Set<String> both = union(left, right);
        OwnNames own = new OwnNames(columns);
        own.add(node);
        expressions(node.path("condition"), new Rows(both, own, scope));
        expressions(node.path("ranking_expression"), new Rows(both, own, scope));
        JoinSides.reason(node, Findings.names(left), Findings.names(right))
                .ifPresent(reason -> findings.add(node.path("right"), reason));
        return both;
    }

    private Set<String> tableFunction(JsonNode node, Scope scope) {
        findings.knownTable(node, "function", "with_ordinality");
        String name = node.path("function").path("function_name").asText();
        if (!Functions.isOpen(name)) {
            findings.add(node, "weir cannot tell which rows " + name + "() reads");
        }
        expressions(node.path("function").path("arguments"), noRows(scope));
        return Set.of();
    }

    private Set<String> pivot(JsonNode node, Scope scope) {
        findings.knownTable(node, "source", "aggregates", "unpivot_names", "pivots", "groups", "include_nulls");
        Set<String> read = table(node.path("source"), scope);
        if (!node.path("aggregates").isEmpty() || node.path("unpivot_names").isEmpty()) {
            findings.clause(read, node.path("aggregates"), "PIVOT");
        }
        expressions(node.path("aggregates"), noRows(scope));
        expressions(node.path("pivots"), noRows(scope));
        return read;
    }

    private Rows noRows(Scope scope) {
        return new Rows(Set.of(), new OwnNames(columns), scope.within(Set.of()));
    }

    /** Every expression below a part of the tree. */
    private void expressions(JsonNode node, Rows rows) {
        String kind = node.path("class").asText();
        if (!kind.isEmpty() && !Functions.ROW_WISE_CLASSES.contains(kind)) {
            unknown(node, rows.scope());
            return;
        }
        if (kind.isEmpty() && node.path("type").asText().endsWith("_NODE")) {
            unknown(node, rows.scope());
            return;
        }
        switch (kind) {
            case "FUNCTION" -> function(node, rows);
            case "COLUMN_REF" -> rowNumber(node, rows);
            case "WINDOW" -> findings.above(rows.read(), node, Functions.shown(node) + " OVER is a window function");
            case "SUBQUERY" -> {
                Set<String> read =
                        query(node.path("subquery").path("node"), rows.scope().within(rows.read()));
                findings.above(read, node, "a subquery in an expression stands");
                expressions(node.path("child"), rows);
                return;
            }
            default -> {}
        }
        node.forEach(child -> expressions(child, rows));
    }

    private void function(JsonNode node, Rows rows) {
        switch (functions.kind(node.path("function_name").asText())) {
            case ROW_WISE -> {}
            case UNKNOWN ->
                findings.add(
                        node, "weir does not know whether " + Functions.shown(node) + " looks at more than one row");
            case AGGREGATE -> {
                Set<String> over = rows.read();
                if (over.isEmpty() && rows.own().isOverOthersOnly(node)) {
                    over = rows.scope().around();
                }
                findings.above(over, node, Functions.shown(node) + " is an aggregate");
            }
        }
    }

    /** A row's number in the staged table begins anew with every slice; a source may have a column of that name. */
    private void rowNumber(JsonNode node, Rows rows) {
        JsonNode parts = node.path("column_names");
        boolean named = parts.path(parts.size() - 1).asText().equalsIgnoreCase("rowid");
        if (named && columns.values().stream().noneMatch(all -> all.contains("rowid"))) {
            findings.above(rows.read(), node, "rowid numbers the rows of one slice");
        }
    }

    /** What it reads is still told. */
    private Set<String> unknown(JsonNode node, Scope scope) {
        String kind = node.path("class").asText(node.path("type").asText("?"));
        findings.unknown(node, kind);
        node.findValuesAsText("table_name").stream()
                .map(name -> incremental.get(name.toLowerCase(Locale.ROOT)))
                .filter(id -> id != null)
                .forEach(reads::add);
        return Set.of();
    }

    private static Set<String> union(Set<String> a, Set<String> b) {
        Set<String> all = new TreeSet<>(a);
        all.addAll(b);
        return all;
    }
}
