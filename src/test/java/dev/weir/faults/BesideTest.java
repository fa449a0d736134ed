package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Race.Outcome;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Forward runs and two backfills of different plans merge overlapping rows into one table, each again and again, in
 * processes of their own, while the rows change: the table never goes back to an older version of a row.
 */
class BesideTest {

    private static final int ROWS = 300;
    private static final int ROUNDS = 2;
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

    private static final String FORWARD = "run --until-caught-up ";
    private static final String PLAN = "backfill %1$s --from %2$s --to %3$s --window %4$s --restart";

    private static Race race;

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean stop = new AtomicBoolean();

    @BeforeAll
    static void start() {
        race = new Race(3);
    }

    @AfterAll
    static void end() {
        race.close();
    }

    @AfterEach
    void stop() {
        stop.set(true);
        threads.shutdownNow();
    }

    /** What changes all rows of a table as fast as it can, and what looks at the copy meanwhile. */
    private record Life(Future<Long> changes, Future<Long> looks, AtomicLong backwards) {}

    private Path project(String name) throws IOException {
        Path directory = Files.createDirectory(folder.resolve(name));
        String postgres = "  connector: postgres\n  host: localhost\n  port: " + database.port() + "\n  database: "
                + database.name() + "\n  user: postgres\n";
        new WeirProject(directory)
                .file(
                        "connections.yml",
                        "pg:\n" + postgres + "  entities:\n"
                                + "    public.numbered: { read: { sync: { mode: incremental, cursor: id, max_window: 100,"
                                + " initial: 1, until: " + ROWS + " } } }\n"
                                + "    public.timed: { read: { sync: { mode: incremental, cursor: updated_at,"
                                + " until: now } } }\n"
                                + "wh:\n" + postgres)
                .file("pipelines/numbered.sql", pipeline("numbered", "id, version"))
                .file("pipelines/timed.sql", pipeline("timed", "id, version, updated_at"));
        return directory;
    }

    private static String pipeline(String table, String columns) {
        return "INSERT INTO {{ sink('wh', 'sinks." + table + "', strategy: 'merge', keys: ['id']) }}\nSELECT " + columns
                + " FROM {{ source('pg', '" + table + "') }}\n";
    }

    private void tables() {
        database.execute("CREATE SCHEMA sinks");
        for (String table : List.of("numbered", "timed")) {
            database.execute(
                    "CREATE TABLE " + table + " (id bigint PRIMARY KEY, version bigint, updated_at timestamptz)",
                    "INSERT INTO " + table + " SELECT g, 0, timestamptz '2026-01-01 00:00Z' + g * interval '1 minute'"
                            + " FROM generate_series(1, " + ROWS + ") AS g");
        }
    }

    /** @param change of the table, again and again */
    private Life live(String table, String change) {
        AtomicLong backwards = new AtomicLong();
        return new Life(threads.submit(() -> change(change)), threads.submit(() -> watch(table, backwards)), backwards);
    }

    private long change(String change) throws Exception {
        long changes = 0;
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (; !stop.get(); changes++) {
                statement.execute(change);
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }
        return changes;
    }

    private long watch(String table, AtomicLong backwards) throws Exception {
        Map<Long, Long> newest = new HashMap<>();
        long looks = 0;
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (; !stop.get(); looks++) {
                TimeUnit.MILLISECONDS.sleep(5);
                if (database.value("SELECT to_regclass('sinks." + table + "')").equals("null")) {
                    continue;
                }
                try (ResultSet row = statement.executeQuery("SELECT id, version FROM sinks." + table)) {
                    while (row.next()) {
                        long version = row.getLong(2);
                        Long before = newest.put(row.getLong(1), version);
                        if (before != null && before > version) {
                            backwards.incrementAndGet();
                        }
                    }
                }
            }
        }
        return looks;
    }

    private long ended(Life life) throws InterruptedException, ExecutionException {
        stop.set(true);
        assertThat(life.changes.get()).as("changes").isGreaterThan(100);
        assertThat(life.looks.get()).as("looks").isGreaterThan(50);
        return life.backwards.get();
    }

    private static void succeed(List<Outcome> outcomes) {
        assertThat(outcomes).allMatch(outcome -> outcome.exitCode() == 0, outcomes.toString());
    }

    private static String plan(String pipeline, Object from, Object to, String window) {
        return PLAN.formatted(pipeline, from, to, window);
    }

    private static final String WHOLE = plan("numbered", 1, ROWS + 1, Integer.toString(ROWS));
    private static final String IN_PIECES = plan("numbered", 21, ROWS + 1, "20") + " --concurrency 2";
    private static final String CHANGE_ALL = "UPDATE numbered SET version = version + 1";

    /** Nothing in the rows tells which is newer: only that nobody reads what another is still loading. */
    @Test
    void aCursorThatStaysWhereItIsNeverBringsBackAnOlderVersion() throws Exception {
        tables();
        Path project = project("one");
        Life life = live("numbered", CHANGE_ALL);

        for (int round = 0; round < ROUNDS; round++) {
            succeed(race.run(project, FORWARD + "numbered --full-refresh", WHOLE, IN_PIECES));
        }

        assertThat(ended(life)).as("rows that went back").isZero();
        succeed(race.run(project, WHOLE));
        isNewest("numbered");
    }

    /** The control: projects that know nothing of each other, which nobody is promised anything of. */
    @Test
    void withoutTheGuardTheSameLoadsBringBackOlderVersions() throws Exception {
        tables();
        Path one = project("one");
        Path other = project("other");
        Life life = live("numbered", CHANGE_ALL);

        for (long end = System.nanoTime() + LONG_ENOUGH.toNanos();
                life.backwards.get() == 0 && System.nanoTime() < end; ) {
            CompletableFuture<WeirProject.Said> beside =
                    CompletableFuture.supplyAsync(() -> new WeirProject(other).run(IN_PIECES.split(" ")));
            succeed(race.run(one, WHOLE));
            beside.get();
        }

        assertThat(life.backwards.get()).as("rows that went back").isPositive();
    }

    /** Rows leave the range that is replayed while it is, and come to the runs. */
    @Test
    void aCursorThatTellsWhichIsNewerBringsTheNewestVersionOfEveryRow() throws Exception {
        tables();
        Path project = project("one");
        Life life = live(
                "timed",
                "UPDATE timed SET version = version + 1, updated_at = clock_timestamp() WHERE id % 37 ="
                        + " (random() * 36)::int");

        String inPieces = plan("timed", "2026-01-01T00:10:00Z", "2026-01-01T05:10:00Z", "25m") + " --concurrency 2";
        String byAnotherCursor = plan("timed", 1, ROWS + 1, "60") + " --cursor id";
        for (int round = 0; round < ROUNDS; round++) {
            succeed(race.run(
                    project,
                    FORWARD + "timed",
                    plan("timed", "2026-01-01", "2026-01-02", "24h"),
                    round % 2 == 0 ? byAnotherCursor : inPieces));
        }

        assertThat(ended(life)).as("rows that went back").isZero();
        database.execute("SELECT pg_sleep(1.5)");
        succeed(race.run(project, FORWARD + "timed"));
        isNewest("timed");
    }

    private void isNewest(String table) {
        String rows = "SELECT id, version FROM %s ORDER BY id";
        List<String> expected = new ArrayList<>(database.rows(rows.formatted(table)));
        assertThat(database.rows(rows.formatted("sinks." + table))).containsExactlyElementsOf(expected);
    }
}
