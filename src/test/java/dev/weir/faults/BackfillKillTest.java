package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backfill of a hundred chunks, two at once, killed with SIGKILL at 8 random moments and started again each time. */
class BackfillKillTest {

    private static final long SEED = 20_260_101;
    private static final int KILLS = 5;
    private static final int ROWS = 100_000;
    private static final int CHUNKS = 100;

    /** So many chunks at most has a process begun when it is killed: some are left when all have died. */
    private static final int MOST_CHUNKS = 11;

    private static final int MOST_MILLIS_AFTER_A_LINE = 60;
    private static final int MOST_MILLIS_AFTER_THE_START = 1_500;

    @TempDir
    Path folder;

    private final ExecutorService loops = Executors.newFixedThreadPool(2);
    private final ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stop() {
        loops.shutdownNow();
        killer.shutdownNow();
    }

    private static String[] backfill(String pipeline) {
        return new String[] {
            "backfill",
            pipeline,
            "--from",
            "1",
            "--to",
            Integer.toString(ROWS + 1),
            "--window",
            Integer.toString(ROWS / CHUNKS),
            "--concurrency",
            "2",
            "--log-format",
            "json"
        };
    }

    @Test
    void everyChunkIsThereOnceAndNothingIsLostAndNothingDoubled() throws Exception {
        Orders orders = new Orders(ROWS);
        WeirProject appending = orders.intoDuckDb(folder.resolve("duckdb"));
        WeirProject merging = orders.intoPostgres(folder.resolve("postgres"));
        System.out.println("BackfillKillTest: seed " + SEED);

        Future<?> one = loops.submit(() -> killAndRestart(appending, "appended", new Random(SEED)));
        Future<?> other = loops.submit(() -> killAndRestart(merging, "merged", new Random(~SEED)));
        one.get();
        other.get();

        orders.isExactInDuckDb(appending, "appended");
        orders.isExact("sinks.merged");
        String chunks = "SELECT count(*), count(DISTINCT chunk_id), sum(records_loaded) FROM ";
        String all = CHUNKS + "|" + CHUNKS + "|" + ROWS;
        assertThat(appending.duckRows("lake.duckdb", chunks + "_weir_chunks")).containsExactly(all);
        assertThat(orders.database().rows(chunks + "sinks._weir_chunks")).containsExactly(all);
    }

    private Void killAndRestart(WeirProject project, String pipeline, Random random) throws Exception {
        for (int killed = 0; killed < KILLS; killed++) {
            try (Child child = Child.start(project.directory(), backfill(pipeline))) {
                int chunks = random.nextInt(MOST_CHUNKS);
                int millis = random.nextInt(chunks == 0 ? MOST_MILLIS_AFTER_THE_START : MOST_MILLIS_AFTER_A_LINE);
                child.awaitLines(chunks, line -> line.contains("\"event\":\"chunk_started\""));
                killer.schedule(child::kill, millis, TimeUnit.MILLISECONDS).get();
                assertThat(child.exitCode())
                        .as("after " + killed + " kills: " + child.all())
                        .isEqualTo(128 + 9);
            }
        }
        WeirProject.Said said = project.run(backfill(pipeline));
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(project.sqliteRows(
                        ".weir/state.db",
                        "SELECT status, count(*), sum(records_loaded) FROM backfill_chunks GROUP BY status"))
                .containsExactly("completed|" + CHUNKS + "|" + ROWS);
        assertThat(project.sqliteRows(".weir/state.db", "SELECT max(attempts) FROM backfill_chunks"))
                .as("some chunk was interrupted")
                .doesNotContain("1");
        return null;
    }
}
