package dev.weir.connector.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.engine.DuckEngine;
import dev.weir.engine.EngineSettings;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import dev.weir.testing.Jvm;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that dies at any moment leaves rows and mark of the same slice, and the next one goes on from there. */
class DuckDbCrashTest {

    private static final TableName T = TableName.parse("t");
    private static final PositionKey KEY = new PositionKey("p", "q", "sys.t", "pg.x");
    private static final Cursor CURSOR = new Cursor("slice", CursorType.of(CursorType.Kind.BIGINT));
    private static final int IDS = 5_000;
    private static final int ROUNDS = 6;

    @TempDir
    Path folder;

    @Test
    void rowsAndMarkAreOfTheSameSliceWhereverTheProcessDies() throws Exception {
        Random random = new Random(11);
        long before = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<String> command = Jvm.command(List.of(), DuckDbCrashTest.class);
            command.addAll(List.of(folder.toString(), Integer.toString(50 + random.nextInt(1_000))));
            Process child = new ProcessBuilder(command).inheritIO().start();
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(child.exitValue()).isEqualTo(137);

            long reached = assertConsistent();
            assertThat(reached).isGreaterThanOrEqualTo(before);
            before = reached;
        }
        assertThat(before).as("the children came to work at all").isPositive();
    }

    private long assertConsistent() {
        try (DuckEngine engine = DuckEngine.start(EngineSettings.spillingTo(folder.resolve("spill")));
                Sink sink = sink(folder, engine)) {
            Optional<Mark> mark = sink.mark(T, KEY);
            long slices = mark.map(found -> found.seq()).orElse(0L);
            List<String> rows = slices == 0
                    ? List.of()
                    : new DuckDbSystem(folder, engine).query("SELECT id, slice FROM t ORDER BY id");
            assertThat(rows).isEqualTo(expected(slices));
            return slices;
        }
    }

    /** What the slices up to that one leave: each replaces the ids of its own stretch. */
    private static List<String> expected(long slices) {
        Map<Long, Long> rows = new TreeMap<>();
        for (long slice = 1; slice <= slices; slice++) {
            for (long id = first(slice); id < first(slice) + 500; id++) {
                rows.put(id, slice);
            }
        }
        List<String> texts = new ArrayList<>();
        rows.forEach((id, slice) -> texts.add(id + "|" + slice));
        return texts;
    }

    private static long first(long slice) {
        return slice * 337 % IDS;
    }

    private static Sink sink(Path folder, DuckEngine engine) {
        return new DuckDbConnector(Clock.systemUTC())
                .sink(new ConnectionSettings("sys", Map.of(DuckDbConnector.PATH, "lake.duckdb"), folder, true), engine);
    }

    /** Loads slice after slice until it is halted, that many milliseconds after the first could begin. */
    public static void main(String[] arguments) {
        Path folder = Path.of(arguments[0]);
        DuckEngine engine = DuckEngine.start(EngineSettings.spillingTo(folder.resolve("spill")));
        Sink sink = sink(folder, engine);
        Optional<Mark> mark = sink.mark(T, KEY);
        ScheduledExecutorService death = Executors.newSingleThreadScheduledExecutor();
        death.schedule(() -> Runtime.getRuntime().halt(137), Long.parseLong(arguments[1]), TimeUnit.MILLISECONDS);
        while (true) {
            long slice = mark.map(found -> found.seq()).orElse(0L) + 1;
            Staged rows = engine.run(
                    "out",
                    "SELECT range AS id, " + slice + "::BIGINT AS slice FROM range(" + first(slice) + ", "
                            + (first(slice) + 500) + ")");
            Mark next = new Mark(
                    CURSOR, 0, null, slice, CURSOR.type().units(slice), slice * 500, false, "r", Instant.EPOCH);
            boolean exists = sink.describe(T).isPresent();
            try (SinkTransaction transaction = sink.begin()) {
                if (!exists) {
                    transaction.create(T, rows.columns(), List.of("id"));
                }
                transaction.write(T, rows, new SinkWrite.Merge(List.of("id"), Optional.of("slice"), false));
                transaction.move(T, KEY, mark, next);
                transaction.commit();
            }
            mark = Optional.of(next);
        }
    }
}
