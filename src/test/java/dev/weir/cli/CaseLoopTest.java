package dev.weir.cli;

import static dev.weir.cli.CaseProject.after;
import static dev.weir.cli.CaseProject.events;
import static dev.weir.cli.CaseProject.lastSource;
import static dev.weir.cli.CaseProject.sources;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.CaseProject.Into;
import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases F: windows, the loop and {@code until}; and every option that ends or restarts a loop. */
class CaseLoopTest {

    @TempDir
    Path folder;

    // case F1
    @ParameterizedTest
    @EnumSource
    void anEmptyMiddleWindowMovesToItsEnd(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t VALUES (5), (25)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 30");
        assertThat(after(copy.pass())).isEqualTo("10");
        JsonNode empty = copy.pass();
        assertThat(empty.get("rows").asInt()).isZero();
        assertThat(after(empty)).isEqualTo("20");
        assertThat(copy.mark()).isEqualTo("20");
        JsonNode last = copy.pass();
        assertThat(after(last)).isEqualTo("25");
        assertThat(last.get("caughtUp").asBoolean()).isTrue();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case F2
    @ParameterizedTest
    @CsvSource({
        "DUCKDB, merge",
        "DUCKDB, window",
        "DUCKDB, append",
        "POSTGRES, merge",
        "POSTGRES, window",
        "POSTGRES, append"
    })
    void aCaughtUpRunLeavesTheSinkAlone(Into into, String strategy) {
        String options = strategy.equals("merge")
                ? "strategy: 'merge', keys: ['id']"
                : strategy.equals("append") ? "strategy: 'append', delivery: 'exactly_once'" : "strategy: 'window'";
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 100)")
                .sync("cursor: id, max_window: 50, initial: 0, until: 100")
                .pipeline("SELECT * FROM {{ source('pg', 'public.t') }}", options);
        copy.caughtUp();
        String what = into == Into.POSTGRES
                ? "SELECT 't'::regclass::oid, ctid, xmin, id FROM t ORDER BY id"
                : "SELECT (SELECT table_oid FROM duckdb_tables() WHERE table_name = 't'), rowid, id FROM t ORDER BY id";
        List<String> before = copy.loaded(what);
        List<String> mark = copy.loaded("SELECT * FROM _weir_positions");
        copy.caughtUp();
        copy.pass();
        assertThat(copy.loaded(what)).isEqualTo(before);
        assertThat(copy.loaded("SELECT * FROM _weir_positions")).isEqualTo(mark);
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case F3
    @Test
    void anEmptyBatchIsNotTheEndOfTheData() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY)",
                        "INSERT INTO t SELECT generate_series(1, 10) UNION ALL SELECT generate_series(1000001, 1000010)")
                .sync("cursor: id, max_window: 1000, initial: 0, until: 1000010");
        copy.caughtUp();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case F6
    @Test
    void nowIsOneInstantForAllPasses() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, ts timestamp)",
                        "INSERT INTO t SELECT i, (now() AT TIME ZONE 'UTC') - i * interval '1 hour' FROM generate_series(1, 20) i")
                .sync("cursor: ts, max_window: 6h, until: now");
        WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--log-format", "json");
        List<String> nows = events(said).stream()
                .filter(event -> event.get("event").asText().equals("run_started"))
                .map(event -> event.get("now").asText())
                .toList();
        assertThat(nows).hasSizeGreaterThan(2);
        assertThat(nows.stream().distinct()).hasSize(1);
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case F6: what arrives while a loop runs does not keep it running
    @Test
    void rowsThatArriveMeanwhileDoNotKeepTheLoopRunning() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id serial PRIMARY KEY, ts timestamp DEFAULT (clock_timestamp() AT TIME ZONE 'UTC'))",
                        "INSERT INTO t (ts) SELECT (now() AT TIME ZONE 'UTC') - i * interval '1 hour' FROM generate_series(1, 20) i")
                .sync("cursor: ts, max_window: 6h, until: now");
        int exitCode = copy.project
                .run(
                        point -> {
                            if (point == Faults.Point.STAGED) {
                                copy.source.execute("INSERT INTO t DEFAULT VALUES");
                            }
                        },
                        "run",
                        "--all",
                        "--until-caught-up",
                        "--max-runs",
                        "20")
                .exitCode();
        assertThat(exitCode).isZero();
        assertThat(copy.loaded("SELECT count(*) FROM t")).containsExactly("20");
        copy.given("SELECT pg_sleep(1.1)").caughtUp();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case F7
    @ParameterizedTest
    @EnumSource
    void aRowDatedInTheFutureDoesNotDragTheWatermark(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, ts timestamp)",
                        "INSERT INTO t VALUES (1, (now() AT TIME ZONE 'UTC') - interval '1 hour'), (2, '2999-01-01')")
                .sync("cursor: ts, max_window: 1d, initial: 2025-01-01, until: now");
        assertThat(copy.caughtUp().out()).contains("1 dated after now");
        copy.given("INSERT INTO t VALUES (3, (now() AT TIME ZONE 'UTC') - interval '1 minute')");
        copy.caughtUp();
        assertThat(copy.loaded("SELECT id FROM t ORDER BY id")).containsExactly("1", "3");
    }

    // case F8
    @Test
    void untilEqualToInitialIsOneValue() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 10)")
                .sync("cursor: id, max_window: 10, initial: 5, until: 5");
        copy.caughtUp();
        assertThat(copy.loaded("SELECT id FROM t")).containsExactly("5");
    }

    // case F8
    @Test
    void aWatermarkAboveUntilIsCaughtUpAndStays() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 20)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 20");
        copy.caughtUp();
        copy.sync("cursor: id, max_window: 10, initial: 0, until: 10");
        WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--log-format", "json");
        assertThat(sources(said)).hasSize(1);
        assertThat(lastSource(said).get("caughtUp").asBoolean()).isTrue();
        assertThat(after(lastSource(said))).isEqualTo("20");
        assertThat(copy.mark()).isEqualTo("20");
    }

    // case F11
    @ParameterizedTest
    @EnumSource
    void thePositionComesFromWhatWasReadAndNotFromTheSinksRows(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 20)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 40");
        copy.caughtUp();
        copy.onSink("INSERT INTO t VALUES (35)");
        copy.given("INSERT INTO t SELECT generate_series(21, 40)");
        copy.caughtUp();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case F12
    @Test
    void whetherItIsCaughtUpIsInResultsAndExitCode() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 25)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100");
        WeirProject.Said stopped =
                copy.run("run", "--all", "--until-caught-up", "--max-runs", "1", "--require-caught-up");
        assertThat(stopped.exitCode()).as(stopped.all()).isEqualTo(4);
        assertThat(stopped.out())
                .endsWith("note: until-caught-up: 1 pass, stopped: max runs (1) reached before every source caught up;"
                        + " run again to continue from the stored watermarks\n");
        WeirProject.Said max = copy.run("run", "--all", "--until-caught-up", "--max-runs", "1");
        assertThat(max.exitCode()).isZero();
        WeirProject.Said end = copy.run("run", "--all", "--until-caught-up", "--max-runs", "1", "--require-caught-up");
        assertThat(end.exitCode()).as(end.all()).isZero();
        assertThat(end.out()).endsWith("note: until-caught-up: 1 pass, stopped: caught up\n");
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    @Test
    void withoutAStopTheLoopRunsOnceAndRequireCaughtUpSaysSo() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 25)")
                .sync("cursor: id, max_window: 10, initial: 0");
        WeirProject.Said once = copy.succeeded("run", "--all", "--until-caught-up");
        assertThat(once.out()).endsWith("note: until-caught-up: 1 pass, stopped: no windowed source with a stop\n");
        assertThat(copy.run("run", "--all", "--until-caught-up", "--require-caught-up")
                        .exitCode())
                .isEqualTo(4);
        assertThat(copy.loaded("SELECT count(*) FROM t")).containsExactly("20");
    }

    // case F14
    @Test
    void theEarlierOfTwoClocksCountsAndTheDifferenceIsSaid() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, ts timestamp)",
                        "INSERT INTO t SELECT i, (now() AT TIME ZONE 'UTC') - interval '5 seconds' + i * interval '10 minutes' FROM generate_series(-6, 6) i")
                .sync("cursor: ts, max_window: 1d, until: now");
        Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
        WeirProject.Said fast = copy.project.run(ahead, Faults.NONE, "run", "--all", "--until-caught-up");
        assertThat(fast.exitCode()).as(fast.all()).isZero();
        assertThat(fast.out()).contains("its clock says").contains("the earlier one counts");
        assertThat(copy.loaded("SELECT max(id) FROM t")).containsExactly("0");
        Clock behind = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-30));
        copy.succeeded("run", "--all", "--full-refresh");
        WeirProject.Said slow = copy.project.run(behind, Faults.NONE, "run", "--all", "--until-caught-up");
        assertThat(slow.exitCode()).as(slow.all()).isZero();
        copy.caughtUp();
        assertThat(copy.loaded("SELECT count(*) FROM t")).containsExactly("7");
    }

    // case F15
    @ParameterizedTest
    @EnumSource
    void rowsThatComeBelowUntilAfterTheEndAreLoadedByTheNextRun(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 2000)")
                .sync("cursor: id, max_window: 1000, initial: 0, until: 5000");
        copy.caughtUp();
        assertThat(copy.mark()).isEqualTo("2000");
        copy.given("INSERT INTO t SELECT generate_series(2001, 2500)");
        copy.caughtUp();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    @ParameterizedTest
    @EnumSource
    void fullRefreshStartsOverInTheFirstPassOnlyAndClearsNothingBefore(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, name text)",
                        "INSERT INTO t SELECT i, 'old' FROM generate_series(1, 35) i")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100");
        copy.caughtUp();
        copy.given("UPDATE t SET name = 'new'");
        WeirProject.Said said =
                copy.succeeded("run", "--all", "--full-refresh", "--until-caught-up", "--log-format", "json");
        assertThat(sources(said)).extracting(CaseProject::after).containsExactly("10", "20", "30", "35");
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    @Test
    void fullRefreshPassByPassGoesOnWhereItWas() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 35)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100");
        copy.caughtUp();
        assertThat(after(lastSource(copy.succeeded("run", "--all", "--full-refresh", "--log-format", "json"))))
                .isEqualTo("10");
        assertThat(after(copy.pass())).isEqualTo("20");
        copy.caughtUp();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    @Test
    void fullRefreshOfAnAppendThatHoldsRowsIsRefused() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 15)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100")
                .pipeline(
                        "SELECT * FROM {{ source('pg', 'public.t') }}", "strategy: 'append', delivery: 'exactly_once'");
        copy.caughtUp();
        WeirProject.Said said = copy.run("run", "--all", "--full-refresh", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0529", "lake.t", "stopped: run failed");
        copy.caughtUp();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    @Test
    void failFastStartsNothingAfterTheFirstFailureAndWithoutItTheOthersRun() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY)",
                        "INSERT INTO t SELECT generate_series(1, 5)",
                        "CREATE TABLE u (id int PRIMARY KEY)",
                        "INSERT INTO u SELECT generate_series(1, 5)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 5");
        copy.pipeline(
                "SELECT id, CAST('x' || id AS INTEGER) AS n FROM {{ source('pg', 'public.t') }}",
                "strategy: 'merge', keys: ['id']");
        copy.project.file("pipelines/later.sql", """
                INSERT INTO {{ sink('lake', 'u', strategy: 'merge', keys: ['id']) }}
                SELECT * FROM {{ source('pg', 'public.u', sync: { mode: incremental, cursor: id, initial: 0, until: 5 }) }}
                """);
        WeirProject.Said fast = copy.run("run", "--all", "--fail-fast");
        assertThat(fast.exitCode()).as(fast.all()).isEqualTo(1);
        assertThat(java.nio.file.Files.exists(folder.resolve("lake.duckdb"))).isFalse();
        WeirProject.Said slow = copy.run("run", "--all", "--until-caught-up");
        assertThat(slow.exitCode()).as(slow.all()).isEqualTo(1);
        assertThat(slow.out()).contains("stopped: run failed");
        assertThat(copy.loaded("SELECT count(*) FROM u")).containsExactly("5");
    }

    @ParameterizedTest
    @EnumSource
    void aNewPipelineBesideALoadedOneCatchesUpWithIt(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 45)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100");
        copy.succeeded("run", "--all", "--until-caught-up", "--max-runs", "2");
        copy.project.file("pipelines/more.sql", """
                INSERT INTO {{ sink('lake', 'more', strategy: 'append', delivery: 'exactly_once') }}
                SELECT * FROM {{ source('pg', 'public.t') }}
                """);
        copy.succeeded("run", "more");
        WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--log-format", "json");
        assertThat(sources(said)).extracting(CaseProject::after).containsExactly("20", "30", "40", "45");
        copy.isExact("SELECT id FROM t ORDER BY id");
        assertThat(copy.loaded("SELECT id FROM more ORDER BY id"))
                .isEqualTo(copy.source.rows("SELECT id FROM t ORDER BY id"));
    }

    @Test
    void sinksOffTheGridOfEachOtherEndExact() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 7)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100");
        copy.caughtUp();
        copy.given("INSERT INTO t SELECT generate_series(8, 50)");
        for (String name : List.of("b", "c")) {
            copy.project.file("pipelines/" + name + ".sql", """
                    INSERT INTO {{ sink('lake', '%s', strategy: 'append', delivery: 'exactly_once') }}
                    SELECT * FROM {{ source('pg', 'public.t') }}
                    """.formatted(name));
            copy.succeeded("run", name);
            copy.succeeded("run", "copy");
        }
        copy.caughtUp();
        for (String table : List.of("t", "b", "c")) {
            assertThat(copy.loaded("SELECT id FROM " + table + " ORDER BY id"))
                    .isEqualTo(copy.source.rows("SELECT id FROM t ORDER BY id"));
        }
    }
}
