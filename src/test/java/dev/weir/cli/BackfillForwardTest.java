package dev.weir.cli;

import static dev.weir.cli.BackfillProject.ended;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Backfills stand beside forward runs: positions stay, and the two meet without a gap. Cases A9, I3, I5 and I10. */
class BackfillForwardTest {

    private static final String APPEND = "strategy: 'append', delivery: 'exactly_once'";
    private static final String MERGE = "strategy: 'merge', keys: ['id']";
    private static final String WINDOW = "strategy: 'window'";
    private static final String SELECT = "SELECT id, ts FROM {{ source('pg', 't') }}";
    private static final String ALL = "SELECT id, ts::text FROM t ORDER BY id";
    private static final String MARKS = "SELECT * FROM _weir_positions ORDER BY ALL";
    private static final String[] LOOP = {"run", "--all", "--until-caught-up"};

    private static Postgres.Database database;

    @TempDir
    Path folder;

    @TempDir
    Path twinFolder;

    @BeforeAll
    static void rows() {
        database = Postgres.fresh();
        database.execute(
                "CREATE TABLE t (id int PRIMARY KEY, ts timestamp)",
                "INSERT INTO t SELECT i, timestamp '2026-01-01' + (i - 1) * interval '6 hours'"
                        + " FROM generate_series(1, 160) AS i",
                "INSERT INTO t VALUES (1001, '2026-01-31 23:59:59.999999'), (1002, '2026-02-01'), (1003, '2026-02-01')");
    }

    private static BackfillProject project(Path folder, String sync, String strategy) {
        return new BackfillProject(folder, database)
                .reads("{ public.t: { read: { sync: { mode: incremental, cursor: ts, " + sync + " } } } }")
                .into("t", strategy, SELECT);
    }

    private static List<String> rows(String where) {
        return database.rows("SELECT id, ts::text FROM t WHERE " + where + " ORDER BY id");
    }

    @Test
    void positionsStayWhereTheyAreAndTheNextRunLoadsWhatItWouldHave() {
        String sync = "max_window: 1d, initial: 2026-01-04, until: 2026-01-13";
        BackfillProject forward = project(folder, sync, MERGE);
        BackfillProject twin = project(twinFolder, sync, MERGE);
        for (BackfillProject each : List.of(forward, twin)) {
            ended(0, each.run("run", "--all", "--until-caught-up", "--max-runs", "4"));
        }
        List<String> marks = forward.lake(MARKS);
        String shown = forward.run("state", "show", "pg.t").out();
        assertThat(shown).contains("  current  2026-01-08T00:00:00.000000  run ");

        forward.backfill(0, "--from 2026-01-01 --to 2026-01-03 --window 1d");
        forward.backfill(0, "--from 2026-01-07 --to 2026-01-10 --window 1d");
        Said last = forward.backfill(0, "--from 2026-01-11 --to 2026-01-25 --window 1w");

        assertThat(last.all()).contains("note: positions are where they were: runs go on with pg.public.t");
        assertThat(forward.lake(MARKS)).isEqualTo(marks);
        assertThat(forward.run("state", "show", "pg.t").out()).isEqualTo(shown);
        assertThat(told(forward.run("run", "--all", "--log-format", "json")))
                .isEqualTo(told(twin.run("run", "--all", "--log-format", "json")))
                .containsExactly("4 2026-01-08T00:00:00.000000 2026-01-09T00:00:00.000000");
        assertThat(told(forward.run("run", "--all", "--until-caught-up", "--log-format", "json")))
                .isEqualTo(told(twin.run("run", "--all", "--until-caught-up", "--log-format", "json")))
                .hasSize(4);
        // Each row once, of all that any of them has asked for.
        assertThat(forward.lake(ALL)).isEqualTo(rows("ts < '2026-01-03' OR ts >= '2026-01-04' AND ts < '2026-01-25'"));
    }

    /** Rows and watermark of each pass. */
    private static List<String> told(Said said) {
        return CaseProject.sources(ended(0, said)).stream()
                .map(source -> {
                    JsonNode watermark = source.get("watermark");
                    return source.get("rows").asText() + " "
                            + watermark.get("before").asText() + " "
                            + watermark.get("after").asText();
                })
                .toList();
    }

    static List<Arguments> seams() {
        return List.of(
                Arguments.of(MERGE, true),
                Arguments.of(MERGE, false),
                Arguments.of(APPEND, true),
                Arguments.of(APPEND, false),
                Arguments.of(WINDOW, true),
                Arguments.of(WINDOW, false));
    }

    @ParameterizedTest(name = "{0}, backfill first: {1}")
    @MethodSource("seams")
    void aRowAtMidnightBetweenBackfillAndRunsIsLoadedOnce(String strategy, boolean backfillFirst) {
        BackfillProject seam = project(folder, "max_window: 3d, initial: 2026-02-01, until: 2026-02-05", strategy);
        String january = "--from 2026-01-01 --to 2026-02-01 --window 2w";

        if (backfillFirst) {
            seam.backfill(0, january);
            ended(0, seam.run(LOOP));
        } else {
            ended(0, seam.run(LOOP));
            seam.backfill(0, january);
        }

        assertThat(seam.lake(ALL)).isEqualTo(rows("ts <= '2026-02-05'")).contains("1002|2026-02-01 00:00:00");
        assertThat(seam.backfill(0, january).all()).contains("nothing to do");
        ended(0, seam.run(LOOP));
        assertThat(seam.lake(ALL)).isEqualTo(rows("ts <= '2026-02-05'"));
    }

    @Test
    void whatRunsHaveAppendedIsNotAppendedByABackfill() {
        BackfillProject seam = project(folder, "max_window: 1w, initial: 2026-01-10, until: 2026-01-20", APPEND);
        ended(0, seam.run(LOOP));

        for (String touches : List.of("--from 2026-01-19 --to 2026-01-25", "--from 2026-01-01 --to 2026-01-11")) {
            assertThat(seam.backfill(2, touches).err())
                    .contains("WR0602", "lake.t", "loaded by runs", "weir coverage t", "duplicates: 'accept'");
        }
        seam.nothingWritten();
        // Up to the first row of the runs, and from above their last.
        seam.backfill(0, "--from 2026-01-01 --to 2026-01-10");
        seam.backfill(0, "--from 2026-01-20T00:00:00.000001Z --to 2026-01-25");

        assertThat(seam.lake(ALL)).isEqualTo(rows("ts < '2026-01-25'"));
        // Where nobody remembers where runs began, all below their mark may be there.
        seam.loseState();
        assertThat(seam.backfill(2, "--from 2025-12-01 --to 2026-01-01").err()).contains("WR0602");
    }

    @Test
    void whatABackfillHasAppendedIsNotAppendedByRunsOrByAnotherPlan() {
        BackfillProject seam = project(folder, "max_window: 1d, initial: 2026-01-01, until: 2026-01-20", APPEND);
        seam.backfill(0, "--from 2026-01-03 --to 2026-01-05 --window 1d");

        Said run = ended(1, seam.run(LOOP));

        assertThat(run.all())
                .contains("WR0602", "lake.t", "backfill ", "weir state set pg.public.t --value V")
                .doesNotContain("choose a range");
        List<String> loaded = seam.lake(ALL);
        assertThat(loaded).doesNotHaveDuplicates().containsAll(rows("ts >= '2026-01-03' AND ts < '2026-01-05'"));
        assertThat(seam.backfill(2, "--from 2026-01-04 --to 2026-01-06").err()).contains("WR0602", "backfill ");
        assertThat(seam.backfill(2, "--from 2026-01-03 --to 2026-01-05 --window 1d --restart")
                        .err())
                .contains("WR0602", "--restart");
        assertThat(seam.backfill(2, "--from 2026-02-01 --to 2026-02-02 --window 1 --cursor id")
                        .err())
                .contains("WR0603");
        assertThat(seam.backfill(2, "--from 900 --to 1000 --cursor id").err()).contains("WR0602", "by ts (timestamp)");
        assertThat(seam.lake(ALL)).isEqualTo(loaded);
        assertThat(seam.state("SELECT count(*) FROM backfills")).containsExactly("1");

        seam.into("t", "strategy: 'append', duplicates: 'accept'", SELECT);
        ended(0, seam.run(LOOP));
        seam.backfill(0, "--from 2026-01-04 --to 2026-01-06");
        assertThat(seam.lake("SELECT count(*) FROM t WHERE ts = '2026-01-04'")).containsExactly("3");
    }

    @Test
    void runsGoOnAboveABackfillThatLayInTheirWay() {
        BackfillProject seam = project(folder, "max_window: 1d, initial: 2026-01-01, until: 2026-01-09", APPEND);
        seam.backfill(0, "--from 2026-01-03 --to 2026-01-05 --window 1d");
        ended(1, seam.run(LOOP));
        assertThat(seam.lake("SELECT max(ts)::text FROM t WHERE ts < '2026-01-03'"))
                .containsExactly("2026-01-02 00:00:00");

        seam.backfill(0, "--from 2026-01-02T00:00:00.000001Z --to 2026-01-03");
        ended(0, seam.run("state", "set", "pg.t", "--value", "2026-01-04T23:59:59.999999", "--reason", "backfilled"));
        ended(0, seam.run(LOOP));

        assertThat(seam.lake(ALL)).isEqualTo(rows("ts <= '2026-01-09'"));
    }

    @Test
    void anOlderVersionOfARowNeverReplacesTheNewerOne() {
        database.execute(
                "CREATE TABLE versions (id int, ts timestamp, v text)",
                "INSERT INTO versions VALUES (1, '2026-01-05', 'old'), (1, '2026-02-02', 'new'), (2, '2026-01-05', 'only')");
        BackfillProject versions = new BackfillProject(folder, database)
                .reads("{ public.versions: { read: { sync: { mode: incremental, cursor: ts, initial: 2026-02-01,"
                        + " until: 2026-02-05 } } } }")
                .into("t", MERGE, "SELECT id, ts, v FROM {{ source('pg', 'versions') }}");
        ended(0, versions.run(LOOP));

        Said said = versions.backfill(0, "--from 2026-01-01 --to 2026-02-01 --window 2w");

        assertThat(versions.lake("SELECT id, v FROM t ORDER BY id")).containsExactly("1|new", "2|only");
        assertThat(said.all()).contains("had no effect because the stored row is newer by ts");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsDeletedAtTheSourceGoFromTheChunksOfAWindowSinkAndNeighboursStay(boolean whole) {
        database.execute(
                "CREATE TABLE IF NOT EXISTS gone (id int PRIMARY KEY, ts timestamp)",
                "TRUNCATE gone",
                "INSERT INTO gone SELECT * FROM t WHERE ts < '2026-01-09'");
        BackfillProject days = new BackfillProject(folder, database)
                .reads("{ public.gone: { read: { sync: { mode: incremental, cursor: ts, until: 2026-01-08 } } } }")
                .into("t", WINDOW, "SELECT id, ts FROM {{ source('pg', 'gone') }}");
        ended(0, days.run(LOOP));
        database.execute(
                "DELETE FROM gone WHERE ts IN ('2026-01-02 18:00', '2026-01-03', '2026-01-04 18:00', '2026-01-05')",
                "INSERT INTO gone VALUES (500, '2026-01-03 05:00')");

        days.backfill(0, "--from 2026-01-03 --to 2026-01-05" + (whole ? "" : " --window 1d"));

        // What went outside the range stays in the sink.
        assertThat(days.lake("SELECT id, ts::text FROM t ORDER BY 2, id"))
                .isEqualTo(
                        database.rows(
                                "SELECT id, ts::text FROM gone WHERE ts <= '2026-01-08'"
                                        + " UNION SELECT id, ts::text FROM t WHERE ts IN ('2026-01-02 18:00', '2026-01-05') ORDER BY 2, id"));
    }
}
