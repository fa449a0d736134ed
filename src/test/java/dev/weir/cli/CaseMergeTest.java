package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases G, H, K and P where they need Postgres and DuckDB alone: keys, failures, names, and what is in the files. */
class CaseMergeTest {

    @TempDir
    Path folder;

    private CaseProject twoOfOneKey(Into into) {
        return new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (nr int PRIMARY KEY, customer_id int, amount int, updated_at timestamp)",
                        "INSERT INTO t VALUES (1, 7, 2, '2025-01-01 10:05'), (2, 7, 1, '2025-01-01 10:00'), (3, 8, 5, '2025-01-01 10:00')")
                .sync("cursor: updated_at, max_window: 1d, initial: 2025-01-01, until: 2025-01-02")
                .pipeline(
                        "SELECT customer_id AS id, amount, updated_at FROM {{ source('pg', 'public.t') }}",
                        "strategy: 'merge', keys: ['id']");
    }

    // cases G1, G2
    @ParameterizedTest
    @EnumSource
    void ofTwoRowsOfOneKeyTheNewestStaysAndItIsSaid(Into into) {
        CaseProject copy = twoOfOneKey(into);
        assertThat(copy.caughtUp().out()).contains("WR0522 lake.t: 1 key (id)");
        assertThat(copy.loaded("SELECT id, amount FROM t ORDER BY id")).containsExactly("7|2", "8|5");
    }

    // case G1
    @ParameterizedTest
    @EnumSource
    void twoDifferentRowsOfOneKeyAndOneCursorAreAnError(Into into) {
        CaseProject copy = twoOfOneKey(into).given("UPDATE t SET updated_at = '2025-01-01 10:00'");
        WeirProject.Said said = copy.run("run", "--all");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0522", "lake.t", "7");
        assertThat(said.all()).contains("order_by");
    }

    // case G1: it never goes back in time over slices either
    @ParameterizedTest
    @EnumSource
    void anOlderRowNeverReplacesANewerOne(Into into) {
        CaseProject copy = twoOfOneKey(into);
        copy.pipeline(
                "SELECT customer_id AS id, amount, nr FROM {{ source('pg', 'public.t') }}",
                "strategy: 'merge', keys: ['id'], order_by: 'nr'");
        copy.given("UPDATE t SET nr = 10 WHERE nr = 1");
        copy.caughtUp();
        copy.given("INSERT INTO t VALUES (4, 7, 99, '2025-01-01 12:00')");
        assertThat(copy.caughtUp().out()).contains("1 row");
        assertThat(copy.loaded("SELECT id, amount FROM t ORDER BY id")).containsExactly("7|2", "8|5");
    }

    // case G3
    @ParameterizedTest
    @EnumSource
    void aNullInAKeyFailsBeforeTheSinkIsTouched(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (nr int PRIMARY KEY, type text, name text)",
                        "INSERT INTO t VALUES (1, 'veg', 'leek'), (11, NULL, 'onion'), (12, NULL, 'garlic')")
                .sync("cursor: nr, max_window: 10, initial: 0, until: 20")
                .pipeline("SELECT * FROM {{ source('pg', 'public.t') }}", "strategy: 'merge', keys: ['type', 'name']");
        WeirProject.Said said = copy.run("run", "--all", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0521", "lake.t", "type", "2 rows");
        assertThat(copy.loaded("SELECT nr FROM t")).containsExactly("1");
        assertThat(copy.mark()).isEqualTo("10");
        copy.given("UPDATE t SET type = 'bulb' WHERE type IS NULL");
        copy.caughtUp();
        copy.isExact("SELECT nr, type, name FROM t ORDER BY nr");
    }

    // case G11
    @ParameterizedTest
    @CsvSource({
        "DUCKDB, 'numeric(10,3)', 'DECIMAL(5,2)'",
        "DUCKDB, double precision, INTEGER",
        "DUCKDB, timestamp, DATE",
        "DUCKDB, bigint, INTEGER",
        "POSTGRES, 'numeric(10,3)', 'numeric(5,2)'",
        "POSTGRES, double precision, integer",
        "POSTGRES, timestamp, date",
        "POSTGRES, bigint, integer"
    })
    void aSinkThatWouldRoundIsRefused(Into into, String from, String to) {
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY, v " + from + ")", "INSERT INTO t VALUES (1, NULL)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 20");
        copy.onSink("CREATE TABLE t (id int, v " + to + ")");
        WeirProject.Said said = copy.run("run", "--all");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0523", "lake.t", "column v");
        assertThat(copy.loaded("SELECT * FROM t")).isEmpty();
    }

    // case H2
    @ParameterizedTest
    @EnumSource
    void theWatermarkWaitsForTheSinkThatFailed(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 25)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 25");
        copy.project.file("pipelines/second.sql", """
                INSERT INTO {{ sink('lake', 'second', strategy: 'append', delivery: 'exactly_once') }}
                SELECT id, CAST(CASE WHEN id = 15 THEN 'x' ELSE '1' END AS INTEGER) AS n FROM {{ source('pg', 'public.t') }}
                """);
        WeirProject.Said said = copy.run("run", "--all", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(copy.succeeded("state", "show", "pg.t").out())
                .contains("current  10 ")
                .contains("ahead    20 ")
                .contains("copy → lake.t");
        copy.project.file("pipelines/second.sql", """
                INSERT INTO {{ sink('lake', 'second', strategy: 'append', delivery: 'exactly_once') }}
                SELECT id, 1 AS n FROM {{ source('pg', 'public.t') }}
                """);
        copy.caughtUp();
        for (String table : List.of("t", "second")) {
            assertThat(copy.loaded("SELECT id FROM " + table + " ORDER BY id"))
                    .isEqualTo(copy.source.rows("SELECT id FROM t ORDER BY id"));
        }
    }

    // cases H3, H13, H15
    @Test
    void aSourceThatFailsHalfWayFailsTheRunAndWritesNothing() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE u (id int PRIMARY KEY, n int)",
                        "INSERT INTO u SELECT i, CASE WHEN i = 40000 THEN 0 ELSE 1 END FROM generate_series(1, 50000) i",
                        "CREATE VIEW t AS SELECT id, 1 / n AS one FROM u")
                .sync("cursor: id, max_window: 100000, initial: 0, until: 50000");
        WeirProject.Said said = copy.run("run", "--all", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("division by zero").contains("stopped: run failed");
        assertThat(Files.exists(folder.resolve("lake.duckdb"))).isFalse();
        copy.given("UPDATE u SET n = 1");
        copy.caughtUp();
        copy.isExact("SELECT count(*), sum(id), sum(one) FROM t");
    }

    // case H9
    @Test
    void ofTwoRunsAtOnceOneFailsAndNamesTheOther() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 25)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 25");
        int[] inner = {-1};
        String[] words = {""};
        int exitCode = copy.project
                .run(
                        point -> {
                            if (point == dev.weir.run.Faults.Point.LOCKED) {
                                WeirProject.Said said = copy.run("run", "--all");
                                inner[0] = said.exitCode();
                                words[0] = said.all();
                            }
                        },
                        "run",
                        "--all",
                        "--until-caught-up")
                .exitCode();
        assertThat(exitCode).isZero();
        assertThat(inner[0]).as(words[0]).isEqualTo(1);
        assertThat(words[0])
                .contains(
                        "WR0520",
                        "pg.public.t",
                        Long.toString(ProcessHandle.current().pid()),
                        "--wait");
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // cases K1, K4, K7
    @ParameterizedTest
    @EnumSource
    void namesReachTheSinkAsTheyAre(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE \"Orders\" (\"Id\" int, \"createdAt\" timestamptz, \"select\" text, \"a.b\" text, \"日本\" text, \"q\"\"q\" text, \"1st col\" text, \"naïve\" text)",
                        "INSERT INTO \"Orders\" SELECT i, timestamptz '2025-01-01Z' + i * interval '1 hour', 's', 'ab', 'nihon', 'qq', 'one', 'ï' FROM generate_series(1, 30) i");
        copy.project.file("pipelines/copy.sql", """
                INSERT INTO {{ sink('lake', '"Odd ""Name"".x"', strategy: 'merge', keys: ['Id']) }}
                SELECT * FROM {{ source('pg', 'public."Orders"', sync: { mode: incremental, cursor: createdAt,
                                                                         max_window: 6h, initial: '2025-01-01', until: '2025-01-10' }) }}
                """);
        copy.caughtUp();
        String columns =
                "SELECT \"Id\", \"createdAt\"::text, \"select\", \"a.b\", \"日本\", \"q\"\"q\", \"1st col\", \"naïve\" FROM ";
        assertThat(copy.loaded(columns + "\"Odd \"\"Name\"\".x\" ORDER BY 1"))
                .isEqualTo(copy.source.rows(columns + "\"Orders\" ORDER BY 1"));
        assertThat(copy.succeeded("state", "show", "pg.public.\"Orders\"").out())
                .contains("cursor createdAt (timestamptz)");
        copy.caughtUp();
    }

    // case K3
    @Test
    void aCursorInTheWrongCaseListsTheColumnsAsTheyAre() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (\"Id\" int, \"createdAt\" timestamptz)")
                .sync("cursor: createdat, max_window: 1h");
        WeirProject.Said said = copy.run("run", "--all");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0501", "'createdat'", "Id, createdAt");
    }

    // case P3
    @Test
    void aNumberWithALeadingZeroIsDecimal() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id bigint PRIMARY KEY)", "INSERT INTO t SELECT generate_series(80, 130)")
                .sync("cursor: id, max_window: 010, initial: 0123, until: 00125");
        copy.caughtUp();
        assertThat(copy.loaded("SELECT id FROM t ORDER BY id")).containsExactly("123", "124", "125");
    }

    // case P4
    @Test
    void columnsNamedLikeYamlsTruthsStayNames() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, no text, \"on\" text, y int, \"null\" text)",
                        "INSERT INTO t VALUES (1, 'no', 'on', 3, 'null')")
                .reads(
                        "{ columns: { id: int, no: varchar, on: varchar, y: int, null: varchar }, sync: { mode: incremental, cursor: id, initial: 0, until: 5 } }");
        copy.caughtUp();
        copy.isExact("SELECT id, no, \"on\", y, \"null\" FROM t");
    }

    // case P7
    @ParameterizedTest
    @EnumSource
    void aCursorThatColumnsDoNotNameIsReadAndNotShown(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, ts timestamp, name text)",
                        "INSERT INTO t SELECT i, timestamp '2025-01-01' + i * interval '1 hour', 'n' || i FROM generate_series(1, 30) i")
                .reads(
                        "{ columns: { id: int, name: varchar }, sync: { mode: incremental, cursor: ts, max_window: 6h, initial: 2025-01-01, until: 2025-01-10 } }");
        copy.caughtUp();
        copy.isExact("SELECT id, name FROM t ORDER BY id");
        assertThat(copy.loaded("SELECT column_name FROM information_schema.columns WHERE table_name = 't' ORDER BY 1"))
                .containsExactly("id", "name");
        assertThat(copy.mark()).isEqualTo("2025-01-02T06:00:00.000000");
    }

    // case P8
    @Test
    void whatIsInTheWeirFolderIsForItsOwnerAlone() throws IOException {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t VALUES (1)")
                .sync("cursor: id, initial: 0, until: 5");
        copy.caughtUp();
        Set<PosixFilePermission> others = Set.of(
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.GROUP_WRITE,
                PosixFilePermission.GROUP_EXECUTE,
                PosixFilePermission.OTHERS_READ,
                PosixFilePermission.OTHERS_WRITE,
                PosixFilePermission.OTHERS_EXECUTE);
        try (Stream<Path> files = Files.walk(folder.resolve(".weir"))) {
            for (Path file : files.toList()) {
                assertThat(Files.getPosixFilePermissions(file))
                        .as(file.toString())
                        .doesNotContainAnyElementsOf(others);
            }
        }
    }

    // cases J1, J2: a column that comes meanwhile does not stop a loop that names its columns
    @Test
    void aColumnAddedBetweenPassesDoesNotStopTheLoop() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 45)")
                .reads("{ columns: { id: integer }, sync: { mode: incremental, cursor: id, max_window: 10, initial: 0,"
                        + " until: 45 } }");
        int[] commits = {0};
        WeirProject.Said said = copy.project.run(
                point -> {
                    if (point == dev.weir.run.Faults.Point.AFTER_SINK_COMMIT && ++commits[0] == 2) {
                        copy.source.execute("ALTER TABLE t ADD COLUMN z text DEFAULT 'z'");
                    }
                },
                "run",
                "--all",
                "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.all()).containsOnlyOnce("its columns have changed since this was begun: z (text) is new");
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // case G10: whatever is read again is not there twice
    @ParameterizedTest
    @EnumSource
    void anAppendThatFailsIsTriedAgainWithoutDoubling(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 45)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 45")
                .pipeline(
                        "SELECT * FROM {{ source('pg', 'public.t') }}", "strategy: 'append', delivery: 'exactly_once'");
        for (dev.weir.run.Faults.Point dying : dev.weir.run.Faults.Point.values()) {
            boolean[] died = {false};
            try {
                copy.project.run(
                        point -> {
                            if (point == dying && !died[0]) {
                                died[0] = true;
                                throw new IllegalStateException("died at " + dying);
                            }
                        },
                        "run",
                        "--all");
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("died at " + dying);
            }
        }
        copy.caughtUp();
        copy.isExact("SELECT id FROM t ORDER BY id");
    }

    // cases G5, H9: nothing is left behind in a sink
    @Test
    void aPostgresSinkHoldsTheTableAndTheMarksAlone() {
        CaseProject copy = new CaseProject(folder, Into.POSTGRES)
                .given("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t SELECT generate_series(1, 45)")
                .sync("cursor: id, max_window: 10, initial: 0, until: 45");
        copy.caughtUp();
        assertThat(copy.loaded("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"))
                .containsExactly("_weir_positions", "t");
        Postgres.Database source = copy.source;
        assertThat(source.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"))
                .containsExactly("t");
    }
}
