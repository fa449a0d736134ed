package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One catch-up of 80 slices, killed with SIGKILL at 20 random moments and started again each time. */
class SigkillTest {

    private static final int KILLS = 20;
    private static final int ROWS = 400_000;
    private static final Path ORDERS = Path.of("..", "shared", "bench", "orders.sql");
    private static final String[] RUN = {"run", "--all", "--until-caught-up", "--log-format", "json"};

    /** A slice into two sinks says about fifteen lines. */
    private static final int MOST_LINES = 40;

    private static final int MOST_MILLIS_AFTER_A_LINE = 60;
    private static final int MOST_MILLIS_AFTER_THE_START = 1_500;

    @TempDir
    Path folder;

    private final ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();
    private final Postgres.Database database = Postgres.fresh();

    @AfterEach
    void stop() {
        killer.shutdownNow();
    }

    @Test
    void intoDuckDbNothingIsLostAndNothingDoubled() throws Exception {
        WeirProject project = project("'lake', '", "connector: duckdb\n  path: lake.duckdb");

        killAndRestart(project);

        for (String table : List.of("merged", "appended")) {
            assertThat(project.duckRows("lake.duckdb", summary(table))).isEqualTo(database.rows(summary("orders")));
        }
        String all = "SELECT id, customer_id, status, amount, price, note, epoch_us(created_at), epoch_us(updated_at),"
                + " paid FROM ";
        for (String other : List.of("appended", "merged")) {
            String table = other.equals("merged") ? "appended" : "merged";
            assertThat(project.duckRows(
                            "lake.duckdb", "SELECT count(*) FROM (" + all + table + " EXCEPT ALL " + all + other + ")"))
                    .containsExactly("0");
        }
        carryBack(project, all);
        assertThat(database.rows(differences("back"))).containsExactly("0|0");
    }

    @Test
    void intoPostgresNothingIsLostAndNothingDoubled() throws Exception {
        database.execute("CREATE SCHEMA sinks");
        WeirProject project = project("'lake', 'sinks.", connection());

        killAndRestart(project);

        for (String table : List.of("sinks.merged", "sinks.appended")) {
            assertThat(database.rows(summary(table))).isEqualTo(database.rows(summary("orders")));
            assertThat(database.rows(differences(table))).containsExactly("0|0");
        }
    }

    private WeirProject project(String sink, String lake) throws IOException {
        Assumptions.assumeTrue(Files.exists(ORDERS), "../shared/bench/orders.sql, the table's definition, is absent");
        for (String statement : Files.readString(ORDERS)
                .replace(":rows", Integer.toString(ROWS))
                .split(";\\s*\n")) {
            String sql =
                    statement.lines().filter(line -> !line.startsWith("--")).reduce("", (a, b) -> a + b + "\n");
            if (!sql.isBlank()) {
                database.execute(sql);
            }
        }
        WeirProject project = new WeirProject(folder).file("connections.yml", """
                pg:
                  %s
                  entities:
                    public.orders:
                      read:
                        sync:
                          mode: incremental
                          cursor: id
                          max_window: 5000
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

    private void killAndRestart(WeirProject project) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("SigkillTest: seed " + seed);
        Random random = new Random(seed);
        int killed = 0;
        while (killed < KILLS) {
            try (Child child = Child.start(folder, RUN)) {
                int lines = random.nextInt(MOST_LINES);
                int millis = random.nextInt(lines == 0 ? MOST_MILLIS_AFTER_THE_START : MOST_MILLIS_AFTER_A_LINE);
                child.awaitLines(lines, line -> true);
                killer.schedule(child::kill, millis, TimeUnit.MILLISECONDS).get();
                int exitCode = child.exitCode();
                assertThat(exitCode)
                        .as("seed " + seed + ", after " + killed + " kills: " + child.all())
                        .isEqualTo(128 + 9);
                killed++;
            }
        }
        WeirProject.Said said = project.run("run", "--all", "--until-caught-up");
        assertThat(said.exitCode()).as("seed " + seed + ": " + said.all()).isZero();
        assertThat(said.out()).contains("stopped: caught up");
    }

    private static String summary(String table) {
        return "SELECT count(*), count(DISTINCT id), sum(id), sum(customer_id), sum(price), min(id), max(id),"
                + " count(status), count(DISTINCT note) FROM " + table;
    }

    /** How many rows either has and the other has not, however often. */
    private static String differences(String table) {
        String columns = "SELECT id, customer_id, status, amount, price, note, created_at, updated_at, paid FROM ";
        return "SELECT (SELECT count(*) FROM (" + columns + "orders EXCEPT ALL " + columns + table + ") a),"
                + " (SELECT count(*) FROM (" + columns + table + " EXCEPT ALL " + columns + "orders) b)";
    }

    /** Takes the rows of the DuckDB file to where the source's can be compared with them, without weir. */
    private void carryBack(WeirProject project, String select) throws Exception {
        Path csv = folder.resolve("back.csv");
        project.duck(
                "lake.duckdb",
                "COPY (SELECT id, customer_id, status, amount, price, note, created_at::timestamp AS created_at,"
                        + " updated_at, paid FROM merged) TO '" + csv + "' (FORMAT csv, HEADER)");
        database.execute("CREATE TABLE back (LIKE orders)", "SET TimeZone = 'UTC'");
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var lines = Files.newBufferedReader(csv)) {
            statement.execute("SET TimeZone = 'UTC'");
            connection
                    .unwrap(org.postgresql.PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY back FROM STDIN (FORMAT csv, HEADER)", lines);
        }
    }
}
