package dev.weir.cli;

import static dev.weir.cli.BackfillProject.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** The walk-through of the second reference document: five days, the third of which fails at first. */
class BackfillFlightsTest {

    private static final Path FLIGHTS = Path.of("..", "shared", "data", "flights-3m.parquet");
    private static final String EVENTS = "web_events --from 2026-01-01T00:00:00Z --to 2026-01-06T00:00:00Z --chunk 1d";
    private static final String[] DAYS = {
        "[2026-01-01T00:00:00+00:00 → 2026-01-02T00:00:00+00:00)",
        "[2026-01-02T00:00:00+00:00 → 2026-01-03T00:00:00+00:00)",
        "[2026-01-03T00:00:00+00:00 → 2026-01-04T00:00:00+00:00)",
        "[2026-01-04T00:00:00+00:00 → 2026-01-05T00:00:00+00:00)",
        "[2026-01-05T00:00:00+00:00 → 2026-01-06T00:00:00+00:00)"
    };
    private static final String COLUMNS =
            "chunk_id, chunk_from, chunk_to, status, records_loaded, backfill_chunks.run_id";

    @TempDir
    Path folder;

    private final Postgres.Database source = Postgres.fresh();

    private BackfillProject webEvents() {
        source.execute(
                "CREATE TABLE page_views (id int PRIMARY KEY, occurred_at timestamptz, visitors text)",
                "INSERT INTO page_views SELECT n, make_timestamptz(2026, 1, n, 12, 0, 0, 'UTC'), n::text"
                        + " FROM generate_series(1, 6) AS n");
        return new BackfillProject(folder, source)
                .reads("{ public.page_views: { read: { sync: { mode: incremental, cursor: occurred_at,"
                        + " initial: 2020-01-01 } } } }")
                .into(
                        "web_events",
                        "strategy: 'append', delivery: 'exactly_once'",
                        "SELECT id, occurred_at, CAST(visitors AS INTEGER) AS visitors"
                                + " FROM {{ source('pg', 'page_views') }}");
    }

    @Test
    void linesIdentitiesTableAndHistoryAreThoseOfTheDocument() {
        BackfillProject events = webEvents();
        source.execute("UPDATE page_views SET visitors = 'injected failure' WHERE id = 3");
        List<String> untouched = events.files();
        assertThat(events.backfill(0, EVENTS + " --dry-run").out())
                .contains("backfill d7a7c6e21e0d8ecb: pipeline web_events", "5 chunks to run, about 5 rows");
        assertThat(events.files()).isEqualTo(untouched);

        WeirProject.Said first = events.backfill(1, EVENTS);

        assertThat(lines(first))
                .startsWith(
                        "chunk 1/5 " + DAYS[0] + ": running (run_id=2fe712c1ca2c99a0)",
                        "chunk 1/5 " + DAYS[0] + ": completed (1 records)",
                        "chunk 2/5 " + DAYS[1] + ": running (run_id=91f2aafcc3320c98)",
                        "chunk 2/5 " + DAYS[1] + ": completed (1 records)",
                        "chunk 3/5 " + DAYS[2] + ": running (run_id=559264ef1526bd83)")
                .endsWith(
                        "Backfill d7a7c6e21e0d8ecb: 2 completed, 0 skipped, 0 claimed elsewhere, 1 failed (5 chunks)");
        assertThat(first.out())
                .containsPattern("chunk 3/5 \\Q" + DAYS[2] + "\\E: failed: WR0502 .*injected failure")
                .contains("completed chunks are recorded, run the same command again to resume");
        assertThat(events.chunks(COLUMNS))
                .containsExactly(
                        day(1) + "|completed|1|2fe712c1ca2c99a0",
                        day(2) + "|completed|1|91f2aafcc3320c98",
                        day(3) + "|failed|null|559264ef1526bd83",
                        day(4) + "|pending|null|cf57c9a304c61cb8",
                        day(5) + "|pending|null|2398048a9866e857");

        List<String> stopped = events.files();
        assertThat(events.backfill(0, EVENTS + " --dry-run")
                        .out()
                        .lines()
                        .skip(1)
                        .map(line -> line.split(" +")[4]))
                .startsWith("completed", "completed", "failed", "pending", "pending");
        assertThat(events.files()).isEqualTo(stopped);

        source.execute("UPDATE page_views SET visitors = '3' WHERE id = 3");
        WeirProject.Said second = events.backfill(0, EVENTS);

        assertThat(lines(second))
                .containsExactly(
                        "chunk 1/5 " + DAYS[0] + ": already completed, skipping",
                        "chunk 2/5 " + DAYS[1] + ": already completed, skipping",
                        "chunk 3/5 " + DAYS[2] + ": running (run_id=559264ef1526bd83)",
                        "chunk 3/5 " + DAYS[2] + ": completed (1 records)",
                        "chunk 4/5 " + DAYS[3] + ": running (run_id=cf57c9a304c61cb8)",
                        "chunk 4/5 " + DAYS[3] + ": completed (1 records)",
                        "chunk 5/5 " + DAYS[4] + ": running (run_id=2398048a9866e857)",
                        "chunk 5/5 " + DAYS[4] + ": completed (1 records)",
                        "Backfill d7a7c6e21e0d8ecb: 3 completed, 2 skipped, 0 claimed elsewhere (5 chunks)");
        List<String> everyAttempt = List.of(
                "2fe712c1ca2c99a0|completed|1|d7a7c6e21e0d8ecb",
                "91f2aafcc3320c98|completed|1|d7a7c6e21e0d8ecb",
                "559264ef1526bd83|failed|0|d7a7c6e21e0d8ecb",
                "559264ef1526bd83|completed|1|d7a7c6e21e0d8ecb",
                "cf57c9a304c61cb8|completed|1|d7a7c6e21e0d8ecb",
                "2398048a9866e857|completed|1|d7a7c6e21e0d8ecb");
        String asDocumented =
                "chunk_run_id, CASE status WHEN 'success' THEN 'completed' ELSE 'failed' END, rows," + " backfill_id";
        assertThat(events.history(asDocumented)).isEqualTo(everyAttempt);

        WeirProject.Said third = events.backfill(0, EVENTS);

        assertThat(third.all()).contains("nothing to do");
        assertThat(lines(third))
                .endsWith("Backfill d7a7c6e21e0d8ecb: 0 completed, 5 skipped, 0 claimed elsewhere (5 chunks)");
        assertThat(events.history(asDocumented)).isEqualTo(everyAttempt);
        assertThat(events.chunks("chunk_id, attempts"))
                .containsExactly("000000|1", "000001|1", "000002|2", "000003|1", "000004|1");
        // Row 6 is past the end.
        assertThat(events.lake("SELECT id, occurred_at::text FROM web_events ORDER BY id"))
                .containsExactly(
                        "1|2026-01-01 12:00:00+00",
                        "2|2026-01-02 12:00:00+00",
                        "3|2026-01-03 12:00:00+00",
                        "4|2026-01-04 12:00:00+00",
                        "5|2026-01-05 12:00:00+00");
    }

    /** What is said on stdout, notes left out. */
    private static List<String> lines(WeirProject.Said said) {
        return said.out().lines().filter(line -> !line.startsWith("note: ")).toList();
    }

    private static String day(int day) {
        return "00000" + (day - 1) + "|2026-01-0" + day + "T00:00:00.000000Z|2026-01-0" + (day + 1)
                + "T00:00:00.000000Z";
    }

    @Test
    void daysOfRealFlightsComeOnceEach() throws IOException, SQLException {
        assumeThat(FLIGHTS)
                .as("five days of flights need ../shared/data/flights-3m.parquet, which is not there")
                .exists();
        load("2001-02-27", "2001-03-06");
        BackfillProject flights = new BackfillProject(folder, source)
                .reads("{ public.flights: { read: { sync: { mode: incremental, cursor: date, max_window: 1d } } } }")
                .intoPostgres(
                        "flights",
                        "strategy: 'append', delivery: 'exactly_once'",
                        "SELECT * FROM {{ source('pg', 'flights') }}");
        flights.onWh("CREATE TABLE %s.flights (date timestamp, delay bigint, distance bigint CHECK (distance > 0),"
                + " origin text, destination text)");
        source.execute("INSERT INTO flights VALUES ('2001-03-02 23:59', 0, -1, 'ORD', 'JFK')");
        String[] days = {"flights", "--from", "2001-02-28", "--to", "2001-03-05", "--window", "1d"};
        String perDay = "SELECT date::date, count(*), sum(delay), sum(distance), count(DISTINCT origin) FROM %s"
                + " WHERE date >= '2001-02-28' AND date < '2001-03-05' GROUP BY 1 ORDER BY 1";

        WeirProject.Said first = ended(1, flights.backfill(String.join(" ", days)));

        assertThat(first.all()).contains("WR0503").contains("distance");
        assertThat(flights.statuses()).containsExactly("completed", "completed", "failed", "pending", "pending");
        assertThat(flights.wh("SELECT DISTINCT date::date FROM %s.flights ORDER BY 1"))
                .containsExactly("2001-02-28", "2001-03-01");

        source.execute("DELETE FROM flights WHERE distance < 0");
        flights.backfill(0, String.join(" ", days));

        List<String> loaded = flights.wh(perDay.replace("%s", "%s.flights"));
        assertThat(loaded).hasSize(5).isEqualTo(source.rows(perDay.replace("%s", "flights")));
        assertThat(flights.wh("SELECT min(date), max(date) FROM %s.flights").get(0))
                .startsWith("2001-02-28 0")
                .contains("|2001-03-04 2");
        assertThat(flights.chunks("records_loaded"))
                .isEqualTo(source.rows("SELECT count(*) FROM flights WHERE date >= '2001-02-28' AND date < '2001-03-05'"
                        + " GROUP BY date::date ORDER BY date::date"));
    }

    private void load(String from, String to) throws IOException, SQLException {
        source.execute(
                "CREATE TABLE flights (date timestamp, delay bigint, distance bigint, origin text, destination text)");
        Path csv = folder.resolve("flights.csv");
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute("COPY (SELECT date, delay, distance, origin, destination FROM '" + FLIGHTS
                    + "' WHERE date >= '" + from + "' AND date < '" + to + "') TO '" + csv + "' (HEADER false)");
        }
        try (Connection connection = source.connect();
                var rows = Files.newInputStream(csv)) {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY flights FROM STDIN (FORMAT csv)", rows);
        }
        Files.delete(csv);
    }
}
