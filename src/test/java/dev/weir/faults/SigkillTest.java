package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** One catch-up of 80 slices, killed with SIGKILL at 20 random moments and started again each time. */
class SigkillTest {

    private static final int KILLS = 20;
    private static final int ROWS = 160_000;
    private static final Path ORDERS = Path.of("soak", "orders.sql");
    private static final String COLUMNS = "id, customer, state, total, weight, remark, placed, changed, paid";
    private static final String[] RUN = {"run", "--all", "--until-caught-up", "--log-format", "json"};

    /** A slice into two sinks says nine lines. */
    private static final int MOST_LINES = 40;

    private static final int MOST_MILLIS_AFTER_A_LINE = 60;
    private static final int MOST_MILLIS_AFTER_THE_START = 1_500;

    @TempDir
    Path folder;

    private final ExecutorService loops = Executors.newFixedThreadPool(2);
    private final ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();
    private final Postgres.Database database = Postgres.fresh();

    @AfterEach
    void stop() {
        loops.shutdownNow();
        killer.shutdownNow();
    }

    @Test
    void nothingIsLostAndNothingDoubled() throws Exception {
        makeOrders();
        database.execute("CREATE SCHEMA sinks");
        WeirProject intoDuckDb = project("duckdb", "'lake', '", "connector: duckdb\n  path: lake.duckdb");
        WeirProject intoPostgres = project("postgres", "'lake', 'sinks.", connection());
        long seed = new Random().nextLong();
        System.out.println("SigkillTest: seed " + seed);

        Future<?> one = loops.submit(() -> killAndRestart(intoDuckDb, new Random(seed)));
        Future<?> other = loops.submit(() -> killAndRestart(intoPostgres, new Random(~seed)));
        one.get();
        other.get();

        for (WeirProject project : List.of(intoDuckDb, intoPostgres)) {
            WeirProject.Said said = project.run("run", "--all", "--until-caught-up");
            assertThat(said.exitCode()).as("seed " + seed + ": " + said.all()).isZero();
            assertThat(said.out()).contains("stopped: caught up");
        }
        for (String table : List.of("merged", "appended")) {
            carryBack(intoDuckDb, table);
            isExact("carried_" + table);
            isExact("sinks." + table);
        }
    }

    private void makeOrders() throws IOException {
        String sql = Files.readString(ORDERS)
                .lines()
                .filter(line -> !line.startsWith("--"))
                .collect(Collectors.joining("\n"))
                .replace(":rows", Integer.toString(ROWS));
        for (String statement : sql.split(";")) {
            if (!statement.isBlank()) {
                database.execute(statement);
            }
        }
    }

    private WeirProject project(String name, String sink, String lake) throws IOException {
        WeirProject project = new WeirProject(Files.createDirectory(folder.resolve(name)))
                .file("connections.yml", """
                pg:
                  %s
                  entities:
                    public.orders:
                      read:
                        sync:
                          mode: incremental
                          cursor: id
                          max_window: 2000
                          initial: 0
                          until: %d
                lake:
                  %s
                """.formatted(connection(), ROWS, lake));
        return project.file(
                        "pipelines/appended.sql",
                        "INSERT INTO {{ sink(" + sink
                                + "appended', strategy: 'append', delivery: 'exactly_once') }}\n"
                                + "SELECT * FROM {{ source('pg', 'orders') }}\n")
                .file(
                        "pipelines/merged.sql",
                        "INSERT INTO {{ sink(" + sink
                                + "merged', strategy: 'merge', keys: ['id']) }}\n"
                                + "SELECT * FROM {{ source('pg', 'orders') }}\n");
    }

    private String connection() {
        return "connector: postgres\n  host: localhost\n  port: " + database.port() + "\n  database: " + database.name()
                + "\n  user: postgres";
    }

    private Void killAndRestart(WeirProject project, Random random) throws Exception {
        for (int killed = 0; killed < KILLS; killed++) {
            try (Child child = Child.start(project.directory(), RUN)) {
                int lines = random.nextInt(MOST_LINES);
                int millis = random.nextInt(lines == 0 ? MOST_MILLIS_AFTER_THE_START : MOST_MILLIS_AFTER_A_LINE);
                child.awaitLines(lines, line -> true);
                killer.schedule(child::kill, millis, TimeUnit.MILLISECONDS).get();
                assertThat(child.exitCode())
                        .as("after " + killed + " kills: " + child.all())
                        .isEqualTo(128 + 9);
            }
        }
        return null;
    }

    private void isExact(String table) {
        assertThat(database.rows(summary(table))).as(table).isEqualTo(database.rows(summary("orders")));
        assertThat(database.rows(differences(table))).as(table).containsExactly("0|0");
    }

    private static String summary(String table) {
        return "SELECT count(*), count(DISTINCT id), sum(id), sum(customer), sum(total), min(id), max(id),"
                + " count(state), count(DISTINCT remark) FROM " + table;
    }

    /** How many rows the source has and the table has not, and the other way, counting each as often as it is there. */
    private static String differences(String table) {
        String columns = "SELECT " + COLUMNS + " FROM ";
        return "SELECT (SELECT count(*) FROM (" + columns + "orders EXCEPT ALL " + columns + table + ") a),"
                + " (SELECT count(*) FROM (" + columns + table + " EXCEPT ALL " + columns + "orders) b)";
    }

    /** Takes the rows of the DuckDB file to where the source's can be compared with them, without weir. */
    private void carryBack(WeirProject project, String table) throws Exception {
        Path csv = folder.resolve(table + ".csv");
        project.duck(
                "lake.duckdb",
                "SET TimeZone = 'UTC'",
                "COPY (SELECT " + COLUMNS + " FROM " + table + ") TO '" + csv + "' (FORMAT csv, HEADER)");
        database.execute("CREATE TABLE carried_" + table + " (LIKE orders)");
        try (Connection connection = database.connect();
                BufferedReader lines = Files.newBufferedReader(csv)) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY carried_" + table + " FROM STDIN (FORMAT csv, HEADER)", lines);
        }
    }
}
