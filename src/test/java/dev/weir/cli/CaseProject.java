package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The project the cases speak of: Postgres {@code public.t}, copied into the table {@code t} of a DuckDB file or of
 * another Postgres, merged on {@code id}. Each case changes what it is about.
 */
final class CaseProject {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Where rows go. */
    enum Into {
        DUCKDB,
        POSTGRES
    }

    final WeirProject project;
    final Postgres.Database source;
    private final Into into;
    private final Postgres.Database target;
    private String user = "postgres";
    private String read = "{}";

    CaseProject(Path folder, Into into) {
        this(folder, into, Postgres.fresh());
    }

    CaseProject(Path folder, Into into, Postgres.Database source) {
        this.project = WeirProject.ofFewRows(folder);
        this.source = source;
        this.into = into;
        this.target = into == Into.POSTGRES ? Postgres.fresh() : source;
        pipeline("SELECT * FROM {{ source('pg', 'public.t') }}", "strategy: 'merge', keys: ['id']");
        connections();
    }

    /** Executes statements on the source. */
    CaseProject given(String... statements) {
        source.execute(statements);
        return this;
    }

    /** The {@code sync} block, in flow style, without its mode. */
    CaseProject sync(String block) {
        return reads("{ sync: { mode: incremental, " + block + " } }");
    }

    /** The {@code read} block, in flow style. */
    CaseProject reads(String block) {
        this.read = block;
        return connections();
    }

    CaseProject user(String role) {
        this.user = role;
        return connections();
    }

    CaseProject pipeline(String select, String sink) {
        project.file("pipelines/copy.sql", "INSERT INTO {{ sink('lake', 't', " + sink + ") }}\n" + select + "\n");
        return this;
    }

    private CaseProject connections() {
        String lake = into == Into.DUCKDB
                ? "{ connector: duckdb, path: lake.duckdb }"
                : "{ connector: postgres, host: localhost, port: " + target.port() + ", database: " + target.name()
                        + ", user: postgres }";
        project.file("connections.yml", """
                pg:
                  connector: postgres
                  host: localhost
                  port: %d
                  database: %s
                  user: %s
                  entities:
                    public.t:
                      read: %s
                lake: %s
                """.formatted(source.port(), source.name(), user, read, lake));
        return this;
    }

    WeirProject.Said run(String... args) {
        return project.run(args);
    }

    /** {@code run --all --until-caught-up}, which must succeed. */
    WeirProject.Said caughtUp() {
        WeirProject.Said said = run("run", "--all", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.out()).contains("stopped: caught up");
        return said;
    }

    /** One pass, which must succeed: what its source tells. */
    JsonNode pass() {
        return lastSource(succeeded("run", "--all", "--log-format", "json"));
    }

    WeirProject.Said succeeded(String... args) {
        WeirProject.Said said = run(args);
        assertThat(said.exitCode()).as(said.all()).isZero();
        return said;
    }

    /** The rows of a query that both systems understand, on the sink. */
    List<String> loaded(String query) {
        return into == Into.DUCKDB ? project.duckRows("lake.duckdb", query) : target.rows(query);
    }

    void onSink(String... statements) {
        if (into == Into.DUCKDB) {
            project.duck("lake.duckdb", statements);
        } else {
            target.execute(statements);
        }
    }

    /** The query answers the same on source and sink. */
    void isExact(String query) {
        assertThat(loaded(query)).isEqualTo(source.rows(query));
    }

    /** The mark's value, in the sink. */
    String mark() {
        return loaded("SELECT value FROM _weir_positions ORDER BY generation DESC, seq DESC LIMIT 1")
                .get(0);
    }

    static List<JsonNode> events(WeirProject.Said said) {
        List<JsonNode> events = new ArrayList<>();
        for (String line : said.out().lines().toList()) {
            try {
                events.add(JSON.readTree(line));
            } catch (JsonProcessingException e) {
                throw new AssertionError("stdout holds more than NDJSON: " + line, e);
            }
        }
        return events;
    }

    /** The {@code node_completed} of each pass's source. */
    static List<JsonNode> sources(WeirProject.Said said) {
        return events(said).stream()
                .filter(event -> event.get("event").asText().equals("node_completed"))
                .filter(event -> event.get("kind").asText().equals("SourceLoad"))
                .toList();
    }

    static JsonNode lastSource(WeirProject.Said said) {
        List<JsonNode> sources = sources(said);
        assertThat(sources).as(said.all()).isNotEmpty();
        return sources.get(sources.size() - 1);
    }

    static String after(JsonNode source) {
        return source.get("watermark").get("after").asText();
    }
}
