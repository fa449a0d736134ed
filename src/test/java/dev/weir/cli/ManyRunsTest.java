package dev.weir.cli;

import dev.weir.testing.Postgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever runs, fails, dies, is lost, put back or decided, with several pipelines and sinks: in the end every sink holds
 * every row it owes, once.
 *
 * <p>The seeds are fixed; {@code -Dweir.seeds=FROM-TO} tries others.
 */
class ManyRunsTest {

    private static final int ACTS = 8;

    /** Those whose acts meet most of what can go wrong. */
    private static final List<Long> SEEDS = List.of(1L, 4L, 13L, 15L, 24L, 32L);

    @TempDir
    Path folder;

    static List<Long> seeds() {
        String given = System.getProperty("weir.seeds");
        if (given == null) {
            return SEEDS;
        }
        String[] range = given.split("-");
        List<Long> seeds = new ArrayList<>();
        for (long seed = Long.parseLong(range[0]); seed <= Long.parseLong(range[1]); seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    private final Postgres.Database source = Databases.SOURCE;
    private final Postgres.Database warehouse = Databases.WAREHOUSE;
    private int worlds;

    private static final class Databases {
        static final Postgres.Database SOURCE = Postgres.fresh();
        static final Postgres.Database WAREHOUSE = Postgres.fresh();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everySinkHoldsEveryRowItOwesOnce(long seed) {
        List<ManyActs> acts = ManyActs.of(seed, ACTS);
        Optional<Throwable> failure = play(seed, acts);
        if (failure.isPresent()) {
            List<ManyActs> fewest = fewest(seed, acts);
            Throwable why = play(seed, fewest).orElse(failure.get());
            throw new AssertionError("seed " + seed + ", and it takes no more than these: " + fewest, why);
        }
    }

    private Optional<Throwable> play(long seed, List<ManyActs> acts) {
        try {
            Path here = Files.createDirectory(folder.resolve("world" + worlds++));
            ManyWorld world = new ManyWorld(here, source, warehouse, seed);
            acts.forEach(world::does);
            world.endsExact();
            return Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            return Optional.of(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves out what it fails without. */
    private List<ManyActs> fewest(long seed, List<ManyActs> acts) {
        List<ManyActs> fewest = new ArrayList<>(acts);
        for (int i = fewest.size() - 1; i > 0; i--) {
            List<ManyActs> without = new ArrayList<>(fewest);
            without.remove(i);
            if (play(seed, without).isPresent()) {
                fewest = without;
            }
        }
        return fewest;
    }
}
