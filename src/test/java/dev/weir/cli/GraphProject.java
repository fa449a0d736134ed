package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A Postgres source {@code pg} with the tables {@code a} and {@code b}, a DuckDB file {@code lake} and a Postgres
 * {@code wh} to write to, and whatever pipelines a test adds.
 */
final class GraphProject {

    final WeirProject project;
    final Postgres.Database source;
    final Postgres.Database warehouse;
    private final Map<String, String> reads = new TreeMap<>();
    private int sourcePort;
    private String limits = "";
    private String warehouseLimits = "";
    private String others = "";

    /** Each table holds the ids 1 to 10, read five at a time up to 100. */
    GraphProject(Path folder) {
        this(WeirProject.ofFewRows(folder), Postgres.fresh(), Postgres.fresh());
        for (String table : List.of("a", "b")) {
            source.execute(
                    "CREATE TABLE " + table + " (id bigint PRIMARY KEY, v text)",
                    "INSERT INTO " + table + " SELECT g, '" + table + "' || g FROM generate_series(1, 10) g");
            sync(table, "cursor: id, max_window: 5, initial: 0, until: 100");
        }
    }

    private GraphProject(WeirProject project, Postgres.Database source, Postgres.Database warehouse) {
        this.project = project;
        this.source = source;
        this.warehouse = warehouse;
        this.sourcePort = source.port();
    }

    /** The same project in another folder, with a state of its own: on another machine, say. */
    GraphProject copy(Path folder) {
        GraphProject copy = new GraphProject(new WeirProject(folder), source, warehouse);
        for (String name : List.of("connections.yml", "weir.yml", "pipelines/copy.sql")) {
            try {
                copy.project.file(name, Files.readString(project.directory().resolve(name)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return copy;
    }

    GraphProject given(String... statements) {
        source.execute(statements);
        return this;
    }

    /** The rows from one id to another, with {@code v} made of table and id, arrive. */
    GraphProject arrive(String table, int from, int to) {
        return given("INSERT INTO " + table + " SELECT g, '" + table + "' || g FROM generate_series(" + from + ", " + to
                + ") g");
    }

    /** The {@code sync} block of a table, in flow style, without its mode. */
    GraphProject sync(String table, String block) {
        return entity(table, "{ read: { sync: { mode: incremental, " + block + " } } }");
    }

    GraphProject entity(String table, String block) {
        reads.put(table, block);
        return connections();
    }

    /** More keys of the source's connection, each a line of its own. */
    GraphProject limits(String yaml) {
        limits = yaml;
        return connections();
    }

    /** The same of the warehouse. */
    GraphProject warehouseLimits(String yaml) {
        warehouseLimits = yaml;
        return connections();
    }

    /** More connections. */
    GraphProject more(String yaml) {
        others = yaml;
        return connections();
    }

    /** Where the source is said to be. */
    GraphProject sourceAt(int port) {
        sourcePort = port;
        return connections();
    }

    private GraphProject connections() {
        String entities = reads.entrySet().stream()
                .map(read -> "    public." + read.getKey() + ": " + read.getValue() + "\n")
                .collect(Collectors.joining());
        String postgres = "  connector: postgres\n  host: localhost\n  port: %d\n  database: %s\n  user: postgres\n";
        project.file(
                "connections.yml",
                "pg:\n" + postgres.formatted(sourcePort, source.name()) + limits.indent(2)
                        + "  entities:\n" + entities + "wh:\n"
                        + postgres.formatted(warehouse.port(), warehouse.name()) + warehouseLimits.indent(2)
                        + "lake: { connector: duckdb, path: lake.duckdb }\nbox: { connector: sqlite, path: box.db }\n"
                        + others);
        return this;
    }

    GraphProject pipeline(String name, String sql) {
        project.file("pipelines/" + name + ".sql", sql + "\n");
        return this;
    }

    /** A sink that merges on {@code id}. */
    static String merge(String connection, String table) {
        return "{{ sink('" + connection + "', '" + table + "', strategy: 'merge', keys: ['id']) }}";
    }

    static String append(String connection, String table) {
        return "{{ sink('" + connection + "', '" + table + "', strategy: 'append', delivery: 'exactly_once') }}";
    }

    static String from(String table) {
        return "{{ source('pg', '" + table + "') }}";
    }

    WeirProject.Said run(String... args) {
        return project.run(args);
    }

    WeirProject.Said succeeds(String... args) {
        WeirProject.Said said = run(args);
        assertThat(said.exitCode()).as(said.all()).isZero();
        return said;
    }

    WeirProject.Said fails(String... args) {
        WeirProject.Said said = run(args);
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        return said;
    }

    WeirProject.Said with(Faults faults, String... args) {
        return project.run(faults, args);
    }

    List<String> lake(String query) {
        return project.duckRows("lake.duckdb", query);
    }

    List<String> warehouse(String query) {
        return warehouse.rows(query);
    }

    void onWarehouse(String... statements) {
        warehouse.execute(statements);
    }

    /** How many rows each node of the last run came to, by its id, or how it came out where it did not succeed. */
    static Map<String, String> outcomes(WeirProject.Said said) {
        Map<String, String> outcomes = new TreeMap<>();
        for (JsonNode event : completed(said)) {
            String status = event.get("status").asText();
            String earlier = outcomes.put(
                    event.get("nodeId").asText(),
                    status.equals("success") ? event.get("rows").asText() : status);
            assertThat(earlier).as("a node completes once: " + event).isNull();
        }
        return outcomes;
    }

    static List<JsonNode> completed(WeirProject.Said said) {
        return CaseProject.events(said).stream()
                .filter(event -> event.get("event").asText().equals("node_completed"))
                .toList();
    }

    static JsonNode node(WeirProject.Said said, String nodeId) {
        List<JsonNode> found = new ArrayList<>(completed(said));
        found.removeIf(event -> !event.get("nodeId").asText().equals(nodeId));
        assertThat(found).as(said.all()).hasSize(1);
        return found.get(0);
    }
}
