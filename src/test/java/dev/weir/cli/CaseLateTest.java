package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases E: rows that commit late, and rows that come while a slice is read. Deletions: {@link LookbackTest}. */
class CaseLateTest {

    private static final String[] LOOP = {"run", "--all", "--until-caught-up"};
    private static final String TABLE =
            "CREATE TABLE t (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())";
    private static final String INSERT = "INSERT INTO t DEFAULT VALUES";
    private static final String IDS = "SELECT id FROM t ORDER BY id";
    private static final String BY_ID = "cursor: id, max_window: 10, initial: 0, until: 100, settle_timeout: 50ms";
    private static final String BY_TIME = "cursor: at, max_window: 1d, until: now";
    private static final String EVERY_ROW = "SELECT * FROM {{ source('pg', 'public.t') }}";
    private static final String APPEND = "strategy: 'append', delivery: 'exactly_once'";

    @TempDir
    Path folder;

    /** A has number 1 and commits after B, who has number 2, was loaded, or could have been. */
    private CaseProject overtaken(Into into, String sync) throws SQLException {
        CaseProject copy = new CaseProject(folder, into).given(TABLE).sync(sync);
        String later = "SELECT pg_sleep(" + (sync.startsWith(BY_TIME) ? 1.1 : 0) + ")";
        try (Connection a = inserting(copy, INSERT)) {
            copy.given("SELECT pg_sleep(0.01)", INSERT, later).succeeded(LOOP);
            a.commit();
        }
        copy.given(later).succeeded(LOOP);
        return copy;
    }

    private static Connection inserting(CaseProject copy, String insert) throws SQLException {
        Connection connection = copy.source.connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(insert);
        }
        return connection;
    }

    // case E1
    @ParameterizedTest
    @EnumSource
    void aLowerIdThatCommitsLaterIsLoaded(Into into) throws SQLException {
        overtaken(into, BY_ID).isExact(IDS);
    }

    // case E1
    @ParameterizedTest
    @EnumSource
    void aRowOfALongerTransactionIsLoadedUnderATimeCursor(Into into) throws SQLException {
        overtaken(into, BY_TIME).isExact(IDS);
    }

    // case E1
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"cursor: id, max_window: 10, initial: 0, until: 100, settle: off", BY_TIME + ", settle: off"})
    void unsettledSuchARowIsMissing(String sync) throws SQLException {
        CaseProject copy = overtaken(Into.DUCKDB, sync);
        assertThat(copy.loaded(IDS)).containsExactly("2");
    }

    // case E1
    @Test
    void unsettledADelayLongerThanTheTransactionLoadsItToo() throws SQLException {
        String sync = BY_TIME + ", settle: off, delay: ";
        CaseProject copy = new CaseProject(folder, Into.DUCKDB).given(TABLE).sync(sync + "1h");
        try (Connection a = inserting(copy, "INSERT INTO t (at) VALUES (now() - interval '31 minutes')")) {
            copy.given("INSERT INTO t (at) VALUES (now() - interval '30 minutes')")
                    .succeeded(LOOP);
            a.commit();
        }
        copy.sync(sync + "1m").succeeded(LOOP);
        copy.isExact(IDS);
    }

    // cases E2 and E3
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {BY_ID, BY_TIME})
    void rowsThatCommitWhileTheRunBeginsAndWhileItReadsAreLoadedOnce(String sync) {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(TABLE, INSERT, INSERT, "SELECT pg_sleep(1.1)")
                .sync(sync)
                .pipeline(EVERY_ROW, APPEND);
        Deque<Faults.Point> points = new ArrayDeque<>(Arrays.asList(
                Faults.Point.LOCKED, Faults.Point.MID_READ, Faults.Point.STAGED, Faults.Point.AFTER_SINK_COMMIT));
        WeirProject.Said said = copy.project.run(
                point -> {
                    if (points.removeFirstOccurrence(point)) {
                        copy.given(INSERT);
                    }
                },
                LOOP);
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(points).isEmpty();

        copy.given("SELECT pg_sleep(1.1)").succeeded(LOOP);

        assertThat(copy.loaded(IDS)).containsExactly("1", "2", "3", "4", "5", "6");
    }

    // case E5
    @Test
    void rowsThatMoveWithinTheTableWhileTheyAreReadComeOnce() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int, v int, filler text)",
                        "INSERT INTO t SELECT g, 0, repeat('x', 200) FROM generate_series(1, 20000) g")
                .sync("cursor: id, initial: 0, until: 20000")
                .pipeline(EVERY_ROW, APPEND);
        Deque<Faults.Point> once = new ArrayDeque<>(Arrays.asList(Faults.Point.MID_READ));
        WeirProject.Said said = copy.project.run(
                point -> {
                    if (once.remove(point)) {
                        copy.given("UPDATE t SET v = 1");
                    }
                },
                LOOP);
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(once).isEmpty();
        assertThat(copy.loaded("SELECT count(*), count(DISTINCT id), max(v) FROM t"))
                .containsExactly("20000|20000|0");
    }

    // case E7
    @Test
    void aStandbyCannotTellWhoIsWritingAndIsReadUnlessThatIsRequired() throws Exception {
        Path data = folder.resolve("data");
        try (EmbeddedPostgres primary = server(data);
                Connection connection = primary.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
            statement.execute(INSERT);
        }
        Files.createFile(data.resolve("standby.signal"));
        try (EmbeddedPostgres standby = server(data)) {
            WeirProject auto = reads(standby, "auto", BY_ID);
            WeirProject.Said said = auto.run(LOOP);
            assertThat(said.exitCode()).as(said.all()).isZero();
            assertThat(said.all())
                    .containsOnlyOnce(
                            "note: pg.t: it is not known which transactions are still open, since the server is a"
                                    + " standby, which does not know the open transactions of its primary; rows that commit"
                                    + " late may be passed over");
            assertThat(auto.duckRows("lake.duckdb", IDS)).containsExactly("1");

            for (String sync : List.of(BY_ID, BY_TIME)) {
                WeirProject.Said refused = reads(
                                standby, sync.startsWith(BY_TIME) ? "times" : "numbers", sync + ", settle: required")
                        .run(LOOP);
                assertThat(refused.exitCode()).as(refused.all()).isEqualTo(1);
                assertThat(refused.all()).contains("WR0526 pg.t: settle: required", "the server is a standby");
            }
        }
    }

    private static EmbeddedPostgres server(Path data) throws Exception {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .start();
    }

    private WeirProject reads(EmbeddedPostgres server, String name, String sync) {
        return new WeirProject(folder.resolve(name))
                .file(
                        "connections.yml",
                        "pg:\n  connector: postgres\n  host: localhost\n  port: " + server.getPort()
                                + "\n  database: postgres\n  user: postgres\n  entities:\n"
                                + "    t: { read: { sync: { mode: incremental, " + sync + " } } }\n"
                                + "lake: { connector: duckdb, path: lake.duckdb }\n")
                .file(
                        "pipelines/copy.sql",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}\n"
                                + "SELECT * FROM {{ source('pg', 't') }}\n");
    }

    // case E9
    @Test
    void idsThatCommitInReverseOrderAreAppendedOnceAndNeverPassedOver() throws SQLException {
        CaseProject copy =
                new CaseProject(folder, Into.DUCKDB).given(TABLE).sync(BY_ID).pipeline(EVERY_ROW, APPEND);
        try (Connection one = inserting(copy, INSERT);
                Connection two = inserting(copy, INSERT);
                Connection three = inserting(copy, INSERT);
                Connection four = inserting(copy, INSERT)) {
            three.rollback();
            for (Connection next : List.of(four, two)) {
                next.commit();
                copy.succeeded(LOOP);
                assertThat(copy.loaded(IDS)).isEmpty();
            }
            one.commit();
            copy.succeeded(LOOP);
        }
        assertThat(copy.loaded("SELECT id FROM t")).containsExactlyInAnyOrder("1", "2", "4");
    }
}
