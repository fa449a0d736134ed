package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases D, G, K and N where SQLite has an answer of its own: from one file of a user's into another. */
class SqliteCaseTest {

    private static final String APP = "app.sqlite";
    private static final String LAKE = "lake.sqlite";

    @TempDir
    Path folder;

    private WeirProject project;

    @BeforeEach
    void makeTheProject() {
        project = new WeirProject(folder);
        pipeline("SELECT * FROM {{ source('app', 't') }}", "strategy: 'merge', keys: ['id']");
    }

    private SqliteCaseTest given(String... statements) {
        project.sqlite(APP, statements);
        return this;
    }

    private void pipeline(String select, String sink) {
        project.file("pipelines/copy.sql", "INSERT INTO {{ sink('lake', 't', " + sink + ") }}\n" + select + "\n");
    }

    private void reads(String read) {
        project.file("connections.yml", """
                app:
                  connector: sqlite
                  path: app.sqlite
                  entities:
                    t:
                      read: %s
                lake: { connector: sqlite, path: lake.sqlite }
                """.formatted(read));
    }

    private void sync(String block) {
        reads("{ sync: { mode: incremental, " + block + " } }");
    }

    private WeirProject.Said caughtUp() {
        WeirProject.Said said = project.run("run", "--all", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.out()).contains("stopped: caught up");
        return said;
    }

    private WeirProject.Said fails() {
        WeirProject.Said said = project.run("run", "--all", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        return said;
    }

    private List<String> loaded(String query) {
        return project.sqliteRows(LAKE, query);
    }

    // case D1
    @Test
    void rowsWithANullCursorAreSaid() {
        given(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, updated_at DATETIME)",
                "INSERT INTO t VALUES (1, NULL), (2, '2026-01-01'), (3, NULL)");
        sync("cursor: updated_at, max_window: 1d, until: now");

        assertThat(caughtUp().all()).contains("2 with a NULL cursor");
        assertThat(loaded("SELECT id FROM t")).containsExactly("2");
    }

    // case D2
    @Test
    void negativeIdsAreRead() {
        given("CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (-5), (-1), (0), (7)");
        sync("cursor: id, max_window: 4, initial: -10, until: 20");

        caughtUp();
        assertThat(loaded("SELECT id FROM t ORDER BY id")).containsExactly("-5", "-1", "0", "7");
    }

    // case D3
    @Test
    void aWindowEndsWhereItsTypeDoes() {
        given(
                "CREATE TABLE t (id INTEGER PRIMARY KEY)",
                "INSERT INTO t VALUES (9223372036854775800), (9223372036854775807), (-9223372036854775808)");
        sync("cursor: id, max_window: 10000, initial: -9223372036854775808, until: 9223372036854775807");

        caughtUp();
        assertThat(loaded("SELECT id FROM t ORDER BY id"))
                .containsExactly("-9223372036854775808", "9223372036854775800", "9223372036854775807");
    }

    // cases D3, 0.35, N6
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"9223372036854775807 + 1 | real", "9223372036854775808 | real", "'abc' | text", "'inf' | text"})
    void aCursorThatIsNoIntegerIsNotPassedOver(String value, String storage) {
        given("CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1), (" + value + ")");
        sync("cursor: id, max_window: 10, until: 100");

        assertThat(fails().all()).contains("WR0524 app.t", "rowid = 2", "typeof " + storage);
        assertThat(folder.resolve(LAKE)).doesNotExist();
    }

    // case D6
    @Test
    void decimalsKeptAsTextAreWindowedExactly() {
        given(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, seq DECIMAL_TEXT(30,6))",
                "INSERT INTO t VALUES (1, '1.5'), (2, '2.0'), (3, '202109171437040633984411.000001')");
        sync("cursor: seq, max_window: 0.5, initial: 0, until: 999999999999999999999999");

        caughtUp();
        assertThat(loaded("SELECT id, seq FROM t ORDER BY id"))
                .containsExactly("1|1.500000", "2|2.000000", "3|202109171437040633984411.000001");
        assertThat(loaded("SELECT value FROM _weir_positions")).containsExactly("202109171437040633984411.000001");
    }

    // case D7
    @Test
    void aDateIsLoadedOnceItsDayHasEnded() {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        given(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE)",
                "INSERT INTO t VALUES (1, '" + today.minusDays(3) + "'), (2, '" + today.plusDays(1) + "')");
        sync("cursor: d, max_window: 1d, until: now");

        caughtUp();
        assertThat(loaded("SELECT id FROM t")).containsExactly("1");
    }

    // cases N5 and 0.34
    @Test
    void timesSpelledWithABlankOrATAreAllLoadedOnce() {
        given(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, updated_at TEXT)",
                "INSERT INTO t VALUES (1, '2026-07-27 10:00:00'), (2, '2026-07-27T15:29:00Z')");
        reads("{ columns: { id: bigint, updated_at: timestamp },"
                + " sync: { mode: incremental, cursor: updated_at, max_window: 1h, until: now } }");
        pipeline("SELECT * FROM {{ source('app', 't') }}", "strategy: 'append', delivery: 'exactly_once'");

        caughtUp();
        given("INSERT INTO t VALUES (3, '2026-07-27 15:29:47.5')");
        caughtUp();
        caughtUp();

        assertThat(loaded("SELECT id, updated_at FROM t ORDER BY id"))
                .containsExactly(
                        "1|2026-07-27 10:00:00.000000", "2|2026-07-27 15:29:00.000000", "3|2026-07-27 15:29:47.500000");
        given("INSERT INTO t VALUES (4, 1785166187)");
        assertThat(fails().all()).contains("WR0524 app.t", "rowid = 4", "'1785166187' (typeof text)");
    }

    // case K1
    @Test
    void namesReachTheSinkAsTheyAreSpelled() {
        project.sqlite(
                APP,
                "CREATE TABLE \"Orders\" (\"Id\" INTEGER, \"createdAt\" TIMESTAMP, \"select\" TEXT, \"a.b\" TEXT,"
                        + " \"日本\" TEXT, \"q\"\"q\" TEXT)",
                "INSERT INTO \"Orders\" VALUES (1, '2026-01-01', 's', 'ab', 'jp', 'q')");
        project.file("connections.yml", """
                app: { connector: sqlite, path: app.sqlite, entities: { Orders: { read: {
                  sync: { mode: incremental, cursor: createdAt, max_window: 1d, until: now } } } } }
                lake: { connector: sqlite, path: lake.sqlite }
                """);
        project.file(
                "pipelines/copy.sql",
                "INSERT INTO {{ sink('lake', 'Orders', strategy: 'merge', keys: ['Id']) }}\n"
                        + "SELECT * FROM {{ source('app', 'Orders') }}\n");

        caughtUp();
        caughtUp();
        assertThat(loaded("SELECT \"Id\", \"select\", \"a.b\", \"日本\", \"q\"\"q\" FROM \"Orders\""))
                .containsExactly("1|s|ab|jp|q");
    }

    private void twoOfOneKey() {
        given(
                "CREATE TABLE t (nr INTEGER PRIMARY KEY, customer_id INTEGER, amount INTEGER, updated_at TIMESTAMP)",
                "INSERT INTO t VALUES (1, 7, 2, '2025-01-01T10:05:00'), (2, 7, 1, '2025-01-01 10:30:00'),"
                        + " (3, 8, 5, '2025-01-01 10:00:00')");
        sync("cursor: updated_at, max_window: 1d, initial: 2025-01-01, until: 2025-01-02");
        pipeline(
                "SELECT customer_id AS id, amount, updated_at FROM {{ source('app', 't') }}",
                "strategy: 'merge', keys: ['id']");
    }

    // cases G1, G2
    @Test
    void ofTwoRowsOfOneKeyTheNewestStaysAndItIsSaid() {
        twoOfOneKey();

        assertThat(caughtUp().out()).contains("WR0522 lake.t: 1 key (id)");
        assertThat(loaded("SELECT id, amount FROM t ORDER BY id")).containsExactly("7|1", "8|5");
    }

    // case G1: neither over slices, and whatever the letters of the times say
    @Test
    void anOlderRowNeverReplacesANewerOne() {
        twoOfOneKey();
        caughtUp();
        project.sqlite(LAKE, "UPDATE t SET updated_at = '2025-01-01 13:00:00' WHERE id = 7");
        given("INSERT INTO t VALUES (4, 7, 99, '2025-01-01T12:00:00Z'), (5, 8, 6, '2025-01-01T12:00:00Z')");

        assertThat(caughtUp().all()).contains("1 rows had no effect because the stored row is newer");
        assertThat(loaded("SELECT id, amount FROM t ORDER BY id")).containsExactly("7|1", "8|6");
    }

    // case G3
    @Test
    void aNullInAKeyFailsBeforeTheSinkIsTouched() {
        given("CREATE TABLE t (id INTEGER, v TEXT)", "INSERT INTO t VALUES (NULL, 'onion'), (1, 'leek')");
        reads("{}");

        assertThat(fails().all()).contains("WR0521", "lake.t", "id");
        assertThat(loaded("SELECT count(*) FROM sqlite_schema WHERE name = 't'"))
                .containsExactly("0");
    }

    // case G11
    @Test
    void aSinkThatWouldRoundIsRefused() {
        given("CREATE TABLE t (id INTEGER PRIMARY KEY, price DECIMAL_TEXT(18,3))", "INSERT INTO t VALUES (1, '1.239')");
        project.sqlite(LAKE, "CREATE TABLE t (id INTEGER PRIMARY KEY, price DECIMAL(18,2))");
        reads("{}");

        assertThat(fails().all()).contains("WR0523 lake.t", "price", "DECIMAL(18,3)", "DECIMAL(18,2)");
        assertThat(loaded("SELECT count(*) FROM t")).containsExactly("0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wal", "delete"})
    void oneFileMayBeSourceAndSink(String journal) {
        given(
                "PRAGMA journal_mode = " + journal,
                "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)",
                "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)"
                        + " SELECT i, 'v' || i FROM n");
        sync("cursor: id, max_window: 10, until: 50");
        project.file(
                "pipelines/copy.sql",
                "INSERT INTO {{ sink('app', 'copy', strategy: 'merge', keys: ['id']) }}\n"
                        + "SELECT * FROM {{ source('app', 't') }}\n");

        caughtUp();
        assertThat(project.sqliteRows(APP, "SELECT count(*), min(id), max(id), count(DISTINCT v) FROM copy"))
                .containsExactly("50|1|50|50");
        assertThat(project.sqliteRows(APP, "PRAGMA journal_mode")).containsExactly(journal);
    }

    @Test
    void anEmptyFirstWindowIsWrittenIntoADuckDbFileToo() {
        given("CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (25)");
        project.file("connections.yml", """
                app: { connector: sqlite, path: app.sqlite, entities: { t: { read: {
                  sync: { mode: incremental, cursor: id, max_window: 10, initial: 0, until: 30 } } } } }
                lake: { connector: duckdb, path: lake.duckdb }
                """);
        pipeline("SELECT * FROM {{ source('app', 't') }}", "strategy: 'window'");

        caughtUp();
        assertThat(project.duckRows("lake.duckdb", "SELECT id FROM t")).containsExactly("25");
    }

    @Test
    void aMissingSourceFileIsNamedAndNotMade() {
        reads("{}");

        assertThat(fails().all()).contains("WR0501 app.t", "there is no file", APP);
        assertThat(folder.resolve(APP)).doesNotExist();
    }
}
