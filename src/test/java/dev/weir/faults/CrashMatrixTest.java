package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process dies at every point, in the first slice and in a later one, into each kind of sink; then the same command
 * again.
 */
class CrashMatrixTest {

    private static final int LATER = 3;

    @TempDir
    Path folder;

    /**
     * @param strategies one where the point is one of its sink; all where the point is the source's, which they share
     */
    private record Cell(Faults.Point point, int slice, Copy.System system, List<Copy.Strategy> strategies) {

        /** Taking the lock happens once a process; the later slice is then that of a process before. */
        boolean isRestarted() {
            return point == Faults.Point.LOCKED && slice > 1;
        }

        String name() {
            return point + " slice " + slice + " " + system + " " + strategies;
        }

        String directory() {
            return name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
        }
    }

    @TestFactory
    Stream<DynamicTest> intoDuckDbTheSameCommandAgainMakesTheSinkEqualTheSourceRowForRow() throws Exception {
        return eachCell(Copy.System.DUCKDB);
    }

    @TestFactory
    Stream<DynamicTest> intoPostgresTheSameCommandAgainMakesTheSinkEqualTheSourceRowForRow() throws Exception {
        return eachCell(Copy.System.POSTGRES);
    }

    @TestFactory
    Stream<DynamicTest> intoSqliteTheSameCommandAgainMakesTheSinkEqualTheSourceRowForRow() throws Exception {
        return eachCell(Copy.System.SQLITE);
    }

    private Stream<DynamicTest> eachCell(Copy.System system) throws IOException, InterruptedException {
        Postgres.Database database = Postgres.fresh();
        Copy.fill(database, "t");
        Deaths deaths = new Deaths();
        for (Cell cell : cells(system)) {
            Copy copy = copy(database, cell);
            int time = cell.isRestarted() ? 1 : cell.slice;
            deaths.add(cell.name(), copy, cell.point, time, () -> recovers(cell, copy), Copy.RUN);
        }
        return deaths.thenEach();
    }

    private static List<Cell> cells(Copy.System system) {
        List<Cell> cells = new ArrayList<>();
        for (Faults.Point point : Faults.Point.values()) {
            for (int slice : new int[] {1, LATER}) {
                together(point).forEach(strategies -> cells.add(new Cell(point, slice, system, strategies)));
            }
        }
        return cells;
    }

    private static Stream<List<Copy.Strategy>> together(Faults.Point point) {
        return switch (point) {
            case LOCKED, MID_READ, STAGED, BEFORE_FINAL_STATUS -> Stream.of(List.of(Copy.Strategy.values()));
            case BEFORE_SINK_COMMIT, AFTER_SINK_COMMIT, BEFORE_STATE_WRITE, AFTER_STATE_WRITE ->
                Stream.of(Copy.Strategy.values()).map(List::of);
        };
    }

    private static String table(Copy.Strategy strategy) {
        return "by_" + strategy.name().toLowerCase(Locale.ROOT);
    }

    private Copy copy(Postgres.Database database, Cell cell) throws IOException {
        Copy copy = Copy.of(database, "t", Files.createDirectory(folder.resolve(cell.directory())));
        cell.strategies.forEach(strategy -> copy.into(cell.system, table(strategy), strategy));
        if (cell.isRestarted()) {
            copy.succeeds("run", "--all", "--until-caught-up", "--max-runs", Integer.toString(LATER - 1));
        }
        return copy;
    }

    private static void recovers(Cell cell, Copy copy) {
        copy.catchUp();

        copy.isExact(
                cell.system,
                cell.strategies.stream().map(CrashMatrixTest::table).toArray(String[]::new));
        long died = copy.succeeds("runs", "--json")
                .out()
                .lines()
                .filter(line -> line.contains("\"died\""))
                .count();
        assertThat(died).isEqualTo(cell.point == Faults.Point.LOCKED ? 0 : 1);
    }
}
