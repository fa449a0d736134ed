package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Eight writers whose transactions are long and commit out of order, while loop after loop reads what they write. Once they
 * have stopped and the clock has gone on, one more loop brings every row that is at the source: its newest version under a
 * time cursor, its existence under a numeric one. What was deleted there may stay.
 *
 * <p>The seeds are fixed; {@code -Dweir.seeds=FROM-TO} tries others.
 */
class LiveWritersTest {

    private static final int WRITERS = 8;
    private static final Duration LIVE = Duration.ofSeconds(6);

    @TempDir
    Path folder;

    static LongStream seeds() {
        String given = System.getProperty("weir.seeds");
        if (given == null) {
            return LongStream.of(1);
        }
        String[] range = given.split("-");
        return LongStream.rangeClosed(Long.parseLong(range[0]), Long.parseLong(range[1]));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRowArrivesHoweverLateItIsCommitted(long seed) throws Exception {
        LiveWorld world = world(", settle_timeout: 2s");

        long early = live(world, seed, LIVE);

        assertThat(early)
                .as("rows loaded while writers were at it, seed " + seed)
                .isPositive();
        assertThat(world.missing()).as("seed " + seed).isEmpty();
        assertThat(world.excess()).as("seed " + seed).isEmpty();
    }

    /** So that it is known that the writers above are late, and that what is missing would be seen. */
    @Test
    void unsettledTheSameWritersLeaveRowsBehindInEverySink() throws Exception {
        LiveWorld world = world(", settle: off");

        live(world, 1, Duration.ofSeconds(1));

        assertThat(world.missing().keySet()).containsExactlyInAnyOrderElementsOf(world.sinks());
        assertThat(world.excess()).isEmpty();
    }

    private LiveWorld world(String settle) {
        return new LiveWorld(folder, Postgres.fresh(), Postgres.fresh(), settle);
    }

    /** @return how many rows were loaded before the writers had stopped */
    private static long live(LiveWorld world, long seed, Duration duration) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (Connection late = late(world)) {
            List<Future<Long>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(threads.submit(new LiveWriter(world.source, seed * WRITERS + i, stop)));
            }
            world.source.execute("SELECT pg_sleep(1.5)");
            world.loads();
            late.commit();
            for (long end = System.nanoTime() + duration.toNanos(); System.nanoTime() < end; ) {
                world.loadsSome();
            }
            long early = world.loaded();
            stop.set(true);
            for (Future<Long> writer : writers) {
                assertThat(writer.get()).as("seed " + seed).isPositive();
            }
            world.source.execute("SELECT pg_sleep(2)");
            world.loads();
            return early;
        } finally {
            stop.set(true);
            threads.shutdownNow();
        }
    }

    /** A transaction that takes the first number of each table, and the first time. */
    private static Connection late(LiveWorld world) throws SQLException {
        Connection connection = world.source.connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO plain (k, v) VALUES (0, -1)");
            statement.execute("INSERT INTO parts (k, v) VALUES (0, -2), (1, -3)");
        }
        return connection;
    }
}
