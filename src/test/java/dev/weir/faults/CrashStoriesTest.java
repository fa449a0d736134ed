package dev.weir.faults;

import static dev.weir.faults.Copy.Strategy.APPEND;
import static dev.weir.faults.Copy.Strategy.MERGE;
import static dev.weir.faults.Copy.Strategy.WINDOW;
import static dev.weir.faults.Copy.System.DUCKDB;
import static dev.weir.faults.Copy.System.POSTGRES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Deaths.Step;
import dev.weir.run.Faults.Point;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Deaths that meet something else: a lost state, a full refresh, an edit, a sink that fails. */
class CrashStoriesTest {

    private static final String[] FULL_REFRESH = {"run", "--all", "--until-caught-up", "--full-refresh"};

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();
    private final Deaths deaths = new Deaths();

    private Copy copy() {
        Copy.fill(database, "t");
        return Copy.of(database, "t", folder);
    }

    /** One of several that share their source. */
    private Copy copy(String name) throws IOException {
        return Copy.of(database, "t", Files.createDirectory(folder.resolve(name)));
    }

    private record Lost(Copy.System system, Copy.Strategy strategy, Point point) {}

    @TestFactory
    Stream<DynamicTest> marksAreAdoptedWhenStateIsLostBetweenTheDeathAndTheRestart() throws Exception {
        Copy.fill(database, "t");
        List<Lost> all = List.of(
                new Lost(DUCKDB, MERGE, Point.AFTER_SINK_COMMIT),
                new Lost(DUCKDB, APPEND, Point.AFTER_STATE_WRITE),
                new Lost(DUCKDB, WINDOW, Point.MID_READ),
                new Lost(POSTGRES, MERGE, Point.AFTER_STATE_WRITE),
                new Lost(POSTGRES, APPEND, Point.AFTER_SINK_COMMIT),
                new Lost(POSTGRES, WINDOW, Point.BEFORE_SINK_COMMIT));
        for (Lost lost : all) {
            Copy copy = copy("lost_" + deaths.count()).into(lost.system, "out", lost.strategy);
            deaths.add(
                    lost.toString(),
                    copy,
                    List.of(Step.of(lost.point, 3, Copy.RUN)),
                    () -> isAdopted(copy, lost.system));
        }
        return deaths.thenEach();
    }

    private static void isAdopted(Copy copy, Copy.System system) throws IOException {
        Path state = copy.directory().resolve(".weir/state.db");
        Files.delete(state);
        // What was written last may still be in its log.
        Files.deleteIfExists(state.resolveSibling("state.db-wal"));
        Files.deleteIfExists(state.resolveSibling("state.db-shm"));

        WeirProject.Said said = copy.catchUp();

        assertThat(said.all())
                .contains(copy.sinkId(system, "out") + ": state said nothing, the sink's mark says ")
                .contains(": the mark is adopted");
        copy.isExact(system, "out");
    }

    /** Nothing of the refresh has committed: it is as if it had not been asked for. */
    @TestFactory
    Stream<DynamicTest> aFullRefreshThatDiesBeforeItsFirstCommitLeavesAllAsItWas() throws Exception {
        Copy.fill(database, "t");
        List<String> before = Copy.rows(database, "t");
        for (Point point : List.of(Point.LOCKED, Point.MID_READ, Point.STAGED, Point.BEFORE_SINK_COMMIT)) {
            Copy copy = loadedTwoMerges();
            deaths.add(
                    point.toString(), copy, List.of(Step.of(point, 1, FULL_REFRESH)), () -> isAsBefore(copy, before));
        }
        change();
        return deaths.thenEach();
    }

    private static void isAsBefore(Copy copy, List<String> before) {
        copy.catchUp();

        assertThat(copy.sinkRows(DUCKDB, "a_out")).isEqualTo(before);
        assertThat(copy.sinkRows(POSTGRES, "b_out")).isEqualTo(before);
        assertThat(copy.mark(DUCKDB, "a_out")).isEqualTo("1030|60");
        assertThat(copy.mark(POSTGRES, "b_out")).isEqualTo("1030|60");
    }

    private Copy loadedTwoMerges() throws IOException {
        Copy copy =
                copy("refreshed_" + deaths.count()).into(DUCKDB, "a_out", MERGE).into(POSTGRES, "b_out", MERGE);
        copy.catchUp();
        return copy;
    }

    private void change() {
        database.execute("UPDATE t SET note = 'changed ' || id WHERE id <= 15 OR id > 1015");
    }

    private record Edited(Copy.Strategy strategy, Point point, String... words) {
        Step step() {
            return Step.of(
                    point,
                    1,
                    Stream.concat(Stream.of("state"), Stream.of(words)).toArray(String[]::new));
        }
    }

    /** The mark says it, or state does, or neither: never is a row loaded twice, or left out. */
    @TestFactory
    Stream<DynamicTest> anEditThatDiesIsMadeOrIsNot() throws Exception {
        Copy.fill(database, "t");
        List<Edited> all = new ArrayList<>();
        for (Point point : List.of(
                Point.LOCKED,
                Point.BEFORE_SINK_COMMIT,
                Point.AFTER_SINK_COMMIT,
                Point.BEFORE_STATE_WRITE,
                Point.AFTER_STATE_WRITE)) {
            all.add(new Edited(APPEND, point, "adopt", "pg.t", "--sink", "lake.out", "--value", "20", "--reason", "x"));
        }
        for (Point point : List.of(Point.BEFORE_STATE_WRITE, Point.AFTER_STATE_WRITE)) {
            all.add(new Edited(APPEND, point, "set", "pg.t", "--value", "20", "--reason", "x"));
            all.add(new Edited(MERGE, point, "set", "pg.t", "--value", "7", "--reason", "x"));
            all.add(new Edited(WINDOW, point, "clear", "pg.t", "--reason", "x"));
        }
        for (Edited edited : all) {
            Copy copy = copy("edited_" + deaths.count()).into(DUCKDB, "out", edited.strategy);
            copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "2");
            deaths.add(edited.step().toString(), copy, List.of(edited.step()), () -> {
                copy.catchUp();
                copy.holdsTheRows(DUCKDB, "out");
                assertThat(copy.state()).contains("  current  " + Copy.LAST + "  run ");
            });
        }
        return deaths.thenEach();
    }

    @Test
    void aSinkThatMayNotBeWrittenFailsAloneAndCatchesUpWhenRepaired() {
        database.execute("CREATE ROLE loader_" + database.name() + " LOGIN");
        Copy copy = copy().into(DUCKDB, "a_out", APPEND).into(POSTGRES, "b_out", APPEND);
        String loader = "loader_" + database.name();
        String table = copy.inPostgres("b_out");
        database.execute("GRANT ALL ON SCHEMA " + table.split("\\.")[0] + " TO " + loader);
        copy.project().env("WH_USER", loader);
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "2");
        database.execute("REVOKE INSERT ON " + table + " FROM " + loader);

        WeirProject.Said failed = copy.project().run(Copy.RUN);

        assertThat(failed.exitCode()).as(failed.all()).isEqualTo(1);
        assertThat(failed.all())
                .contains("WR0503 " + copy.sinkId(POSTGRES, "b_out"))
                .contains(loader + " may not INSERT")
                .contains("GRANT ")
                .contains("stopped: run failed");
        assertThat(copy.mark(DUCKDB, "a_out")).isEqualTo("30|30");
        assertThat(copy.mark(POSTGRES, "b_out")).isEqualTo("20|20");
        assertThat(copy.state()).contains("  current  20  run ").contains("  ahead    30  run ");
        database.execute("GRANT INSERT ON " + table + " TO " + loader);

        copy.catchUp();
        copy.isExact(DUCKDB, "a_out");
        copy.isExact(POSTGRES, "b_out");
    }

    @Test
    void aSinkThatRefusesARowFailsAloneAndCatchesUpWhenRepaired() {
        Copy copy = copy().into(POSTGRES, "a_out", MERGE).into(DUCKDB, "b_out", WINDOW);
        copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", "1");
        String table = copy.inPostgres("a_out");
        database.execute("ALTER TABLE " + table + " ADD CONSTRAINT small CHECK (id < 26)");

        WeirProject.Said failed = copy.project().run(Copy.RUN);

        assertThat(failed.exitCode()).as(failed.all()).isEqualTo(1);
        assertThat(failed.all()).contains("WR0503 " + copy.sinkId(POSTGRES, "a_out"), "\"small\"");
        assertThat(copy.mark(POSTGRES, "a_out")).isEqualTo("20|20");
        assertThat(copy.mark(DUCKDB, "b_out")).isEqualTo("30|30");
        database.execute("ALTER TABLE " + table + " DROP CONSTRAINT small");

        copy.catchUp();
        copy.isExact(POSTGRES, "a_out");
        copy.isExact(DUCKDB, "b_out");
    }
}
