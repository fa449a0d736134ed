package dev.weir.bench;

import dev.weir.bench.Command.FailedException;
import dev.weir.bench.Command.Taken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A project of weir that copies tables of the source, and its runs. */
final class Project {

    private final Path weir;
    private final Path folder;
    private int runs;

    /** What a run of weir took, and the events it told. */
    record Ran(Taken taken, Events events) {}

    private Project(Path weir, Path folder) {
        this.weir = weir;
        this.folder = folder;
    }

    /**
     * A table to be copied by its {@code id}.
     *
     * @param window how many ids a slice may span; 0: all at once
     * @param until the last id to copy
     * @param options of its sink
     */
    record Copied(String table, long window, long until, String options) {

        String entity() {
            String width = window == 0 ? "" : "max_window: " + window + ", ";
            return """
                    %s:
                      read:
                        sync: { mode: incremental, cursor: id, %sinitial: 1, until: %d }
                """.formatted(table, width, until);
        }

        String pipeline() {
            return """
                INSERT INTO {{ sink('target', '%s', %s) }}
                SELECT * FROM {{ source('pg', '%s') }}
                """.formatted(table, options, table);
        }
    }

    static Copied merged(String table, long window, long until) {
        return new Copied(table, window, until, "strategy: 'merge', keys: ['id']");
    }

    static Copied appended(String table, long until) {
        return new Copied(table, 0, until, "strategy: 'append', delivery: 'exactly_once'");
    }

    /** A new one, in a folder of its own, whose target is a DuckDB file. */
    static Project intoDuckDb(Setting setting, Copied... tables) throws IOException {
        return make(setting, "target: { connector: duckdb, path: target.duckdb }", tables);
    }

    /** A new one whose target is the other database of the source's server. */
    static Project intoPostgres(Setting setting, Copied... tables) throws IOException {
        return make(setting, "target:\n" + postgres(Orders.target()), tables);
    }

    private static Project make(Setting setting, String target, Copied... tables) throws IOException {
        Path folder = Files.createTempDirectory(setting.work(), "project");
        StringBuilder connections = new StringBuilder("pg:\n" + postgres(Orders.source()) + "  entities:\n");
        Path pipelines = Files.createDirectory(folder.resolve("pipelines"));
        for (Copied copied : tables) {
            connections.append(copied.entity());
            Files.writeString(pipelines.resolve(copied.table() + ".sql"), copied.pipeline());
        }
        Files.writeString(folder.resolve("connections.yml"), connections + target + "\n");
        return new Project(setting.weir(), folder);
    }

    private static String postgres(String database) {
        return """
              connector: postgres
              host: ${PGHOST}
              port: ${PGPORT}
              database: %s
              user: ${PGUSER}
              password: ${PGPASSWORD}
            """.formatted(database);
    }

    /** {@code weir run --all}, once. */
    Ran run() throws IOException, InterruptedException, FailedException {
        return told("run", "--all", "--log-format", "json");
    }

    /** {@code weir run --all --until-caught-up}, which has to end caught up. */
    Ran loop() throws IOException, InterruptedException, FailedException {
        return told(
                "run",
                "--all",
                "--until-caught-up",
                "--max-runs",
                "10000",
                "--require-caught-up",
                "--log-format",
                "json");
    }

    private Ran told(String... arguments) throws IOException, InterruptedException, FailedException {
        runs++;
        Path output = folder.resolve("events" + runs + ".ndjson");
        return new Ran(command(output, arguments).run(), Events.of(output));
    }

    /** Any other command of weir. */
    Taken weir(String... arguments) throws IOException, InterruptedException, FailedException {
        return command(folder.resolve("output.txt"), arguments).run();
    }

    private Command command(Path output, String... arguments) {
        List<String> words = new ArrayList<>(List.of(weir.toString()));
        words.addAll(List.of(arguments));
        return new Command(words, folder, output);
    }

    Path duckDbFile() {
        return folder.resolve("target.duckdb");
    }

    void delete() throws IOException {
        Folders.delete(folder);
    }
}
