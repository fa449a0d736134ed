package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What late rows refer to is committed as late as they are. Rule: contract, sections 3.2 and 4.1. */
class SettlingReferencesTest extends SettlingCase {

    @Test
    void aRowThatSettledBetweenTwoPassesFindsWhatWasCommittedWithIt() throws SQLException {
        tables(
                Into.DUCKDB,
                TABLE,
                "CREATE TABLE kinds (kind text PRIMARY KEY)",
                "INSERT INTO kinds VALUES ('old')",
                "INSERT INTO t (v) SELECT 'old' FROM generate_series(1, 30)");
        copy.pipeline(
                "SELECT t.id, kinds.kind AS v FROM {{ source('pg', 'public.t') }} AS t"
                        + " JOIN {{ source('pg', 'public.kinds') }} AS kinds ON kinds.kind = t.v",
                "strategy: 'merge', keys: ['id']");
        copy.sync(PATIENT).succeeded("run", "--all");
        Connection writer = writes("INSERT INTO kinds VALUES ('new')");
        execute(writer, "INSERT INTO t (v) VALUES ('new')");
        copy.given("INSERT INTO t (v) VALUES ('old')");
        AtomicInteger passes = new AtomicInteger();
        Faults commitsAfterTheFirstPass = point -> {
            if (point == Faults.Point.BEFORE_FINAL_STATUS && passes.incrementAndGet() == 1) {
                committing(writer).run();
            }
        };

        WeirProject.Said said = copy.project.run(commitsAfterTheFirstPass, LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(passes).hasValueGreaterThan(2);
        copy.isExact(ALL);
    }

    /** Of a source that cannot be told how far nothing changes any more. */
    @Test
    void aRowThatArrivesBetweenTwoPassesFindsWhatArrivedWithIt(@TempDir Path shop) {
        WeirProject project = new WeirProject(shop)
                .file("connections.yml", """
                        shop:
                          connector: sqlite
                          path: shop.db
                          entities:
                            t: { read: { sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 1000 } } }
                        lake: { connector: duckdb, path: lake.duckdb }
                        """)
                .file(
                        "pipelines/t.sql",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}\n"
                                + "SELECT t.id, k.kind FROM {{ source('shop', 't') }} AS t"
                                + " JOIN {{ source('shop', 'kinds') }} AS k ON k.kind = t.v\n");
        project.sqlite(
                "shop.db",
                "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)",
                "CREATE TABLE kinds (kind TEXT)",
                "INSERT INTO kinds VALUES ('old')",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)"
                        + " INSERT INTO t SELECT i, 'old' FROM n");
        AtomicInteger passes = new AtomicInteger();
        Faults arrival = point -> {
            if (point == Faults.Point.BEFORE_FINAL_STATUS && passes.incrementAndGet() == 1) {
                project.sqlite("shop.db", "INSERT INTO kinds VALUES ('new')", "INSERT INTO t VALUES (21, 'new')");
            }
        };

        WeirProject.Said said = project.run(arrival, LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(project.duckRows("lake.duckdb", "SELECT count(*), max(id) FROM t"))
                .containsExactly("21|21");
    }
}
