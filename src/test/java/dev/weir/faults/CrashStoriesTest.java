package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults.Point;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deaths that meet something else: a lost state, a full refresh, a second sink, a sink that fails. */
class CrashStoriesTest {

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    private void dies(Point point, int time, String... arguments) throws InterruptedException {
        try (Child child = Child.haltingAt(point, time, folder, arguments)) {
            assertThat(child.exitCode()).as(child.all()).isEqualTo(DyingWeir.HALTED);
        }
    }

    private Copy copy() {
        Copy.fill(database, "t");
        return Copy.of(database, "t", folder);
    }

    @ParameterizedTest
    @CsvSource({
        "DUCKDB, MERGE, AFTER_SINK_COMMIT",
        "DUCKDB, APPEND, AFTER_STATE_WRITE",
        "DUCKDB, WINDOW, MID_READ",
        "POSTGRES, MERGE, AFTER_STATE_WRITE",
        "POSTGRES, APPEND, AFTER_SINK_COMMIT",
        "POSTGRES, WINDOW, BEFORE_SINK_COMMIT",
    })
    void marksAreAdoptedWhenStateIsLostBetweenTheDeathAndTheRestart(
            Copy.System system, Copy.Strategy strategy, Point point) throws IOException, InterruptedException {
        Copy copy = copy().into(system, "out", strategy);
        dies(point, 3, Copy.RUN);
        Files.delete(folder.resolve(".weir/state.db"));

        WeirProject.Said said = copy.catchUp();

        assertThat(said.all())
                .contains(copy.sinkId(system, "out") + ": state said nothing, the sink's mark says ")
                .contains(": the mark is adopted");
        copy.isExact(system, "out");
    }

    /** Nothing of the refresh has committed: it is as if it had not been asked for. */
    @ParameterizedTest
    @CsvSource({"LOCKED", "MID_READ", "STAGED", "BEFORE_SINK_COMMIT"})
    void aFullRefreshThatDiesBeforeItsFirstCommitLeavesAllAsItWas(Point point) throws InterruptedException {
        Copy copy = twoMerges();
        copy.catchUp();
        List<String> before = copy.sourceRows();
        change();
        dies(point, 1, "run", "--all", "--until-caught-up", "--full-refresh");

        copy.catchUp();

        assertThat(copy.sinkRows(Copy.System.DUCKDB, "a_out")).isEqualTo(before);
        assertThat(copy.sinkRows(Copy.System.POSTGRES, "b_out")).isEqualTo(before);
        assertThat(copy.mark(Copy.System.DUCKDB, "a_out")).isEqualTo("1030|60");
        assertThat(copy.mark(Copy.System.POSTGRES, "b_out")).isEqualTo("1030|60");
    }

    @ParameterizedTest
    @CsvSource({
        "AFTER_SINK_COMMIT, 1",
        "BEFORE_STATE_WRITE, 1",
        "AFTER_STATE_WRITE, 1",
        "BEFORE_SINK_COMMIT, 2",
        "AFTER_SINK_COMMIT, 2",
        "AFTER_STATE_WRITE, 2",
        "BEFORE_FINAL_STATUS, 1",
        "MID_READ, 2",
        "AFTER_SINK_COMMIT, 5",
    })
    void aFullRefreshThatDiesLaterIsTakenUpByBothSinks(Point point, int time) throws InterruptedException {
        Copy copy = twoMerges();
        copy.catchUp();
        change();
        dies(point, time, "run", "--all", "--until-caught-up", "--full-refresh");

        copy.catchUp();

        copy.isExact(Copy.System.DUCKDB, "a_out");
        copy.isExact(Copy.System.POSTGRES, "b_out");
    }

    private Copy twoMerges() {
        return copy().into(Copy.System.DUCKDB, "a_out", Copy.Strategy.MERGE)
                .into(Copy.System.POSTGRES, "b_out", Copy.Strategy.MERGE);
    }

    private void change() {
        database.execute("UPDATE t SET note = 'changed ' || id WHERE id <= 15 OR id > 1015");
    }

    @ParameterizedTest
    @CsvSource({
        "DUCKDB, MERGE, POSTGRES, APPEND, AFTER_SINK_COMMIT, 1",
        "DUCKDB, APPEND, POSTGRES, WINDOW, AFTER_STATE_WRITE, 3",
        "POSTGRES, APPEND, DUCKDB, WINDOW, BEFORE_SINK_COMMIT, 2",
        "POSTGRES, MERGE, DUCKDB, APPEND, AFTER_SINK_COMMIT, 5",
        "DUCKDB, MERGE, DUCKDB, APPEND, AFTER_SINK_COMMIT, 3",
        "POSTGRES, WINDOW, POSTGRES, APPEND, BEFORE_STATE_WRITE, 3",
    })
    void sinksLeftAtDifferentPositionsBothEndExact(
            Copy.System first,
            Copy.Strategy firstStrategy,
            Copy.System second,
            Copy.Strategy secondStrategy,
            Point point,
            int time)
            throws InterruptedException {
        Copy copy = copy().into(first, "a_out", firstStrategy).into(second, "b_out", secondStrategy);
        dies(point, time, Copy.RUN);

        copy.catchUp();

        copy.isExact(first, "a_out");
        copy.isExact(second, "b_out");
    }

    @Test
    void aSinkThatMayNotBeWrittenFailsAloneAndCatchesUpWhenRepaired() {
        database.execute("CREATE ROLE loader_" + database.name() + " LOGIN");
        Copy copy = copy().into(Copy.System.DUCKDB, "a_out", Copy.Strategy.APPEND)
                .into(Copy.System.POSTGRES, "b_out", Copy.Strategy.APPEND);
        String loader = "loader_" + database.name();
        String table = copy.inPostgres("b_out");
        database.execute("GRANT ALL ON SCHEMA " + table.split("\\.")[0] + " TO " + loader);
        copy.project().env("WH_USER", loader);
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "2");
        database.execute("REVOKE INSERT ON " + table + " FROM " + loader);

        WeirProject.Said failed = copy.project().run(Copy.RUN);

        assertThat(failed.exitCode()).as(failed.all()).isEqualTo(1);
        assertThat(failed.all())
                .contains("WR0503 " + copy.sinkId(Copy.System.POSTGRES, "b_out"))
                .contains(loader + " may not INSERT")
                .contains("GRANT ")
                .contains("stopped: run failed");
        assertThat(copy.mark(Copy.System.DUCKDB, "a_out")).isEqualTo("30|30");
        assertThat(copy.mark(Copy.System.POSTGRES, "b_out")).isEqualTo("20|20");
        assertThat(copy.state()).contains("  current  20  run ").contains("  ahead    30  run ");
        database.execute("GRANT INSERT ON " + table + " TO " + loader);

        copy.catchUp();
        copy.isExact(Copy.System.DUCKDB, "a_out");
        copy.isExact(Copy.System.POSTGRES, "b_out");
    }

    @Test
    void aSinkThatRefusesARowFailsAloneAndCatchesUpWhenRepaired() {
        Copy copy = copy().into(Copy.System.POSTGRES, "a_out", Copy.Strategy.MERGE)
                .into(Copy.System.DUCKDB, "b_out", Copy.Strategy.WINDOW);
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "1");
        String table = copy.inPostgres("a_out");
        database.execute("ALTER TABLE " + table + " ADD CONSTRAINT small CHECK (id < 26)");

        WeirProject.Said failed = copy.project().run(Copy.RUN);

        assertThat(failed.exitCode()).as(failed.all()).isEqualTo(1);
        assertThat(failed.all()).contains("WR0503 " + copy.sinkId(Copy.System.POSTGRES, "a_out"), "\"small\"");
        assertThat(copy.mark(Copy.System.POSTGRES, "a_out")).isEqualTo("20|20");
        assertThat(copy.mark(Copy.System.DUCKDB, "b_out")).isEqualTo("30|30");
        database.execute("ALTER TABLE " + table + " DROP CONSTRAINT small");

        copy.catchUp();
        copy.isExact(Copy.System.POSTGRES, "a_out");
        copy.isExact(Copy.System.DUCKDB, "b_out");
    }
}
