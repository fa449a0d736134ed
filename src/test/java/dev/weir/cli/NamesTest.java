package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.weir.connector.TableName;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cases K: names of tables and columns arrive as they are spelled, whatever is in them, or are refused. */
class NamesTest {

    private static final String SCHEMA = "Sche.\"ma\"";

    /** Each is a table, and in it the cursor, the key, and what tells which rows are gone. */
    private static final List<String> NAMES = List.of(
            "Order ID",
            "select",
            "a.b",
            "q\"q",
            "\"",
            "日本語",
            "1st",
            "😀",
            "_weir_cursor",
            "_weir_known",
            "rowid",
            "c0",
            "%s",
            "{{ x }}",
            "${HOME}",
            "back\\slash",
            "line\nbreak",
            "what?",
            "it's",
            ";--",
            " blanks ",
            "output",
            "é".repeat(31) + "x");

    @TempDir
    Path folder;

    private final Postgres.Database source = Postgres.fresh();
    private final Postgres.Database target = Postgres.fresh();

    /** A second column. */
    private static String other(String name) {
        return "v" + name.substring(0, name.offsetByCodePoints(0, 1));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static String text(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A value of YAML, in which a dollar would begin a variable. */
    private static String value(String text) {
        return key(text.replace("$", "$$"));
    }

    /** A key of YAML. What JSON quotes, YAML reads. */
    private static String key(String text) {
        return TextNode.valueOf(text).toString();
    }

    private static String postgres(Postgres.Database database) {
        return "connector: postgres, host: localhost, port: " + database.port() + ", database: " + database.name()
                + ", user: postgres, sslmode: disable";
    }

    private WeirProject project() {
        StringBuilder connections = new StringBuilder();
        List<List<String>> hops = List.of(
                List.of("pg", postgres(source)),
                List.of("lake", "connector: duckdb, path: lake.duckdb"),
                List.of("file", "connector: sqlite, path: file.db"),
                List.of("wh", postgres(target)));
        WeirProject project = new WeirProject(folder);
        for (int i = 0; i < hops.size(); i++) {
            String connection = hops.get(i).get(0);
            connections
                    .append(connection)
                    .append(": { ")
                    .append(hops.get(i).get(1))
                    .append(", entities: {");
            for (int n = 0; n < NAMES.size(); n++) {
                String name = NAMES.get(n);
                connections
                        .append(n == 0 ? " " : ", ")
                        .append(key(entity(connection, name)))
                        .append(": { read: { sync: { mode: incremental, cursor: ")
                        .append(value(name))
                        .append(", max_window: 3, initial: 0, until: 4 } } }");
                if (i > 0) {
                    String from = hops.get(i - 1).get(0);
                    project.file(
                            "pipelines/" + connection + n + ".sql",
                            "INSERT INTO {{ sink('" + connection + "', " + text(entity(connection, name))
                                    + ", strategy: 'merge', keys: [" + text(name) + "], order_by: " + text(name)
                                    + ", delete_when: " + text(quoted(name) + " = 3")
                                    + ") }}\nSELECT * FROM {{ source('"
                                    + from + "', " + text(entity(from, name)) + ") }}\n");
                }
            }
            connections.append(" } }\n");
        }
        return project.file("connections.yml", connections.toString());
    }

    private static String entity(String connection, String name) {
        boolean schema = connection.equals("pg") || connection.equals("wh");
        return new TableName(schema ? List.of(SCHEMA, name) : List.of(name)).toString();
    }

    @Test
    void namesGoThroughAllSystemsUnchanged() {
        String schema = quoted(SCHEMA);
        source.execute("CREATE SCHEMA " + schema);
        target.execute("CREATE SCHEMA " + schema);
        for (String name : NAMES) {
            String table = schema + "." + quoted(name);
            source.execute(
                    "CREATE TABLE " + table + " (" + quoted(name) + " bigint PRIMARY KEY, " + quoted(other(name))
                            + " text)",
                    "INSERT INTO " + table + " SELECT i, 'row ' || i FROM generate_series(1, 4) i");
        }
        WeirProject project = project();
        for (String connection : List.of("lake", "file", "wh")) {
            String[] run = new String[NAMES.size() + 2];
            run[0] = "run";
            run[1] = "--until-caught-up";
            for (int n = 0; n < NAMES.size(); n++) {
                run[n + 2] = connection + n;
            }
            WeirProject.Said said = project.run(run);
            assertThat(said.exitCode()).as(said.all()).isZero();
        }
        for (String name : List.of("q\"q", "%s", "line\nbreak", "{{ x }}")) {
            String pipeline = "wh" + NAMES.indexOf(name);
            WeirProject.Said replayed = project.run("backfill", pipeline, "--from", "1", "--to", "5", "--window", "2");
            assertThat(replayed.exitCode()).as(replayed.all()).isZero();
            assertThat(replayed.all()).contains("2 completed");
        }
        assertThat(project.run("state", "show").exitCode()).isZero();
        for (String name : NAMES) {
            String[] columns = {quoted(name), quoted(other(name))};
            String select = "SELECT " + String.join(", ", columns) + " FROM ";
            String[] rows = {"1|row 1", "2|row 2", "4|row 4"};
            assertThat(project.duckRows("lake.duckdb", select + quoted(name) + " ORDER BY 1"))
                    .as(name)
                    .containsExactly(rows);
            assertThat(project.sqliteRows("file.db", select + quoted(name) + " ORDER BY 1"))
                    .as(name)
                    .containsExactly(rows);
            assertThat(target.rows(select + schema + "." + quoted(name) + " ORDER BY 1"))
                    .as(name)
                    .containsExactly(rows);
            assertThat(target.rows("SELECT attname FROM pg_attribute WHERE attnum > 0 AND attrelid = "
                            + text(schema + "." + quoted(name)) + "::regclass ORDER BY attnum"))
                    .containsExactly(name, other(name));
        }
    }

    @Test
    void namesThatDifferInCaseAloneAreTwoOrRefused() {
        source.execute(
                "CREATE TABLE t (\"Id\" int, id int)",
                "INSERT INTO t VALUES (1, 2)",
                "CREATE TABLE \"Orders\" (id int)",
                "INSERT INTO \"Orders\" VALUES (1)",
                "CREATE TABLE orders (id int)",
                "INSERT INTO orders VALUES (2)");
        WeirProject project = new WeirProject(folder)
                .file(
                        "connections.yml",
                        "pg: { " + postgres(source) + " }\nlake: { connector: duckdb, path: lake.duckdb }\n"
                                + "file: { connector: sqlite, path: file.db }\n")
                .file(
                        "pipelines/both.sql",
                        "INSERT INTO {{ sink('lake', 'both', strategy: 'replace') }} SELECT u.id AS a,"
                                + " l.id AS b FROM {{ source('pg', 'Orders') }} u, {{ source('pg', 'orders') }} l")
                .file(
                        "pipelines/t.sql",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'replace') }} SELECT * FROM"
                                + " {{ source('pg', 't') }}")
                .file(
                        "pipelines/u.sql",
                        "INSERT INTO {{ sink('lake', 'Same', strategy: 'replace') }},"
                                + " {{ sink('file', 'Same', strategy: 'replace') }} SELECT 1 AS x")
                .file("pipelines/l.sql", "INSERT INTO {{ sink('lake', 'same', strategy: 'replace') }} SELECT 2 AS x")
                .file("pipelines/f.sql", "INSERT INTO {{ sink('file', 'same', strategy: 'replace') }} SELECT 2 AS x");
        says(project, 0, "ok lake.both 1 rows", "both");
        assertThat(project.duckRows("lake.duckdb", "SELECT * FROM \"both\"")).containsExactly("1|2");
        says(project, 2, "WR0501 pg.t: the columns Id and id differ in case alone", "t");
        says(project, 0, "ok file.Same 1 rows", "u");
        says(project, 1, "WR0503 lake.same: there is no same, but main.Same, which DuckDB takes for the same", "l");
        says(project, 1, "WR0503 file.same: there is no same, but Same, which SQLite takes for the same", "f");
        // DuckDB and SQLite know the case of ASCII letters alone.
        project.file(
                        "pipelines/o.sql",
                        "INSERT INTO {{ sink('lake', 'É', strategy: 'replace') }},"
                                + " {{ sink('file', 'É', strategy: 'replace') }} SELECT 1 AS \"Ö\", 2 AS ö")
                .file(
                        "pipelines/p.sql",
                        "INSERT INTO {{ sink('lake', 'é', strategy: 'replace') }},"
                                + " {{ sink('file', 'é', strategy: 'replace') }} SELECT 3 AS \"Ö\", 4 AS ö");
        says(project, 0, "ok file.É 1 rows", "o");
        says(project, 0, "ok file.é 1 rows", "p");
        says(project, 0, "ok lake.É 1 rows", "o");
        assertThat(project.duckRows("lake.duckdb", "FROM \"É\" UNION ALL FROM \"é\""))
                .containsExactlyInAnyOrder("1|2", "3|4");
    }

    private static void says(WeirProject project, int exitCode, String words, String pipeline) {
        WeirProject.Said said = project.run("run", pipeline);
        assertThat(said.exitCode()).as(said.all()).isEqualTo(exitCode);
        assertThat(said.all()).contains(words);
    }

    /** Postgres would cut them off, in the middle of a letter if need be, and take two for one. */
    @Test
    void namesOfMoreBytesThanPostgresKeepsAreRefused() {
        String name = "é".repeat(31) + "xy";
        source.execute("CREATE TABLE " + quoted(name.substring(0, 32)) + " (id int)");
        WeirProject project = new WeirProject(folder)
                .file("connections.yml", "wh: { " + postgres(source) + " }\n")
                .file(
                        "pipelines/column.sql",
                        "INSERT INTO {{ sink('wh', 't', strategy: 'replace') }} SELECT 1 AS " + name)
                .file(
                        "pipelines/table.sql",
                        "INSERT INTO {{ sink('wh', '" + name + "', strategy: 'replace') }} SELECT 1 AS id")
                .file(
                        "pipelines/read.sql",
                        "INSERT INTO {{ sink('wh', 'r', strategy: 'replace') }} SELECT * FROM" + " {{ source('wh', '"
                                + name + "') }}");
        says(project, 1, "WR0503 wh.t: the name " + name + " has more than the 63 bytes Postgres keeps", "column");
        says(project, 1, "WR0503 wh." + name + ": the name " + name + " has more than the 63 bytes", "table");
        says(project, 1, "WR0501 wh." + name, "read");
        assertThat(source.rows("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
                .containsExactly("1");
    }
}
