package dev.weir.cli;

import static dev.weir.cli.CaseProject.after;
import static dev.weir.cli.CaseProject.sources;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases D and E: the values of cursors, and rows that commit late. */
class CaseCursorTest {

    @TempDir
    Path folder;

    // case D1
    @ParameterizedTest
    @EnumSource
    void rowsWithoutACursorAreCountedAndSaid(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
                        "INSERT INTO t VALUES (1, NULL), (2, '2025-01-01'), (3, NULL)")
                .sync("cursor: updated_at, max_window: 1d, initial: 2025-01-01, until: 2025-02-01");
        assertThat(copy.caughtUp().out()).contains("2 with a NULL cursor");
        assertThat(copy.loaded("SELECT id FROM t")).containsExactly("2");
    }

    // cases D1, F3: rows without a cursor never end the loop
    @Test
    void sliceAfterSliceOfNullsDoesNotEndTheLoop() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, c int)",
                        "INSERT INTO t SELECT i, CASE WHEN i < 5 OR i > 95 THEN i END FROM generate_series(1, 100) i")
                .sync("cursor: c, max_window: 10, initial: 0, until: 100");
        copy.caughtUp();
        copy.source.execute("DELETE FROM t WHERE c IS NULL");
        copy.isExact("SELECT id, c FROM t ORDER BY id");
    }

    // case D2
    @Test
    void negativeAndZeroIdsAreLoaded() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id bigint PRIMARY KEY)", "INSERT INTO t VALUES (-5), (-1), (0), (7)")
                .sync("cursor: id, max_window: 4, initial: -10, until: 10");
        WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--log-format", "json");
        assertThat(sources(said)).extracting(CaseProject::after).containsExactly("-6", "-2", "2", "6", "7");
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case D2
    @Test
    void rowsBelowInitialAreCountedAndSaid() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id bigint PRIMARY KEY)", "INSERT INTO t VALUES (-5), (-1), (-2), (0), (7)")
                .sync("cursor: id, max_window: 4, initial: 0, until: 10");
        assertThat(copy.caughtUp().out()).contains("3 below initial");
        assertThat(copy.loaded("SELECT id FROM t ORDER BY id")).containsExactly("0", "7");
    }

    // case D3
    @ParameterizedTest
    @EnumSource
    void aWindowEndsAtTheEndOfBigint(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id bigint PRIMARY KEY)",
                        "INSERT INTO t VALUES (9223372036854775800), (9223372036854775807)")
                .sync("cursor: id, max_window: 10000, initial: 9223372036854775790, until: 9223372036854775807");
        WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--log-format", "json");
        assertThat(sources(said)).hasSize(1);
        assertThat(copy.pass().get("rows").asInt()).isZero();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case D3
    @ParameterizedTest
    @ValueSource(strings = {", until: 9223372036854775807", ""})
    void aSpanThatFitsNoLongIsCrossed(String until) {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id bigint PRIMARY KEY)",
                        "INSERT INTO t VALUES (-9223372036854775808), (0), (9223372036854775807)")
                .sync("cursor: id, max_window: 10000, initial: -9223372036854775808" + until);
        for (int pass = 0; pass < 5; pass++) {
            copy.pass();
        }
        copy.isExact("SELECT id FROM t ORDER BY id");
        assertThat(copy.mark()).isEqualTo("9223372036854775807");
    }

    // case D4, in DuckDB's words
    @Test
    void unsignedIdsAboveTheEndOfLongAreLoaded() {
        WeirProject project = new WeirProject(folder)
                .file("connections.yml", """
                        shop:
                          connector: duckdb
                          path: shop.duckdb
                          entities:
                            t: { read: { sync: { mode: incremental, cursor: id, max_window: 10000000000000000000, initial: 0, until: 18446744073709551615 } } }
                        lake: { connector: duckdb, path: lake.duckdb }
                        """)
                .file(
                        "pipelines/copy.sql",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }} SELECT * FROM {{ source('shop', 't') }}");
        project.duck(
                "shop.duckdb",
                "CREATE TABLE t (id UBIGINT)",
                "INSERT INTO t VALUES (1), (9223372036854775808), (18446744073709551615)");
        WeirProject.Said said = project.run("run", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(project.duckRows("lake.duckdb", "SELECT id, typeof(id) FROM t ORDER BY id"))
                .containsExactly("1|UBIGINT", "9223372036854775808|UBIGINT", "18446744073709551615|UBIGINT");
        assertThat(project.run("state", "show", "shop.t").out()).contains("current  18446744073709551615");
    }

    // case D6
    @ParameterizedTest
    @EnumSource
    void decimalsAreExactAndPrintedPlainly(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, seq numeric(30,6))",
                        "INSERT INTO t VALUES (1, 1.5), (2, 2.0), (3, 202109171437040633984411.000001)")
                .sync("cursor: seq, max_window: 0.5, initial: 1.5, until: 300000000000000000000000");
        WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--log-format", "json");
        assertThat(sources(said)).hasSizeLessThan(6);
        assertThat(copy.mark()).isEqualTo("202109171437040633984411.000001");
        copy.isExact("SELECT id, seq::text FROM t ORDER BY id");
        assertThat(copy.pass().get("rows").asInt()).isZero();
    }

    // case D7
    @Test
    void todaysDateIsLoadedTomorrow() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, d date)",
                        "INSERT INTO t SELECT i, (now() AT TIME ZONE 'UTC')::date - i FROM generate_series(0, 5) i")
                .sync("cursor: d, max_window: 2d, until: now");
        copy.caughtUp();
        assertThat(copy.loaded("SELECT id FROM t ORDER BY id")).containsExactly("1", "2", "3", "4", "5");
        assertThat(copy.mark()).isEqualTo(copy.source.value("SELECT (now() AT TIME ZONE 'UTC')::date - 1"));
    }

    // case D8
    @Test
    void theOrderOfTheRowsDoesNotMatter() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, c int)",
                        "INSERT INTO t SELECT i, (i * 7919) % 1000 FROM generate_series(1, 999) i")
                .sync("cursor: c, max_window: 100, initial: 0, until: 1000");
        copy.caughtUp();
        copy.isExact("SELECT id, c FROM t ORDER BY id");
        assertThat(copy.mark()).isEqualTo(copy.source.value("SELECT max(c) FROM t"));
    }

    // case E1, without settling: what happens now
    @Test
    void anIdThatCommitsLateIsMissedWithoutSettling() throws java.sql.SQLException {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100, settle: off");
        try (java.sql.Connection late = copy.source.connect();
                java.sql.Statement statement = late.createStatement()) {
            late.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (1)");
            copy.given("INSERT INTO t VALUES (2)");
            copy.caughtUp();
            late.commit();
        }
        copy.caughtUp();
        assertThat(copy.loaded("SELECT id FROM t")).containsExactly("2");
    }

    // case E2: rows and next are of one snapshot, so what commits in between waits for the next pass
    @Test
    void whatCommitsWhileASliceIsReadIsLoadedByALaterPass() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 15)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100, settle: off");
        int exitCode = copy.project
                .run(
                        point -> {
                            if (point == dev.weir.run.Faults.Point.STAGED
                                    && copy.source
                                            .rows("SELECT 1 FROM t WHERE id = 20")
                                            .isEmpty()) {
                                copy.source.execute("INSERT INTO t SELECT generate_series(16, 20)");
                            }
                        },
                        "run",
                        "--all",
                        "--until-caught-up")
                .exitCode();
        assertThat(exitCode).isZero();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case F4 in both directions: the jump lands on the grid, and is the result of the slow way
    @Test
    void aGapCostsOnePass() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t VALUES (1), (1590000000)")
                .sync("cursor: id, max_window: 50000, initial: 0, until: 2000000000");
        WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--log-format", "json");
        List<JsonNode> passes = sources(said);
        assertThat(passes).hasSizeLessThanOrEqualTo(3);
        assertThat(passes.stream()
                        .mapToLong(pass -> pass.path("skippedWindows").asLong())
                        .sum())
                .as("31798 empty windows, one of which a pass has read")
                .isEqualTo(31797);
        assertThat(after(passes.get(passes.size() - 1))).isEqualTo("1590000000");
        copy.isExact("SELECT id FROM t ORDER BY id");
    }
}
