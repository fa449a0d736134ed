package dev.weir.cli;

import static dev.weir.cli.CaseProject.after;
import static dev.weir.cli.CaseProject.lastSource;
import static dev.weir.cli.CaseProject.sources;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases A and B: slice boundaries, ties, and the precision of a time watermark. */
class CaseBoundaryTest {

    @TempDir
    Path folder;

    // case A1
    @ParameterizedTest
    @EnumSource
    void tiesShareASliceAndOneThatComesLaterIsMissedForNow(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
                        "INSERT INTO t VALUES (1, '2025-01-01 00:00:10'), (2, '2025-01-01 00:00:10')")
                .sync("cursor: updated_at, max_window: 10s, initial: 2025-01-01, until: 2025-01-01 00:00:20");
        JsonNode first = copy.pass();
        assertThat(first.get("rows").asInt()).isEqualTo(2);
        copy.given("INSERT INTO t VALUES (3, '2025-01-01 00:00:10')");
        JsonNode second = copy.pass();
        assertThat(second.get("rows").asInt()).isZero();
        assertThat(copy.loaded("SELECT id FROM t ORDER BY id")).containsExactly("1", "2");
    }

    // case A2
    @ParameterizedTest
    @EnumSource
    void aFailureAmongTiesLeavesNoWatermarkAmongThem(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
                        "INSERT INTO t SELECT i, '2025-01-01 00:00:05' FROM generate_series(1, 30000) i")
                .sync("cursor: updated_at, max_window: 10s, initial: 2025-01-01, until: 2025-01-01 00:00:20");
        copy.onSink("CREATE TABLE t (id int, updated_at timestamp, CHECK (id <> 20000))");
        WeirProject.Said said = copy.run("run", "--all");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(copy.loaded("SELECT count(*) FROM t")).containsExactly("0");
        assertThat(copy.succeeded("state", "show", "pg.t").out()).contains("current  none");
        copy.onSink("DROP TABLE t");
        copy.caughtUp();
        copy.isExact("SELECT count(*), count(DISTINCT id), sum(id) FROM t");
    }

    // case A3
    @Test
    void aWatermarkAtUntilIsCaughtUpWithoutWork() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
                        "INSERT INTO t VALUES (1, '2025-01-10'), (2, '2025-01-10')")
                .sync("cursor: updated_at, max_window: 1d, initial: 2025-01-09, until: 2025-01-10");
        copy.caughtUp();
        for (int again = 0; again < 2; again++) {
            WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--log-format", "json");
            assertThat(sources(said)).hasSize(1);
            JsonNode source = lastSource(said);
            assertThat(source.get("rows").asInt()).isZero();
            assertThat(source.get("caughtUp").asBoolean()).isTrue();
            assertThat(after(source)).isEqualTo("2025-01-10T00:00:00.000000");
        }
        copy.isExact("SELECT id, updated_at::text FROM t ORDER BY id");
    }

    // case A4
    @ParameterizedTest
    @EnumSource
    void aSecondRunWithoutNewRowsReadsNone(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 25)")
                .sync("cursor: id, max_window: 10, initial: 0");
        for (int pass = 0; pass < 3; pass++) {
            copy.pass();
        }
        for (int again = 0; again < 2; again++) {
            assertThat(copy.pass().get("rows").asInt()).isZero();
        }
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case A5
    @Test
    void stateDoesNotGrowWithTies(@TempDir Path other) throws IOException {
        long few = stateAfter(folder, 10);
        long many = stateAfter(other, 200_000);
        assertThat(many).isEqualTo(few);
    }

    private static long stateAfter(Path folder, int rows) throws IOException {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp)",
                        "INSERT INTO t SELECT i, '2025-01-01 00:00:05' FROM generate_series(1, " + rows + ") i")
                .sync("cursor: updated_at, max_window: 10s, initial: 2025-01-01, until: 2025-01-01 00:00:20");
        copy.caughtUp();
        copy.isExact("SELECT count(*), sum(id) FROM t");
        return Files.size(folder.resolve(".weir/state.db"));
    }

    // case A6
    @ParameterizedTest
    @EnumSource
    void rowsAtMidnightBelongToTheDayThatEnds(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, d timestamp)",
                        "INSERT INTO t VALUES (1, '2025-01-01 00:00:00'), (2, '2025-01-01 23:59:59.999999'),"
                                + " (3, '2025-01-02 00:00:00'), (4, '2025-01-02 00:00:00.000001')")
                .sync("cursor: d, max_window: 1d, initial: 2025-01-01, until: 2025-01-03");
        JsonNode first = copy.pass();
        assertThat(first.get("rows").asInt()).isEqualTo(3);
        assertThat(after(first)).isEqualTo("2025-01-02T00:00:00.000000");
        assertThat(copy.pass().get("rows").asInt()).isEqualTo(1);
        copy.isExact("SELECT id, d::text FROM t ORDER BY id");
    }

    // case A7
    @Test
    void aDateCursorGoesByDaysAndATimestampByItsOwnBounds() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, d date)",
                        "INSERT INTO t VALUES (1, '2025-01-01'), (2, '2025-01-02'), (3, '2025-01-03'), (4, '2025-01-04')")
                .sync("cursor: d, max_window: 1d, initial: 2025-01-01, until: 2025-01-03");
        assertThat(copy.pass().get("rows").asInt()).isEqualTo(2);
        JsonNode second = copy.pass();
        assertThat(second.get("rows").asInt()).isEqualTo(1);
        assertThat(after(second)).isEqualTo("2025-01-03");
        assertThat(copy.loaded("SELECT id FROM t ORDER BY id")).containsExactly("1", "2", "3");
    }

    // case A8, and the forward half of A9
    @ParameterizedTest
    @EnumSource
    void theRowEqualToInitialIsLoaded(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t VALUES (0), (1), (2)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 10");
        copy.caughtUp();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case A8, and the forward half of A9
    @Test
    void theRowAtMidnightOfInitialIsLoadedOnce() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamptz)",
                        "INSERT INTO t VALUES (0, '2025-01-31 23:59:59.999999Z'), (1, '2025-02-01 00:00:00Z')")
                .sync("cursor: updated_at, max_window: 1h, initial: 2025-02-01, until: 2025-02-02");
        WeirProject.Said said = copy.caughtUp();
        assertThat(said.out()).contains("1 below initial");
        assertThat(copy.loaded("SELECT id FROM t")).containsExactly("1");
    }

    // cases B1, B2, B6
    @ParameterizedTest
    @EnumSource
    void aWatermarkKeepsItsMicroseconds(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamptz(6))",
                        "INSERT INTO t VALUES (1, '2025-05-09 13:28:27.031153+00')")
                .sync("cursor: updated_at, max_window: 1h, initial: 2025-05-09, until: 2025-05-10");
        copy.caughtUp();
        assertThat(copy.mark()).contains("13:28:27.031153");
        assertThat(copy.succeeded("state", "show", "pg.t").out()).contains("13:28:27.031153");
        assertThat(copy.pass().get("rows").asInt()).isZero();
        copy.isExact("SELECT id, updated_at::text FROM t");
    }

    // cases B3, B4: a source finer than the watermark
    @Test
    void aNanosecondBehindTheEdgeIsInTheSameMicrosecondAndLoadedOnce() {
        WeirProject project = nanoseconds(
                "max_window: 10s, initial: 2025-01-01, until: 2025-01-01 00:01:00",
                "INSERT INTO t VALUES (1, TIMESTAMP_NS '2025-01-01 00:00:10'), (2, TIMESTAMP_NS '2025-01-01 00:00:10.000000001'),"
                        + " (3, TIMESTAMP_NS '2025-01-01 00:00:10.000000999'), (4, TIMESTAMP_NS '2025-01-01 00:00:10.000001'),"
                        + " (5, TIMESTAMP_NS '2025-01-01 00:00:59.999999999')");
        WeirProject.Said first = project.run("run", "--log-format", "json");
        assertThat(lastSource(first).get("rows").asInt()).as(first.all()).isEqualTo(3);
        assertThat(project.run("run", "--until-caught-up").exitCode()).isZero();
        assertThat(project.duckRows("lake.duckdb", "SELECT id, c FROM t ORDER BY id"))
                .isEqualTo(project.duckRows("shop.duckdb", "SELECT id, c FROM t ORDER BY id"));
        assertThat(project.duckRows("lake.duckdb", "SELECT value FROM _weir_positions"))
                .containsExactly("2025-01-01T00:00:59.999999");
    }

    // case B7
    @Test
    void everyNanosecondIsInExactlyOneWindowBeforeAndAfter1970() {
        WeirProject project = nanoseconds(
                "max_window: 20ms, initial: 1969-12-31 23:59:59.9, until: 1970-01-01 00:00:00.1",
                "INSERT INTO t SELECT i, make_timestamp_ns(CAST(((hash(i) % 200000000)::HUGEINT - 100000000) AS BIGINT)) FROM range(3000) r(i)",
                "INSERT INTO t VALUES (10001, make_timestamp_ns(-1)), (10002, make_timestamp_ns(-999)), (10003, make_timestamp_ns(-1000)), (10004, make_timestamp_ns(-1001)), (10005, make_timestamp_ns(0)), (10006, make_timestamp_ns(1))");
        WeirProject.Said said = project.run("run", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isZero();
        String all = "SELECT id, epoch_ns(c) FROM t ORDER BY id";
        assertThat(project.duckRows("lake.duckdb", all)).isEqualTo(project.duckRows("shop.duckdb", all));
        assertThat(rowsOfAllPasses(project, said)).isEqualTo(3006);
    }

    private static long rowsOfAllPasses(WeirProject project, WeirProject.Said said) {
        return said.out()
                .lines()
                .filter(line -> line.startsWith("ok src_"))
                .mapToLong(line -> Long.parseLong(line.split(" ")[2]))
                .sum();
    }

    private WeirProject nanoseconds(String sync, String... rows) {
        WeirProject project = new WeirProject(folder)
                .file("connections.yml", """
                        shop:
                          connector: duckdb
                          path: shop.duckdb
                          entities:
                            t: { read: { sync: { mode: incremental, cursor: c, %s } } }
                        lake: { connector: duckdb, path: lake.duckdb }
                        """.formatted(sync))
                .file(
                        "pipelines/copy.sql",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }} SELECT * FROM {{ source('shop', 't') }}");
        project.duck("shop.duckdb", "CREATE TABLE t (id BIGINT, c TIMESTAMP_NS)");
        project.duck("shop.duckdb", rows);
        return project;
    }

    // case B5
    @Test
    void aCursorOfWholeSecondsIsNeitherRoundedNorReadUnfinished() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, updated_at timestamp(0))",
                        "INSERT INTO t VALUES (1, '2025-01-01 00:00:00.5'), (2, '2025-01-01 00:00:01.49'),"
                                + " (3, date_trunc('second', now() AT TIME ZONE 'UTC') + interval '2 minutes')")
                .sync("cursor: updated_at, max_window: 3650d, initial: 2025-01-01, until: now");
        copy.caughtUp();
        List<String> loaded = copy.loaded("SELECT id, updated_at::text FROM t ORDER BY id");
        assertThat(loaded).isEqualTo(copy.source.rows("SELECT id, updated_at::text FROM t WHERE id < 3 ORDER BY id"));
        assertThat(copy.pass().get("rows").asInt()).isZero();
    }
}
