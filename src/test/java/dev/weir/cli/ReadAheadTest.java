package dev.weir.cli;

import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.run.Faults;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In a loop the next slice is read while the last one is committed, and nothing else changes. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadAheadTest {

    private static final String[] LOOP = {"run", "a", "--until-caught-up", "--log-format", "json"};

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void project() {
        graph = new GraphProject(folder)
                .arrive("a", 11, 20)
                .pipeline("a", "INSERT INTO " + merge("lake", "a") + " SELECT id, v FROM " + from("a"));
    }

    private static boolean comes(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether a chunk has said what it is going to load. */
    private static boolean isThere(Path state) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + state);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM active_ranges WHERE kind = 'CHUNK'")) {
            return row.next() && row.getLong(1) > 0;
        }
    }

    private void isWhole() {
        assertThat(graph.lake("SELECT count(*), count(DISTINCT id), sum(id) FROM a"))
                .containsExactly("20|20|210");
    }

    @Test
    void theNextSliceComesBeforeTheLastOneIsCommitted() {
        CountDownLatch second = new CountDownLatch(2);
        AtomicInteger commits = new AtomicInteger();
        List<Boolean> met = new ArrayList<>();
        Faults look = point -> {
            if (point == Faults.Point.MID_READ) {
                second.countDown();
            } else if (point == Faults.Point.BEFORE_SINK_COMMIT && commits.getAndIncrement() == 0) {
                met.add(comes(second));
            }
        };

        Said said = graph.with(look, LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(met).containsExactly(true);
        isWhole();
    }

    /** Its keys are looked at by who reads it, by the names that its source knows. */
    @Test
    void keysThatComeTwiceInASliceThatWasReadAheadAreSeen() {
        graph.given("UPDATE a SET v = 'twice' WHERE id IN (7, 8)")
                .pipeline(
                        "a",
                        "INSERT INTO {{ sink('lake', 'a', strategy: 'merge', keys: ['id'], order_by: 'v') }} SELECT v AS"
                                + " id, id AS v FROM " + from("a"));

        Said said = graph.run(LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.out().lines().filter(line -> line.contains("merge_key_duplicates_detected")))
                .singleElement()
                .asString()
                .contains("\"duplicateGroups\":1", "\"extraRows\":1");
        assertThat(graph.lake("SELECT count(*), count(DISTINCT id), sum(v) FROM a"))
                .containsExactly("19|19|" + (210 - 7));
    }

    @Test
    void aKeyThatIsNullInASliceThatWasReadAheadIsRefused() {
        graph.given("UPDATE a SET v = NULL WHERE id = 13")
                .pipeline(
                        "a",
                        "INSERT INTO {{ sink('lake', 'a', strategy: 'merge', keys: ['key']) }} SELECT id, v AS key FROM "
                                + from("a"));

        Said said = graph.run(LOOP);

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.all()).contains("WR0521", "NULL in key column key (1 row)");
        assertThat(graph.lake("SELECT count(*), max(id) FROM a")).containsExactly("10|10");
    }

    @Test
    void nothingIsReadThatNoPassWillTake() {
        AtomicInteger reads = new AtomicInteger();
        Faults count = point -> {
            if (point == Faults.Point.MID_READ) {
                reads.incrementAndGet();
            }
        };

        graph.with(count, "run", "a");
        graph.with(count, "run", "a", "--until-caught-up", "--max-runs", "1");

        assertThat(reads).hasValue(2);
        assertThat(graph.with(count, LOOP).exitCode()).isZero();
        assertThat(reads).hasValue(4);
        isWhole();
    }

    @Test
    void nothingIsReadAheadWhereMemoryCouldNotBeSpilled() {
        graph.project.file(".weir/tmp", "a file in the folder's place");
        List<String> readers = Collections.synchronizedList(new ArrayList<>());
        Faults look = point -> {
            if (point == Faults.Point.MID_READ) {
                readers.add(Thread.currentThread().getName());
            }
        };

        assertThat(graph.with(look, LOOP).exitCode()).isZero();
        assertThat(readers).hasSize(4).doesNotContain("weir-ahead");
        isWhole();
    }

    @Test
    void whatCouldNotBeReadAheadIsReadByItsPass() {
        List<String> readers = Collections.synchronizedList(new ArrayList<>());
        Faults failing = point -> {
            if (point == Faults.Point.MID_READ) {
                readers.add(Thread.currentThread().getName());
                if (readers.size() == 2) {
                    throw RunException.passing(
                            new Fault(Code.SOURCE, "pg", "the connection is gone", "look after it"),
                            new IllegalStateException());
                }
            }
        };

        Said said = graph.with(failing, LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(readers).hasSize(5);
        assertThat(readers.get(1)).isEqualTo("weir-ahead");
        assertThat(readers.get(2)).isNotEqualTo("weir-ahead");
        assertThat(said.out()).doesNotContain("the connection is gone");
        isWhole();
    }

    @Test
    void aSliceThatWasReadForNothingIsThrownAway() {
        AtomicInteger commits = new AtomicInteger();
        CountDownLatch second = new CountDownLatch(2);
        Faults failing = point -> {
            if (point == Faults.Point.MID_READ) {
                second.countDown();
            } else if (point == Faults.Point.BEFORE_SINK_COMMIT && commits.getAndIncrement() == 0) {
                comes(second);
                throw new RunException(Code.SINK, "lake.a", "no", "say yes");
            }
        };

        Said said = graph.with(failing, LOOP);

        assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
        graph.given("UPDATE a SET v = 'new'");
        assertThat(graph.succeeds(LOOP).exitCode()).isZero();
        isWhole();
        assertThat(graph.lake("SELECT DISTINCT v FROM a")).containsExactly("new");
    }

    @Test
    void aRunThatFailsDoesNotWaitForTheTurnOfASliceThatNobodyWants() {
        graph.limits("rate_limit: 1/h");
        Faults failing = point -> {
            if (point == Faults.Point.BEFORE_SINK_COMMIT) {
                throw new RunException(Code.SINK, "lake.a", "no", "say yes");
            }
        };

        assertThat(graph.with(failing, LOOP).exitCode()).isEqualTo(1);
    }

    @Test
    void columnsThatChangeWhileASliceIsReadAheadAreBoundAnew() {
        AtomicInteger commits = new AtomicInteger();
        CountDownLatch second = new CountDownLatch(2);
        Faults altering = point -> {
            if (point == Faults.Point.MID_READ) {
                second.countDown();
            } else if (point == Faults.Point.BEFORE_SINK_COMMIT && commits.getAndIncrement() == 0) {
                comes(second);
                graph.given("ALTER TABLE a ALTER v TYPE varchar(40)");
            }
        };

        Said said = graph.with(altering, LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        isWhole();
    }

    @Test
    void aChunkThatWaitsIsLetInBeforeTheLoopIsOver() {
        graph.arrive("a", 21, 500)
                .sync("a", "cursor: id, max_window: 5, initial: 0, until: 500")
                .pipeline("a", "INSERT INTO " + merge("wh", "a") + " SELECT id, v FROM " + from("a"));
        Path state = graph.project.directory().resolve(".weir/state.db");
        AtomicInteger commits = new AtomicInteger();
        AtomicReference<CompletableFuture<Said>> chunk = new AtomicReference<>();
        List<String> loaded = new ArrayList<>();
        Faults beside = point -> {
            if (point != Faults.Point.BEFORE_SINK_COMMIT) {
                return;
            }
            int commit = commits.incrementAndGet();
            if (commit == 3) {
                chunk.set(CompletableFuture.supplyAsync(
                        () -> graph.run("backfill", "a", "--from", "0", "--to", "400", "--window", "400")));
                await().atMost(Duration.ofSeconds(30)).until(() -> isThere(state));
            } else if (commit == 6) {
                loaded.addAll(graph.warehouse("SELECT count(*) FROM _weir_chunks"));
            }
        };

        Said said = graph.with(beside, LOOP);

        assertThat(said.exitCode()).as(said.all()).isZero();
        Said filled = chunk.get().join();
        assertThat(filled.exitCode()).as(filled.all()).isZero();
        assertThat(loaded).containsExactly("1");
        assertThat(graph.warehouse("SELECT count(*), count(DISTINCT id), sum(id) FROM a"))
                .containsExactly("500|500|125250");
    }

    @Test
    void whoWaitsForAChunkKeepsNothingThatTheChunkWaitsFor() {
        graph.given("UPDATE b SET id = id + 1000")
                .arrive("b", 1011, 1200)
                .sync("b", "cursor: id, max_window: 5, initial: 1000, until: 1200")
                .pipeline("a", "INSERT INTO " + merge("wh", "t") + " SELECT id, v FROM " + from("a"))
                .pipeline("b", "INSERT INTO " + merge("wh", "t") + " SELECT id, v FROM " + from("b"))
                .pipeline(
                        "both",
                        "INSERT INTO " + merge("wh", "t") + " SELECT id, v FROM " + from("a")
                                + " UNION ALL SELECT id, v FROM " + from("b"));
        Path state = graph.project.directory().resolve(".weir/state.db");
        AtomicInteger commits = new AtomicInteger();
        AtomicReference<CompletableFuture<Said>> chunk = new AtomicReference<>();
        Faults beside = point -> {
            if (point == Faults.Point.BEFORE_SINK_COMMIT && commits.incrementAndGet() == 10) {
                chunk.set(CompletableFuture.supplyAsync(
                        () -> graph.run("backfill", "both", "--from", "0", "--to", "1100", "--window", "1100")));
                await().atMost(Duration.ofSeconds(30)).until(() -> isThere(state));
            }
        };

        Said said = graph.with(beside, "run", "a", "b", "--until-caught-up");

        assertThat(said.exitCode()).as(said.all()).isZero();
        Said filled = chunk.get().join();
        assertThat(filled.exitCode()).as(filled.all()).isZero();
        assertThat(graph.warehouse("SELECT count(*), count(DISTINCT id) FROM t"))
                .containsExactly("220|220");
    }
}
