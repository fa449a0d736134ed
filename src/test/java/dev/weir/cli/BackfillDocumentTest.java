package dev.weir.cli;

import static dev.weir.cli.BackfillProject.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the first reference document: June by days, from one SQLite file into another. */
class BackfillDocumentTest {

    private static final String JUNE = "--from 2026-06-01 --to 2026-07-01 --window 1d";
    private static final String TEN_DAYS = "--from 2026-06-01 --to 2026-06-11 --window 1d";
    private static final String ALL = "SELECT id, day, amount FROM %s ORDER BY id";
    private static final String OF_JUNE =
            "SELECT id, day, amount FROM events WHERE day >= '2026-06-01' AND day < '2026-07-01' ORDER BY id";

    private static Postgres.Database database;

    @TempDir
    Path folder;

    private BackfillProject june;

    @BeforeAll
    static void server() {
        database = Postgres.fresh();
    }

    @BeforeEach
    void project() {
        june = new BackfillProject(folder, database);
        june.project.file("connections.yml", """
                        app:
                          connector: sqlite
                          path: app.db
                          entities:
                            events:
                              read:
                                query: >-
                                  SELECT id, day, amount FROM events
                                  WHERE day >= '${backfill.start_date}' AND day < '${backfill.end_date}'
                        mirror: { connector: sqlite, path: mirror.db }
                        staging: { connector: sqlite, path: staging.db }
                        """).file("weir.yml", """
                        name: orders
                        backfill:
                          window: 1d
                          concurrency: 4
                          timezone: UTC
                        """);
        june.pipeline(
                "orders",
                "'mirror', 'events_out'",
                "strategy: 'merge', keys: ['id']",
                "SELECT id, day, amount FROM {{ source('app', 'events') }}");
        // Two rows a day, from the last of May to the first of July.
        june.project.sqlite(
                "app.db",
                "CREATE TABLE events (id INTEGER, day TEXT, amount INTEGER)",
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 63)"
                        + " INSERT INTO events SELECT i, date('2026-05-31', '+' || (i / 2) || ' days'), i * 10 FROM n");
    }

    private List<String> source() {
        return june.project.sqliteRows("app.db", OF_JUNE);
    }

    private List<String> tenDays() {
        return source().subList(0, 20);
    }

    private List<String> mirror(String file) {
        return june.project.sqliteRows(file, ALL.replace("%s", "events_out"));
    }

    private void edit(String sql) {
        june.project.sqlite("app.db", sql);
    }

    @Test
    void dryRunPlansThirtyUnitsAndWritesNothing() {
        List<String> before = june.files();

        Said said = june.backfill(0, JUNE + " --dry-run");

        assertThat(june.files()).isEqualTo(before);
        assertThat(said.out().lines().filter(line -> line.matches("0000[0-9]{2}  .*pending.*")))
                .hasSize(30);
        assertThat(said.out()).contains("30 chunks of 1d", "nothing was written");
        assertThat(said.out().lines().toList().get(1))
                .startsWith("000000  [2026-06-01T00:00:00+00:00 → 2026-06-02T00:00:00+00:00)");
    }

    @Test
    void aMonthByDaysFourAtOnceHoldsWhatTheSourceHoldsOfIt() {
        june.backfill(0, JUNE + " --concurrency 4");

        assertThat(mirror("mirror.db")).hasSize(60).isEqualTo(source());
        assertThat(june.statuses()).hasSize(30).containsOnly("completed");
        assertThat(june.chunks("records_loaded")).containsOnly("2");
    }

    @Test
    void resumeRunsWhatFailedAndWhatIsPendingAndRestartAll() {
        edit("UPDATE events SET id = NULL WHERE id = 8");
        Said failed = june.backfill(1, TEN_DAYS);
        assertThat(failed.all()).contains("WR0521");
        List<String> done = june.chunks("chunk_id");
        List<String> statuses = june.statuses();
        done.removeIf(id -> !statuses.get(Integer.parseInt(id)).equals("completed"));
        assertThat(statuses).containsOnlyOnce("failed").contains("completed", "pending");
        assertThat(statuses.get(3)).isEqualTo("failed");

        edit("UPDATE events SET id = 8 WHERE id IS NULL");
        june.backfill(0, TEN_DAYS + " --resume");

        assertThat(mirror("mirror.db")).isEqualTo(tenDays());
        assertThat(june.statuses()).containsOnly("completed");
        assertThat(june.chunks("attempts")).filteredOn("2"::equals).hasSize(1);
        assertThat(june.history("chunk_run_id")).hasSize(11);
        assertThat(june.backfill(0, TEN_DAYS + " --resume").all()).contains("nothing to do");

        edit("UPDATE events SET amount = -1 WHERE id = 8");
        june.backfill(0, TEN_DAYS);
        assertThat(mirror("mirror.db")).isNotEqualTo(tenDays());
        june.backfill(0, TEN_DAYS + " --restart");

        assertThat(mirror("mirror.db")).isEqualTo(tenDays());
        assertThat(june.history("chunk_run_id")).hasSize(21);
        assertThat(june.state("SELECT restart FROM backfills")).containsExactly("1");
        assertThat(june.project.sqliteRows("mirror.db", "SELECT restart, count(*) FROM _weir_chunks GROUP BY 1"))
                .contains("1|10");
    }

    @Test
    void aPlanThatExistsIsRefusedWithItsCountsWhereThatIsAnError() {
        june.project.file("weir.yml", "name: orders\nbackfill: { window: 1d, on_existing: error }\n");
        String week = "--from 2026-06-01 --to 2026-06-08";
        edit("UPDATE events SET id = NULL WHERE id = 8");
        june.backfill(1, week);

        Said refused = june.backfill(2, week);

        assertThat(refused.err()).contains("WR0605", "3 of 7 chunks completed, 1 failed", "--resume", "--restart");
        assertThat(june.history("status")).hasSize(4);
        edit("UPDATE events SET id = 8 WHERE id IS NULL");
        june.backfill(0, week + " --resume");
        assertThat(june.backfill(2, week).err()).contains("WR0605", "7 of 7 chunks completed, 0 failed");
        june.backfill(0, week + " --restart");
    }

    @Test
    void keepGoingRunsWhatComesAfterAFailure() {
        edit("UPDATE events SET id = NULL WHERE id IN (4, 5, 12)");

        assertThat(june.backfill(1, TEN_DAYS + " --keep-going --concurrency 1").out())
                .contains(": 8 completed, 0 skipped, 0 claimed elsewhere, 2 failed (10 chunks)\n");

        assertThat(june.statuses())
                .containsExactly(
                        "completed",
                        "failed",
                        "completed",
                        "completed",
                        "completed",
                        "failed",
                        "completed",
                        "completed",
                        "completed",
                        "completed");
        edit("DELETE FROM events WHERE id IS NULL");
        june.backfill(0, TEN_DAYS);
        assertThat(mirror("mirror.db")).hasSize(17).isEqualTo(source().subList(0, 17));
    }

    @Test
    void intoIsARehearsalOfItsOwn() {
        june.backfill(0, TEN_DAYS + " --into staging");
        assertThat(mirror("staging.db")).isEqualTo(tenDays());
        assertThat(folder.resolve("mirror.db")).doesNotExist();

        june.backfill(0, TEN_DAYS);

        assertThat(mirror("mirror.db")).isEqualTo(tenDays());
        assertThat(june.state("SELECT into_connection FROM backfills ORDER BY id"))
                .containsExactly("staging", "null");
        assertThat(june.state("SELECT count(DISTINCT run_id) FROM backfill_chunks"))
                .containsExactly("20");
    }

    @Test
    void runRefusesTheTokenThatIsLeftAndReadsTodaysPartition() {
        assertThat(ended(2, june.run("run", "--all")).err())
                .contains("WR0606", "${backfill.start_date}", "weir backfill");

        june.project.file("connections.yml", """
                app:
                  connector: sqlite
                  path: app.db
                  entities:
                    events: { read: { query: "SELECT id, day, amount FROM events WHERE day = '${now.date}'" } }
                mirror: { connector: sqlite, path: mirror.db }
                """);
        edit("INSERT INTO events VALUES (1000, date('now'), 0), (1001, date('now', '-1 day'), 0)");
        ended(0, june.run("run", "--all"));
        assertThat(june.project.sqliteRows("mirror.db", "SELECT id FROM events_out"))
                .containsExactly("1000");

        june.backfill(0, JUNE);

        assertThat(june.project.sqliteRows("mirror.db", ALL.replace("%s", "events_out WHERE id < 1000")))
                .isEqualTo(source());
        // A partition of a day is none of half a day.
        assertThat(june.backfill(2, "--from 2026-06-01 --to 2026-06-02 --window 12h")
                        .err())
                .contains("WR0606", "midnight");
    }

    @Test
    void rangesOfNumbersAreTypedBoundsStartInclusiveAndEndExclusive() {
        june.project.file("connections.yml", """
                app:
                  connector: sqlite
                  path: app.db
                  entities:
                    events: { read: { columns: { id: bigint, day: date, amount: bigint } } }
                mirror: { connector: sqlite, path: mirror.db }
                """);

        june.backfill(0, "--from 9 --to 20 --window 5 --cursor id");

        assertThat(june.chunks("chunk_from, chunk_to, records_loaded")).containsExactly("9|14|5", "14|19|5", "19|20|1");
        assertThat(june.project.sqliteRows("mirror.db", "SELECT min(id), max(id), count(*) FROM events_out"))
                .containsExactly("9|19|11");
        assertThat(june.backfill(0, "--from 009 --to 20 --window 05 --cursor id")
                        .all())
                .contains("nothing to do");
        assertThat(june.backfill(2, "--from 9.5 --to 20 --window 5 --cursor id").err())
                .contains("WR0603", "--from", "9.5");
    }
}
