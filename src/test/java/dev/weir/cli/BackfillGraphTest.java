package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks of a pipeline that reads more than one table: what the range scopes in chunks, the rest once. */
class BackfillGraphTest {

    private static final String MERGE = "strategy: 'merge', keys: ['id']";

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();
    private BackfillProject graph;

    @BeforeEach
    void tables() {
        database.execute(
                "CREATE TABLE orders (id int PRIMARY KEY, customer int, ts timestamptz)",
                "CREATE TABLE returns (id int PRIMARY KEY, customer int, ts timestamptz)",
                "CREATE TABLE customers (id int PRIMARY KEY, name text)",
                "INSERT INTO customers SELECT i, 'customer ' || i FROM generate_series(0, 4) AS i",
                "INSERT INTO orders SELECT i, i % 5, timestamptz '2026-01-01Z' + i * interval '1 hour'"
                        + " FROM generate_series(0, 95) AS i",
                "INSERT INTO returns SELECT 1000 + i, i % 5, timestamptz '2026-01-01Z' + i * interval '1 day'"
                        + " FROM generate_series(0, 3) AS i");
        graph = new BackfillProject(folder, database).reads("""
                {
                  public.orders: { read: { sync: { mode: incremental, cursor: ts } } },
                  public.returns: { read: { sync: { mode: incremental, cursor: ts, max_window: 1h, lookback: 1d } } },
                  public.customers: { read: { columns: { id: int, name: varchar } } }
                }""".replace("\n", "\n  "));
        graph.project.file(
                "pipelines/moves.sql",
                "SELECT id, customer, ts FROM {{ source('pg', 'orders') }} UNION ALL"
                        + " SELECT id, customer, ts FROM {{ source('pg', 'returns') }}\n");
        graph.into(
                "named",
                MERGE,
                "SELECT m.id, m.ts, c.name FROM {{ ref('moves') }} AS m"
                        + " LEFT JOIN {{ source('pg', 'customers') }} AS c ON c.id = m.customer");
    }

    @Test
    void severalSourcesAreScopedTogetherAndAFullOneIsReadOnce() {
        Said said = graph.backfill(
                0, "named --from 2026-01-02 --to 2026-01-04 --window 12h --concurrency 2 --log-format json");

        assertThat(graph.lake("SELECT id, name FROM named ORDER BY id"))
                .isEqualTo(
                        database.rows(
                                "SELECT m.id, name FROM (SELECT * FROM orders UNION ALL SELECT * FROM returns) m"
                                        + " JOIN customers c ON c.id = customer WHERE ts >= '2026-01-02Z' AND ts < '2026-01-04Z' ORDER BY 1"));
        assertThat(graph.chunks("records_loaded")).containsExactly("13", "12", "13", "12");
        List<JsonNode> sources = CaseProject.sources(said);
        assertThat(sources.stream().map(source -> source.get("name").asText()))
                .filteredOn("src_pg__public_customers"::equals)
                .hasSize(1);
        assertThat(sources).hasSize(9);
    }

    @Test
    void whatAnotherPipelineWritesIsNotWrittenByABackfillOfTheOneThatReadsIt() {
        graph.project.file(
                "pipelines/moves.sql",
                "INSERT INTO {{ sink('lake', 'moves', " + MERGE + ") }}\n"
                        + "SELECT id, customer, ts FROM {{ source('pg', 'orders') }}\n");

        graph.backfill(0, "named --from 2026-01-02 --to 2026-01-03");

        assertThat(graph.lake("SELECT count(*) FROM named")).containsExactly("24");
        assertThat(graph.lake("SELECT table_name FROM duckdb_tables()")).doesNotContain("moves");
    }
}
