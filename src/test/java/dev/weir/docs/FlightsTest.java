package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorial with its real input: three million flights into Postgres, from there into DuckDB and into Postgres. */
class FlightsTest {

    private static final Path FLIGHTS = Path.of("..", "shared", "data", "flights-3m.parquet");
    private static final String SUMS =
            "SELECT concat_ws('|', count(*), count(DISTINCT number), sum(delay), sum(distance), sum(number))";

    @TempDir
    Path folder;

    @Test
    void bothSinksHoldWhatTheFileHolds() throws IOException, SQLException {
        assumeThat(FLIGHTS)
                .as("the tutorial needs ../shared/data/flights-3m.parquet, which is not there")
                .exists();
        Path file = folder.resolve("flights-3m.parquet");
        Files.copy(FLIGHTS, file);
        Reader reader = Reader.withProcesses(folder);

        reader.follow(Document.read("docs/tutorial.md"));

        String expected = duck("", SUMS + " FROM (SELECT *, row_number() OVER () AS number FROM '" + file + "')");
        assertThat(expected).startsWith("3000000|3000000|");
        assertThat(reader.database().value(SUMS + " FROM flights")).isEqualTo(expected);
        assertThat(reader.database().value(SUMS + " FROM warehouse.flights")).isEqualTo(expected);
        assertThat(duck(folder.resolve("flights-duckdb/flights.duckdb").toString(), SUMS + " FROM flights"))
                .isEqualTo(expected);
    }

    private static String duck(String file, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getString(1);
        }
    }
}
