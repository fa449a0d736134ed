package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a backfill refuses, it refuses before anything of it is written. Case F8. */
class BackfillRefusalsTest {

    private static final String DAY = "--from 2026-01-01 --to 2026-01-02";
    private static final String MERGE = "strategy: 'merge', keys: ['id']";

    private static Postgres.Database database;

    @TempDir
    Path folder;

    private BackfillProject refusing;

    @BeforeAll
    static void rows() {
        database = Postgres.fresh();
        database.execute(
                "CREATE TABLE t (id bigint, ts timestamptz, naive timestamp, day date, v text)",
                "INSERT INTO t VALUES (1, '2026-01-01 12:00Z', '2026-01-01 12:00', '2026-01-01', 'one')");
    }

    @BeforeEach
    void project() {
        refusing = new BackfillProject(folder, database).reads("""
                {
                  public.t: { read: { sync: { mode: incremental, cursor: ts } } },
                  whole: { read: { query: SELECT * FROM t } },
                  numbered: { read: { query: SELECT * FROM t, sync: { mode: incremental, cursor: id } } },
                  naive: { read: { query: SELECT * FROM t, sync: { mode: incremental, cursor: naive } } },
                  daily: { read: { query: SELECT * FROM t, sync: { mode: incremental, cursor: day } } },
                  dated: { read: { query: "SELECT * FROM t WHERE day >= '${backfill.start_date}' AND day < '${backfill.end_date}'" } }
                }""".replace("\n", "\n  "));
    }

    private static String of(String entity) {
        return "SELECT id, v FROM {{ source('pg', '" + entity + "') }}";
    }

    /** Refuses each of these in turn, and writes nothing; reports all that are not. */
    private void refuses(String[]... cases) {
        List<String> wrong = new ArrayList<>();
        for (String[] one : cases) {
            Said said = refusing.backfill(one[0]);
            for (int i = 1; i < one.length; i++) {
                if (!said.err().contains(one[i])) {
                    wrong.add(one[0] + "\n  lacks: " + one[i] + "\n  said: " + said.all());
                }
            }
            if (said.exitCode() != 2 || !said.out().isEmpty() || said.err().contains("\tat ")) {
                wrong.add(one[0] + "\n  ended with " + said.exitCode() + ": " + said.all());
            }
        }
        assertThat(wrong).isEmpty();
        refusing.nothingWritten();
    }

    private static String[] wrong(String words, String... said) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of(said));
        return all.toArray(String[]::new);
    }

    @Test
    void boundsWindowsAndZonesThatMakeNoPlan() {
        refusing.into("t", MERGE, of("public.t"))
                .into("numbered", MERGE, of("numbered"))
                .into("naive", MERGE, of("naive"))
                .into("daily", MERGE, of("daily"));

        refuses(
                wrong("t --from 2026-01-02 --to 2026-01-01", "WR0603 --to", "2026-01-02T00:00:00+00:00", "not above"),
                wrong("t --from 2026-01-01 --to 2026-01-01", "WR0603 --to", "not above"),
                wrong("t --from 2026-01-01 --to 2026-01-01T01:00:00+01:00", "WR0603 --to", "not above"),
                wrong("numbered --from 10 --to 9", "WR0603 --to"),
                wrong(
                        "t --from 2026-01-01T00:00:00 --to 2026-01-02",
                        "WR0603 --from",
                        "offset",
                        "2026-01-01T00:00:00Z"),
                wrong("naive --from 2026-01-01T00:00:00 --to 2026-01-02", "WR0603 --from", "2026-01-01T00:00:00Z"),
                wrong("t --from 2026-02-30 --to 2026-03-02", "WR0603 --from", "2026-02-30"),
                wrong("t --from 1 --to 2", "WR0603 --from", "1"),
                wrong("numbered --from 2026-01-01 --to 2026-01-02", "WR0603 --from"),
                wrong("t " + DAY + " --window 1", "WR0603 --window"),
                wrong("t " + DAY + " --window 0d", "WR0603 --window"),
                wrong("t " + DAY + " --window P1D", "WR0603 --window", "P1D"),
                wrong("numbered --from 1 --to 9 --window 1d", "WR0603 --window"),
                wrong("numbered --from 1 --to 200000 --window 1", "WR0603 --window", "100,000"),
                wrong("t " + DAY + " --timezone Mars/Olympus", "WR0603 --timezone", "Mars/Olympus"),
                wrong("t " + DAY + " --timezone +02:00", "WR0603 --timezone"),
                wrong("daily " + DAY + " --timezone Europe/Berlin", "WR0603 --timezone"),
                wrong("daily --from 2026-01-01T00:00:00Z --to 2026-01-02", "WR0603 --from"),
                wrong("daily " + DAY + " --window 12h", "WR0603 --window"),
                wrong("t --from 2026-01-01", "--from and --to"),
                wrong("t " + DAY + " --resume --restart", "exclude each other"),
                wrong("t " + DAY + " --concurrency 0", "--concurrency"),
                wrong("t " + DAY + " --resume", "WR0605", "there is no backfill"));
    }

    @Test
    void aDefaultThatIsWrongIsSoughtWhereItIs() {
        refusing.into("numbered", MERGE, of("numbered"));
        refusing.project.file("weir.yml", "name: p\nbackfill: { window: 1d }\n");

        refuses(wrong("--from 1 --to 9", "WR0603 weir.yml, backfill.window"));
    }

    @Test
    void pipelinesThatNothingScopesOrThatCannotTellWhatTheyHold() {
        refusing.into("whole", MERGE, of("whole"))
                .into("mixed", MERGE, of("numbered") + " UNION ALL " + of("public.t"))
                .into("replaced", "strategy: 'replace'", of("whole"))
                .into("appended", "strategy: 'append'", of("whole"))
                .into("dated", MERGE, of("dated"))
                .into("windowed", "strategy: 'window'", "SELECT id, ts FROM {{ source('pg', 'public.t') }}");

        refuses(
                wrong("whole " + DAY, "WR0601", "pipelines/whole.sql", "--cursor"),
                wrong("mixed " + DAY, "WR0601", "different types"),
                wrong("replaced " + DAY + " --cursor ts", "WR0335"),
                wrong("appended " + DAY + " --cursor ts", "WR0602", "without a position"),
                wrong("dated --from 2026-01-01T06:00:00Z --to 2026-01-02", "WR0606", "midnight"),
                wrong("dated " + DAY + " --window 6h", "WR0606", "midnight"),
                wrong("dated --from 1 --to 5", "WR0606", "${backfill.start_date}"),
                wrong("nobody " + DAY, "WR0217", "nobody"),
                wrong(DAY, "WR0208"),
                wrong("dated " + DAY + " --into nowhere", "WR0202", "nowhere"),
                wrong("dated " + DAY + " --into lake", "WR0105", "--into"),
                wrong("windowed " + DAY + " --cursor naive", "WR0210", "'naive'"));
        // Nothing was opened, so nothing was made.
        assertThat(folder.resolve("other.duckdb")).doesNotExist();
    }

    @Test
    void rowsThatNothingExplainsAreNotAppendedToAndTheWayOutIsOneThatLeadsOut() {
        String append = "strategy: 'append', delivery: 'exactly_once'";
        refusing.into("t", append, of("public.t")).into("dated", append, of("dated"));
        refusing.onLake(
                "CREATE TABLE t AS SELECT 7::bigint AS id, 'x' AS v",
                "CREATE TABLE dated AS SELECT 7::bigint AS id, 'x' AS v");
        refusing.project.duck("other.duckdb", "CREATE TABLE t AS SELECT 7::bigint AS id, 'x' AS v");

        refuses(
                wrong("t " + DAY, "WR0528 lake.t", "of pg.public.t they are", "state adopt pg.public.t --sink lake.t"),
                wrong("t " + DAY + " --into other", "WR0528 other.t", "empty the table, or make the sink a merge"),
                wrong("dated " + DAY, "WR0528 lake.dated", "empty the table, or make the sink a merge"));
    }

    @Test
    void aTokenThatIsNoneIsWrongInTheProjectAndShownAtItsPlace() {
        refusing.reads("{ dated: { read: { query: \"SELECT * FROM t WHERE day = '${backfill.begin}'\" } } }")
                .into("dated", MERGE, of("dated"));

        refuses(wrong(DAY, "WR0606 connections.yml:", "${backfill.begin}"));
    }
}
