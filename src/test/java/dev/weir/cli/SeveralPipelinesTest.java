package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines that share a source, a sink, or a run. */
class SeveralPipelinesTest {

    @TempDir
    Path folder;

    @Test
    void aTableMadeByAnotherPipelineOfTheRunIsCheckedAsAnExistingOne() {
        WeirProject project = duckProject();
        project.file("pipelines/a.sql", into("shared", "SELECT id, CAST(1 AS BIGINT) AS amount FROM "));
        project.file("pipelines/b.sql", into("shared", "SELECT id + 100 AS id, CAST(1.25 AS DOUBLE) AS amount FROM "));

        WeirProject.Said said = project.run("run", "--all");

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.out()).contains("failed lake.shared: WR0523").contains("amount");
        assertThat(project.duckRows("lake.duckdb", "SELECT count(*), max(id), sum(amount) FROM shared"))
                .containsExactly("5|5|5");
        assertThat(project.duckRows("lake.duckdb", "SELECT pipeline, value FROM _weir_positions"))
                .containsExactly("a|5");
    }

    @Test
    void failFastStartsNoFurtherSink() {
        WeirProject project = duckProject();
        project.file("pipelines/a.sql", into("a", "SELECT CAST(NULL AS BIGINT) AS id FROM "));
        project.file("pipelines/b.sql", into("b", "SELECT id FROM "));

        WeirProject.Said said = project.run("run", "--all", "--fail-fast");

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.out()).contains("failed lake.a: WR0521").contains("skipped lake.b");
        assertThat(project.run("run", "b").out()).contains("ok lake.b 5 rows");
    }

    @Test
    void twoEditsBeforeTheFirstRunAreNoGap() {
        WeirProject project = duckProject();
        project.file("pipelines/a.sql", into("a", "SELECT id FROM "));

        assertThat(project.run("state", "set", "shop.t", "--value", "2", "--reason", "test")
                        .exitCode())
                .isZero();
        assertThat(project.run("state", "set", "shop.t", "--value", "3", "--reason", "test")
                        .exitCode())
                .isZero();

        assertThat(project.run("run").out()).contains("ok lake.a 2 rows");
    }

    @Test
    void sinksThatStandByDifferentCursorsAreShownAndNotCompared() {
        WeirProject project = duckProject();
        project.file("pipelines/a.sql", into("a", "SELECT id FROM "));
        project.file("pipelines/b.sql", into("b", "SELECT id FROM "));
        assertThat(project.run("run", "--all").exitCode()).isZero();

        project.file("connections.yml", connections("day"));
        assertThat(project.run("run", "a", "--full-refresh").exitCode()).isZero();

        WeirProject.Said said = project.run("state", "show", "shop.t");
        assertThat(said.exitCode()).isZero();
        assertThat(said.out())
                .contains("WR0505")
                .contains("cursor id (bigint)")
                .contains("cursor day (date)")
                .contains("--full-refresh");
        assertThat(project.run("run", "b").out()).contains("WR0505");
        assertThat(project.run("run", "b", "--full-refresh").exitCode()).isZero();
        assertThat(project.run("state", "show", "shop.t").out()).contains("shop.t — cursor day (date)");
    }

    @Test
    void belowASourceWithoutACeilingFullSourcesAreReadAnewEachPass() {
        Postgres.Database database = Postgres.fresh();
        database.execute(
                "CREATE TABLE a AS SELECT g::bigint AS id FROM generate_series(1, 30) AS g",
                "CREATE TABLE customers AS SELECT 1::bigint AS customer",
                "CREATE TABLE orders AS SELECT 1::bigint AS id, 1::bigint AS customer");
        WeirProject project = new WeirProject(folder)
                .file("connections.yml", """
                        pg:
                          connector: postgres
                          host: localhost
                          port: %d
                          database: %s
                          user: postgres
                          entities:
                            public.a: { read: { sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 30 } } }
                            public.orders: { read: { sync: { mode: incremental, cursor: id, settle: off } } }
                            public.customers: {}
                        lake: { connector: duckdb, path: lake.duckdb }
                        """.formatted(database.port(), database.name()))
                .file("pipelines/a.sql", sink("a") + "SELECT id FROM {{ source('pg', 'a') }}\n")
                .file(
                        "pipelines/b.sql",
                        sink("b") + "SELECT o.id FROM {{ source('pg', 'orders') }} o"
                                + " JOIN {{ source('pg', 'customers') }} c USING (customer)\n");
        AtomicInteger writes = new AtomicInteger();
        Faults arrival = point -> {
            // The third position written is a's of the second pass.
            if (point == Faults.Point.AFTER_STATE_WRITE && writes.incrementAndGet() == 3) {
                database.execute("INSERT INTO customers VALUES (2)", "INSERT INTO orders VALUES (2, 2)");
            }
        };

        assertThat(run(project, arrival, "run", "--all", "--until-caught-up")).isZero();

        assertThat(project.duckRows("lake.duckdb", "SELECT id FROM b ORDER BY id"))
                .containsExactly("1", "2");
    }

    @Test
    void aPipelineThatWasRenamedDoesNotAppendItsRowsASecondTime() throws IOException {
        WeirProject project = duckProject();
        project.file("pipelines/a.sql", append("SELECT id FROM "));
        project.file("pipelines/b.sql", append("SELECT id + 100 AS id FROM "));
        assertThat(project.run("run", "--all").exitCode()).isZero();

        Files.move(folder.resolve("pipelines/b.sql"), folder.resolve("pipelines/c.sql"));
        WeirProject.Said renamed = project.run("run", "--all");

        assertThat(renamed.exitCode()).isEqualTo(1);
        assertThat(renamed.out()).contains("failed lake.shared: WR0528").contains("state adopt");
        assertThat(project.duckRows("lake.duckdb", "SELECT count(*), count(DISTINCT id) FROM shared"))
                .containsExactly("10|10");
    }

    @Test
    void aPipelineThatBeginsToAppendBesideAnotherIsLoadedFromItsBeginning() {
        WeirProject project = duckProject();
        project.file("pipelines/a.sql", append("SELECT id FROM "));
        assertThat(project.run("run", "--all").exitCode()).isZero();

        project.file("pipelines/b.sql", append("SELECT id + 100 AS id FROM "));

        assertThat(project.run("run", "--all").exitCode()).isZero();
        assertThat(project.duckRows("lake.duckdb", "SELECT count(*), count(DISTINCT id) FROM shared"))
                .containsExactly("10|10");
    }

    private static String append(String select) {
        return "INSERT INTO {{ sink('lake', 'shared', strategy: 'append', delivery: 'exactly_once') }}\n" + select
                + "{{ source('shop', 't') }}\n";
    }

    private static int run(WeirProject project, Faults faults, String... args) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return Weir.run(new Console(nowhere, nowhere, Map.of(), project.directory(), Clock.systemUTC(), faults), args);
    }

    private WeirProject duckProject() {
        WeirProject project = new WeirProject(folder).file("connections.yml", connections("id"));
        project.duck(
                "shop.duckdb",
                "CREATE TABLE t AS SELECT CAST(i AS BIGINT) AS id, DATE '2026-01-01' + CAST(i AS INTEGER) AS day"
                        + " FROM range(1, 6) r(i)");
        return project;
    }

    private static String connections(String cursor) {
        return String.join(
                "\n",
                List.of(
                        "shop:",
                        "  connector: duckdb",
                        "  path: shop.duckdb",
                        "  entities:",
                        "    t: { read: { sync: { mode: incremental, cursor: " + cursor + " } } }",
                        "lake: { connector: duckdb, path: lake.duckdb }",
                        ""));
    }

    private static String into(String table, String select) {
        return sink(table) + select + "{{ source('shop', 't') }}\n";
    }

    private static String sink(String table) {
        return "INSERT INTO {{ sink('lake', '" + table + "', strategy: 'merge', keys: ['id']) }}\n";
    }
}
