package dev.weir.cli;

import static dev.weir.cli.BackfillProject.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.event.EventSink;
import dev.weir.fault.Redactor;
import dev.weir.plan.Plan;
import dev.weir.plan.Planner;
import dev.weir.project.Problems;
import dev.weir.project.ProjectLoader;
import dev.weir.run.BackfillOptions;
import dev.weir.run.Backfiller;
import dev.weir.run.Cancellation;
import dev.weir.run.Faults;
import dev.weir.slicing.Resumption;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan is found again, whatever stopped it, and is never mixed with another. Cases I1, I2, I6, I7 and I8. */
class BackfillResumeTest {

    private static final String SELECT = "SELECT id, ts, note FROM {{ source('pg', 'days') }}";
    private static final String APPEND = "strategy: 'append', delivery: 'exactly_once'";
    private static final String MERGE = "strategy: 'merge', keys: ['id']";
    private static final String FIVE = "--from 2026-01-01 --to 2026-01-06 --window 1d";
    private static final String ROWS = "SELECT id, ts, note FROM %s.days ORDER BY id";

    private static Postgres.Database database;

    @TempDir
    Path folder;

    @BeforeAll
    static void rows() {
        database = Postgres.fresh();
        database.execute(
                "CREATE TABLE days (id int PRIMARY KEY, ts timestamptz, seen timestamptz, note text)",
                "INSERT INTO days SELECT i, ts, ts + interval '1 day', 'row ' || i"
                        + " FROM (SELECT i, timestamptz '2026-01-01 03:00Z' + (i - 1) * interval '8 hours' AS ts"
                        + " FROM generate_series(1, 45) AS i) AS t");
    }

    private BackfillProject days(String options) {
        return new BackfillProject(folder, database).reads(cursor("ts")).intoPostgres("days", options, SELECT);
    }

    private static String cursor(String column) {
        return "{ public.days: { read: { sync: { mode: incremental, cursor: " + column + " } } } }";
    }

    private static List<String> source(String until) {
        return database.rows("SELECT id, ts, note FROM days WHERE ts < '" + until + "' ORDER BY id");
    }

    @Test
    void thePlanIsOfThatDayHoweverMuchLaterItIsResumed() {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        BackfillProject recent = new BackfillProject(folder, database)
                .reads("{ public.recent: { read: { sync: { mode: incremental, cursor: ts } } } }")
                .into("recent", APPEND, "SELECT id, ts FROM {{ source('pg', 'recent') }}");
        database.execute("CREATE TABLE recent AS SELECT i AS id, timestamptz '" + today
                + " 12:00Z' - i * interval '1 day' AS ts FROM generate_series(0, 10) AS i");
        String[] days =
                ("backfill --from " + today.minusDays(8) + " --to " + today.minusDays(3) + " --window 1d").split(" ");
        assertThat(recent.backfill(2, "--from " + today.minusDays(8) + " --to now --window 1d")
                        .err())
                .contains("WR0603", "--to", "'now'");
        recent.nothingWritten();

        Clock then = Clock.fixed(today.minusDays(5).atTime(12, 0).toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
        Said first = ended(1, recent.project.run(then, Faults.NONE, days));

        // The fourth day ends after that noon, and the fifth.
        assertThat(recent.statuses()).containsExactly("completed", "completed", "completed", "pending", "pending");
        assertThat(first.all()).contains("may be read up to " + today.minusDays(5) + "T");
        List<String> plan = recent.chunks("chunk_id, chunk_from, chunk_to, backfill_chunks.run_id");

        ended(0, recent.project.run(days));

        assertThat(recent.chunks("chunk_id, chunk_from, chunk_to, backfill_chunks.run_id"))
                .isEqualTo(plan);
        assertThat(recent.history("status")).hasSize(5);
        assertThat(recent.chunks("attempts")).containsOnly("1");
        assertThat(recent.lake("SELECT id FROM recent ORDER BY id")).containsExactly("4", "5", "6", "7", "8");
    }

    @Test
    void aChunkThatWasCancelledRollsBackAndIsResumed() {
        BackfillProject days = days(APPEND);
        Cancellation cancellation = new Cancellation();
        AtomicInteger staged = new AtomicInteger();

        int exitCode = backfill(cancellation, point -> {
            if (point == Faults.Point.STAGED && staged.incrementAndGet() == 3) {
                cancellation.cancel();
            }
        });

        assertThat(exitCode).isEqualTo(3);
        assertThat(days.chunks("status, coalesce(substr(error, 1, 6), '')"))
                .containsExactly("completed|", "completed|", "failed|WR0530", "pending|", "pending|");
        assertThat(days.wh("SELECT count(*) FROM %s.days")).containsExactly("6");
        assertThat(days.history("status")).containsExactly("success", "success", "cancelled");

        days.backfill(0, FIVE);

        assertThat(days.wh(ROWS)).isEqualTo(source("2026-01-06Z"));
        assertThat(days.chunks("attempts")).containsExactly("1", "1", "2", "1", "1");
    }

    private int backfill(Cancellation cancellation, Faults faults) {
        Clock clock = Clock.systemUTC();
        Problems problems = new Problems();
        Plan plan = Planner.draft(
                        ProjectLoader.load(folder, Map.of(), Map.of(), problems), Connectors.all(clock), problems)
                .plan();
        problems.throwIfAny();
        EventSink silent = event -> {};
        return new Backfiller(clock, cancellation, faults, silent, note -> {}, Redactor.NONE)
                .run(
                        plan,
                        new BackfillOptions(
                                null,
                                "2026-01-01",
                                "2026-01-06",
                                "1d",
                                null,
                                OptionalInt.empty(),
                                Resumption.Wish.NONE,
                                null,
                                null,
                                false,
                                OptionalInt.empty(),
                                Duration.ZERO,
                                "backfill"));
    }

    @Test
    void invocationsOfOnePlanShareItsChunks() throws Exception {
        BackfillProject days = days(APPEND);
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger staged = new AtomicInteger();
        Faults stopsInTheSecondChunk = point -> {
            if (point == Faults.Point.STAGED && staged.incrementAndGet() == 2) {
                second.countDown();
                awaitQuietly(goOn);
            }
        };
        String[] words = ("backfill " + FIVE).split(" ");
        CompletableFuture<Said> first =
                CompletableFuture.supplyAsync(() -> days.project.run(stopsInTheSecondChunk, words));
        try {
            assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();

            Said other = days.backfill(1, FIVE + " --log-format json");

            assertThat(outcomes(other))
                    .containsExactly("skipped", "claimed_elsewhere", "completed", "completed", "completed");
            assertThat(days.statuses()).containsExactly("completed", "running", "completed", "completed", "completed");
            assertThat(days.backfill(1, FIVE + " --restart").err()).contains("WR0520", "another invocation");

            Said patient = days.project.overheard(
                    line -> {
                        if (line.contains("claimed_elsewhere")) {
                            goOn.countDown();
                        }
                    },
                    ("backfill " + FIVE + " --wait 60s --log-format json").split(" "));
            assertThat(outcomes(ended(0, patient)))
                    .containsExactly("skipped", "claimed_elsewhere", "skipped", "skipped", "skipped", "skipped");
        } finally {
            goOn.countDown();
        }
        ended(0, first.get());
        assertThat(days.chunks("attempts")).containsOnly("1");
        assertThat(days.wh(ROWS)).isEqualTo(source("2026-01-06Z"));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> outcomes(Said said) {
        return CaseProject.events(said).stream()
                .filter(event -> event.get("event").asText().equals("chunk_completed"))
                .map(event -> event.get("status").asText())
                .toList();
    }

    @Test
    void equalPlansAreOneHoweverTheyAreSpelled() {
        BackfillProject days = days(APPEND);
        days.backfill(0, "--from 2026-01-01 --to 2026-01-15 --window 1w");

        for (String same : List.of(
                "--from 2026-01-01 --to 2026-01-15 --window 7d",
                "--from 2026-01-01 --to 2026-01-15 --chunk 168h",
                "--from 2026-01-01T00:00:00Z --to 2026-01-15T00:00:00.000+00:00 --window 10080m",
                "--from 2026-01-01T01:00:00+01:00 --to 2026-01-14T19:00:00-05:00 --window 604800s",
                "days --from 2026-01-01 --to 2026-01-15 --window 01w --timezone Etc/UTC")) {
            assertThat(days.backfill(0, same).all()).as(same).contains("nothing to do");
        }
        assertThat(days.state("SELECT chunk FROM backfills")).containsExactly("7d");
        assertThat(days.history("status")).hasSize(2);
        assertThat(days.wh(ROWS)).isEqualTo(source("2026-01-15Z"));
    }

    @Test
    void anotherGridIsAnotherPlanAndBothMergeIntoTheSameRows() {
        BackfillProject days = days(MERGE);
        days.backfill(0, FIVE);

        days.backfill(0, "--from 2026-01-01 --to 2026-01-06 --window 2d");
        days.backfill(0, "--from 2026-01-01 --to 2026-01-07 --window 1d");

        assertThat(days.state("SELECT chunk || ' ' || chunks FROM backfills ORDER BY id"))
                .containsExactly("1d 5", "2d 3", "1d 6");
        assertThat(days.statuses()).hasSize(14).containsOnly("completed");
        assertThat(days.wh(ROWS)).isEqualTo(source("2026-01-07Z"));

        // Into an append sink both would come a second time.
        BackfillProject appended = days.pipeline("days", "'other', 'days'", APPEND, SELECT);
        appended.backfill(0, "--from 2026-01-08 --to 2026-01-11 --window 1d");
        for (String other : List.of("--to 2026-01-11 --window 2d", "--to 2026-01-12 --window 1d")) {
            assertThat(appended.backfill(2, "--from 2026-01-08 " + other).err()).contains("WR0602");
        }
    }

    @Test
    void otherInputsUnderTheSameNameAreRefusedWithTheDifferenceAndRestarted() {
        BackfillProject days = days(MERGE);
        days.backfill(0, FIVE);
        List<String> before = new ArrayList<>(days.chunks("chunk_id, status, attempts, completed_at"));

        refused(
                days.intoPostgres("days", MERGE, SELECT.replace("note FROM", "upper(note) AS note FROM")),
                "upper(note) AS note");
        refused(days.intoPostgres("days", "strategy: 'merge', keys: ['id', 'ts']", SELECT), "keys=[id, ts]");
        refused(days.pipeline("days", "'lake', 'days'", MERGE, SELECT), "sink lake.days");
        days.intoPostgres("days", MERGE, SELECT);
        refused(days.reads(cursor("seen")), "cursor of pg.public.days", "seen");
        assertThat(days.chunks("chunk_id, status, attempts, completed_at")).isEqualTo(before);

        days.backfill(0, FIVE + " --restart");

        // Read by seen, the range holds other rows, which are merged to those that are there.
        assertThat(days.wh("SELECT DISTINCT restart FROM %s._weir_chunks ORDER BY 1"))
                .containsExactly("0", "1");
        assertThat(days.chunks("records_loaded")).containsExactly("0", "3", "3", "3", "3");
        assertThat(days.backfill(0, FIVE).all()).contains("nothing to do");
        refused(days.reads(cursor("ts")), "cursor of pg.public.days");
    }

    private void refused(BackfillProject days, String... difference) {
        for (String wish : List.of("", " --resume")) {
            assertThat(days.backfill(2, FIVE + wish).err())
                    .contains("WR0604", "it exists with different inputs", "--restart")
                    .contains(difference);
        }
    }
}
