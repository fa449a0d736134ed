package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.faults.Copy.Strategy;
import dev.weir.faults.Copy.System;
import dev.weir.faults.Deaths.Step;
import dev.weir.run.Faults.Point;
import dev.weir.testing.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Backfills die at every point of a chunk and around each of three commits, every strategy in every system; then the same
 * command again.
 *
 * <p>Three chunks, the one in the middle without rows. Each project dies three times: that makes each spot once with each
 * order of the systems, in a chunk nobody has begun and in those that a death has left half done.
 */
class ChunkCrashTest {

    private static final int CHUNKS = 3;
    private static final String[] BACKFILL = {"backfill", "out", "--from", "1", "--to", "1031", "--window", "500"};

    /** A place to die: a point, and which time there. */
    private record Spot(Point point, int time) {}

    private static final List<Spot> SPOTS = List.of(
            new Spot(Point.LOCKED, 1),
            new Spot(Point.MID_READ, 1),
            new Spot(Point.STAGED, 1),
            new Spot(Point.BEFORE_SINK_COMMIT, 1),
            new Spot(Point.AFTER_SINK_COMMIT, 1),
            new Spot(Point.BEFORE_SINK_COMMIT, 2),
            new Spot(Point.AFTER_SINK_COMMIT, 2),
            new Spot(Point.BEFORE_SINK_COMMIT, 3),
            new Spot(Point.AFTER_SINK_COMMIT, 3),
            new Spot(Point.BEFORE_STATE_WRITE, 1),
            new Spot(Point.AFTER_STATE_WRITE, 1),
            new Spot(Point.BEFORE_FINAL_STATUS, 1));

    private static final int DEATHS = 3;

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @TestFactory
    Stream<DynamicTest> theSameCommandAgainMakesTheRangeWholeInEverySink() throws Exception {
        Copy.fill(database, "t");
        Deaths deaths = new Deaths();
        for (int project = 0; project < SPOTS.size(); project++) {
            Copy copy = copy(project);
            List<Step> steps = steps(project);
            deaths.add(steps.toString(), copy, steps, () -> recovers(copy, steps));
        }
        return deaths.thenEach();
    }

    private Copy copy(int project) throws IOException {
        Path directory = Files.createDirectory(folder.resolve("chunks_" + project));
        Map<System, Strategy> strategies = new LinkedHashMap<>();
        Strategy[] all = {Strategy.APPEND, Strategy.MERGE, Strategy.WINDOW};
        for (int i = 0; i < all.length; i++) {
            strategies.put(System.values()[(project + i) % System.values().length], all[i]);
        }
        return Copy.of(database, "t", directory).intoEach("out", strategies);
    }

    private static List<Step> steps(int project) {
        List<Step> steps = new ArrayList<>();
        for (int death = 0; death < DEATHS; death++) {
            Spot spot = SPOTS.get((project + death * SPOTS.size() / DEATHS) % SPOTS.size());
            steps.add(Step.of(spot.point(), spot.time(), BACKFILL));
        }
        return steps;
    }

    private static void recovers(Copy copy, List<Step> steps) {
        copy.succeeds(BACKFILL);

        copy.isCovered(CHUNKS, "out", System.values());
        assertThat(copy.died())
                .isEqualTo(steps.stream().filter(step -> step.point() != Point.LOCKED).count());
    }
}
