package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/** The orders of the kill loop in a Postgres, in any number, and projects that copy them. */
final class Orders {

    private static final Path SCRIPT = Path.of("soak", "orders.sql");
    private static final String COLUMNS = "id, customer, state, total, weight, remark, placed, changed, paid";

    private final Postgres.Database database = Postgres.fresh();
    private final int rows;

    /** Makes them, and a schema named {@code sinks} beside them. */
    Orders(int rows) throws IOException {
        this.rows = rows;
        String sql = Files.readString(SCRIPT)
                .lines()
                .filter(line -> !line.startsWith("--"))
                .collect(Collectors.joining("\n"))
                .replace(":rows", Integer.toString(rows));
        for (String statement : sql.split(";")) {
            if (!statement.isBlank()) {
                database.execute(statement);
            }
        }
        database.execute("CREATE SCHEMA sinks");
    }

    Postgres.Database database() {
        return database;
    }

    /** A project in a new folder whose pipelines {@code appended} and {@code merged} write a DuckDB file of its own. */
    WeirProject intoDuckDb(Path folder) throws IOException {
        return project(folder, "'lake', '", "connector: duckdb\n  path: lake.duckdb");
    }

    /** The same, into the schema beside the orders. */
    WeirProject intoPostgres(Path folder) throws IOException {
        return project(folder, "'lake', 'sinks.", connection());
    }

    private WeirProject project(Path folder, String sink, String lake) throws IOException {
        WeirProject project = new WeirProject(Files.createDirectory(folder))
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
                """.formatted(connection(), rows, lake));
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

    /** Whether a table beside the orders holds the same rows, each as often. */
    void isExact(String table) {
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

    /** Takes the rows of a DuckDB file to where the source's can be compared with them, without weir, and compares. */
    void isExactInDuckDb(WeirProject project, String table) throws Exception {
        Path csv = project.directory().resolve(table + ".csv");
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
        isExact("carried_" + table);
    }
}
