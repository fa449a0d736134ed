package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Days and months are those of the zone, whatever its clocks do. Cases C9 and F9. */
class BackfillZonesTest {

    private static final String BERLIN = " --timezone Europe/Berlin";

    private static Postgres.Database database;

    @TempDir
    Path folder;

    private BackfillProject hours;

    @BeforeAll
    static void everyHour() {
        database = Postgres.fresh();
        database.execute(
                "CREATE TABLE hours (id int PRIMARY KEY, ts timestamptz, local_day date)",
                "INSERT INTO hours SELECT row_number() OVER (), ts, (ts AT TIME ZONE 'Europe/Berlin')::date"
                        + " FROM generate_series(timestamptz '2025-10-23 00:30Z', '2025-10-28 00:30Z', interval '1 hour') AS ts"
                        + " UNION ALL SELECT 1000 + row_number() OVER (), ts, (ts AT TIME ZONE 'Europe/Berlin')::date"
                        + " FROM generate_series(timestamptz '2026-01-30 00:30Z', '2026-05-02 00:30Z', interval '1 hour') AS ts");
    }

    @BeforeEach
    void project() {
        hours = new BackfillProject(folder, database)
                .reads("{ public.hours: { read: { sync: { mode: incremental, cursor: ts } } } }")
                .into(
                        "hours",
                        "strategy: 'append', delivery: 'exactly_once'",
                        "SELECT id, ts, local_day, {{ run_id }} AS run FROM {{ source('pg', 'hours') }}");
    }

    /** What each run has loaded, in order. */
    private List<String> loaded(String what) {
        return hours.lake("SELECT " + what + " FROM hours GROUP BY run ORDER BY min(ts)");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "2026-03-28, 2026-03-31, 24 23 24, 2026-03-28T23:00:00.000000Z 2026-03-29T22:00:00.000000Z",
        "2025-10-25, 2025-10-28, 24 25 24, 2025-10-25T22:00:00.000000Z 2025-10-26T23:00:00.000000Z"
    })
    void daysOfChangingClocksHoldTheirOwnRows(String from, String to, String lengths, String meets) {
        hours.backfill(0, "--from " + from + " --to " + to + " --window 1d --concurrency 3" + BERLIN);

        assertThat(hours.chunks("records_loaded")).containsExactly(lengths.split(" "));
        assertThat(hours.chunks("chunk_to").subList(0, 2)).containsExactly(meets.split(" "));
        assertThat(tiles()).isTrue();
        assertThat(loaded("min(local_day), count(DISTINCT local_day), count(*)"))
                .isEqualTo(database.rows("SELECT local_day, 1, count(*) FROM hours WHERE local_day >= '" + from
                        + "' AND local_day < '" + to + "' GROUP BY local_day ORDER BY local_day"));
    }

    private boolean tiles() {
        List<String> starts = new ArrayList<>(hours.chunks("chunk_from"));
        List<String> ends = new ArrayList<>(hours.chunks("chunk_to"));
        return starts.subList(1, starts.size()).equals(ends.subList(0, ends.size() - 1));
    }

    @Test
    void hoursOfADayThatHasOneTwiceAreTwentyFiveWithNamesOfTheirOwn() {
        hours.backfill(0, "--from 2025-10-26 --to 2025-10-27 --window 1h" + BERLIN);

        assertThat(hours.chunks("records_loaded")).hasSize(25).containsOnly("1");
        assertThat(hours.chunks("backfill_chunks.run_id")).doesNotHaveDuplicates();
        assertThat(tiles()).isTrue();
    }

    @Test
    void monthsFromTheLastDayStayAtTheLastDay() {
        hours.backfill(0, "--from 2026-01-31 --to 2026-05-01 --window 1mo" + BERLIN);

        assertThat(loaded("min(local_day), max(local_day)"))
                .containsExactly(
                        "2026-01-31|2026-02-27",
                        "2026-02-28|2026-03-30",
                        "2026-03-31|2026-04-29",
                        "2026-04-30|2026-04-30");
        assertThat(hours.chunks("chunk_to"))
                .containsExactly(
                        "2026-02-27T23:00:00.000000Z",
                        "2026-03-30T22:00:00.000000Z",
                        "2026-04-29T22:00:00.000000Z",
                        "2026-04-30T22:00:00.000000Z");
    }

    @Test
    void datesAreOfNoZoneAndADefaultThatIsNotMeantForThemIsLeftOut() {
        hours.project.file("weir.yml", "name: p\nbackfill: { window: 1mo, timezone: Pacific/Kiritimati }\n");
        hours.reads("{ public.hours: { read: { sync: { mode: incremental, cursor: local_day } } } }");

        hours.backfill(0, "--from 2026-02-15 --to 2026-04-01");

        assertThat(hours.chunks("chunk_from, chunk_to"))
                .containsExactly("2026-02-15|2026-03-15", "2026-03-15|2026-04-01");
        assertThat(loaded("min(local_day), max(local_day), count(*)"))
                .containsExactly("2026-02-15|2026-03-14|672", "2026-03-15|2026-03-31|407");
    }

    @Test
    void theZoneIsPartOfAPlanOfDaysAndOfNoPlanOfHours() {
        hours.backfill(0, "--from 2026-02-01T00:00:00Z --to 2026-02-03T00:00:00Z --window 24h");
        assertThat(hours.backfill(
                                0, "--from 2026-02-01T01:00:00+01:00 --to 2026-02-03T00:00:00Z --window 1440m" + BERLIN)
                        .all())
                .contains("nothing to do");

        // Days in Berlin are another plan, and would append the same rows again.
        assertThat(hours.backfill(2, "--from 2026-02-01 --to 2026-02-03 --window 1d" + BERLIN)
                        .err())
                .contains("WR0602");
        assertThat(hours.state("SELECT chunk, zone FROM backfills")).hasSize(1);
    }
}
