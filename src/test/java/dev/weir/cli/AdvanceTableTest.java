package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every row of the table in the contract, section 3.1, as one run after another over real Postgres and DuckDB. */
class AdvanceTableTest {

    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "dense ids, until 25;        until: 25;      generate_series(1, 25);  10 10 false, 10 20 false, 5 25 true, 0 25 true",
                "dense ids, until 100;       until: 100;     generate_series(1, 25);  10 10 false, 10 20 false, 5 25 true, 0 25 true",
                "dense ids, no until;        '';             generate_series(1, 25);  10 10 -, 10 20 -, 5 25 -, 0 25 -",
                "a gap, until 2000000;       until: 2000000; (select generate_series(1, 10) union all select 1000001); 10 10 false, 0 1000000 false, 1 1000001 true, 0 1000001 true",
            })
    void eachPassReadsAndAdvancesAsPrinted(String name, String until, String ids, String passes) {
        Postgres.Database database = Postgres.fresh();
        database.execute("CREATE TABLE t (id bigint PRIMARY KEY)", "INSERT INTO t SELECT * FROM " + ids + " AS g (id)");
        WeirProject project = new WeirProject(folder)
                .file("connections.yml", """
                        pg:
                          connector: postgres
                          host: localhost
                          port: %d
                          database: %s
                          user: postgres
                          entities:
                            public.t:
                              read:
                                sync:
                                  mode: incremental
                                  cursor: id
                                  max_window: 10
                                  initial: 0
                                  %s
                        lake:
                          connector: duckdb
                          path: lake.duckdb
                        """.formatted(database.port(), database.name(), until))
                .file("pipelines/copy.sql", """
                        INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}
                        SELECT id FROM {{ source('pg', 't') }}
                        """);
        for (String pass : passes.split(",")) {
            String[] expected = pass.strip().split(" ");
            WeirProject.Said said = project.run("run", "--log-format", "json");
            assertThat(said.exitCode()).as(said.all()).isZero();
            JsonNode source = completed(said.out());
            assertThat(source.get("rows").asLong()).isEqualTo(Long.parseLong(expected[0]));
            assertThat(source.get("watermark").get("after").asText()).isEqualTo(expected[1]);
            if (expected[2].equals("-")) {
                assertThat(source.has("caughtUp")).isFalse();
            } else {
                assertThat(source.get("caughtUp").asText()).isEqualTo(expected[2]);
            }
        }
        assertThat(project.duckRows("lake.duckdb", "SELECT id FROM t ORDER BY id"))
                .isEqualTo(database.rows("SELECT id FROM t ORDER BY id"));
    }

    private static JsonNode completed(String ndjson) {
        ObjectMapper mapper = new ObjectMapper();
        Optional<JsonNode> source = ndjson.lines()
                .map(line -> {
                    try {
                        return mapper.readTree(line);
                    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
                        throw new AssertionError("stdout holds more than NDJSON: " + line, e);
                    }
                })
                .filter(node -> node.get("event").asText().equals("node_completed"))
                .filter(node -> node.get("kind").asText().equals("SourceLoad"))
                .findFirst();
        return source.orElseThrow(() -> new AssertionError(List.of(ndjson).toString()));
    }
}
