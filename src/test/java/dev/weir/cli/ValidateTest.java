package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir validate}: everything that is wrong with a project, without connecting to anything. */
class ValidateTest {

    private static final Pattern PROBLEM = Pattern.compile("(?m)^(WR\\d{4} \\S+): ");

    private static final String CONNECTIONS = """
            shop:
              connector: postgres
              host: nowhere.invalid
              database: shop
              entities:
                orders:
                  read:
                    columns: { id: bigint, customer: varchar }
                    sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 100 }
                events:
                  read:
                    sync: { mode: incremental, cursor: at, max_window: 1h }
            lake: { connector: duckdb, path: lake.duckdb }
            """;

    @TempDir
    Path folder;

    private WeirProject project() {
        return new WeirProject(folder).file("connections.yml", CONNECTIONS);
    }

    private static String sink(String options) {
        return "INSERT INTO {{ sink('lake', " + options + ") }}\n";
    }

    private WeirProject.Said validated(WeirProject project, int exitCode) {
        WeirProject.Said said = project.run("validate");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(exitCode);
        BadOutput.isForPeople(said);
        assertThat(Files.exists(folder.resolve(".weir"))).isFalse();
        assertThat(Files.exists(folder.resolve("lake.duckdb"))).isFalse();
        return said;
    }

    private List<String> problems(WeirProject project) {
        WeirProject.Said said = validated(project, 2);
        assertThat(said.out()).isEmpty();
        return PROBLEM.matcher(said.err())
                .results()
                .map(problem -> problem.group(1))
                .toList();
    }

    @Test
    void twentyFourProblemsOfTwentyFourKindsAreEachReportedOnceAtTheirPlace() {
        WeirProject project = project()
                .file(
                        "connections.yml",
                        CONNECTIONS
                                        .replace("  database: shop", "  databse: shop\n  user: ${NOBODY}")
                                        .replace(
                                                "cursor: at, max_window: 1h }",
                                                "cursor: at, max_window: 0 }\n        columns: { at: date }")
                                        .replace("path: lake.duckdb", "path: lake.duckdb, path: lake.duckdb")
                                + """
                                old: { connector: oracel, path: x }
                                more: { connector: duckdb, path: more.duckdb, entities: { a.t: { read: { columns: { id: bigint } } }, b.t: {} } }
                                """)
                .file("weir.yml", "threads: many\nstate: { path: x }\n")
                .file(".env", "no variable\n")
                .file("pipelines/a_sauce.sql", sink("'a', strategy: 'replace'") + "SELECT * FROM {{ sauce('x') }}")
                .file(
                        "pipelines/b_append.sql",
                        sink("'b', strategy: 'append'") + "SELECT * FROM {{ source('shop', 'orders') }}")
                .file(
                        "pipelines/c_replace.sql",
                        sink("'c', strategy: 'replace'") + "SELECT * FROM {{ source('shop', 'orders') }}")
                .file(
                        "pipelines/d_where.sql",
                        sink("'d', strategy: 'replace'") + "SELECT * FROM {{ source('shpo', 't') }}")
                .file(
                        "pipelines/e_which.sql",
                        sink("'e', strategy: 'replace'") + "SELECT * FROM {{ source('more', 't') }}")
                .file("pipelines/f_keys.sql", sink("'f', strategy: 'merge'") + "SELECT 1 AS id")
                .file("pipelines/g_marge.sql", sink("'g', strategy: 'marge'") + "SELECT 1 AS id")
                .file("pipelines/h_more.sql", sink("'h', strategy: 'replace', keys: ['id']") + "SELECT 1 AS id")
                .file("pipelines/i_option.sql", sink("'i', strategy: 'replace', speed: 9") + "SELECT 1 AS id")
                .file("pipelines/j_full.sql", sink("'j', strategy: 'window'") + "SELECT 1 AS id")
                .file(
                        "pipelines/k_twice.sql",
                        sink("'k', strategy: 'merge', keys: ['id']")
                                + "SELECT * FROM {{ source('more', 'a.t', columns: { id: bigint }) }}")
                .file("pipelines/l_syntax.sql", sink("'l', strategy: 'replace'") + "SELECT 1 AS id,,")
                .file("pipelines/m_ref.sql", sink("'m', strategy: 'replace'") + "SELECT * FROM {{ ref('nobody') }}")
                .file("pipelines/n_circle.sql", "SELECT * FROM {{ ref('n_circle') }}")
                .file("pipelines/o_shared.sql", sink("'a', strategy: 'replace'") + "SELECT 1 AS id");
        assertThat(problems(project))
                .containsExactly(
                        "WR0101 .env:1:1",
                        "WR0104 connections.yml:1:1",
                        "WR0102 connections.yml:4:3",
                        "WR0106 connections.yml:5:9",
                        "WR0213 connections.yml:13:48",
                        "WR0103 connections.yml:15:47",
                        "WR0107 connections.yml:16:19",
                        "WR0201 pipelines/a_sauce.sql:2:18",
                        "WR0214 pipelines/b_append.sql:1:16",
                        "WR0335 pipelines/c_replace.sql:1:16",
                        "WR0202 pipelines/d_where.sql:2:25",
                        "WR0204 pipelines/e_which.sql:2:33",
                        "WR0209 pipelines/f_keys.sql:1:34",
                        "WR0210 pipelines/g_marge.sql:1:44",
                        "WR0211 pipelines/h_more.sql:1:55",
                        "WR0206 pipelines/i_option.sql:1:55",
                        "WR0216 pipelines/j_full.sql:1:16",
                        "WR0205 pipelines/k_twice.sql:2:40",
                        "WR0215 pipelines/l_syntax.sql:2:16",
                        "WR0217 pipelines/m_ref.sql:2:22",
                        "WR0218 pipelines/n_circle.sql:1:18",
                        "WR0212 pipelines/o_shared.sql:1:16",
                        "WR0105 weir.yml:1:10",
                        "WR0109 weir.yml:2:1");
    }

    @Test
    void aSoundProjectIsSummedUp() {
        WeirProject project = project()
                .file(
                        "pipelines/orders.sql",
                        sink("'orders', strategy: 'merge', keys: ['id']")
                                + "SELECT id, customer FROM {{ source('shop', 'orders') }}"
                                + " WHERE id > {{ watermark('shop', 'orders') }}")
                .file(
                        "pipelines/events.sql",
                        sink("'events', strategy: 'merge', keys: ['id']")
                                + "SELECT * FROM {{ source('shop', 'events') }}");
        assertThat(validated(project, 0).out())
                .isEqualTo("ok: 2 connections, 2 sources, 2 sinks, 2 pipelines;"
                        + " the SQL of 1 is read, and checked against the source's columns when it runs\n");
    }

    @Test
    void sqlIsBoundAgainstDeclaredColumns() {
        WeirProject project = project()
                .file(
                        "pipelines/column.sql",
                        sink("'a', strategy: 'merge', keys: ['id']")
                                + "SELECT id, nope\nFROM {{ source('shop', 'orders') }}")
                .file(
                        "pipelines/function.sql",
                        sink("'b', strategy: 'merge', keys: ['id']")
                                + "SELECT id,\n  uper(customer) AS c\nFROM {{ source('shop', 'orders') }}");
        assertThat(problems(project))
                .containsExactly("WR0215 pipelines/column.sql:2:12", "WR0215 pipelines/function.sql:3:3");
    }

    @Test
    void sqlIsBoundThroughOtherPipelines() {
        WeirProject project = project()
                .file("pipelines/a.sql", "SELECT id, upper(customer) AS who FROM {{ source('shop', 'orders') }}")
                .file("pipelines/b.sql", "SELECT id, who FROM {{ ref('a') }}")
                .file(
                        "pipelines/c.sql",
                        sink("'c', strategy: 'merge', keys: ['id']") + "SELECT id, customer FROM {{ ref('b') }}");
        assertThat(problems(project)).containsExactly("WR0215 pipelines/c.sql:2:12");
    }

    @Test
    void theOutputIsSettledWithTheSink() {
        WeirProject project = project()
                .file(
                        "pipelines/key.sql",
                        sink("'a', strategy: 'merge', keys: ['order_id']")
                                + "SELECT id FROM {{ source('shop', 'orders') }}")
                .file(
                        "pipelines/window.sql",
                        sink("'b', strategy: 'window'") + "SELECT customer FROM {{ source('shop', 'orders') }}");
        assertThat(problems(project))
                .containsExactly("WR0210 pipelines/key.sql:1:16", "WR0210 pipelines/window.sql:1:16");
    }

    @Test
    void sqlThatCannotBeBoundYetIsRead() {
        WeirProject project = project()
                .file(
                        "pipelines/events.sql",
                        sink("'e', strategy: 'merge', keys: ['id']")
                                + "SELECT anything, {{ watermark('shop', 'events') }} AS since\n"
                                + "FROM {{ source('shop', 'events') }} WHERE WHERE");
        assertThat(problems(project)).containsExactly("WR0215 pipelines/events.sql:3:43");
    }

    @Test
    void aPipelineWithAnotherProblemHasItsSqlReadToo() {
        WeirProject project = project()
                .file(
                        "pipelines/orders.sql",
                        sink("'a', strategy: 'append'") + "SELECT id FROM FROM {{ source('shop', 'orders') }}");
        assertThat(problems(project))
                .containsExactly("WR0214 pipelines/orders.sql:1:16", "WR0215 pipelines/orders.sql:2:16");
    }

    @Test
    void memoryThatDuckDbDoesNotTakeIsAProblem() {
        WeirProject project = project()
                .file("weir.yml", "memory: 999999999TB\n")
                .file("pipelines/a.sql", sink("'a', strategy: 'replace'") + "SELECT 1 AS id");
        assertThat(problems(project)).containsExactly("WR0105 weir.yml:1:9");
    }

    @Test
    void withoutPipelinesItSaysSo() {
        assertThat(validated(project(), 0).out()).contains("0 pipelines");
    }
}
