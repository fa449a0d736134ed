package dev.weir.cli;

import static dev.weir.cli.GraphProject.append;
import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What takes longer than its connection's {@code timeout} is ended, tried again, and never half there. */
class TimeoutTest {

    private static final String TWICE = "timeout: 300ms\nretry: { attempts: 2, delay: 1ms }\n";

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void aProject() {
        graph = new GraphProject(folder);
    }

    private static List<JsonNode> retries(WeirProject.Said said) {
        return CaseProject.events(said).stream()
                .filter(event -> event.get("event").asText().equals("retry_scheduled"))
                .toList();
    }

    private GraphProject slowView() {
        return graph.given("CREATE TABLE slowness (seconds float)", "INSERT INTO slowness VALUES (60)")
                .given("CREATE FUNCTION slow(id bigint) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN"
                        + " IF id = 7 THEN PERFORM pg_sleep((SELECT seconds FROM slowness)); END IF; RETURN ''; END $$")
                .given("CREATE VIEW s AS SELECT id, v || slow(id) AS v FROM a")
                .sync("s", "cursor: id, max_window: 5, initial: 0, until: 100");
    }

    @Test
    void aReadOfASourceThatTakesTooLongIsEndedAndTriedAgain() {
        slowView()
                .limits(TWICE)
                .pipeline("s", "INSERT INTO " + append("lake", "s") + " SELECT id, v FROM " + from("s"));

        WeirProject.Said said = graph.fails("run", "s", "--until-caught-up", "--log-format", "json");

        assertThat(retries(said)).hasSize(1);
        assertThat(retries(said).get(0).get("reason").asText())
                .contains("WR0506 pg.public.s", "timeout: 300ms of the connection pg was reached", "max_window");
        assertThat(graph.lake("SELECT count(*), max(id) FROM s")).containsExactly("5|5");
        assertThat(graph.source.value("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND application_name LIKE 'weir%' AND state = 'active'"))
                .isEqualTo("0");

        graph.given("UPDATE slowness SET seconds = 0");
        graph.succeeds("run", "s", "--until-caught-up");
        assertThat(graph.lake("SELECT count(*), count(DISTINCT id) FROM s")).containsExactly("10|10");
    }

    @Test
    void aTransactionOfASinkThatTakesTooLongIsEndedWithNothingWritten() throws SQLException {
        graph.pipeline("a", "INSERT INTO " + append("wh", "public.a") + " SELECT id, v FROM " + from("a"));
        graph.succeeds("run", "a");
        graph.warehouseLimits(TWICE);
        try (Connection other = graph.warehouse.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE public.a IN ACCESS EXCLUSIVE MODE");

            WeirProject.Said said = graph.fails("run", "a", "--log-format", "json");

            assertThat(said.out()).contains("WR0506", "timeout: 300ms of the connection wh was reached");
        }
        assertThat(graph.warehouse("SELECT count(*), max(id) FROM public.a")).containsExactly("5|5");

        graph.succeeds("run", "a", "--until-caught-up");
        assertThat(graph.warehouse("SELECT count(*), count(DISTINCT id) FROM public.a"))
                .containsExactly("10|10");
    }

    @Test
    void aCommitThatWasEndedByTheTimeoutIsLookedUp() throws Exception {
        graph.pipeline("a", "INSERT INTO " + append("wh", "public.a") + " SELECT id, v FROM " + from("a"));
        graph.succeeds("run", "a");
        // The COMMIT waits for a constraint that is checked only then.
        graph.onWarehouse(
                "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60);"
                        + " RETURN NULL; END $$",
                "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON public.a DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
                        + " EXECUTE FUNCTION slow()");
        graph.warehouseLimits(TWICE);

        WeirProject.Said said = graph.fails("run", "a", "--log-format", "json");

        assertThat(retries(said)).as(said.all()).hasSize(1);
        assertThat(graph.warehouse("SELECT count(*), max(id) FROM public.a")).containsExactly("5|5");
        graph.onWarehouse("DROP TRIGGER late ON public.a");
        graph.succeeds("run", "a", "--until-caught-up");
        assertThat(graph.warehouse("SELECT count(*), count(DISTINCT id) FROM public.a"))
                .containsExactly("10|10");
    }

    @Test
    void aReadOfADuckDbFileThatTakesTooLongIsEnded() {
        graph.project.duck("slow.duckdb", "CREATE TABLE t AS SELECT range AS id FROM range(100000)");
        graph.more("slow: { connector: duckdb, path: slow.duckdb, timeout: 300ms, retry: { attempts: 1 } }\n")
                .pipeline(
                        "t",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'replace') }} SELECT * FROM {{ source('slow',"
                                + " 'endless', query: 'SELECT a.id FROM t AS a, t AS b, t AS c"
                                + " WHERE hash(a.id, b.id, c.id) % 1000000 = 0') }}");

        WeirProject.Said said = graph.fails("run", "t");

        assertThat(said.out()).contains("WR0506", "timeout: 300ms of the connection slow was reached");
    }

    @Test
    void aReadOfASqliteFileThatTakesTooLongIsEnded() {
        graph.more("slow: { connector: sqlite, path: slow.db, timeout: 300ms, retry: { attempts: 1 } }\n")
                .pipeline(
                        "t",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'replace') }} SELECT * FROM {{ source('slow',"
                                + " 'endless', query: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                                + " SELECT count(*) AS n FROM n', columns: { n: 'bigint' }) }}");
        graph.project.sqlite("slow.db", "CREATE TABLE t (id INTEGER)");

        WeirProject.Said said = graph.fails("run", "t");

        assertThat(said.out()).contains("WR0506", "timeout: 300ms of the connection slow was reached");
    }

    @Test
    void aServerThatNeverAnswersIsGivenUpAfterTheTimeout() throws Exception {
        graph.pipeline("a", "INSERT INTO " + merge("lake", "a") + " SELECT id, v FROM " + from("a"));
        try (java.net.ServerSocket silent = new java.net.ServerSocket(0)) {
            graph.sourceAt(silent.getLocalPort()).limits("timeout: 300ms\nretry: { attempts: 1 }\n");
            long began = System.nanoTime();

            WeirProject.Said said = graph.fails("run", "a");

            assertThat(said.out()).contains("WR0506 pg.public.a");
            assertThat(System.nanoTime() - began).isLessThan(10_000_000_000L);
        }
    }

    @Test
    void aLoopThatPausesReadsUnderATimeoutInEachPass() {
        graph.limits("timeout: 1h\n")
                .pipeline("a", "INSERT INTO " + merge("lake", "a") + " SELECT id, v FROM " + from("a"));

        graph.succeeds("run", "a", "--until-caught-up", "--pause", "1ms");

        assertThat(graph.lake("SELECT count(*), max(id) FROM a")).containsExactly("10|10");
    }
}
