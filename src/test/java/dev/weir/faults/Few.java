package dev.weir.faults;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A project that loads a table of Postgres, a row a pass, by append, merge and window into one sink connection: as little as
 * shows everything, since it is run for hundreds of passes.
 */
final class Few {

    enum Sinks {
        DUCKDB,
        POSTGRES
    }

    static final List<String> TABLES = List.of("appended", "merged", "windowed");
    private static final String FILE = "lake.duckdb";

    private final Postgres.Database database;
    private final WeirProject project;
    private final Sinks sinks;
    private final String schema;
    private final int rows;

    private Few(Postgres.Database database, Path directory, Sinks sinks, int rows) {
        this.database = database;
        this.project = WeirProject.ofFewRows(directory);
        this.sinks = sinks;
        this.schema = directory.getFileName().toString();
        this.rows = rows;
    }

    /**
     * @param directory its name also names the schema of source and sinks
     * @param sourcePort where the source is reached
     * @param sinkPort where a Postgres sink is reached
     * @param rows of the source; as many passes take them
     * @param attempts of each work on a connection
     */
    static Few of(
            Postgres.Database database,
            Path directory,
            Sinks sinks,
            int sourcePort,
            int sinkPort,
            int rows,
            int attempts) {
        Few few = new Few(database, directory, sinks, rows);
        database.execute(
                "CREATE SCHEMA " + few.schema,
                "CREATE TABLE " + few.schema + ".few AS SELECT g::bigint AS id, 'row ' || g AS note"
                        + " FROM generate_series(1, " + rows + ") AS g");
        few.project.file(
                "connections.yml", """
                pg:
                  connector: postgres
                  host: localhost
                  port: %1$d
                  database: %3$s
                  user: postgres
                  sslmode: disable
                  retry: { attempts: %4$d, delay: 1ms, max_delay: 2ms }
                  entities:
                    %6$s.few:
                      read: { sync: { mode: incremental, cursor: id, max_window: 1, initial: 0, until: %5$d } }
                wh:
                  connector: postgres
                  host: localhost
                  port: %2$d
                  database: %3$s
                  user: postgres
                  sslmode: disable
                  retry: { attempts: %4$d, delay: 1ms, max_delay: 2ms }
                lake:
                  connector: duckdb
                  path: lake.duckdb
                """.formatted(sourcePort, sinkPort, database.name(), attempts, rows, few.schema));
        few.pipeline("appended", "strategy: 'append', delivery: 'exactly_once'");
        few.pipeline("merged", "strategy: 'merge', keys: ['id']");
        few.pipeline("windowed", "strategy: 'window'");
        return few;
    }

    private void pipeline(String table, String arguments) {
        String target = sinks == Sinks.DUCKDB ? "'lake', '" + table + "'" : "'wh', '" + schema + "." + table + "'";
        project.file(
                "pipelines/" + table + ".sql",
                "INSERT INTO {{ sink(" + target + ", " + arguments + ") }}\nSELECT id, note\n"
                        + "FROM {{ source('pg', '" + schema + ".few') }}\n");
    }

    /** Runs the loop, told of each pass before it does anything; with more options, if any. */
    WeirProject.Said run(Runnable passBegins, String... more) {
        return project.overheard(
                line -> {
                    if (line.contains("\"event\":\"run_started\"")) {
                        passBegins.run();
                    }
                },
                Stream.concat(
                                Stream.of(
                                        "run",
                                        "--all",
                                        "--until-caught-up",
                                        "--max-runs",
                                        "100000",
                                        "--log-format",
                                        "json"),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    /** Replays all rows into the table that is appended to, a row a chunk. */
    WeirProject.Said backfill() {
        return project.run(
                "backfill",
                TABLES.get(0),
                "--from",
                "1",
                "--to",
                Integer.toString(rows + 1),
                "--window",
                "1",
                "--log-format",
                "json");
    }

    /** What is in a sink and should not be, or should be and is not; then the marks, and what state remembers. */
    List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        TABLES.forEach(table -> wrong.addAll(wrongRows(table)));
        String mark = "|" + rows + "|" + rows;
        List<String> marks = sinkRows(
                "SELECT pipeline, value, rows_delivered FROM " + inSink("_weir_positions") + " ORDER BY pipeline");
        if (!marks.equals(TABLES.stream().map(table -> table + mark).toList())) {
            wrong.add("the marks are " + marks);
        }
        String state = project.run("state", "show", "pg." + schema + ".few").all();
        if (!state.contains("  current  " + rows + "  run ") || state.contains("ahead")) {
            wrong.add("state says " + state);
        }
        return wrong;
    }

    /** The same of a backfill: rows, the chunks its sink keeps, and what state remembers of them. */
    List<String> wrongChunks() {
        List<String> wrong = new ArrayList<>(wrongRows(TABLES.get(0)));
        String all = rows + "|" + rows + "|" + rows;
        String kept = sinkRows(
                        "SELECT count(*), count(DISTINCT chunk_id), sum(records_loaded) FROM " + inSink("_weir_chunks"))
                .get(0);
        if (!kept.equals(all)) {
            wrong.add("the sink keeps chunks " + kept);
        }
        String state = project.sqliteRows(
                        ".weir/state.db",
                        "SELECT count(*), sum(status = 'completed'), sum(records_loaded) FROM backfill_chunks")
                .get(0);
        if (!state.equals(all)) {
            wrong.add("state says " + state);
        }
        return wrong;
    }

    private List<String> wrongRows(String table) {
        return sinkRows("SELECT id, count(s.id), min(s.note) FROM (SELECT range AS id FROM " + series() + ") AS wanted"
                        + " FULL JOIN " + inSink(table) + " AS s USING (id) GROUP BY id"
                        + " HAVING count(s.id) <> 1 OR min(s.note) <> 'row ' || id OR id NOT BETWEEN 1 AND " + rows)
                .stream()
                .map(row -> table + " holds " + row)
                .toList();
    }

    private String inSink(String table) {
        return sinks == Sinks.DUCKDB ? table : schema + "." + table;
    }

    private String series() {
        return sinks == Sinks.DUCKDB ? "range(1, " + (rows + 1) + ")" : "generate_series(1, " + rows + ") AS range";
    }

    private List<String> sinkRows(String query) {
        return sinks == Sinks.DUCKDB ? project.duckRows(FILE, query) : database.rows(query);
    }
}
