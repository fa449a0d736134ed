package dev.weir.faults;

import static dev.weir.faults.Copy.Strategy.APPEND;
import static dev.weir.faults.Copy.Strategy.MERGE;
import static dev.weir.faults.Copy.Strategy.REPLACE;
import static dev.weir.faults.Copy.Strategy.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Copy.Strategy;
import dev.weir.faults.Copy.System;
import dev.weir.faults.Deaths.Step;
import dev.weir.faults.Succession.Slice;
import dev.weir.run.Faults.Point;
import dev.weir.testing.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes die at every point, at every sink, in the first slice and in a later one, with each kind of sink and with two
 * kinds together; then the same command again, until nothing is left that has not died.
 */
class CrashMatrixTest {

    private static final String IN_THIRTIES = "max_window: 30";

    private static final List<List<System>> ALONE =
            List.of(List.of(System.DUCKDB), List.of(System.POSTGRES), List.of(System.SQLITE));

    private static final List<List<System>> TOGETHER = List.of(
            List.of(System.DUCKDB, System.POSTGRES),
            List.of(System.SQLITE, System.DUCKDB),
            List.of(System.POSTGRES, System.SQLITE));

    @TempDir
    Path folder;

    /** By when its rows change: never, between the first load and the deaths, and when all have died. */
    private final Postgres.Database constant = filled();

    private final Postgres.Database changing = filled();
    private final Postgres.Database changingLast = filled();
    private final Deaths deaths = new Deaths();

    /** A table of one of the sinks' systems. */
    private record Table(System system, Strategy strategy) {
        String name() {
            return toString().toLowerCase(Locale.ROOT);
        }

        @Override
        public String toString() {
            return strategy + "_IN_" + system;
        }
    }

    private static Postgres.Database filled() {
        Postgres.Database database = Postgres.fresh();
        Copy.fill(database, "t");
        return database;
    }

    /** All strategies in each of the systems. */
    private static List<Table> all(List<System> systems, Strategy... strategies) {
        return systems.stream()
                .flatMap(system -> Stream.of(strategies).map(strategy -> new Table(system, strategy)))
                .toList();
    }

    /** The first strategy in the first of the systems, the second in the second. */
    private static List<Table> each(List<System> systems, Strategy first, Strategy second) {
        return List.of(new Table(systems.get(0), first), new Table(systems.get(1), second));
    }

    @TestFactory
    Stream<DynamicTest> theSameCommandAgainMakesTheSinksEqualTheSourceRowForRow() throws Exception {
        for (List<System> system : ALONE) {
            List<Table> tables = all(system, APPEND, MERGE, WINDOW);
            exactlyOnce(Slice.FIRST, tables, succession(tables, Slice.FIRST).everywhere());
            exactlyOnce(Slice.LATER, tables);
            refreshedAgain(all(system, MERGE, WINDOW));
        }
        for (List<System> systems : TOGETHER) {
            exactlyOnce(Slice.FIRST, each(systems, APPEND, WINDOW));
            exactlyOnce(Slice.LATER, each(systems, MERGE, APPEND));
            refreshTakenUp(each(systems, MERGE, WINDOW));
            lookingBack(each(systems, MERGE, WINDOW));
            replaced(each(systems, REPLACE, REPLACE));
        }
        change(changing, "id <= 15 OR id > 1015");
        List<DynamicTest> tests = deaths.thenEach().toList();
        change(changingLast, "id > 1025");
        return tests.stream();
    }

    private void exactlyOnce(Slice slice, List<Table> tables) throws IOException {
        exactlyOnce(slice, tables, succession(tables, slice).atTheSinks());
    }

    private void exactlyOnce(Slice slice, List<Table> tables, List<Step> steps) throws IOException {
        Copy copy = copy(constant, tables, IN_THIRTIES);
        deaths.add("from the " + slice + " slice on, " + tables, copy, steps, () -> {
            copy.catchUp();
            for (Table table : tables) {
                copy.isExact(table.system, table.name());
            }
            assertThat(copy.died()).isEqualTo(withARun(steps));
        });
    }

    /** A process that has no more than its lock has begun no run. */
    private static long withARun(List<Step> steps) {
        return steps.stream().filter(step -> step.point() != Point.LOCKED).count();
    }

    private void refreshedAgain(List<Table> tables) throws IOException {
        converges(
                "refreshed again, ",
                loaded(tables),
                tables,
                succession(tables, Slice.FIRST).refreshedAgainAndAgain());
    }

    private void refreshTakenUp(List<Table> tables) throws IOException {
        Succession succession = succession(tables, Slice.FIRST);
        converges("refresh taken up, ", loaded(tables), tables, succession.refreshTakenUp());
        converges("refresh remembered, ", loaded(tables), tables, succession.refreshRemembered());
    }

    private void lookingBack(List<Table> tables) throws IOException {
        converges(
                "lookback, ",
                copy(changingLast, tables, IN_THIRTIES + ", lookback: 10"),
                tables,
                succession(tables, Slice.LATER).lookingBack());
    }

    private void replaced(List<Table> tables) throws IOException {
        Copy copy = copy(changingLast, tables, IN_THIRTIES);
        List<String> before = copy.sourceRows();
        deaths.add("whole, " + tables, copy, succession(tables, Slice.FIRST).replaced(), () -> {
            for (Table table : tables) {
                assertThat(copy.sinkRows(table.system, table.name())).isEqualTo(before);
            }
            copy.catchUp();
            holdTheRows(copy, tables);
        });
    }

    private void converges(String name, Copy copy, List<Table> tables, List<Step> steps) {
        deaths.add(name + tables, copy, steps, () -> {
            copy.catchUp();
            holdTheRows(copy, tables);
            assertThat(copy.state())
                    .contains("  current  " + Copy.LAST + "  run ")
                    .doesNotContain("ahead");
        });
    }

    private static void holdTheRows(Copy copy, List<Table> tables) {
        for (Table table : tables) {
            copy.holdsTheRows(table.system, table.name());
        }
    }

    private static void change(Postgres.Database database, String rows) {
        database.execute("UPDATE t SET note = 'changed ' || id WHERE " + rows);
    }

    private Succession succession(List<Table> tables, Slice slice) {
        return new Succession(tables.size(), slice, deaths.count());
    }

    private Copy copy(Postgres.Database database, List<Table> tables, String sync) throws IOException {
        Path directory = Files.createDirectory(folder.resolve("died_" + deaths.count()));
        Copy copy = Copy.of(database, "t", directory, database, sync);
        tables.forEach(table -> copy.into(table.system, table.name(), table.strategy));
        return copy;
    }

    private Copy loaded(List<Table> tables) throws IOException {
        Copy copy = copy(changing, tables, IN_THIRTIES);
        copy.catchUp();
        return copy;
    }
}
