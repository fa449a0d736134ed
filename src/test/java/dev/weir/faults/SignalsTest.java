package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.run.Faults;
import dev.weir.state.EntityLocks;
import dev.weir.state.StateStore;
import dev.weir.testing.FaultyWire;
import dev.weir.testing.Postgres;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A signal ends weir within five seconds wherever it strikes, with what is committed kept and nothing half; the next run
 * goes on from there.
 */
class SignalsTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    /** Within which only a process ends that waits for nothing. */
    private static final Duration AT_ONCE = Duration.ofMillis(1_000);

    private static final Duration A_MOMENT = Duration.ofMillis(200);

    private static final String[] JSON = {"run", "--all", "--until-caught-up", "--log-format", "json"};

    /** What is said when the process had to be ended by force. */
    private static final String FORCED = "did not end within 4 s";

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    private Copy copy(String source, Copy.System system, Copy.Strategy strategy) {
        return Copy.of(database, source, folder).into(system, "out", strategy);
    }

    private Copy filled(Copy.System system, Copy.Strategy strategy) {
        Copy.fill(database, "t");
        return copy("t", system, strategy);
    }

    /** The same with two slices loaded already. */
    private Copy begun(Copy.System system, Copy.Strategy strategy) {
        Copy copy = filled(system, strategy);
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "2");
        return copy;
    }

    /** Has the source looked for at another port, with more keys in its connection. */
    private static void sourceAt(int port, Copy copy, String keys) {
        copy.project().file("connections.yml", copy.connections().replaceFirst("port: \\d+", "port: " + port + keys));
    }

    /** Sees it end soon, by itself, and say that it was cancelled. */
    private static void stops(Child child, String signal) throws Exception {
        child.signal(signal);
        assertThat(child.exitCode(SOON)).as(child.all()).isEqualTo(3);
        assertThat(child.all()).contains("cancelled").doesNotContain(FORCED);
    }

    /** The same of a loop that had begun. */
    private static void loopStops(Child child, String signal) throws Exception {
        stops(child, signal);
        assertThat(child.out())
                .last()
                .asString()
                .contains("\"event\":\"loop_completed\"", "\"stopped\":\"cancelled\"", "\"exitCode\":3");
    }

    private static void goesOn(Copy copy, Copy.System system) {
        copy.project().file("connections.yml", copy.connections());
        copy.catchUp();
        copy.isExact(system, "out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void duringARead(String signal) throws Exception {
        Copy.fill(database, "t");
        try (Gate gate = Gate.inReads(database, "t", "gated")) {
            Copy copy = copy("gated", Copy.System.DUCKDB, Copy.Strategy.APPEND);
            try (Child child = Child.start(folder, JSON)) {
                gate.awaitSomebody(child);

                loopStops(child, signal);
            }
            assertThat(copy.sinkRows(Copy.System.DUCKDB, "out")).hasSize(20);
            assertThat(copy.mark(Copy.System.DUCKDB, "out")).isEqualTo("20|20");
            assertThat(copy.state()).contains("  current  20  run ");
            assertThat(copy.succeeds("runs", "--json", "--limit", "1").out())
                    .contains("\"status\":\"cancelled\"", "\"exitCode\":3");
            gate.close();

            goesOn(copy, Copy.System.DUCKDB);
        }
    }

    @Test
    void duringAMergeInPostgres() throws Exception {
        Copy copy = begun(Copy.System.POSTGRES, Copy.Strategy.MERGE);
        try (Gate gate = Gate.inWrites(database, copy.inPostgres("out"))) {
            try (Child child = Child.start(folder, JSON)) {
                gate.awaitSomebody(child);

                loopStops(child, "TERM");
            }
            assertThat(copy.sinkRows(Copy.System.POSTGRES, "out")).hasSize(20);
            gate.close();

            goesOn(copy, Copy.System.POSTGRES);
        }
    }

    @Test
    void duringACommitInPostgres() throws Exception {
        Copy copy = begun(Copy.System.POSTGRES, Copy.Strategy.APPEND);
        try (Gate gate = Gate.inCommits(database, copy.inPostgres("out"))) {
            try (Child child = Child.start(folder, JSON)) {
                gate.awaitSomebody(child);

                loopStops(child, "TERM");
            }
            gate.close();

            goesOn(copy, Copy.System.POSTGRES);
        }
    }

    @Test
    void whileAnotherHasLockedATableOfTheSink() throws Exception {
        Copy copy = begun(Copy.System.POSTGRES, Copy.Strategy.APPEND);
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE " + copy.inPostgres("out") + " IN ACCESS EXCLUSIVE MODE");
            try (Child child = Child.start(folder, Copy.RUN)) {
                await().atMost(Child.PATIENCE)
                        .until(() -> database.value("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '"
                                        + copy.inPostgres("out") + "'::regclass")
                                .equals("1"));

                stops(child, "TERM");
            }
        }
        goesOn(copy, Copy.System.POSTGRES);
    }

    @Test
    void duringAMergeInSqlite() throws Exception {
        Copy copy = begun(Copy.System.SQLITE, Copy.Strategy.MERGE);
        copy.project()
                .sqlite(
                        "lake.sqlite",
                        "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                                + " SELECT i FROM n",
                        "CREATE TRIGGER slow BEFORE INSERT ON out WHEN NEW.id = 26 BEGIN SELECT count(*) FROM endless;"
                                + " END");
        try (Child child = Child.stayingIn("dev.weir.connector.sqlite.TableWrite.write", folder, JSON)) {
            loopStops(child, "TERM");
        }
        assertThat(copy.mark(Copy.System.SQLITE, "out")).isEqualTo("20|20");
        copy.project().sqlite("lake.sqlite", "DROP TRIGGER slow");

        goesOn(copy, Copy.System.SQLITE);
    }

    @Test
    void duringThePipelinesSql() throws Exception {
        Copy.fill(database, "t");
        String endless =
                "id, customer, price, note, CASE WHEN (SELECT count(*) FROM range({{ var('turns') }}::BIGINT) AS a,"
                        + " range(1000000) AS b WHERE a.range + b.range < 0) = 0 THEN placed END AS placed";
        Copy copy = Copy.of(database, "t", folder).into(Copy.System.DUCKDB, "out", Copy.Strategy.MERGE, endless);
        copy.project().file("weir.yml", "vars: { turns: 1000000 }\n");
        try (Child child = Child.start(folder, JSON)) {
            child.awaitLines(1, line -> line.contains("\"node_started\"") && line.contains("SinkWrite"));

            loopStops(child, "TERM");
        }
        copy.project().file("weir.yml", "vars: { turns: 0 }\n");

        goesOn(copy, Copy.System.DUCKDB);
    }

    @Test
    void betweenPasses() throws Exception {
        Copy copy = filled(Copy.System.DUCKDB, Copy.Strategy.APPEND);
        try (Child child =
                Child.start(folder, "run", "--all", "--until-caught-up", "--pause", "10m", "--log-format", "json")) {
            child.awaitLines(1, line -> line.contains("\"run_completed\""));

            loopStops(child, "TERM");
        }
        assertThat(copy.mark(Copy.System.DUCKDB, "out")).isEqualTo("10|10");

        goesOn(copy, Copy.System.DUCKDB);
    }

    @Test
    void beforeARetry() throws Exception {
        Copy copy = filled(Copy.System.DUCKDB, Copy.Strategy.APPEND);
        try (ServerSocket taken = new ServerSocket(0)) {
            sourceAt(taken.getLocalPort(), copy, "\n  retry: { delay: 1h, max_delay: 1h }");
        }
        try (Child child = Child.stayingIn("dev.weir.run.Cancellation.pause", folder, Copy.RUN)) {
            stops(child, "TERM");
        }
        goesOn(copy, Copy.System.DUCKDB);
    }

    @Test
    void whileAnotherProcessLoadsTheEntity() throws Exception {
        Copy copy = filled(Copy.System.DUCKDB, Copy.Strategy.APPEND);
        copy.catchUp();
        try (StateStore state = StateStore.open(folder.resolve(".weir"), Clock.systemUTC());
                EntityLocks.Lease lease =
                        state.locks().acquire(List.of("pg.public.t"), "another", Duration.ZERO, time -> {});
                Child child = Child.stayingIn(
                        "dev.weir.state.EntityLocks.acquire", folder, "run", "--all", "--wait", "10m")) {
            assertThat(lease.keys()).hasSize(1);

            stops(child, "TERM");
        }
    }

    @Test
    void whileAnotherProcessHasTheDuckDbFile() throws Exception {
        Copy copy = filled(Copy.System.DUCKDB, Copy.Strategy.APPEND);
        try (Connection other = DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("lake.duckdb"));
                Child child = Child.stayingIn("dev.weir.engine.Attachments.pause", folder, Copy.RUN)) {
            assertThat(other.isClosed()).isFalse();

            stops(child, "TERM");
        }
        goesOn(copy, Copy.System.DUCKDB);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "plan", "doctor", "preview"})
    void whileTheSourceDoesNotAnswer(String command) throws Exception {
        Copy copy = filled(Copy.System.DUCKDB, Copy.Strategy.APPEND);
        try (ServerSocket silent = new ServerSocket(0)) {
            sourceAt(silent.getLocalPort(), copy, "");
            String[] arguments = command.equals("doctor") ? new String[] {command} : new String[] {command, "out"};
            try (Child child = Child.start(folder, arguments);
                    Socket caller = silent.accept()) {
                assertThat(caller.isConnected()).isTrue();

                stops(child, "TERM");
            }
        }
        goesOn(copy, Copy.System.DUCKDB);
    }

    @Test
    void whileTheServerIsFrozenInTheMiddleOfARead() throws Exception {
        Copy.fill(database, "t");
        try (Frost frost = new Frost();
                FaultyWire server = new FaultyWire(database.port(), frost);
                Gate gate = Gate.inReads(database, "t", "gated")) {
            Copy copy = copy("gated", Copy.System.DUCKDB, Copy.Strategy.APPEND);
            sourceAt(server.port(), copy, "");
            try (Child child = Child.start(folder, JSON)) {
                gate.awaitSomebody(child);
                frost.begins();

                loopStops(child, "TERM");
            }
            gate.close();
            server.close();

            goesOn(copy, Copy.System.DUCKDB);
        }
    }

    @Test
    void theSecondKillsAtOnceWhatTheFirstCouldNotReach() throws Exception {
        Copy.fill(database, "t");
        try (Frost frost = new Frost();
                FaultyWire server = new FaultyWire(database.port(), frost);
                Gate gate = Gate.inReads(database, "t", "gated")) {
            Copy copy = copy("gated", Copy.System.DUCKDB, Copy.Strategy.APPEND);
            sourceAt(server.port(), copy, "");
            try (Child child = Child.start(folder, Copy.RUN)) {
                gate.awaitSomebody(child);
                frost.begins();
                child.signal("TERM");
                assertThat(child.endsWithin(A_MOMENT)).isFalse();
                child.signal("TERM");

                assertThat(child.exitCode(AT_ONCE)).as(child.all()).isEqualTo(3);
            }
            gate.close();
            server.close();

            goesOn(copy, Copy.System.DUCKDB);
        }
    }

    @Test
    void whatCannotBeReachedIsEndedByForceAndSaysSo() throws Exception {
        Copy copy = filled(Copy.System.DUCKDB, Copy.Strategy.APPEND);
        try (Child child = Child.stickingAt(Faults.Point.BEFORE_SINK_COMMIT, folder, Copy.RUN)) {
            child.awaitLines(1, StickingWeir.STUCK::equals);
            child.signal("TERM");

            assertThat(child.exitCode(SOON)).as(child.all()).isEqualTo(3);
            assertThat(child.all()).contains("note: stopped: cancelled", FORCED);
        }
        assertThat(copy.succeeds("runs", "--json").out()).contains("\"status\":\"died\"");

        goesOn(copy, Copy.System.DUCKDB);
    }
}
