package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir ls}: what a project holds, from its files alone. */
class LsTest {

    @TempDir
    Path folder;

    private WeirProject project() {
        return new WeirProject(folder)
                .file("connections.yml", """
                        pg_prod:
                          connector: postgres
                          host: db.example
                          database: prod
                          user: loader
                          password: ${PG_PASSWORD}
                          entities:
                            public.orders:
                              read:
                                columns: { id: bigint, customer: varchar, amount: "decimal(12,2)", note: varchar, at: timestamptz }
                                sync: { mode: incremental, cursor: id, max_window: "10000", initial: 0, until: 5000000 }
                            rates:
                              read:
                                query: SELECT code, rate FROM rates WHERE token = '${TOKEN}'
                            never: {}
                        lake: { connector: duckdb, path: lake.duckdb }
                        """)
                .file("weir.yml", "secrets: [TOKEN]\n")
                .env("PG_PASSWORD", "correct horse")
                .env("TOKEN", "battery staple with words enough to be wrapped at the end of a line of a terminal")
                .file("pipelines/clean.sql", "SELECT id, amount FROM {{ source('pg_prod', 'orders') }}")
                .file("pipelines/orders_out.sql", """
                        INSERT INTO {{ sink('lake', 'orders', strategy: 'merge', keys: ['id'], keep_columns: true) }},
                          {{ sink('lake', 'log', strategy: 'append', delivery: 'exactly_once') }}
                        SELECT c.*, r.rate FROM {{ ref('clean') }} AS c, {{ source('pg_prod', 'rates') }} AS r
                        """);
    }

    private static WeirProject.Said listed(WeirProject project, String... options) {
        WeirProject.Said said =
                project.run(Stream.concat(Stream.of("ls"), Stream.of(options)).toArray(String[]::new));
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.err()).isEmpty();
        return said;
    }

    @Test
    void listsConnectionsEntitiesAndPipelinesWithTheirEdges() {
        assertThat(listed(project()).out()).isEqualTo("""
                        connections
                          pg_prod  (postgres)
                            host        db.example
                            database    prod
                            user        loader
                          lake  (duckdb)
                            path        lake.duckdb

                        entities
                          lake.log
                            written by  orders_out
                          lake.orders
                            written by  orders_out
                          pg_prod.never
                            no pipeline uses it
                          pg_prod.public.orders
                            columns     id BIGINT, customer VARCHAR, amount DECIMAL(12,2), note VARCHAR,
                                        at TIMESTAMP WITH TIME ZONE
                            sync        cursor: id, max_window: 10000, initial: 0, until: 5000000
                            read by     clean
                          pg_prod.rates
                            query       SELECT code, rate FROM rates WHERE token = '***'
                            columns     all, with the types of the source
                            sync        none: read in full
                            read by     orders_out

                        pipelines
                          clean  (pipelines/clean.sql)
                            reads       pg_prod.public.orders
                          orders_out  (pipelines/orders_out.sql)
                            reads       pg_prod.rates
                            ref         clean
                            writes      lake.orders
                                        strategy: merge, keys: [id], keep_columns: true
                            writes      lake.log
                                        strategy: append, delivery: exactly_once
                        """);
    }

    @Test
    void fitsATerminalOf80Columns() {
        assertThat(listed(project()).out().lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void asJsonIsOneObject() throws IOException {
        String out = listed(project(), "--json").out();
        assertThat(out.lines()).hasSize(1);
        JsonNode json = new ObjectMapper().readTree(out);
        assertThat(json.path("connections").findValuesAsText("name")).containsExactly("pg_prod", "lake");
        assertThat(json.path("entities").findValuesAsText("key"))
                .containsExactly("lake.log", "lake.orders", "pg_prod.never", "pg_prod.public.orders", "pg_prod.rates");
        JsonNode orders = json.path("entities").get(3);
        assertThat(orders.path("columns").get(2)).hasToString("{\"name\":\"amount\",\"type\":\"DECIMAL(12,2)\"}");
        assertThat(orders.path("sync").path("max_window").asText()).isEqualTo("10000");
        JsonNode pipeline = json.path("pipelines").get(1);
        assertThat(pipeline.path("refs")).hasToString("[\"clean\"]");
        assertThat(pipeline.path("sources")).hasToString("[\"pg_prod.rates\"]");
        assertThat(pipeline.path("sinks").findValuesAsText("key")).containsExactly("lake.orders", "lake.log");
    }

    @Test
    void showsNoSecret() {
        for (WeirProject.Said said : new WeirProject.Said[] {listed(project()), listed(project(), "--json")}) {
            assertThat(said.all())
                    .doesNotContain("correct horse")
                    .doesNotContain("battery")
                    .doesNotContain("terminal'")
                    .contains("***");
        }
    }

    @Test
    void anEmptyProjectHoldsNothing() {
        WeirProject project = new WeirProject(folder).file("connections.yml", "");
        assertThat(listed(project).out()).isEqualTo("connections: none\n\nentities: none\n\npipelines: none\n");
        assertThat(Files.exists(folder.resolve(".weir"))).isFalse();
    }
}
