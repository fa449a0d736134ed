package dev.weir.state;

import static dev.weir.state.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntityLocksTest {

    private static final Sleeper NO_SLEEP = time -> {};

    @TempDir
    Path project;

    private StateStore store;
    private StateStore second;

    @BeforeEach
    void twoStoresOverOneFolder() {
        store = Samples.open(project.resolve(".weir"));
        second = Samples.open(project.resolve(".weir"));
    }

    @AfterEach
    void close() {
        store.close();
        second.close();
    }

    private static EntityLocks.Lease take(StateStore by, String... keys) throws InterruptedException {
        return by.locks().acquire(List.of(keys), "run-1", Duration.ZERO, NO_SLEEP);
    }

    @Test
    void aSecondHolderIsRefusedByNameOfTheFirst() throws Exception {
        try (EntityLocks.Lease lease = take(store, "pg.orders")) {
            assertThat(lease.keys()).containsExactly("pg.orders");
            ProcessIdentity self = ProcessIdentity.current();
            for (StateStore by : List.of(store, second)) {
                assertThatThrownBy(() -> take(by, "pg.orders"))
                        .isInstanceOfSatisfying(
                                RunException.class,
                                e -> assertThat(e.fault().code()).isEqualTo(Code.HELD_ELSEWHERE))
                        .hasMessageContaining("pg.orders")
                        .hasMessageContaining("process " + self.pid() + " on " + self.host())
                        .hasMessageContaining("run run-1, since " + NOW)
                        .hasMessageContaining("--wait");
            }
        }
        take(second, "pg.orders").close();
    }

    @Test
    void aRefusedAttemptOfAnotherStoreDoesNotFreeTheLock() throws Exception {
        try (EntityLocks.Lease lease = take(store, "pg.orders")) {
            assertThatThrownBy(() -> take(second, "pg.orders")).isInstanceOf(RunException.class);
            assertThat(second.locks().isHeld("pg.orders")).isTrue();
            second.close();
            try (StateChild child = StateChild.start("hold", project.resolve(".weir"), "pg.orders", "run-2")) {
                assertThat(child.says()).startsWith("WR0520 pg.orders");
            }
            assertThat(lease.keys()).hasSize(1);
        }
    }

    @Test
    void ofSeveralAllAreTakenOrNone() throws Exception {
        try (EntityLocks.Lease lease = take(store, "pg.b")) {
            assertThatThrownBy(() -> take(second, "pg.c", "pg.b", "pg.a"))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("pg.b");
            assertThat(store.locks().isHeld("pg.a")).isFalse();
            assertThat(store.locks().isHeld("pg.c")).isFalse();
            assertThat(lease.keys()).containsExactly("pg.b");
        }
        try (EntityLocks.Lease all = take(second, "pg.c", "pg.b", "pg.a", "pg.a")) {
            assertThat(all.keys()).containsExactly("pg.a", "pg.b", "pg.c");
        }
    }

    @Test
    void aLockIsHeldUntilItsLeaseIsClosedAndClosingTwiceIsNothing() throws Exception {
        EntityLocks.Lease lease = take(store, "pg.orders");
        assertThat(store.locks().isHeld("pg.orders")).isTrue();
        assertThat(second.locks().isHeld("pg.orders")).isTrue();
        assertThat(second.locks().holder("pg.orders")).isPresent();
        lease.close();
        assertThat(second.locks().isHeld("pg.orders")).isFalse();
        assertThat(second.locks().holder("pg.orders")).isEmpty();
        EntityLocks.Lease next = take(second, "pg.orders");
        lease.close();
        assertThat(store.locks().isHeld("pg.orders")).isTrue();
        assertThat(store.locks().holder("pg.orders")).isPresent();
        next.close();
    }

    @Test
    void aLeaseNobodyRefersToStaysALock() throws Exception {
        take(store, "pg.orders");
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        assertThat(second.locks().isHeld("pg.orders")).isTrue();
        try (StateChild child = StateChild.start("hold", project.resolve(".weir"), "pg.orders", "run-2")) {
            assertThat(child.says()).startsWith("WR0520");
        }
    }

    @Test
    void anInterruptedThreadLosesNoLock() throws Exception {
        try (EntityLocks.Lease lease = take(store, "pg.a")) {
            Thread.currentThread().interrupt();
            try (EntityLocks.Lease other = take(store, "pg.b")) {
                assertThat(store.locks().isHeld("pg.a")).isTrue();
                assertThat(second.locks().isHeld("pg.b")).isTrue();
                assertThat(other.keys()).hasSize(1);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            try (StateChild child = StateChild.start("hold", project.resolve(".weir"), "pg.a", "run-2")) {
                assertThat(child.says()).startsWith("WR0520");
            }
            assertThat(lease.keys()).hasSize(1);
        }
    }

    @Test
    void waitingEndsWhenTheHolderLetsGo() throws Exception {
        EntityLocks.Lease lease = take(store, "pg.orders");
        AtomicInteger sleeps = new AtomicInteger();
        Sleeper letsGo = time -> {
            if (sleeps.incrementAndGet() == 3) {
                lease.close();
            }
        };
        second.locks()
                .acquire(List.of("pg.orders"), "run-2", Duration.ofMinutes(10), letsGo)
                .close();
        assertThat(sleeps).hasValue(3);
    }

    @Test
    void waitingEndsAfterTheTimeGiven() throws Exception {
        try (EntityLocks.Lease lease = take(store, "pg.orders")) {
            List<Duration> slept = new ArrayList<>();
            assertThatThrownBy(() ->
                            second.locks().acquire(List.of("pg.orders"), "run-2", Duration.ofSeconds(10), slept::add))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0520");
            assertThat(slept.stream().reduce(Duration.ZERO, Duration::plus)).isEqualTo(Duration.ofSeconds(10));
            assertThat(lease.keys()).hasSize(1);
        }
    }

    @Test
    void anInterruptedWaitLocksNothing() throws Exception {
        try (EntityLocks.Lease lease = take(store, "pg.b")) {
            assertThatThrownBy(() -> second.locks()
                            .acquire(List.of("pg.a", "pg.b"), "run-2", Duration.ofSeconds(10), time -> {
                                throw new InterruptedException();
                            }))
                    .isInstanceOf(InterruptedException.class);
            assertThat(second.locks().isHeld("pg.a")).isFalse();
            assertThat(lease.keys()).hasSize(1);
        }
    }

    @Test
    void namesThatDifferInAnythingAreDifferentLocks() throws Exception {
        try (EntityLocks.Lease a = take(store, "pg.Orders", "pg.orders", "pg./../orders", "pg.ördérs", "")) {
            assertThat(a.keys()).hasSize(5);
            take(second, "pg.orders ").close();
        }
    }

    @Test
    void ofManyThreadsOneHoldsALockAtATime() throws Exception {
        int threads = 8;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Integer>> work = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                StateStore mine = thread % 2 == 0 ? store : second;
                work.add(pool.submit(() -> {
                    start.await();
                    for (int i = 0; i < 10; i++) {
                        try (EntityLocks.Lease lease = mine.locks()
                                .acquire(List.of("pg.a", "pg.b"), "r", Duration.ofHours(10), time -> Thread.yield())) {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            Thread.yield();
                            inside.decrementAndGet();
                            assertThat(lease.keys()).hasSize(2);
                        }
                    }
                    return 10;
                }));
            }
            for (Future<Integer> one : work) {
                assertThat(one.get()).isEqualTo(10);
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(most).hasValue(1);
    }
}
