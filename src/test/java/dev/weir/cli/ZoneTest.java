package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases C: no time-zone setting of the process, the role or the server changes which rows are loaded, or their values. */
class ZoneTest {

    private static final List<String> ZONES =
            List.of("UTC", "Asia/Kolkata", "America/Los_Angeles", "Pacific/Kiritimati", "Europe/Berlin");
    private static final String ALL = "SELECT id, ts::text, tz::text, d::text FROM t ORDER BY id";

    private static final String LAST = "2025-11-02T10:30:00.000000";

    private static Postgres.Database hours;
    private static List<String> truth;

    @TempDir
    Path folder;

    private TimeZone before;

    @BeforeAll
    static void rows() {
        hours = Postgres.fresh();
        // Every hour of a day; both changes of the clocks in Europe and America; naive values that Berlin does not
        // have.
        hours.execute(
                "SET TimeZone = 'UTC'",
                "CREATE TABLE t (id int PRIMARY KEY, ts timestamp, tz timestamptz, d date)",
                "INSERT INTO t SELECT i, ts, ts AT TIME ZONE 'UTC', ts::date FROM (SELECT i, timestamp '2025-01-01' + i * interval '1 hour' AS ts FROM generate_series(1, 24) i) g",
                "INSERT INTO t SELECT 100 + i, ts, ts AT TIME ZONE 'UTC', ts::date FROM (SELECT i, timestamp '2025-03-30 00:30' + i * interval '30 minutes' AS ts FROM generate_series(0, 5) i) g",
                "INSERT INTO t SELECT 200 + i, ts, ts AT TIME ZONE 'UTC', ts::date FROM (SELECT i, timestamp '2025-10-26 00:00' + i * interval '30 minutes' AS ts FROM generate_series(0, 5) i) g",
                "INSERT INTO t SELECT 300 + i, ts, ts AT TIME ZONE 'UTC', ts::date FROM (SELECT i, timestamp '2025-11-02 08:00' + i * interval '30 minutes' AS ts FROM generate_series(0, 5) i) g");
        hours.execute("CREATE VIEW v AS SELECT * FROM t");
        for (String zone : ZONES) {
            String role = role(zone);
            hours.execute(
                    "DO $$ BEGIN CREATE ROLE " + role + " LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
                    "ALTER ROLE " + role + " SET timezone = '" + zone + "'",
                    "GRANT SELECT ON t, v TO " + role);
        }
        truth = hours.rows(ALL);
    }

    private static String role(String zone) {
        return "in_" + zone.toLowerCase(java.util.Locale.ROOT).replace('/', '_');
    }

    @BeforeEach
    void remember() {
        before = TimeZone.getDefault();
    }

    @AfterEach
    void restore() {
        TimeZone.setDefault(before);
    }

    static Stream<Arguments> matrix() {
        List<Arguments> all = new ArrayList<>();
        List<String> farApart = ZONES.subList(0, 4);
        for (String process : farApart) {
            for (String session : farApart) {
                // Each beside the first, on either side, and each beside itself.
                if (process.equals(farApart.get(0)) || session.equals(farApart.get(0)) || process.equals(session)) {
                    all.add(Arguments.of(process, session));
                }
            }
        }
        all.add(Arguments.of("Europe/Berlin", "Europe/Berlin"));
        return all.stream();
    }

    // cases C1, C3, C6, C7, C8, C11
    @ParameterizedTest(name = "process {0}, session {1}")
    @MethodSource("matrix")
    void naiveCursorsAndInstantsLoadTheSameRowsWithTheSameValues(String process, String session) {
        TimeZone.setDefault(TimeZone.getTimeZone(process));
        CaseProject copy = copy("ts", session, Into.DUCKDB);
        instants(copy);
        copy.caughtUp();
        WeirProject.Said again = copy.succeeded("run", "--all", "--log-format", "json");
        assertThat(CaseProject.sources(again))
                .hasSize(2)
                .allMatch(source -> source.get("rows").asInt() == 0);
        List<String> expected = new ArrayList<>(truth);
        expected.addAll(truth);
        expected.addAll(List.of("42|0|" + LAST + "|" + LAST + "Z"));
        assertThat(copy.loaded("SELECT * EXCLUDE (k) FROM (SELECT 1 AS k, id, ts::text, tz::text, d::text FROM t"
                        + " UNION ALL SELECT 2, id, ts::text, tz::text, d::text FROM instants"
                        + " UNION ALL SELECT 3, (SELECT count(DISTINCT epoch_us(tz)) FROM instants), '0',"
                        + " (SELECT min(value) FROM _weir_positions), (SELECT max(value) FROM _weir_positions))"
                        + " ORDER BY k, id"))
                .isEqualTo(expected);
    }

    // case C7
    @ParameterizedTest(name = "process {0}")
    @MethodSource("zones")
    void aDateCursorAndAPostgresSinkDoNeither(String process) {
        TimeZone.setDefault(TimeZone.getTimeZone(process));
        CaseProject copy = copy("d", process, Into.POSTGRES);
        copy.caughtUp();
        assertThat(copy.loaded(ALL)).isEqualTo(truth);
        assertThat(copy.pass().get("rows").asInt()).isZero();
    }

    static Stream<String> zones() {
        return ZONES.stream();
    }

    /** The same rows by the cursor of instants, into another table. */
    private static void instants(CaseProject copy) {
        copy.project.file("pipelines/instants.sql", """
                INSERT INTO {{ sink('lake', 'instants', strategy: 'append', delivery: 'exactly_once') }}
                SELECT * FROM {{ source('pg', 'public.v', sync: { mode: incremental, cursor: tz, max_window: 12h,
                                                                  initial: '2025-01-01', until: '2025-12-31' }) }}
                """);
    }

    private CaseProject copy(String cursor, String session, Into into) {
        return new CaseProject(folder, into, hours)
                .user(role(session))
                .sync("cursor: " + cursor + ", max_window: " + (cursor.equals("d") ? "30d" : "12h")
                        + ", initial: 2025-01-01, until: 2025-12-31");
    }

    // cases C1, C3 and 0.18: as weir is really started
    @ParameterizedTest(name = "-Duser.timezone={0}, TZ={1}, session {2}")
    @MethodSource("processes")
    void aProcessOfItsOwnLoadsTheSame(String process, String tz, String session) {
        CaseProject copy = copy("ts", session, Into.DUCKDB);
        instants(copy);
        WeirProject.Said said = CaseChild.weir(
                folder,
                List.of("-Duser.timezone=" + process),
                Map.of("TZ", tz, "PGTZ", tz),
                "run",
                "--all",
                "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(copy.loaded(ALL)).isEqualTo(truth);
        assertThat(copy.loaded(ALL.replace("FROM t", "FROM instants"))).isEqualTo(truth);
    }

    static Stream<Arguments> processes() {
        return Stream.of(
                Arguments.of("Asia/Kolkata", "America/New_York", "America/Los_Angeles"),
                Arguments.of("Pacific/Kiritimati", "Europe/Berlin", "Pacific/Kiritimati"));
    }

    // case C7: edges at times of day that the zone skips
    @Test
    void edgesInTheHourThatIsSkippedLoseAndDoubleNothing() {
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
        CaseProject copy = new CaseProject(folder, Into.DUCKDB, hours)
                .user(role("Europe/Berlin"))
                .sync("cursor: ts, max_window: 30m, initial: 2025-03-30 02:00:00, until: 2025-03-30 03:00:00")
                .pipeline(
                        "SELECT * FROM {{ source('pg', 'public.t') }}", "strategy: 'append', delivery: 'exactly_once'");
        copy.caughtUp();
        assertThat(copy.loaded(ALL))
                .isEqualTo(hours.rows(
                        ALL.replace("FROM t", "FROM t WHERE ts BETWEEN '2025-03-30 02:00' AND '2025-03-30 03:00'")))
                .hasSize(3);
    }

    // cases C2, C3: what is deleted is what was read
    @ParameterizedTest(name = "process {0}")
    @ValueSource(strings = {"America/Los_Angeles", "Pacific/Kiritimati"})
    void aWindowSinkDeletesByTheBoundsItReadBy(String process) {
        TimeZone.setDefault(TimeZone.getTimeZone(process));
        CaseProject copy = copy("ts", process, Into.DUCKDB)
                .pipeline("SELECT * FROM {{ source('pg', 'public.t') }}", "strategy: 'window'");
        copy.caughtUp();
        copy.onSink("INSERT INTO t VALUES (-1, TIMESTAMP '2025-01-01 12:00:00.000001', NULL, NULL)");
        copy.succeeded("state", "set", "pg.t", "--value", "2025-01-01 12:00:00", "--reason", "again");
        copy.caughtUp();
        assertThat(copy.loaded(ALL)).isEqualTo(truth);
    }

    // case C6
    @ParameterizedTest(name = "session {0}")
    @MethodSource("zones")
    void untilNowIsTheSameInstantInEverySession(String session) {
        Postgres.Database now = Postgres.fresh();
        now.execute(
                "CREATE TABLE t (id int PRIMARY KEY, ts timestamp)",
                "INSERT INTO t SELECT i, (now() AT TIME ZONE 'UTC') + i * interval '1 hour' - interval '1 minute' FROM generate_series(-20, 20) i",
                "GRANT SELECT ON t TO " + role(session));
        CaseProject copy = new CaseProject(folder, Into.DUCKDB, now)
                .user(role(session))
                .sync("cursor: ts, max_window: 6h, initial: 2025-01-01, until: now");
        WeirProject.Said said = copy.caughtUp();
        assertThat(copy.loaded("SELECT min(id), max(id), count(*) FROM t")).containsExactly("-20|0|21");
        assertThat(said.out()).contains("20 dated after now");
    }

    // case C4, J10
    @Test
    void aCursorWhoseTypeChangedIsRefusedWithBothTypes() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, ts timestamptz)",
                        "INSERT INTO t VALUES (1, '2025-01-01 12:00Z')")
                .pipeline("SELECT id FROM {{ source('pg', 'public.t') }}", "strategy: 'merge', keys: ['id']")
                .sync("cursor: ts, max_window: 6h, initial: 2025-01-01, until: 2025-01-02");
        copy.caughtUp();
        copy.given("ALTER TABLE t ALTER ts TYPE timestamp USING ts AT TIME ZONE 'UTC'");
        WeirProject.Said said = copy.run("run", "--all");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0505", "ts (timestamptz)", "ts (timestamp)", "weir state clear");
        copy.sync("cursor: id, max_window: 10, initial: 0, until: 20");
        said = copy.run("run", "--all");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0505", "ts (timestamptz)", "id (integer)");
        copy.succeeded("state", "clear", "pg.t", "--reason", "another cursor");
        copy.caughtUp();
        assertThat(copy.loaded("SELECT id FROM t")).containsExactly("1");
    }
}
