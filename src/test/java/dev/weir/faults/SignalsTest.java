package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A signal ends a run soon, with what is committed kept and nothing half; the next run goes on from there. */
class SignalsTest {

    /** How long a cancelled process may take to end, here where many share the machine. */
    private static final Duration SOON = Duration.ofSeconds(15);

    private static final Duration A_MOMENT = Duration.ofMillis(500);

    private static final String[] JSON = {"run", "--all", "--until-caught-up", "--log-format", "json"};

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void duringARead(String signal) throws Exception {
        Copy.fill(database, "t");
        try (Gate gate = Gate.inReads(database, "t", "gated")) {
            Copy copy = Copy.of(database, "gated", folder).into(Copy.System.DUCKDB, "out", Copy.Strategy.APPEND);
            try (Child child = Child.start(folder, JSON)) {
                gate.awaitSomebody(child);
                child.signal(signal);

                endsCancelled(child);
            }
            assertThat(copy.sinkRows(Copy.System.DUCKDB, "out")).hasSize(20);
            assertThat(copy.mark(Copy.System.DUCKDB, "out")).isEqualTo("20|20");
            assertThat(copy.state()).contains("  current  20  run ");
            gate.close();

            copy.catchUp();
            copy.isExact(Copy.System.DUCKDB, "out");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void duringAMergeInPostgres(String signal) throws Exception {
        Copy.fill(database, "t");
        Copy copy = Copy.of(database, "t", folder).into(Copy.System.POSTGRES, "out", Copy.Strategy.MERGE);
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "1");
        try (Gate gate = Gate.inWrites(database, copy.inPostgres("out"))) {
            try (Child child = Child.start(folder, JSON)) {
                gate.awaitSomebody(child);
                child.signal(signal);

                endsCancelled(child);
            }
            assertThat(copy.sinkRows(Copy.System.POSTGRES, "out")).hasSize(20);
            assertThat(copy.mark(Copy.System.POSTGRES, "out")).isEqualTo("20|20");
            gate.close();

            copy.catchUp();
            copy.isExact(Copy.System.POSTGRES, "out");
        }
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
            child.signal("TERM");

            endsCancelled(child);
        }
        copy.project().file("weir.yml", "vars: { turns: 0 }\n");

        copy.catchUp();
        copy.isExact(Copy.System.DUCKDB, "out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void betweenPasses(String signal) throws Exception {
        Copy.fill(database, "t");
        Copy copy = Copy.of(database, "t", folder).into(Copy.System.DUCKDB, "out", Copy.Strategy.APPEND);
        try (Child child =
                Child.start(folder, "run", "--all", "--until-caught-up", "--pause", "10m", "--log-format", "json")) {
            child.awaitLines(1, line -> line.contains("\"run_completed\""));
            child.signal(signal);

            endsCancelled(child);
        }
        assertThat(copy.mark(Copy.System.DUCKDB, "out")).isEqualTo("10|10");

        copy.catchUp();
        copy.isExact(Copy.System.DUCKDB, "out");
    }

    @Test
    void whileTheSourceDoesNotAnswer() throws Exception {
        Copy.fill(database, "t");
        Copy copy = Copy.of(database, "t", folder).into(Copy.System.DUCKDB, "out", Copy.Strategy.APPEND);
        try (ServerSocket silent = new ServerSocket(0)) {
            copy.project()
                    .file(
                            "connections.yml",
                            copy.connections().replaceFirst("port: \\d+", "port: " + silent.getLocalPort()));
            try (Child child = Child.start(folder, Copy.RUN)) {
                try (Socket caller = silent.accept()) {
                    child.signal("TERM");
                    child.endsWithin(A_MOMENT);
                }
                assertThat(child.exitCode(SOON)).as(child.all()).isEqualTo(3);
                assertThat(child.out()).last().asString().contains("stopped: cancelled");
            }
        }
        copy.project().file("connections.yml", copy.connections());

        copy.catchUp();
        copy.isExact(Copy.System.DUCKDB, "out");
    }

    @Test
    void theSecondKillsAtOnce() throws Exception {
        Copy.fill(database, "t");
        Copy copy = Copy.of(database, "t", folder).into(Copy.System.DUCKDB, "out", Copy.Strategy.APPEND);
        try (Child child = Child.stickingAt(Faults.Point.BEFORE_SINK_COMMIT, folder, Copy.RUN)) {
            child.awaitLines(1, StickingWeir.STUCK::equals);
            child.signal("TERM");
            assertThat(child.endsWithin(A_MOMENT)).isFalse();
            child.signal("TERM");

            assertThat(child.exitCode(SOON)).as(child.all()).isEqualTo(3);
        }
        copy.catchUp();
        copy.isExact(Copy.System.DUCKDB, "out");
    }

    @Test
    void whatRanShowsAsCancelledInTheHistoryAndNotAsDied() throws Exception {
        Copy.fill(database, "t");
        try (Gate gate = Gate.inReads(database, "t", "gated")) {
            Copy copy = Copy.of(database, "gated", folder).into(Copy.System.POSTGRES, "out", Copy.Strategy.WINDOW);
            try (Child child = Child.start(folder, Copy.RUN)) {
                gate.awaitSomebody(child);
                child.signal("TERM");

                assertThat(child.exitCode(SOON)).as(child.all()).isEqualTo(3);
                assertThat(child.out()).last().isEqualTo("note: until-caught-up: 3 passes, stopped: cancelled");
            }
            String newest = copy.succeeds("runs", "--json", "--limit", "1").out();
            assertThat(newest).contains("\"status\":\"cancelled\"", "\"exitCode\":3");
            gate.close();

            copy.catchUp();
            copy.isExact(Copy.System.POSTGRES, "out");
        }
    }

    private static void endsCancelled(Child child) throws InterruptedException {
        assertThat(child.exitCode(SOON)).as(child.all()).isEqualTo(3);
        assertThat(child.out())
                .last()
                .asString()
                .contains("\"event\":\"loop_completed\"", "\"stopped\":\"cancelled\"", "\"exitCode\":3");
    }
}
