package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runner's clock steps back and forth, between runs and within them: no position goes by it. */
class ClockStepsTest {

    private static final Pattern RUN_ID = Pattern.compile("[0-9]{8}T[0-9]{9}Z-[0-9a-f]{4}");
    private static final Pattern DURATION = Pattern.compile("\"durationMs\":(-?[0-9]+)");

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();
    private final Steps clock = new Steps();
    private Copy copy;

    /** The machine's clock, set wrong by so much. */
    private static final class Steps extends Clock {
        private Duration off = Duration.ZERO;

        void step(Duration by) {
            off = off.plus(by);
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(off);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void aCopy() {
        Copy.fill(database, "t");
        copy = Copy.of(database, "t", folder, database, "max_window: 500");
    }

    private WeirProject.Said run(Faults faults, String... arguments) {
        WeirProject.Said said = copy.project().run(clock, faults, arguments);
        assertThat(said.exitCode()).as(said.all()).isZero();
        return said;
    }

    private List<String> folders() throws IOException {
        try (Stream<Path> runs = Files.list(folder.resolve(".weir/runs"))) {
            return runs.map(run -> run.getFileName().toString()).sorted().toList();
        }
    }

    private static List<String> runIds(String said) {
        return RUN_ID.matcher(said).results().map(MatchResult::group).distinct().toList();
    }

    @Test
    void aClockThatStepsBackWithinARunKeepsRunsInOrderAndTimesAboveZero() throws IOException {
        copy.into(Copy.System.DUCKDB, "out", Copy.Strategy.APPEND);

        WeirProject.Said said = run(
                point -> {
                    if (point == Faults.Point.STAGED) {
                        clock.step(Duration.ofHours(-1));
                    }
                },
                "run",
                "--all",
                "--until-caught-up",
                "--log-format",
                "json");

        copy.isExact(Copy.System.DUCKDB, "out");
        List<String> told = runIds(said.out());
        assertThat(told).hasSize(3).isSorted().isEqualTo(folders());
        assertThat(runIds(copy.succeeds("runs").out())).containsExactly(told.get(2), told.get(1), told.get(0));
        assertThat(DURATION.matcher(said.out()).results().map(match -> Long.parseLong(match.group(1))))
                .isNotEmpty()
                .allMatch(duration -> duration >= 0);
        assertThat(copy.succeeds("runs", "--json").out()).doesNotContain(":-");
    }

    @Test
    void twoRunsOfOneMillisecondAreTwoRuns() throws IOException {
        copy.into(Copy.System.DUCKDB, "out", Copy.Strategy.APPEND);
        Clock still = Clock.fixed(Instant.parse("2026-09-02T09:15:00.118Z"), ZoneOffset.UTC);

        WeirProject.Said said = copy.project().run(still, Faults.NONE, Copy.RUN);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(folders()).hasSize(3);
        assertThat(runIds(copy.succeeds("runs").out())).hasSize(3);
        copy.isExact(Copy.System.DUCKDB, "out");
    }

    @Test
    void aLaterEditWinsThoughTheClockHasSteppedBack() {
        copy.into(Copy.System.DUCKDB, "out", Copy.Strategy.MERGE);
        run(Faults.NONE, Copy.RUN);
        run(Faults.NONE, "state", "set", "pg.t", "--value", "10", "--reason", "r");
        run(Faults.NONE, Copy.RUN);
        clock.step(Duration.ofDays(-1));
        copy.project().duck("lake.duckdb", "DELETE FROM out WHERE id <= 1010");

        run(Faults.NONE, "state", "set", "pg.t", "--value", "1000", "--reason", "r");
        assertThat(copy.state()).contains("current  1000");
        run(Faults.NONE, Copy.RUN);
        assertThat(copy.project().duckRows("lake.duckdb", "SELECT min(id), count(*) FROM out"))
                .containsExactly("1001|30");

        run(Faults.NONE, "run", "--all", "--full-refresh", "--until-caught-up");
        copy.isExact(Copy.System.DUCKDB, "out");
        assertThat(
                        copy.project()
                                .duckRows(
                                        "lake.duckdb",
                                        "SELECT count(DISTINCT generation), max(generation) = arg_max(generation, rowid) FROM _weir_positions"))
                .containsExactly("4|true");
    }

    @Test
    void aTimeCursorUntilNowLosesNothingToAClockThatStepsBackAndForth() {
        database.execute(
                "CREATE TABLE late (id int PRIMARY KEY, moment timestamp)",
                "INSERT INTO late SELECT i, (now() AT TIME ZONE 'UTC') - interval '1 minute' * i"
                        + " FROM generate_series(1, 100) i");
        copy.project()
                .file("connections.yml", copy.connections().replaceAll("(?s)public\\.t:.*?wh:", """
                        public.late:
                              read:
                                sync: { mode: incremental, cursor: moment, max_window: 1h, until: now }
                        wh:"""))
                .file(
                        "pipelines/out.sql",
                        "INSERT INTO {{ sink('lake', 'out', strategy: 'append', delivery: 'exactly_once') }}"
                                + " SELECT id, moment FROM {{ source('pg', 'late') }}");
        int missing = 0;
        for (Duration step :
                List.of(Duration.ofHours(-1), Duration.ofDays(1), Duration.ofDays(-2), Duration.ofHours(26))) {
            clock.step(step);
            WeirProject.Said said = run(Faults.NONE, Copy.RUN);
            assertThat(said.out()).as("%s", clock.off).contains("the earlier one counts");
            database.execute(
                    "INSERT INTO late VALUES (" + --missing + ", (now() AT TIME ZONE 'UTC') - interval '10 s')");
        }

        clock.step(Duration.ofHours(1));
        run(Faults.NONE, Copy.RUN);

        assertThat(copy.project().duckRows("lake.duckdb", "SELECT count(*), count(DISTINCT id) FROM out"))
                .containsExactly("104|104");
    }
}
