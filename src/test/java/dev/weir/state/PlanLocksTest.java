package dev.weir.state;

import static dev.weir.state.PlanSamples.ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.RunException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two stores over one folder stand for two invocations in one JVM; real processes are beside them where it says so. */
class PlanLocksTest {

    private static final Sleeper SLEEPER = time -> Thread.sleep(time.toMillis());

    @TempDir
    Path project;

    private StateStore store;
    private StateStore second;

    @BeforeEach
    void twoStoresOverOneFolder() {
        store = Samples.open(weirDir());
        second = Samples.open(weirDir());
    }

    @AfterEach
    void close() {
        store.close();
        second.close();
    }

    private Path weirDir() {
        return project.resolve(".weir");
    }

    private static PlanLease join(StateStore by) throws InterruptedException {
        return by.planLocks().join("shop", ID, Duration.ZERO, SLEEPER);
    }

    private static PlanLease start(StateStore by) throws InterruptedException {
        PlanLease lease = join(by);
        lease.openGate();
        return lease;
    }

    @Test
    void aChunkIsClaimedOnceUntilItsClaimIsClosed() throws Exception {
        try (PlanLease one = start(store);
                PlanLease two = start(second)) {
            PlanLease.Claim claim = one.tryClaim(3).orElseThrow();
            assertThat(claim.chunk()).isEqualTo(3);
            assertThat(one.tryClaim(3)).isEmpty();
            assertThat(two.tryClaim(3)).isEmpty();
            assertThat(two.isHeld(3)).isTrue();
            assertThat(one.isHeld(3)).isTrue();
            assertThat(two.isHeld(2)).isFalse();
            assertThat(two.tryClaim(4)).isPresent();
            claim.close();
            Optional<PlanLease.Claim> next = two.tryClaim(3);
            assertThat(next).isPresent();
            claim.close();
            assertThat(one.isHeld(3)).isTrue();
        }
        assertThat(store.planLocks().isClaimed("shop", ID, 3)).isFalse();
        assertThat(store.planLocks().isClaimed("shop", ID, 4)).isFalse();
    }

    @Test
    void whileOneStartsTheNextWaitsAndIsToldWhenThatLasts() throws Exception {
        try (PlanLease one = join(store)) {
            List<Duration> slept = new ArrayList<>();
            assertThatThrownBy(() -> second.planLocks().join("shop", ID, Duration.ofSeconds(3), slept::add))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0520")
                    .hasMessageContaining(ID)
                    .hasMessageContaining("starting");
            assertThat(slept.stream().reduce(Duration.ZERO, Duration::plus)).isEqualTo(Duration.ofSeconds(3));
            assertThat(one.othersLive()).isFalse();
            try (PlanLease two = second.planLocks().join("shop", ID, Duration.ZERO, time -> one.openGate())) {
                assertThat(two.othersLive()).isTrue();
                assertThat(one.othersLive()).isTrue();
            }
            assertThat(one.othersLive()).isFalse();
        }
    }

    @Test
    void whoIsRefusedOrInterruptedAtTheGateLeavesNothingBehind() throws Exception {
        try (PlanLease one = join(store)) {
            assertThatThrownBy(() -> second.planLocks().join("shop", ID, Duration.ZERO, time -> {}))
                    .isInstanceOf(RunException.class);
            assertThatThrownBy(() -> second.planLocks().join("shop", ID, Duration.ZERO, time -> {
                        throw new InterruptedException();
                    }))
                    .isInstanceOf(InterruptedException.class);
            assertThat(one.othersLive()).isFalse();
            try (StateChild child = StateChild.start("plan", weirDir(), ID, "0")) {
                assertThat(child.says()).startsWith("WR0520");
            }
        }
        assertThat(store.planLocks().lives("shop", ID)).isFalse();
    }

    @Test
    void aLeaseThatIsClosedGivesUpAllThatIsLeft() throws Exception {
        PlanLease one = join(store);
        PlanLease.Claim claim = one.tryClaim(0).orElseThrow();
        one.close();
        one.close();
        try (PlanLease two = join(second)) {
            assertThat(two.othersLive()).isFalse();
            assertThat(two.tryClaim(0)).isPresent();
            claim.close();
            assertThat(two.isHeld(0)).isTrue();
            one.openGate();
            assertThatThrownBy(() -> one.tryClaim(1)).isInstanceOf(IllegalStateException.class);
            try (StateChild child = StateChild.start("plan", weirDir(), ID, "0")) {
                assertThat(child.says()).startsWith("WR0520");
            }
        }
    }

    @Test
    void plansAndProjectsDoNotMeet() throws Exception {
        try (PlanLease one = join(store);
                PlanLease other = store.planLocks().join("other", ID, Duration.ZERO, SLEEPER);
                PlanLease another = store.planLocks().join("shop", "fedcba9876543210", Duration.ZERO, SLEEPER)) {
            assertThat(one.tryClaim(0)).isPresent();
            assertThat(other.tryClaim(0)).isPresent();
            assertThat(another.othersLive()).isFalse();
            assertThat(another.isHeld(0)).isFalse();
        }
    }

    @Test
    void aLookMakesNoFileAndFreesNothing() throws Exception {
        assertThat(store.planLocks().lives("shop", ID)).isFalse();
        assertThat(store.planLocks().isClaimed("shop", ID, 0)).isFalse();
        assertThat(weirDir().resolve("locks")).doesNotExist();
        try (PlanLease one = start(store);
                StateStore reader =
                        StateStore.openForReading(weirDir(), Samples.CLOCK).orElseThrow()) {
            one.tryClaim(0).orElseThrow();
            for (int i = 0; i < 3; i++) {
                assertThat(reader.planLocks().lives("shop", ID)).isTrue();
                assertThat(reader.planLocks().isClaimed("shop", ID, 0)).isTrue();
                assertThat(reader.planLocks().isClaimed("shop", ID, 1)).isFalse();
                assertThat(one.othersLive()).isFalse();
            }
            try (StateChild child = StateChild.start("plan", weirDir(), ID, "0", "1")) {
                assertThat(child.says()).isEqualTo("others true, claimed [1]");
            }
        }
        try (var files = Files.list(weirDir().resolve("locks"))) {
            assertThat(files).hasSize(1).allSatisfy(file -> assertThat(file).isEmptyFile());
        }
    }

    @Test
    void anInterruptedThreadLosesNoClaim() throws Exception {
        try (PlanLease one = start(store)) {
            one.tryClaim(0).orElseThrow();
            Thread.currentThread().interrupt();
            assertThat(one.tryClaim(1)).isPresent();
            assertThat(one.isHeld(2)).isFalse();
            assertThat(one.othersLive()).isFalse();
            second.planLocks().isClaimed("shop", ID, 0);
            one.tryClaim(3).orElseThrow().close();
            assertThat(Thread.interrupted()).isTrue();
            try (StateChild child = StateChild.start("plan", weirDir(), ID, "0", "1", "2", "3")) {
                assertThat(child.says()).isEqualTo("others true, claimed [2, 3]");
            }
        }
    }

    @Test
    void aClaimNobodyRefersToStaysAClaim() throws Exception {
        start(store).tryClaim(0).orElseThrow();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        try (StateChild child = StateChild.start("plan", weirDir(), ID, "0")) {
            assertThat(child.says()).isEqualTo("others true, claimed []");
        }
    }

    @Test
    void aKilledProcessHoldsNoChunkAndItsRowIsTakenOver() throws Exception {
        Backfills backfills = store.backfills();
        BackfillKey key = PlanSamples.plan(3).key();
        try (StateChild child = StateChild.start("work", weirDir(), ID, "3")) {
            assertThat(child.says()).isEqualTo("running 0, claimed 1");
            try (PlanLease lease = start(store)) {
                assertThat(lease.othersLive()).isTrue();
                assertThat(lease.tryClaim(0)).isEmpty();
                assertThat(lease.isHeld(1)).isTrue();
                assertThat(store.planLocks().isClaimed("shop", ID, 0)).isTrue();
                PlanLease.Claim third = lease.tryClaim(2).orElseThrow();
                child.kill();
                assertThat(lease.othersLive()).isFalse();
                assertThat(third.chunk()).isEqualTo(2);
                for (int chunk = 0; chunk < 2; chunk++) {
                    try (PlanLease.Claim claim = lease.tryClaim(chunk).orElseThrow()) {
                        String id = PlanSamples.id(claim.chunk());
                        assertThat(backfills.claim(key, id, "me").taken()).isTrue();
                        assertThat(backfills.running(key, id)).isTrue();
                        assertThat(backfills.completed(key, id, 5)).isTrue();
                    }
                }
                assertThat(backfills
                                .chunk("shop", ID, PlanSamples.id(0))
                                .orElseThrow()
                                .attempts())
                        .isEqualTo(2);
            }
        }
    }

    @Test
    void ofTwoProcessesThatShareAPlanEachChunkIsRunByOne() throws Exception {
        int chunks = 40;
        store.backfills().begin(PlanSamples.plan(chunks), PlanSamples.chunks(chunks));
        try (StateChild a = StateChild.start("share", weirDir(), ID);
                StateChild b = StateChild.start("share", weirDir(), ID)) {
            assertThat(a.says()).isEqualTo("ready");
            assertThat(b.says()).isEqualTo("ready");
            a.goOn();
            b.goOn();
            int ofA = Integer.parseInt(a.says());
            int ofB = Integer.parseInt(b.says());
            assertThat(ofA + ofB).isEqualTo(chunks);
        }
        assertThat(store.backfills().chunks("shop", ID)).allSatisfy(chunk -> {
            assertThat(chunk.attempts()).isEqualTo(1);
            assertThat(chunk.recordsLoaded()).isEqualTo(1);
        });
    }

    @Test
    void ofManyThreadsOneHoldsAChunkAtATimeWhoeverLooks() throws Exception {
        int threads = 6;
        AtomicIntegerArray inside = new AtomicIntegerArray(3);
        AtomicInteger most = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
        try (StateChild looker = StateChild.start("look", weirDir(), ID)) {
            assertThat(looker.says()).isEqualTo("looks");
            Future<?> looks = pool.submit(() -> {
                while (!over.get()) {
                    store.planLocks().isClaimed("shop", ID, 1);
                    store.planLocks().lives("shop", ID);
                }
            });
            List<Future<Integer>> work = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                StateStore mine = thread % 2 == 0 ? store : second;
                work.add(pool.submit(() -> {
                    for (int i = 0; i < 60; i++) {
                        try (PlanLease lease = mine.planLocks().join("shop", ID, Duration.ofMinutes(1), SLEEPER)) {
                            lease.openGate();
                            Optional<PlanLease.Claim> claim = lease.tryClaim(i % 3);
                            if (claim.isPresent()) {
                                taken.incrementAndGet();
                                most.accumulateAndGet(inside.incrementAndGet(i % 3), Math::max);
                                Thread.yield();
                                inside.decrementAndGet(i % 3);
                                claim.get().close();
                            }
                        }
                    }
                    return 60;
                }));
            }
            for (Future<Integer> one : work) {
                assertThat(one.get()).isEqualTo(60);
            }
            over.set(true);
            looks.get();
            try (PlanLease alone = start(store)) {
                for (int i = 0; i < 300; i++) {
                    alone.tryClaim(5).orElseThrow().close();
                }
            }
        } finally {
            over.set(true);
            pool.shutdownNow();
        }
        assertThat(most).hasValue(1);
        assertThat(taken.get()).isGreaterThan(50);
    }
}
