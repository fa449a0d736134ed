package dev.weir.state;

import static dev.weir.state.Samples.BIGINT;
import static dev.weir.state.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two stores over one folder stand for two invocations in one JVM; real processes are beside them where it says so. */
class ActiveRangesTest {

    private static final Cursor ID = new Cursor("id", BIGINT);
    static final Sleeper SLEEPER = time -> Thread.sleep(Math.min(3, time.toMillis()));

    /** Waiting is an error of its own kind here: who waits is told at once. */
    private static final Sleeper NO_WAIT = time -> {
        if (time.toMillis() > 1) {
            throw new InterruptedException("it waits");
        }
        Thread.sleep(1);
    };

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

    /** The rows from one value to another, the latter exclusive. */
    static Loading rows(String sink, long from, long to) {
        return new Loading(sink, "pg.orders", ID, CursorRange.startingAt(BIGINT.units(from), BIGINT.units(to - 1)));
    }

    static Loading everything(String sink) {
        return new Loading(sink, "pg.orders", null, null);
    }

    private static ActiveRanges.Held enter(StateStore by, Sleeper sleeper, Loading... loadings)
            throws InterruptedException {
        return by.activeRanges().enter(List.of(loadings), "run-1", sleeper, note -> {});
    }

    private static void assertWaits(StateStore by, Loading... loadings) {
        assertThatThrownBy(() -> enter(by, NO_WAIT, loadings)).isInstanceOf(InterruptedException.class);
    }

    private Future<ActiveRanges.Held> entering(StateStore by, Loading... loadings) throws Exception {
        Future<ActiveRanges.Held> entering = pool.submit(() -> enter(by, SLEEPER, loadings));
        assertThatThrownBy(() -> entering.get(60, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        return entering;
    }

    private static ActiveRanges.Held in(Future<ActiveRanges.Held> entering) throws Exception {
        return entering.get(20, TimeUnit.SECONDS);
    }

    @Test
    void rangesMeetWhereARowCouldBeInBoth() {
        Loading ten = rows("lake.a", 0, 10);
        assertThat(ten.overlaps(rows("lake.a", 9, 11))).isTrue();
        assertThat(ten.overlaps(rows("lake.a", 10, 20))).isFalse();
        assertThat(ten.overlaps(rows("lake.b", 0, 10))).isFalse();
        assertThat(ten.overlaps(everything("lake.a"))).isTrue();
        assertThat(everything("lake.a").overlaps(ten)).isTrue();
        assertThat(everything("lake.b").overlaps(ten)).isFalse();
        assertThat(ten.overlaps(new Loading("lake.a", "pg.customers", null, null)))
                .isFalse();
        Loading otherCursor = new Loading(
                "lake.a",
                "pg.orders",
                new Cursor("seq", BIGINT),
                rows("lake.a", 50, 60).range());
        assertThat(ten.overlaps(otherCursor)).isTrue();
        Loading above = new Loading("lake.a", "pg.orders", ID, CursorRange.above(BIGINT.units(9), BIGINT.units(20)));
        assertThat(ten.overlaps(above)).isFalse();
        assertThat(above.overlaps(ten)).isFalse();
        assertThat(rows("lake.a", 9, 10).overlaps(above)).isFalse();
        assertThat(rows("lake.a", 10, 11).overlaps(above)).isTrue();
        assertThat(rows("lake.a", 5, 5).overlaps(ten)).isFalse();
        assertThat(ten.overlaps(rows("lake.a", 5, 5))).isFalse();
    }

    @Test
    void aChunkWaitsForWhatOverlapsItAndForNothingElse() throws Exception {
        try (ActiveRanges.Held held = enter(store, NO_WAIT, rows("lake.a", 0, 10), rows("lake.b", 0, 10))) {
            assertWaits(second, rows("lake.a", 9, 20));
            assertWaits(store, rows("lake.c", 0, 10), rows("lake.b", 9, 20));
            assertWaits(second, everything("lake.a"));
            enter(second, NO_WAIT, rows("lake.a", 10, 20), rows("lake.c", 0, 10))
                    .close();
            enter(store, NO_WAIT, new Loading("lake.a", "pg.customers", null, null))
                    .close();
            held.close();
            try (ActiveRanges.Held next = enter(second, NO_WAIT, rows("lake.a", 0, 10))) {
                held.close();
                assertWaits(store, rows("lake.a", 0, 10));
                assertThat(next).isNotNull();
            }
        }
        enter(store, NO_WAIT, everything("lake.a"), everything("lake.b")).close();
    }

    @Test
    void whoGivesUpWaitingHoldsUpNobody() throws Exception {
        ActiveRanges.Held held = enter(store, NO_WAIT, rows("lake.a", 0, 10));
        assertWaits(second, rows("lake.a", 0, 30));
        enter(store, NO_WAIT, rows("lake.a", 10, 30)).close();
        held.close();
        enter(store, NO_WAIT, rows("lake.a", 0, 30)).close();
    }

    @Test
    void chunksAreServedInTheirOrder() throws Exception {
        ActiveRanges.Held first = enter(store, NO_WAIT, rows("lake.a", 0, 10));
        Future<ActiveRanges.Held> next = entering(second, rows("lake.a", 5, 20));
        Future<ActiveRanges.Held> last = entering(store, rows("lake.a", 15, 30));
        // The last one meets nothing that loads yet, only one that has waited longer.
        enter(store, NO_WAIT, rows("lake.a", 30, 40)).close();
        first.close();
        ActiveRanges.Held second = in(next);
        assertThat(last.isDone()).isFalse();
        second.close();
        in(last).close();
    }

    @Test
    void aPassAndAChunkWaitForEachOther() throws Exception {
        try (ActiveRanges.Forward forward = store.activeRanges().register(List.of(rows("lake.a", 0, 1_000)), "run-f")) {
            enter(second, NO_WAIT, rows("lake.a", 0, 10)).close();
            ActiveRanges.Held pass = forward.enter(List.of(rows("lake.a", 0, 100)), NO_WAIT, note -> {});
            assertWaits(second, rows("lake.a", 50, 60));
            assertWaits(second, rows("lake.a", 500, 600));
            enter(second, NO_WAIT, rows("lake.a", 1_000, 1_100)).close();
            pass.close();
            try (ActiveRanges.Held chunk = enter(second, NO_WAIT, rows("lake.a", 50, 60))) {
                assertThatThrownBy(() -> forward.enter(List.of(rows("lake.a", 0, 100)), NO_WAIT, note -> {}))
                        .isInstanceOf(InterruptedException.class);
                forward.enter(List.of(rows("lake.a", 100, 200)), NO_WAIT, note -> {})
                        .close();
                assertThat(chunk).isNotNull();
            }
            forward.enter(List.of(rows("lake.a", 0, 100)), NO_WAIT, note -> {}).close();
        }
    }

    @Test
    void aForwardRunLetsTheChunkGoFirstThatWaitedForItsPass() throws Exception {
        List<Loading> all = List.of(rows("lake.a", 0, 1_000));
        try (ActiveRanges.Forward forward = store.activeRanges().register(all, "run-f")) {
            ActiveRanges.Held pass = forward.enter(all, NO_WAIT, note -> {});
            Future<ActiveRanges.Held> chunk = entering(second, rows("lake.a", 50, 60));
            pass.close();
            // At once, as a loop does.
            Future<ActiveRanges.Held> next = pool.submit(() -> forward.enter(all, SLEEPER, note -> {}));
            ActiveRanges.Held held = in(chunk);
            assertThatThrownBy(() -> next.get(60, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            held.close();
            in(next).close();
        }
    }

    @Test
    void aPassWritesNothing() throws Exception {
        List<Loading> all = List.of(rows("lake.a", 0, 1_000));
        Path file = weirDir().resolve("state.db");
        try (ActiveRanges.Forward forward = store.activeRanges().register(all, "run-f")) {
            Files.setLastModifiedTime(file, FileTime.from(NOW));
            for (int pass = 0; pass < 5; pass++) {
                forward.enter(all, NO_WAIT, note -> {}).close();
            }
            assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.from(NOW));
        }
    }

    @Test
    void aPassThatReadsMoreThanWasRegisteredKeepsChunksOffThatToo() throws Exception {
        try (ActiveRanges.Forward forward = store.activeRanges().register(List.of(rows("lake.a", 0, 10)), "run-f")) {
            try (ActiveRanges.Held pass =
                    forward.enter(List.of(rows("lake.a", 0, 20), everything("lake.b")), NO_WAIT, note -> {})) {
                assertWaits(second, rows("lake.a", 15, 16));
                assertWaits(second, rows("lake.b", 15, 16));
                assertThat(pass).isNotNull();
            }
        }
    }

    @Test
    void whoWaitsLongIsToldOnceForWhom() throws Exception {
        try (ActiveRanges.Held held =
                store.activeRanges().enter(List.of(rows("lake.a", 0, 10)), "run-x", NO_WAIT, note -> {})) {
            List<String> notes = new ArrayList<>();
            List<Duration> slept = new ArrayList<>();
            Sleeper until = time -> {
                slept.add(time);
                if (slept.size() == 50) {
                    held.close();
                }
            };
            second.activeRanges()
                    .enter(List.of(rows("lake.a", 0, 10)), "run-y", until, notes::add)
                    .close();
            ProcessIdentity self = ProcessIdentity.current();
            assertThat(notes)
                    .containsExactly("waiting for a chunk of a backfill that loads rows of pg.orders into lake.a too:"
                            + " process " + self.pid() + " on " + self.host() + ", run run-x, since " + NOW);
            assertThat(slept)
                    .startsWith(Duration.ofMillis(20), Duration.ofMillis(40))
                    .endsWith(Duration.ofMillis(200));
        }
    }

    @Test
    void whatCannotBeWrittenHoldsNothing() throws Exception {
        try (StateStore reader =
                StateStore.openForReading(weirDir(), Samples.CLOCK).orElseThrow()) {
            assertThatThrownBy(() -> enter(reader, NO_WAIT, rows("lake.a", 0, 10)))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0527");
            assertThatThrownBy(() -> reader.activeRanges().register(List.of(), "run"))
                    .isInstanceOf(RunException.class);
        }
        enter(store, NO_WAIT, rows("lake.a", 0, 10)).close();
        try (var locks = Files.list(weirDir().resolve("locks"))) {
            assertThat(locks.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder("jvm.guard", "range-0.lock", "range-0-on.lock");
        }
    }

    @Test
    void whatAKilledProcessLoadedHoldsUpNobody() throws Exception {
        for (String task : List.of("load-chunk", "load-forward")) {
            try (StateChild child = StateChild.start(task, weirDir(), "0", "10")) {
                assertThat(child.says()).isEqualTo("loads");
                assertWaits(store, rows("lake.a", 5, 6));
                Future<ActiveRanges.Held> waiting = entering(second, rows("lake.a", 0, 30));
                child.kill();
                in(waiting).close();
                try (ActiveRanges.Forward forward =
                        store.activeRanges().register(List.of(rows("lake.a", 0, 10)), "run-f")) {
                    forward.enter(List.of(rows("lake.a", 0, 10)), NO_WAIT, note -> {})
                            .close();
                }
            }
        }
    }

    @Test
    void aPassLooksAgainWhenItIsSeenToBeUnderWay() throws Exception {
        List<Loading> all = List.of(rows("lake.a", 0, 10));
        LockFolder folder = new LockFolder(weirDir().resolve("locks"));
        try (ActiveRanges.Forward forward = store.activeRanges().register(all, "run-f")) {
            LockFolder.Held look = folder.tryLock("range-0-on.lock").orElseThrow();
            List<ActiveRanges.Held> chunk = new ArrayList<>();
            // It has found nobody, and is kept from showing itself; now a chunk comes.
            Sleeper meanwhile = time -> {
                if (!chunk.isEmpty()) {
                    throw new InterruptedException("it waits");
                }
                look.close();
                chunk.add(enter(second, NO_WAIT, rows("lake.a", 0, 10)));
            };
            assertThatThrownBy(() -> forward.enter(all, meanwhile, note -> {}))
                    .isInstanceOf(InterruptedException.class);
            assertThat(chunk).hasSize(1);
            chunk.get(0).close();
            forward.enter(all, NO_WAIT, note -> {}).close();
        }
    }

    @Test
    void aChunkIsSeenToBeUnderWayBeforeItsRowsAre() throws Exception {
        enter(store, NO_WAIT).close();
        LockFolder.Held look = new LockFolder(weirDir().resolve("locks"))
                .tryLock("range-0-on.lock")
                .orElseThrow();
        List<Long> written = new ArrayList<>();
        enter(
                        store,
                        time -> {
                            written.add(rowsWritten());
                            look.close();
                        },
                        rows("lake.a", 0, 10))
                .close();
        assertThat(written).containsExactly(0L);
        assertThat(rowsWritten()).isEqualTo(1);
        enter(store, NO_WAIT, rows("lake.a", 0, 10), rows("lake.b", 0, 10)).close();
        assertThat(rowsWritten()).isEqualTo(2);
    }

    private long rowsWritten() {
        return second.database().read(connection -> {
            try (var statement = connection.createStatement();
                    var row = statement.executeQuery("SELECT count(*) FROM active_ranges")) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    @Test
    void rangesOfEveryTypeMeetAsTheyAre() throws Exception {
        for (CursorType type : List.of(
                CursorType.decimal(38, 10),
                CursorType.of(CursorType.Kind.DATE),
                CursorType.of(CursorType.Kind.UBIGINT),
                CursorType.of(CursorType.Kind.TIMESTAMPTZ))) {
            Cursor cursor = new Cursor("c", type);
            CursorValue end = type.greatest();
            CursorValue middle = type.units(7);
            Loading upper = new Loading("lake.a", "pg.orders", cursor, CursorRange.above(middle, end));
            Loading lower = new Loading("lake.a", "pg.orders", cursor, CursorRange.startingAt(type.least(), middle));
            Loading edge = new Loading("lake.a", "pg.orders", cursor, CursorRange.startingAt(end, end));
            try (ActiveRanges.Held held = enter(store, NO_WAIT, upper)) {
                enter(second, NO_WAIT, lower).close();
                assertWaits(second, edge);
                assertThat(held).isNotNull();
            }
        }
    }
}
