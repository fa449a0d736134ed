package dev.weir.testing;

import dev.weir.cli.Weir;
import dev.weir.run.Faults;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A project in a folder, to run weir in as a user would. */
public final class WeirProject {

    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();

    public WeirProject(Path directory) {
        this.directory = directory;
    }

    /**
     * One whose DuckDB has one thread. A few rows are one task: a second thread only spins while the first waits for the
     * source. A test that writes a {@code weir.yml} of its own has DuckDB as its users have it.
     */
    public static WeirProject ofFewRows(Path directory) {
        return new WeirProject(directory).file("weir.yml", "threads: 1\n");
    }

    public Path directory() {
        return directory;
    }

    /** Sets a variable of the environment weir sees. */
    public WeirProject env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    public Map<String, String> environment() {
        return environment;
    }

    /** Writes a file of the project. */
    public WeirProject file(String name, String content) {
        try {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What a command said.
     *
     * @param out its stdout
     * @param err its stderr
     */
    public record Said(int exitCode, String out, String err) {

        /** Both streams: for messages, and for what must be in neither. */
        public String all() {
            return out + err;
        }
    }

    /** Runs a command in this process. */
    public Said run(String... args) {
        return run(Faults.NONE, args);
    }

    /** The same with something that happens at its points. */
    public Said run(Faults faults, String... args) {
        return run(Clock.systemUTC(), faults, args);
    }

    /** The same by another clock. */
    public Said run(Clock clock, Faults faults, String... args) {
        return run(new ByteArrayOutputStream(), clock, faults, args);
    }

    /** Runs a command in this process, and tells each line of its stdout before weir goes on. */
    public Said overheard(Consumer<String> lines, String... args) {
        return run(new Overheard(lines), Clock.systemUTC(), Faults.NONE, args);
    }

    private Said run(ByteArrayOutputStream out, Clock clock, Faults faults, String... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Weir.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment,
                directory,
                clock,
                faults,
                args);
        return new Said(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** The rows of a query on a DuckDB file of the project, columns as text joined by {@code |}, NULL as {@code null}. */
    public List<String> duckRows(String file, String query) {
        return rows("jdbc:duckdb:" + directory.resolve(file), "SET TimeZone = 'UTC'", query);
    }

    /** The same of a SQLite file of the project. */
    public List<String> sqliteRows(String file, String query) {
        return rows("jdbc:sqlite:" + directory.resolve(file), "PRAGMA busy_timeout = 10000", query);
    }

    private static List<String> rows(String url, String setting, String query) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(setting);
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

    /** Executes statements on a DuckDB file of the project. */
    public void duck(String file, String... statements) {
        execute("jdbc:duckdb:" + directory.resolve(file), statements);
    }

    /** Executes statements on a SQLite file of the project, which is made where there is none. */
    public void sqlite(String file, String... statements) {
        execute("jdbc:sqlite:" + directory.resolve(file), statements);
    }

    private static void execute(String url, String... statements) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
