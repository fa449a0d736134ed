package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A project that copies a small table of Postgres, slice by slice, into one sink.
 *
 * <p>Sixty rows with a gap between them, in windows of ten: three slices, one jump over the gap, three slices. A view shows
 * the same rows to pipelines that read all of them, which those that replace a table do.
 */
final class Copy {

    enum System {
        DUCKDB,
        POSTGRES,
        SQLITE
    }

    enum Strategy {
        MERGE("strategy: 'merge', keys: ['id']"),
        APPEND("strategy: 'append', delivery: 'exactly_once'"),
        WINDOW("strategy: 'window'"),
        REPLACE("strategy: 'replace'");

        private final String arguments;

        Strategy(String arguments) {
            this.arguments = arguments;
        }
    }

    static final int ROWS = 60;
    static final String LAST = "1030";

    /** How the rows are cut unless a test says otherwise. */
    static final String IN_TENS = "max_window: 10";

    static final String[] RUN = {"run", "--all", "--until-caught-up"};

    private static final String WHOLE = "_whole";
    private static final String FILE = "lake.duckdb";
    private static final String SQLITE_FILE = "lake.sqlite";
    private static final String SQLITE_COLUMNS = "id, customer, price, note, substr(placed, 1, 19)";
    private static final String COLUMNS = "id, customer, price, note, CAST(placed AS varchar)";

    private final Postgres.Database database;
    private final Postgres.Database warehouse;
    private final WeirProject project;
    private final String schema;
    private final String source;
    private final String sync;

    private Copy(
            Postgres.Database database,
            Postgres.Database warehouse,
            String schema,
            Path directory,
            String source,
            String sync) {
        this.database = database;
        this.warehouse = warehouse;
        this.project = WeirProject.ofFewRows(directory);
        this.schema = schema;
        this.source = source;
        this.sync = sync;
    }

    /** Makes the rows, in a table of any name. */
    static void fill(Postgres.Database database, String table) {
        database.execute(
                "CREATE TABLE " + table
                        + " (id bigint PRIMARY KEY, customer integer, price numeric(12,2), note text, placed timestamp)",
                "INSERT INTO " + table + " SELECT g, g % 7, g / 100.0, CASE WHEN g % 5 <> 0 THEN md5(g::text) END,"
                        + " timestamp '2024-01-01' + g * interval '1 hour'"
                        + " FROM (SELECT generate_series(1, 30) UNION ALL SELECT generate_series(1001, 1030)) AS ids (g)",
                "CREATE VIEW " + table + WHOLE + " AS SELECT * FROM " + table);
    }

    /** @param directory of the project; its name also names the schema of the Postgres sinks, so it is to be unique */
    static Copy of(Postgres.Database database, String source, Path directory) {
        return of(database, source, directory, database, IN_TENS);
    }

    /**
     * The same, its Postgres sinks in another database.
     *
     * @param sync how the source is cut: keys of its {@code sync}, in one line
     */
    static Copy of(
            Postgres.Database database, String source, Path directory, Postgres.Database warehouse, String sync) {
        String schema = directory.getFileName().toString().replaceAll("[^a-z0-9]", "_");
        Copy copy = new Copy(database, warehouse, schema, directory, source, sync);
        warehouse.execute("CREATE SCHEMA " + copy.schema);
        copy.project.file("connections.yml", copy.connections());
        return copy;
    }

    /** One whose source may grow for as long as a test likes. */
    static Copy growing(Postgres.Database database, String source, Path directory) {
        Copy copy = of(database, source, directory);
        copy.project.file("connections.yml", copy.connections().replace("until: " + LAST, "until: 1000000"));
        return copy;
    }

    /** The same in another folder, with the same sinks. */
    Copy twin(Path directory) throws IOException {
        Copy twin = new Copy(database, warehouse, schema, directory, source, sync);
        for (String file : List.of("connections.yml", "weir.yml", "pipelines/out.sql")) {
            String here = Files.readString(project.directory().resolve(file));
            twin.project.file(file, here.replace("path: ", "path: " + project.directory() + "/"));
        }
        return twin;
    }

    String connections() {
        return """
                pg:
                  connector: postgres
                  host: localhost
                  port: %1$d
                  database: %2$s
                  user: postgres
                  entities:
                    public.%3$s:
                      read:
                        columns: { id: bigint, customer: integer, price: "decimal(12,2)", note: varchar, placed: timestamp }
                        sync: { mode: incremental, cursor: id, initial: 0, until: 1030, %5$s }
                wh:
                  connector: postgres
                  host: localhost
                  port: %1$d
                  database: %4$s
                  user: ${WH_USER:-postgres}
                lake:
                  connector: duckdb
                  path: lake.duckdb
                lite:
                  connector: sqlite
                  path: lake.sqlite
                """.formatted(database.port(), database.name(), source, warehouse.name(), sync);
    }

    /** One pipeline more. */
    Copy into(System system, String table, Strategy strategy) {
        return into(system, table, strategy, "id, customer, price, note, placed");
    }

    Copy into(System system, String table, Strategy strategy, String select) {
        return pipeline(
                table, sink(system, table, strategy), select, strategy == Strategy.REPLACE ? source + WHOLE : source);
    }

    /** One pipeline more, into a table of each system, by one strategy each; they commit in the order of the map. */
    Copy intoEach(String table, Map<System, Strategy> strategies) {
        String sinks = strategies.entrySet().stream()
                .map(sink -> sink(sink.getKey(), table, sink.getValue()))
                .collect(Collectors.joining(",\n    "));
        return pipeline(table, sinks, "id, customer, price, note, placed", source);
    }

    private Copy pipeline(String name, String sinks, String select, String read) {
        project.file(
                "pipelines/" + name + ".sql",
                "INSERT INTO " + sinks + "\nSELECT " + select + "\nFROM {{ source('pg', '" + read + "') }}\n");
        return this;
    }

    private String sink(System system, String table, Strategy strategy) {
        String sink =
                switch (system) {
                    case DUCKDB -> "'lake', '" + table + "'";
                    case SQLITE -> "'lite', '" + table + "'";
                    case POSTGRES -> "'wh', '" + schema + "." + table + "'";
                };
        return "{{ sink(" + sink + ", " + strategy.arguments + ") }}";
    }

    WeirProject project() {
        return project;
    }

    Path directory() {
        return project.directory();
    }

    /** The sink's table, as SQL on Postgres. */
    String inPostgres(String table) {
        return schema + "." + table;
    }

    String sinkId(System system, String table) {
        return switch (system) {
            case DUCKDB -> "lake." + table;
            case SQLITE -> "lite." + table;
            case POSTGRES -> "wh." + inPostgres(table);
        };
    }

    /** Runs the loop in this process and sees it end caught up. */
    WeirProject.Said catchUp() {
        return succeeds(RUN);
    }

    WeirProject.Said succeeds(String... arguments) {
        WeirProject.Said said = project.run(arguments);
        assertThat(said.exitCode()).as(said.all()).isZero();
        return said;
    }

    /** How many runs show as died. */
    long died() {
        return succeeds("runs", "--json", "--limit", "1000")
                .out()
                .lines()
                .filter(line -> line.contains("\"died\""))
                .count();
    }

    List<String> sourceRows() {
        return rows(database, source);
    }

    /** Rows of a table that was filled, in the form in which they are compared. */
    static List<String> rows(Postgres.Database database, String table) {
        return database.rows("SELECT " + COLUMNS + " FROM " + table + " ORDER BY id");
    }

    /** Rows of the sink's table, in the same form. */
    List<String> sinkRows(System system, String table) {
        String of = "SELECT %s FROM %s ORDER BY id, note";
        return switch (system) {
            case DUCKDB -> project.duckRows(FILE, of.formatted(COLUMNS, table));
            case SQLITE -> project.sqliteRows(SQLITE_FILE, of.formatted(SQLITE_COLUMNS, table));
            case POSTGRES -> warehouse.rows(of.formatted(COLUMNS, inPostgres(table)));
        };
    }

    /** The sink's newest mark below the pipeline: its value and how many rows it says were delivered. */
    String mark(System system, String pipeline) {
        String of = "SELECT value, rows_delivered FROM %s WHERE pipeline = '" + pipeline
                + "' ORDER BY generation DESC LIMIT 1";
        return switch (system) {
            case DUCKDB ->
                project.duckRows(FILE, of.formatted("_weir_positions")).get(0);
            case SQLITE ->
                project.sqliteRows(SQLITE_FILE, of.formatted("_weir_positions")).get(0);
            case POSTGRES -> warehouse.value(of.formatted(schema + "._weir_positions"));
        };
    }

    /** The chunks the sink keeps of the pipeline: how many rows tell of them, of how many, and what they loaded. */
    String chunks(System system, String pipeline) {
        String of = "SELECT count(*), count(DISTINCT chunk_id), coalesce(sum(records_loaded), 0) FROM %s"
                + " WHERE pipeline = '" + pipeline + "'";
        return switch (system) {
            case DUCKDB -> project.duckRows(FILE, of.formatted("_weir_chunks")).get(0);
            case SQLITE ->
                project.sqliteRows(SQLITE_FILE, of.formatted("_weir_chunks")).get(0);
            case POSTGRES -> warehouse.value(of.formatted(schema + "._weir_chunks"));
        };
    }

    /** What state remembers of chunks: a line for each status, with how many there are and what they loaded. */
    List<String> chunksInState() {
        return project.sqliteRows(
                ".weir/state.db",
                "SELECT status, count(*), coalesce(sum(records_loaded), 0) FROM backfill_chunks"
                        + " GROUP BY status ORDER BY status");
    }

    /** Every chunk is kept once by each sink and completed in state, and all the rows of the source came with them. */
    void isCovered(int chunks, String pipeline, System... systems) {
        for (System system : systems) {
            assertThat(chunks(system, pipeline))
                    .as("chunks in " + system)
                    .isEqualTo(chunks + "|" + chunks + "|" + ROWS);
            holdsTheRows(system, pipeline);
        }
        assertThat(chunksInState()).containsExactly("completed|" + chunks + "|" + ROWS);
    }

    /** What state remembers, as a user sees it. */
    String state() {
        return succeeds("state", "show", "pg." + source).out();
    }

    /** Row for row what the source holds, no more and no less, and mark and state at its newest row. */
    void isExact(System system, String... tables) {
        holdsTheRows(system, tables);
        for (String table : tables) {
            assertThat(mark(system, table)).as("mark of " + table).isEqualTo(LAST + "|" + ROWS);
        }
        assertThat(state())
                .as("state")
                .contains("  current  " + LAST + "  run ")
                .doesNotContain("ahead");
    }

    /** Row for row what the source holds, no more and no less. */
    void holdsTheRows(System system, String... tables) {
        List<String> expected = sourceRows();
        for (String table : tables) {
            assertThat(sinkRows(system, table)).as(table).containsExactlyElementsOf(expected);
        }
    }
}
