package dev.weir.testing;

import dev.weir.connector.ConnectionSettings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One real server for all tests of a process; each test gets a database of its own, which goes with the test's class. */
public final class Postgres {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Queue<String> FRESH = new ConcurrentLinkedQueue<>();

    private Postgres() {}

    private static final class Server {

        static final EmbeddedPostgres ONE = start();

        private static EmbeddedPostgres start() {
            try {
                EmbeddedPostgres started = EmbeddedPostgres.builder()
                        .setDataDirectory(InMemory.folder())
                        .setServerConfig("max_prepared_transactions", "5")
                        .setServerConfig("fsync", "off")
                        .start();
                askPasswordsOfRolesNamedSecret(started);
                return started;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private static void askPasswordsOfRolesNamedSecret(EmbeddedPostgres started) throws SQLException, IOException {
            try (Connection connection = started.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE ROLE secret LOGIN");
                try (ResultSet file = statement.executeQuery("SHOW hba_file")) {
                    file.next();
                    Path hba = Path.of(file.getString(1));
                    Files.writeString(hba, "host all secret all scram-sha-256\n" + Files.readString(hba));
                }
                statement.execute("SELECT pg_reload_conf()");
            }
        }
    }

    /** A new, empty database, until the class of the tests ends. */
    public static Database fresh() {
        String name = "test" + NUMBERS.incrementAndGet();
        // Copying three hundred small files in memory takes less than writing them to the log as well.
        database("postgres").execute("CREATE DATABASE " + name + " STRATEGY file_copy");
        FRESH.add(name);
        return database(name);
    }

    /**
     * Drops what a class of tests leaves behind, which would fill the memory it is in. Every class has it by
     * {@code junit-platform.properties}.
     */
    public static final class Cleaning implements AfterAllCallback {

        @Override
        public void afterAll(ExtensionContext tests) {
            boolean isNested = tests.getRequiredTestClass().getEnclosingClass() != null;
            while (!isNested && !FRESH.isEmpty()) {
                database("postgres").execute("DROP DATABASE IF EXISTS " + FRESH.remove() + " WITH (FORCE)");
            }
        }
    }

    /** A database of that name, which is there already. */
    public static Database database(String name) {
        return new Database(name, Server.ONE.getPort());
    }

    /** A database of a server on this machine. */
    public record Database(String name, int port) {

        /** The settings of a connection named {@code pg} as the superuser. */
        public ConnectionSettings settings() {
            return settings(Map.of());
        }

        /** The same with more options, or others. */
        public ConnectionSettings settings(Map<String, String> more) {
            Map<String, String> options = new HashMap<>(
                    Map.of("host", "localhost", "port", Integer.toString(port), "database", name, "user", "postgres"));
            options.putAll(more);
            return new ConnectionSettings("pg", options, Path.of("."), true);
        }

        public Connection connect() throws SQLException {
            Properties properties = new Properties();
            properties.setProperty("user", "postgres");
            return DriverManager.getConnection("jdbc:postgresql://localhost:" + port + "/" + name, properties);
        }

        /** Executes each statement, in autocommit. */
        public void execute(String... statements) {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The rows of a query, their columns as text joined by {@code |}, NULL as {@code null}. */
        public List<String> rows(String query) {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET TimeZone = 'UTC'");
                List<String> rows = new ArrayList<>();
                try (ResultSet result = statement.executeQuery(query)) {
                    int columns = result.getMetaData().getColumnCount();
                    while (result.next()) {
                        List<String> row = new ArrayList<>();
                        for (int i = 1; i <= columns; i++) {
                            row.add(String.valueOf(result.getString(i)));
                        }
                        rows.add(String.join("|", row));
                    }
                }
                return rows;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        public String value(String query) {
            return rows(query).get(0);
        }
    }
}
