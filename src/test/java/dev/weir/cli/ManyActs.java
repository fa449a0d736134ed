package dev.weir.cli;

import dev.weir.run.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What may happen to a {@link ManyWorld}, each by itself, so that any of them can be left out. */
sealed interface ManyActs {

    /** So many rows arrive in every table of the source, and as many are changed. */
    record Rows(int count) implements ManyActs {}

    /**
     * One invocation.
     *
     * @param selection the words that select
     * @param breaking what goes wrong
     */
    record Run(List<String> selection, boolean loop, boolean fullRefresh, int threads, Breaking breaking)
            implements ManyActs {}

    /** How an invocation is disturbed. */
    enum How {
        NOT,
        FAILURE,
        PASSING,
        UNKNOWN_OUTCOME,
        DEATH,
        SINK_REFUSES
    }

    /** @param after how often the point, or the pass, goes well before */
    record Breaking(How how, Faults.Point point, int after) {
        static final Breaking NOTHING = new Breaking(How.NOT, Faults.Point.LOCKED, 0);
    }

    /** @param part where between initial and the lowest position, in per cent */
    record Set(String entity, int part) implements ManyActs {}

    record Clear(String entity) implements ManyActs {}

    /** @param back how many runs ago */
    record Rollback(String entity, int back) implements ManyActs {}

    /** A sink is said to stand where it stands. */
    record Adopt(int which) implements ManyActs {}

    record AddPipeline() implements ManyActs {}

    record LoseState() implements ManyActs {}

    record SaveState() implements ManyActs {}

    record RestoreState() implements ManyActs {}

    /** So many acts, by a seed. */
    static List<ManyActs> of(long seed, int count) {
        Random random = new Random(seed);
        List<ManyActs> acts = new ArrayList<>(List.of(new Rows(15)));
        for (int i = 0; i < count; i++) {
            acts.add(any(random));
        }
        return acts;
    }

    private static ManyActs any(Random random) {
        String entity = one(random, List.of("items", "nums", "more"));
        int kind = random.nextInt(20);
        return switch (kind) {
            case 0, 1, 2 -> new Rows(random.nextInt(12));
            case 3 -> new Set(entity, random.nextInt(101));
            case 4 -> new Clear(entity);
            case 5 -> new Rollback(entity, random.nextInt(6));
            case 6 -> new Adopt(random.nextInt(8));
            case 7 -> new AddPipeline();
            case 8 -> new LoseState();
            case 9 -> new SaveState();
            case 10 -> new RestoreState();
            default -> run(random);
        };
    }

    private static Run run(Random random) {
        List<String> selection = one(
                random,
                List.of(
                        List.of("--all"),
                        List.of("--all"),
                        List.of("items"),
                        List.of("log"),
                        List.of("both"),
                        List.of("log", "both"),
                        List.of("--select", "sink:lake.items"),
                        List.of("--select", "sink:wh.items"),
                        List.of("--select", "sink:wh.united"),
                        List.of("--select", "sink:lake.united"),
                        List.of("--select", "source:pg.nums"),
                        List.of("--select", "mid+")));
        return new Run(
                selection,
                random.nextInt(3) == 0,
                random.nextInt(8) == 0,
                random.nextBoolean() ? 1 : 3,
                random.nextBoolean() ? Breaking.NOTHING : breaking(random));
    }

    private static Breaking breaking(Random random) {
        How how = one(random, List.of(How.values()).subList(1, How.values().length));
        Faults.Point point = how == How.UNKNOWN_OUTCOME
                ? one(random, List.of(Faults.Point.BEFORE_SINK_COMMIT, Faults.Point.AFTER_SINK_COMMIT))
                : one(random, List.of(Faults.Point.values()));
        return new Breaking(how, point, random.nextInt(5));
    }

    private static <T> T one(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
