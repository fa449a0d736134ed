package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sound project over systems that do not answer as they should: exit 1, what is wrong, what to do, nothing written. */
class BadSystemTest {

    private static final String COPY = """
            INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}
            SELECT id, name FROM {{ source('pg', 'public.t') }}
            """;

    private static Postgres.Database database;

    @TempDir
    Path folder;

    private WeirProject project;

    @BeforeAll
    static void rows() {
        database = Postgres.fresh();
        database.execute(
                "CREATE TABLE t (id bigint PRIMARY KEY, name text)",
                "INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 20) i",
                "CREATE SCHEMA walled",
                "CREATE TABLE walled.t (id bigint, name text)",
                "CREATE VIEW seen AS SELECT * FROM t");
    }

    @BeforeEach
    void project() {
        project = new WeirProject(folder).file("pipelines/copy.sql", COPY);
        connections("postgres", "", "{ connector: duckdb, path: lake.duckdb }");
    }

    /** @param more further lines of the connection pg, which win over the others */
    private void connections(String user, String more, String lake) {
        StringBuilder pg = new StringBuilder();
        Map.of("host", "localhost", "port", "" + database.port(), "database", database.name(), "user", user)
                .forEach((key, value) -> {
                    if (!more.contains("  " + key + ":")) {
                        pg.append("  ").append(key).append(": ").append(value).append('\n');
                    }
                });
        project.file("connections.yml", "pg:\n  connector: postgres\n" + pg + more + """
                  entities:
                    public.t:
                      read:
                        sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 20 }
                lake: %s
                """.formatted(lake));
    }

    private void source(String more) {
        connections("postgres", more, "{ connector: duckdb, path: lake.duckdb }");
    }

    private WeirProject.Said fails(String... says) {
        WeirProject.Said said = project.run("run", "--all", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains(says);
        BadOutput.isForPeople(said);
        WeirProject.Said show = project.run("state", "show", "pg.t");
        assertThat(show.out()).contains("current  none");
        assertThat(project.run("runs").out()).contains("completed_with_failures");
        return said;
    }

    private WeirProject.Said failsBeforeTheSink(String... says) {
        WeirProject.Said said = fails(says);
        assertThat(Files.exists(folder.resolve("lake.duckdb"))).isFalse();
        return said;
    }

    @Test
    void aWrongPassword() {
        database.execute("ALTER ROLE secret PASSWORD 'right'");
        source("  user: secret\n  password: wrong\n");
        failsBeforeTheSink("WR0501", "pg.public.t", "check user and password of pg");
    }

    @Test
    void noPasswordWhereOneIsAsked() {
        source("  user: secret\n");
        failsBeforeTheSink("WR0501", "password");
    }

    @Test
    void aRoleThatIsNotThere() {
        source("  user: nobody_knows\n");
        failsBeforeTheSink("WR0501", "nobody_knows", "check user and password of pg");
    }

    @Test
    void aDatabaseThatIsNotThere() {
        source("  database: nowhere\n");
        failsBeforeTheSink("WR0501", "\"nowhere\" does not exist", "check database: of pg");
    }

    @Test
    void aHostNobodyKnows() {
        source("  host: nowhere.invalid\n");
        failsBeforeTheSink("WR0501", "the host of nowhere.invalid:");
    }

    @Test
    void aPortNobodyListensAt() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        source("  port: " + free + "\n");
        failsBeforeTheSink("WR0501", "localhost:" + free, "is the server at");
    }

    @Test
    void aServerThatSpeaksNoTls() {
        source("  sslmode: require\n");
        failsBeforeTheSink("WR0501", "SSL");
    }

    @Test
    void aPortThatIsNone() {
        source("  port: 99999\n");
        WeirProject.Said said = project.run("run");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains("WR0105", "99999", "65535");
        BadOutput.isForPeople(said);
    }

    @Test
    void aTableThatIsNotThere() {
        project.file(
                "pipelines/copy.sql",
                COPY.replace("'public.t'", "'public.orders', sync: { mode: incremental, cursor: id }"));
        WeirProject.Said said = project.run("run");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0501", "pg.public.orders");
        BadOutput.isForPeople(said);
    }

    @Test
    void aCursorThatIsNoColumn() {
        project.file("connections.yml", connectionsText().replace("cursor: id", "cursor: ID"));
        failsBeforeTheSink("WR0501", "pg.public.t", "'ID'", "id, name");
    }

    @Test
    void aDeclaredColumnThatIsNotThere() {
        project.file(
                "connections.yml",
                connectionsText().replace("read:\n", "read:\n        columns: { id: bigint, nam: varchar }\n"));
        failsBeforeTheSink("WR0501", "'nam'", "id, name");
    }

    @Test
    void aTableTheRoleMayNotRead() {
        role("reader");
        source("  user: reader\n");
        failsBeforeTheSink("WR0501", "reader may not read public.t", "GRANT SELECT");
    }

    private static void role(String name) {
        if (database.rows("SELECT 1 FROM pg_roles WHERE rolname = '" + name + "'")
                .isEmpty()) {
            database.execute("CREATE ROLE " + name + " LOGIN");
        }
    }

    @Test
    void aSinkTheRoleMayNotWrite() {
        role("guest");
        database.execute("GRANT USAGE ON SCHEMA walled TO guest", "GRANT SELECT ON walled.t TO guest");
        sink("guest", "walled.t");
        fails("WR0503", "lake.walled.t", "guest", "GRANT");
        assertThat(database.rows("SELECT * FROM walled.t")).isEmpty();
    }

    @Test
    void aSchemaTheRoleMayNotCreateIn() {
        role("guest");
        database.execute("GRANT USAGE ON SCHEMA walled TO guest");
        sink("guest", "walled.fresh");
        fails("WR0503", "lake.walled.fresh", "guest", "CREATE on its schema");
        assertThat(database.rows("SELECT 1 FROM pg_tables WHERE tablename = 'fresh'"))
                .isEmpty();
    }

    @Test
    void aSinkThatIsReadOnly() {
        role("looker");
        database.execute(
                "ALTER ROLE looker SET default_transaction_read_only = on", "GRANT ALL ON SCHEMA walled TO looker");
        sink("looker", "walled.other");
        fails("WR0503", "lake.walled.other", "read");
    }

    @Test
    void aSchemaThatIsNotThere() {
        sink("postgres", "nowhere.t");
        fails("WR0503", "lake.nowhere.t", "create the schema first");
    }

    @Test
    void aViewAsASink() {
        sink("postgres", "public.seen");
        fails("WR0503", "lake.public.seen", "view");
    }

    @Test
    void aSinkThatIsDown() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        connections(
                "postgres",
                "",
                "{ connector: postgres, host: localhost, port: %d, database: x, user: x }".formatted(free));
        fails("WR0503", "localhost:" + free);
    }

    private void sink(String user, String table) {
        connections(
                "postgres",
                "",
                "{ connector: postgres, host: localhost, port: %d, database: %s, user: %s }"
                        .formatted(database.port(), database.name(), user));
        project.file("pipelines/copy.sql", COPY.replace("'lake', 't'", "'lake', '" + table + "'"));
    }

    private String connectionsText() {
        try {
            return Files.readString(folder.resolve("connections.yml"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aQueryThatIsWrong() {
        project.file("pipelines/copy.sql", COPY.replace("'public.t'", "'q', query: 'SELECT id, nam FROM t'"));
        WeirProject.Said said = project.run("run");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        assertThat(said.all()).contains("WR0501", "nam", "query");
        BadOutput.isForPeople(said);
    }

    @Test
    void aValueThePipelineStumblesOver() {
        project.file("pipelines/copy.sql", COPY.replace("id, name", "id, CAST(name AS INTEGER) AS name"));
        WeirProject.Said said = fails("WR0502", "n1");
        assertThat(Files.exists(folder.resolve("lake.duckdb"))).isFalse();
        assertThat(said.out()).contains("stopped: run failed");
    }

    @Test
    void aSourceThatIsNoDuckDbFile() {
        project.file("shop.duckdb", "this is text");
        duckSource("shop.duckdb");
        failsOfShop("WR0501", "is no DuckDB database", "correct path:");
    }

    @Test
    void aSourceFileThatIsNotThere() {
        duckSource("nowhere.duckdb");
        failsOfShop("WR0501", "there is no file", "nowhere.duckdb");
        assertThat(Files.exists(folder.resolve("nowhere.duckdb"))).isFalse();
    }

    @Test
    void aSourceThatIsAFolder() throws IOException {
        Files.createDirectory(folder.resolve("shop.duckdb"));
        duckSource("shop.duckdb");
        failsOfShop("WR0501", "is a folder");
    }

    @Test
    void aTableThatIsNotInTheFile() {
        project.duck("shop.duckdb", "CREATE TABLE u (id BIGINT)");
        duckSource("shop.duckdb");
        failsOfShop("WR0501", "shop.t");
    }

    @Test
    void aSinkThatIsNoDuckDbFile() throws IOException {
        project.file("lake.duckdb", "this is text");
        fails("WR0503", "is no DuckDB database");
        assertThat(Files.readString(folder.resolve("lake.duckdb"))).isEqualTo("this is text");
    }

    @Test
    void aSinkInAFolderThatIsNotThere() {
        connections("postgres", "", "{ connector: duckdb, path: nowhere/lake.duckdb }");
        fails("WR0503", "the folder of", "create the folder");
        assertThat(Files.exists(folder.resolve("nowhere"))).isFalse();
    }

    @Test
    void aSinkWhoseTypeWouldLoseData() {
        project.duck("lake.duckdb", "CREATE TABLE t (id INTEGER, name VARCHAR)");
        fails("WR0523", "lake.t", "column id", "BIGINT", "INTEGER");
        assertThat(project.duckRows("lake.duckdb", "SELECT * FROM t")).isEmpty();
    }

    @Test
    void aSinkWithColumnsThePipelineDoesNotProduce() {
        project.duck("lake.duckdb", "CREATE TABLE t (id BIGINT, name VARCHAR, note VARCHAR)");
        fails("WR0503", "note", "keep_columns: true");
    }

    @Test
    void aSinkThatLacksAColumn() {
        project.duck("lake.duckdb", "CREATE TABLE t (id BIGINT)");
        fails("WR0503", "name");
    }

    private void duckSource(String path) {
        project.file("connections.yml", """
                pg:
                  connector: duckdb
                  path: %s
                  entities:
                    t:
                      read:
                        sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 20 }
                lake: { connector: duckdb, path: lake.duckdb }
                """.formatted(path));
        project.file("pipelines/copy.sql", COPY.replace("public.t", "t"));
    }

    private void failsOfShop(String... says) {
        for (String word : says) {
            failsBeforeTheSink(word.replace("shop.t", "pg.t"));
        }
    }

    @Test
    void aDuckDbFileThatAnotherProcessHasOpen() throws IOException, InterruptedException {
        project.duck("lake.duckdb", "CREATE TABLE other (i INTEGER)");
        Process holder = CaseChild.start(
                folder,
                List.of(),
                Map.of(),
                HoldsFile.class,
                folder.resolve("holder.txt"),
                folder.resolve("lake.duckdb").toString());
        try (BufferedReader says = holder.inputReader()) {
            assertThat(says.readLine()).isEqualTo("held");
            WeirProject.Said said = project.run("run", "--all");
            assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
            assertThat(said.all()).contains("WR0520", "lake.duckdb", "PID " + holder.pid(), "run again");
            BadOutput.isForPeople(said);
        } finally {
            holder.destroyForcibly().waitFor();
        }
        assertThat(project.run("run", "--all").exitCode()).isZero();
    }

    /** Opens a DuckDB file and keeps it. */
    static final class HoldsFile {
        private HoldsFile() {}

        public static void main(String[] args) throws Exception {
            try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + args[0])) {
                System.out.println("held");
                System.in.read();
            }
        }
    }
}
