package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One catch-up of 80 slices, killed with SIGKILL at 20 random moments and started again each time. */
class SigkillTest {

    private static final int KILLS = 15;
    private static final int ROWS = 160_000;
    private static final String[] RUN = {"run", "--all", "--until-caught-up", "--log-format", "json"};

    /** A slice into two sinks says nine lines. */
    private static final int MOST_LINES = 40;

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

    @Test
    void nothingIsLostAndNothingDoubled() throws Exception {
        Orders orders = new Orders(ROWS);
        WeirProject intoDuckDb = orders.intoDuckDb(folder.resolve("duckdb"));
        WeirProject intoPostgres = orders.intoPostgres(folder.resolve("postgres"));
        long seed = new Random().nextLong();
        System.out.println("SigkillTest: seed " + seed);

        Future<?> one = loops.submit(() -> killAndRestart(intoDuckDb, new Random(seed)));
        Future<?> other = loops.submit(() -> killAndRestart(intoPostgres, new Random(~seed)));
        one.get();
        other.get();

        for (WeirProject project : List.of(intoDuckDb, intoPostgres)) {
            WeirProject.Said said = project.run("run", "--all", "--until-caught-up");
            assertThat(said.exitCode()).as("seed " + seed + ": " + said.all()).isZero();
            assertThat(said.out()).contains("stopped: caught up");
        }
        for (String table : List.of("merged", "appended")) {
            orders.isExactInDuckDb(intoDuckDb, table);
            orders.isExact("sinks." + table);
        }
    }

    private Void killAndRestart(WeirProject project, Random random) throws Exception {
        for (int killed = 0; killed < KILLS; killed++) {
            try (Child child = Child.start(project.directory(), RUN)) {
                int lines = random.nextInt(MOST_LINES);
                int millis = random.nextInt(lines == 0 ? MOST_MILLIS_AFTER_THE_START : MOST_MILLIS_AFTER_A_LINE);
                child.awaitLines(lines, line -> true);
                killer.schedule(child::kill, millis, TimeUnit.MILLISECONDS).get();
                assertThat(child.exitCode())
                        .as("after " + killed + " kills: " + child.all())
                        .isEqualTo(128 + 9);
            }
        }
        return null;
    }
}
