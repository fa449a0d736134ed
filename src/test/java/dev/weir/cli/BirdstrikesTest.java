package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand rows whose every column name has a blank, round through SQLite, DuckDB, Postgres and SQLite. */
class BirdstrikesTest {

    private static final Path STRIKES = Path.of("..", "shared", "data", "birdstrikes.csv");
    private static final int ROWS = 10_000;

    private record Field(String name, String type) {

        String quoted() {
            return '"' + name + '"';
        }
    }

    private static final List<Field> FIELDS = List.of(
            new Field("Airport Name", "TEXT"),
            new Field("Aircraft Make Model", "TEXT"),
            new Field("Effect Amount of damage", "TEXT"),
            new Field("Flight Date", "DATE"),
            new Field("Aircraft Airline Operator", "TEXT"),
            new Field("Origin State", "TEXT"),
            new Field("Phase of flight", "TEXT"),
            new Field("Wildlife Size", "TEXT"),
            new Field("Wildlife Species", "TEXT"),
            new Field("Time of day", "TEXT"),
            new Field("Cost Other", "INTEGER"),
            new Field("Cost Repair", "INTEGER"),
            new Field("Cost Total $", "INTEGER"),
            new Field("Speed IAS in knots", "INTEGER"));

    private static final String LIST = FIELDS.stream().map(Field::quoted).collect(Collectors.joining(", "));
    private static final String ALL = "SELECT " + LIST + " FROM %s";

    @TempDir
    Path folder;

    @Test
    void everyRowComesThroughEverySystemAsItWas() throws SQLException {
        assumeThat(STRIKES)
                .as("the round trip needs ../shared/data/birdstrikes.csv, which is not there")
                .exists();
        Postgres.Database database = Postgres.fresh();
        WeirProject project = project(database);
        List<String> strikes = load(project);

        run(project, "first");
        assertThat(sorted(project.duckRows("lake.duckdb", ALL.formatted("strikes"))))
                .isEqualTo(strikes);
        run(project, "second");
        assertThat(sorted(database.rows(ALL.formatted("strikes")))).isEqualTo(strikes);
        run(project, "third");
        assertThat(sorted(project.sqliteRows("last.sqlite", ALL.formatted("strikes"))))
                .isEqualTo(strikes);
    }

    private WeirProject project(Postgres.Database database) {
        String entities = "entities: { %s: { read: { sync: { mode: incremental, cursor: Flight Date, max_window: 1825d,"
                + " initial: 1985-01-01, until: 2010-01-01 } } } }";
        WeirProject project = new WeirProject(folder);
        project.file(
                "connections.yml",
                "app: { connector: sqlite, path: first.sqlite, " + entities.formatted("strikes") + " }\n"
                        + "lake: { connector: duckdb, path: lake.duckdb, " + entities.formatted("strikes") + " }\n"
                        + "pg: { connector: postgres, host: localhost, port: " + database.port() + ", database: "
                        + database.name() + ", user: postgres, " + entities.formatted("public.strikes") + " }\n"
                        + "last: { connector: sqlite, path: last.sqlite }\n");
        copy(project, "first", "app", "lake");
        copy(project, "second", "lake", "pg");
        copy(project, "third", "pg", "last");
        return project;
    }

    private static void copy(WeirProject project, String name, String from, String to) {
        project.file(
                "pipelines/" + name + ".sql",
                "INSERT INTO {{ sink('" + to + "', 'strikes', strategy: 'window') }}\nSELECT * FROM {{ source('" + from
                        + "', 'strikes') }}\n");
    }

    private static void run(WeirProject project, String pipeline) {
        WeirProject.Said said = project.run("run", pipeline, "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.out()).contains("stopped: caught up");
    }

    /** Puts the file into SQLite as a program would, and gives its rows. */
    private static List<String> load(WeirProject project) throws SQLException {
        project.sqlite(
                "first.sqlite",
                "CREATE TABLE strikes ("
                        + FIELDS.stream()
                                .map(field -> field.quoted() + " " + field.type())
                                .collect(Collectors.joining(", "))
                        + ")");
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT " + LIST + " FROM read_csv('" + STRIKES + "', all_varchar = true)");
                Connection sqlite = DriverManager.getConnection(
                        "jdbc:sqlite:" + project.directory().resolve("first.sqlite"));
                PreparedStatement insert = sqlite.prepareStatement("INSERT INTO strikes VALUES ("
                        + FIELDS.stream().map(field -> "?").collect(Collectors.joining(", ")) + ")")) {
            sqlite.setAutoCommit(false);
            while (rows.next()) {
                for (int i = 1; i <= FIELDS.size(); i++) {
                    insert.setString(i, rows.getString(i));
                }
                insert.executeUpdate();
            }
            sqlite.commit();
        }
        List<String> strikes = sorted(project.sqliteRows("first.sqlite", ALL.formatted("strikes")));
        assertThat(strikes).hasSize(ROWS);
        return strikes;
    }

    private static List<String> sorted(List<String> rows) {
        return rows.stream().sorted().toList();
    }
}
