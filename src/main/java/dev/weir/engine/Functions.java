package dev.weir.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The functions of the running DuckDB, as far as it matters whether they look at more than one row. Thread-safe. */
final class Functions {

    enum Kind {
        ROW_WISE,
        AGGREGATE,
        UNKNOWN
    }

    /** DuckDB's binder knows it without a name in the catalog of scalar functions. */
    private static final String UNNEST = "unnest";

    /**
     * Table functions that make rows of their arguments or of files. All others are unknown: some read any table by its
     * name, which no parse tree shows.
     */
    private static final Set<String> OPEN_TABLE_FUNCTIONS = Set.of(
            UNNEST,
            "range",
            "generate_series",
            "repeat",
            "repeat_row",
            "json_each",
            "json_tree",
            "glob",
            "parquet_scan",
            "read_blob",
            "read_csv",
            "read_csv_auto",
            "read_json",
            "read_json_auto",
            "read_json_objects",
            "read_json_objects_auto",
            "read_ndjson",
            "read_ndjson_auto",
            "read_ndjson_objects",
            "read_parquet",
            "read_text");

    /** The classes of expressions that, apart from what they call, look at one row. */
    static final Set<String> ROW_WISE_CLASSES = Set.of(
            "BETWEEN",
            "CASE",
            "CAST",
            "COLLATE",
            "COLUMN_REF",
            "COMPARISON",
            "CONJUNCTION",
            "CONSTANT",
            "DEFAULT",
            "FUNCTION",
            "LAMBDA",
            "OPERATOR",
            "PARAMETER",
            "POSITIONAL_REFERENCE",
            "STAR",
            "SUBQUERY",
            "TYPE",
            "WINDOW");

    private final Map<String, Kind> kinds = new HashMap<>();
    private final Map<String, Set<String>> macros = new HashMap<>();

    private Functions() {}

    /** All of them; weir never adds one later. */
    static Functions of(Connection connection) throws SQLException {
        Functions functions = new Functions();
        try (PreparedStatement all = connection.prepareStatement(
                        "SELECT DISTINCT lower(function_name), function_type, macro_definition FROM duckdb_functions()"
                                + " WHERE function_type IN ('scalar', 'aggregate', 'macro')");
                ResultSet result = all.executeQuery()) {
            while (result.next()) {
                functions.add(result.getString(1), result.getString(2), result.getString(3));
            }
        }
        functions.kinds.put(UNNEST, Kind.ROW_WISE);
        return functions;
    }

    /** Looks into the macros a query calls, so that {@link #kind} knows them. */
    synchronized void lookInto(Connection connection, JsonNode query) throws SQLException {
        for (String name : names(query)) {
            expand(connection, name);
        }
    }

    private void add(String name, String type, String definition) {
        switch (type) {
            case "aggregate" -> kinds.put(name, Kind.AGGREGATE);
            case "scalar" -> kinds.putIfAbsent(name, Kind.ROW_WISE);
            default -> macros.computeIfAbsent(name, any -> new HashSet<>()).add(definition);
        }
    }

    private static Set<String> names(JsonNode tree) {
        Set<String> names = new HashSet<>();
        tree.findValuesAsText("function_name").forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        return names;
    }

    /** A macro is what the functions in it are; one that cannot be read, or holds a query, is unknown. */
    private Kind expand(Connection connection, String name) throws SQLException {
        if (kinds.containsKey(name) || !macros.containsKey(name)) {
            return kind(name);
        }
        kinds.put(name, Kind.UNKNOWN);
        Set<Kind> inner = EnumSet.of(Kind.ROW_WISE);
        for (String definition : macros.get(name)) {
            JsonNode tree = ParseTree.of(connection, "SELECT " + definition);
            if (ParseTree.error(tree).isPresent()
                    || !tree.findValues("subquery").isEmpty()) {
                inner.add(Kind.UNKNOWN);
            }
            for (String other : names(tree)) {
                inner.add(expand(connection, other));
            }
        }
        Kind kind = inner.contains(Kind.AGGREGATE)
                ? Kind.AGGREGATE
                : inner.contains(Kind.UNKNOWN) ? Kind.UNKNOWN : Kind.ROW_WISE;
        kinds.put(name, kind);
        return kind;
    }

    synchronized Kind kind(String name) {
        return kinds.getOrDefault(name.toLowerCase(Locale.ROOT), Kind.UNKNOWN);
    }

    /** Whether a table function makes its rows of nothing but its arguments and files. */
    static boolean isOpen(String tableFunction) {
        return OPEN_TABLE_FUNCTIONS.contains(tableFunction.toLowerCase(Locale.ROOT));
    }

    /** A call as messages name it: {@code sum()}. */
    static String shown(JsonNode call) {
        String name = call.path("function_name").asText();
        return name.equals("count_star") ? "count(*)" : name + "()";
    }
}
