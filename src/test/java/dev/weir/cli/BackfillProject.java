package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A project that backfills tables of Postgres, and what is left of it in state and in its sinks. */
final class BackfillProject {

    private static final String STATE = ".weir/state.db";
    private static final String FILE = "lake.duckdb";

    final WeirProject project;
    final Postgres.Database source;

    /** A schema of the source's database, for what is written there. */
    private final String schema;

    /** A project without pipelines: connections {@code pg}, {@code lake}, a DuckDB file, and {@code wh}, a schema of pg. */
    BackfillProject(Path folder, Postgres.Database source) {
        this.project = WeirProject.ofFewRows(folder);
        this.source = source;
        this.schema = "wh_" + Long.toHexString(System.nanoTime());
        source.execute("CREATE SCHEMA " + schema);
        reads("{}");
    }

    /** The connections, with the entities of pg in flow style. */
    BackfillProject reads(String entities) {
        String server = "{ connector: postgres, host: localhost, port: " + source.port() + ", database: "
                + source.name() + ", user: postgres, sslmode: disable, retry: { attempts: 1 }";
        project.file("connections.yml", """
                pg: %1$s, entities: %2$s }
                wh: %1$s }
                lake: { connector: duckdb, path: %3$s }
                other: { connector: duckdb, path: other.duckdb }
                file: { connector: sqlite, path: file.db }
                """.formatted(server, entities, FILE));
        return this;
    }

    /** Adds a pipeline that writes a table of lake; the sink's options as they are written. */
    BackfillProject into(String table, String options, String select) {
        return pipeline(table, "'lake', '" + table + "'", options, select);
    }

    /** The same into Postgres. */
    BackfillProject intoPostgres(String table, String options, String select) {
        return pipeline(table, "'wh', '" + schema + "." + table + "'", options, select);
    }

    /** The same into another connection. */
    BackfillProject pipeline(String name, String sink, String options, String select) {
        project.file(
                "pipelines/" + name + ".sql",
                "INSERT INTO {{ sink(" + sink + ", " + options + ") }}\n" + select + "\n");
        return this;
    }

    /** What a pipeline's file says. */
    String written(String pipeline) {
        try {
            return Files.readString(project.directory().resolve("pipelines/" + pipeline + ".sql"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    WeirProject.Said run(String... args) {
        return project.run(args);
    }

    /** {@code backfill} with a command's words behind it. */
    WeirProject.Said backfill(String words) {
        return project.run(("backfill " + words).split(" "));
    }

    /** The same, which must end with that code. */
    WeirProject.Said backfill(int exitCode, String words) {
        return ended(exitCode, backfill(words));
    }

    static WeirProject.Said ended(int exitCode, WeirProject.Said said) {
        assertThat(said.exitCode()).as(said.all()).isEqualTo(exitCode);
        return said;
    }

    /** Columns of all chunks in state, plan by plan in order. */
    List<String> chunks(String columns) {
        return state("SELECT " + columns + " FROM backfill_chunks JOIN backfills USING (project, backfill_id)"
                + " ORDER BY backfills.id, chunk_id");
    }

    /** The statuses of all chunks in state. */
    List<String> statuses() {
        return chunks("status");
    }

    /** The rows of a query on state.db. */
    List<String> state(String query) {
        return project.sqliteRows(STATE, query);
    }

    /** The history's rows of chunks, oldest first. */
    List<String> history(String columns) {
        return state("SELECT " + columns + " FROM runs WHERE trigger = 'backfill' ORDER BY id");
    }

    /** The rows of a query on lake. */
    List<String> lake(String query) {
        return project.duckRows(FILE, query);
    }

    /** The rows of a query on wh, {@code %s} standing for its schema. */
    List<String> wh(String query) {
        return source.rows(query.replace("%s", schema));
    }

    /** Executes statements on wh, {@code %s} standing for its schema. */
    void onWh(String... statements) {
        source.execute(Stream.of(statements)
                .map(statement -> statement.replace("%s", schema))
                .toArray(String[]::new));
    }

    /** Executes statements on lake. */
    void onLake(String... statements) {
        project.duck(FILE, statements);
    }

    /** Forgets state.db, as a machine that was lost would. */
    void loseState() {
        for (String file : List.of(STATE, STATE + "-wal", STATE + "-shm")) {
            try {
                Files.deleteIfExists(project.directory().resolve(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** That nothing was written of any backfill: no plan, no chunk, no note in a sink. */
    void nothingWritten() {
        if (Files.exists(project.directory().resolve(STATE))) {
            assertThat(state("SELECT (SELECT count(*) FROM backfills) + (SELECT count(*) FROM backfill_chunks)"))
                    .containsExactly("0");
        }
        if (Files.exists(project.directory().resolve(FILE))) {
            assertThat(lake("SELECT table_name FROM duckdb_tables()")).doesNotContain("_weir_chunks");
        }
        assertThat(wh("SELECT tablename FROM pg_tables WHERE schemaname = '%s'"))
                .doesNotContain("_weir_chunks");
    }

    /** All files of the project with their size, and when they were written. */
    List<String> files() {
        try (Stream<Path> files = Files.walk(project.directory())) {
            List<String> all = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                if (Files.isRegularFile(file)) {
                    all.add(file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
                } else {
                    all.add(file.toString());
                }
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
