package dev.weir.state;

import static dev.weir.state.ActiveRangesTest.SLEEPER;
import static dev.weir.state.ActiveRangesTest.everything;
import static dev.weir.state.ActiveRangesTest.rows;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many who load at random, in threads and in processes, and nobody to tell them when. */
class ActiveRangesRaceTest {

    @TempDir
    Path project;

    private StateStore store;
    private StateStore second;
    private final ExecutorService pool = Executors.newCachedThreadPool();

    @BeforeEach
    void twoStoresOverOneFolder() {
        store = Samples.open(weirDir());
        second = Samples.open(weirDir());
    }

    @AfterEach
    void close() {
        pool.shutdownNow();
        store.close();
        second.close();
    }

    private Path weirDir() {
        return project.resolve(".weir");
    }

    @Test
    void processesNeverLoadOneRangeAtOnce() throws Exception {
        List<StateChild> children = new ArrayList<>();
        try {
            for (String task : List.of("meet-chunk", "meet-forward", "meet-chunk")) {
                children.add(StateChild.start(
                        task, weirDir(), project.resolve("inside").toString()));
            }
            for (StateChild child : children) {
                assertThat(child.says()).isEqualTo("ready");
            }
            for (StateChild child : children) {
                child.goOn();
            }
            for (StateChild child : children) {
                assertThat(child.says()).isEqualTo("alone 10 times");
            }
        } finally {
            children.forEach(StateChild::close);
        }
    }

    @Test
    void inNoScheduleDoTwoOverlapAndAllAreServed() throws Exception {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(met(seed, true)).as("seed " + seed).isZero();
        }
    }

    @Test
    void theSameSchedulesMeetWhereNobodyWaits() throws Exception {
        assertThat(met(1, false) + met(2, false) + met(3, false)).isPositive();
    }

    /** Loads at random from many threads, several sinks at once, chunks and passes; answers how often two met. */
    private int met(long seed, boolean waiting) throws Exception {
        Set<List<Loading>> inside = ConcurrentHashMap.newKeySet();
        AtomicInteger met = new AtomicInteger();
        List<Future<Integer>> work = new ArrayList<>();
        for (int thread = 0; thread < 6; thread++) {
            Random random = new Random(seed * 100 + thread);
            StateStore mine = thread % 2 == 0 ? store : second;
            boolean forward = thread == 5;
            work.add(pool.submit(() -> {
                try (ActiveRanges.Forward run =
                        mine.activeRanges().register(List.of(everything("lake.a"), everything("lake.b")), "run-f")) {
                    for (int i = 0; i < 12; i++) {
                        List<Loading> loadings = random(random);
                        if (!waiting) {
                            load(inside, loadings, met);
                        } else if (forward) {
                            try (ActiveRanges.Held held = run.enter(loadings, SLEEPER, note -> {})) {
                                load(inside, loadings, met);
                            }
                        } else {
                            try (ActiveRanges.Held held =
                                    mine.activeRanges().enter(loadings, "run-c", SLEEPER, note -> {})) {
                                load(inside, loadings, met);
                            }
                        }
                    }
                }
                return 12;
            }));
        }
        for (Future<Integer> one : work) {
            assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(12);
        }
        return met.get();
    }

    private static List<Loading> random(Random random) {
        List<Loading> loadings = new ArrayList<>();
        for (String sink : random.nextBoolean() ? List.of("lake.a", "lake.b") : List.of("lake.b", "lake.a")) {
            int from = random.nextInt(80);
            loadings.add(random.nextInt(10) == 0 ? everything(sink) : rows(sink, from, from + 1 + random.nextInt(30)));
        }
        return loadings.subList(0, 1 + random.nextInt(2));
    }

    private static void load(Set<List<Loading>> inside, List<Loading> loadings, AtomicInteger met)
            throws InterruptedException {
        List<Loading> own = new ArrayList<>(loadings) {
            @Override
            public boolean equals(Object other) {
                return this == other;
            }

            @Override
            public int hashCode() {
                return System.identityHashCode(this);
            }
        };
        inside.add(own);
        for (List<Loading> other : inside) {
            if (other != own && own.stream().anyMatch(mine -> other.stream().anyMatch(mine::overlaps))) {
                met.incrementAndGet();
            }
        }
        Thread.sleep(2);
        inside.remove(own);
    }
}
