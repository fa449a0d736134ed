package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.fault.RunException;
import dev.weir.fault.UnknownOutcomeException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import dev.weir.testing.FaultyWire;
import dev.weir.testing.FaultyWire.Fate;
import dev.weir.testing.FaultyWire.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks in a schema of Postgres: kept with the rows, moved by one at a time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MarksTest {

    private static final TableName T = TableName.parse("t");
    private static final PositionKey KEY = new PositionKey("p", "pipe", "pg.t", "src.orders");
    private static final Cursor CURSOR = Bench.cursor("id", "bigint");
    private static final Instant NOW = Instant.parse("2026-11-30T10:15:30.123456789Z");

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    @BeforeEach
    void table() {
        bench.database.execute(
                "DROP TABLE IF EXISTS t, _weir_positions",
                "CREATE TABLE t (id bigint PRIMARY KEY)",
                "INSERT INTO t VALUES (0)");
    }

    private Sink sink() {
        return sink(Map.of());
    }

    private Sink sink(Map<String, String> options) {
        return bench.connector.sink(bench.database.settings(options), bench.engine);
    }

    private static Mark mark(long generation, long seq, @Nullable Integer value, String run) {
        CursorValue at = value == null ? null : CURSOR.type().units(value);
        return new Mark(CURSOR, generation, null, seq, at, seq * 10, false, run, NOW);
    }

    private static void move(Sink sink, Optional<Mark> former, Mark next) {
        try (SinkTransaction transaction = sink.begin()) {
            transaction.move(T, KEY, former, next);
            transaction.commit();
        }
    }

    @Test
    void thereIsNoMarkBeforeTheFirstMoveAndNothingIsCreatedByLooking() {
        try (Sink sink = sink()) {
            assertThat(sink.mark(T, KEY)).isEmpty();
            assertThat(sink.marked(T, "pg.t")).isEmpty();
        }
        assertThat(bench.database.value("SELECT to_regclass('_weir_positions')"))
                .isEqualTo("null");
    }

    @Test
    void aMarkComesBackWholeAndIsComparedWhole() {
        CursorValue start = CURSOR.type().units(-5);
        Mark first = new Mark(CURSOR, 7, start, 1, null, 0, true, "run-1", NOW);
        try (Sink sink = sink()) {
            move(sink, Optional.empty(), first);
            Mark read = sink.mark(T, KEY).orElseThrow();
            assertThat(read.generationStart()).isEqualTo(start);
            assertThat(read.value()).isNull();
            assertThat(read.committedAt()).isEqualTo(Instant.parse("2026-11-30T10:15:30.123456Z"));
            move(sink, Optional.of(read), mark(7, 2, 10, "run-2"));
            move(sink, Optional.of(mark(7, 2, 10, "run-2")), mark(7, 3, 20, "run-2"));
            assertThat(sink.mark(T, KEY).orElseThrow().value())
                    .isEqualTo(CURSOR.type().units(20));
            assertThat(sink.marked(T, "pg.t")).containsExactly(KEY);
            assertThat(sink.marked(T, "pg.other")).isEmpty();
        }
    }

    @Test
    void everyTypeOfCursorComesBack() {
        List<CursorValue> values = List.of(
                Bench.cursor("c", "timestamptz").type().greatest(),
                Bench.cursor("c", "timestamp").type().parse("2026-01-01T00:00:00.000001"),
                Bench.cursor("c", "decimal(30,6)").type().parse("202109171437040633984411.000001"),
                Bench.cursor("c", "date").type().read("-4712-01-01"),
                Bench.cursor("c", "ubigint").type().greatest());
        try (Sink sink = sink()) {
            for (int i = 0; i < values.size(); i++) {
                PositionKey key = new PositionKey("p", "pipe", "pg.t", "src." + i);
                CursorValue value = values.get(i);
                Mark mark = new Mark(new Cursor("q\"ö", value.type()), 0, value, 1, value, 3, false, "r", NOW);
                try (SinkTransaction transaction = sink.begin()) {
                    transaction.move(T, key, Optional.empty(), mark);
                    transaction.commit();
                }
                Mark read = sink.mark(T, key).orElseThrow();
                assertThat(read.cursor()).isEqualTo(mark.cursor());
                assertThat(read.value()).isEqualTo(value);
                assertThat(read.generationStart()).isEqualTo(value);
            }
        }
    }

    @Test
    void aMarkThatIsNotTheFormerOneAnyMoreStopsTheMove() {
        try (Sink sink = sink()) {
            move(sink, Optional.empty(), mark(0, 1, 10, "a"));
            assertThatThrownBy(() -> move(sink, Optional.empty(), mark(0, 1, 10, "b")))
                    .hasMessageContaining("WR0520 pg.t: another process has moved the mark of src.orders");
            assertThatThrownBy(() -> move(sink, Optional.of(mark(0, 1, 11, "a")), mark(0, 2, 20, "b")))
                    .hasMessageContaining("WR0520");
            assertThatThrownBy(() -> move(sink, Optional.of(mark(0, 1, 10, "z")), mark(0, 2, 20, "b")))
                    .hasMessageContaining("WR0520");
            assertThat(sink.mark(T, KEY).orElseThrow().runId()).isEqualTo("a");
        }
    }

    @Test
    void aNewGenerationIsKeptBesideTheOldOne() {
        try (Sink sink = sink()) {
            move(sink, Optional.empty(), mark(3, 1, 10, "a"));
            move(sink, Optional.of(mark(3, 1, 10, "a")), mark(9, 1, 2, "b"));
            assertThat(sink.mark(T, KEY).orElseThrow().generation()).isEqualTo(9);
            assertThatThrownBy(() -> move(sink, Optional.of(mark(3, 1, 10, "a")), mark(3, 2, 20, "c")))
                    .hasMessageContaining("WR0520");
        }
        assertThat(bench.database.rows("SELECT generation, value FROM _weir_positions ORDER BY 1"))
                .containsExactly("3|10", "9|2");
    }

    /** Two transactions that both believe they are next: the second waits for the first, and then fails. */
    private void race(Optional<Mark> former, Mark first, Mark second) {
        try (Sink one = sink();
                Sink two = sink();
                SinkTransaction leading = one.begin()) {
            leading.move(T, KEY, former, first);
            CompletableFuture<Throwable> trailing =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> move(two, former, second)));
            await().atMost(Duration.ofSeconds(10)).until(this::somebodyWaits);
            assertThat(trailing).isNotDone();
            leading.commit();
            assertThat(trailing.join()).isInstanceOf(RunException.class).hasMessageContaining("WR0520");
            assertThat(one.mark(T, KEY).orElseThrow().runId()).isEqualTo(first.runId());
        }
    }

    private boolean somebodyWaits() {
        return !bench.database
                .rows("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
                .isEmpty();
    }

    @Test
    void oneOfTwoFirstMovesWins() {
        race(Optional.empty(), mark(0, 1, 10, "first"), mark(0, 1, 10, "second"));
    }

    @Test
    void oneOfTwoFirstMovesOfDifferentGenerationsWins() {
        race(Optional.empty(), mark(5, 1, 10, "first"), mark(6, 1, 10, "second"));
    }

    @Test
    void oneOfTwoLaterMovesWins() {
        try (Sink sink = sink()) {
            move(sink, Optional.empty(), mark(0, 1, 10, "a"));
        }
        race(Optional.of(mark(0, 1, 10, "a")), mark(0, 2, 20, "first"), mark(0, 2, 20, "second"));
    }

    @Test
    void aNewerGenerationThatIsJustBeingStartedWins() {
        try (Sink sink = sink()) {
            move(sink, Optional.empty(), mark(1, 1, 10, "a"));
        }
        race(Optional.of(mark(1, 1, 10, "a")), mark(2, 1, 5, "first"), mark(1, 2, 20, "second"));
    }

    @Test
    void whereTheFirstRollsBackTheSecondGoesOn() {
        try (Sink one = sink();
                Sink two = sink()) {
            SinkTransaction leading = one.begin();
            leading.move(T, KEY, Optional.empty(), mark(0, 1, 10, "first"));
            CompletableFuture<Throwable> trailing = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> move(two, Optional.empty(), mark(0, 1, 10, "second"))));
            await().atMost(Duration.ofSeconds(10)).until(this::somebodyWaits);
            leading.close();
            assertThat(trailing.join()).isNull();
            assertThat(one.mark(T, KEY).orElseThrow().runId()).isEqualTo("second");
        }
    }

    @Test
    void twoPositionsMayCreateTheLedgerAtOnce() {
        PositionKey other = new PositionKey("p", "other", "pg.t", "src.orders");
        try (Sink one = sink();
                Sink two = sink();
                SinkTransaction leading = one.begin()) {
            leading.move(T, KEY, Optional.empty(), mark(0, 1, 10, "first"));
            CompletableFuture<Throwable> trailing = CompletableFuture.supplyAsync(() -> catchThrowable(() -> {
                try (SinkTransaction transaction = two.begin()) {
                    transaction.move(T, other, Optional.empty(), mark(0, 1, 10, "second"));
                    transaction.commit();
                }
            }));
            await().atMost(Duration.ofSeconds(10)).until(this::somebodyWaits);
            leading.commit();
            assertThat(trailing.join()).isNull();
            assertThat(one.marked(T, "pg.t")).containsExactlyInAnyOrder(KEY, other);
        }
    }

    @Test
    void rowsAndMarkGoTogetherOrNotAtAll() {
        Staged rows = bench.rows("SELECT 1::BIGINT AS id");
        SinkWrite how = new SinkWrite.Append();
        try (Sink sink = sink()) {
            move(sink, Optional.empty(), mark(0, 1, 10, "other"));
            assertThatThrownBy(() -> {
                        try (SinkTransaction transaction = sink.begin()) {
                            transaction.write(T, rows, how);
                            transaction.move(T, KEY, Optional.empty(), mark(0, 1, 10, "mine"));
                            transaction.commit();
                        }
                    })
                    .hasMessageContaining("WR0520");
            assertThat(bench.database.rows("SELECT * FROM t")).containsExactly("0");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommitWhoseAnswerIsLostIsLookedUpOnceItHasEnded(boolean heard) throws IOException {
        Staged rows = bench.rows("SELECT 1::BIGINT AS id");
        Mark next = mark(0, 1, 1, "mine");
        Plan plan =
                heard ? Plan.completing("COMMIT\0", Fate.CUT_AFTER) : Plan.saying("COMMIT\0", Fate.SERVER_IS_NOT_TOLD);
        try (FaultyWire proxy = new FaultyWire(bench.database.port(), plan);
                Sink sink = sink(Map.of("port", Integer.toString(proxy.port()), "sslmode", "disable"))) {
            try (SinkTransaction transaction = sink.begin()) {
                transaction.write(T, rows, new SinkWrite.Merge(List.of("id"), Optional.empty(), false));
                transaction.move(T, KEY, Optional.empty(), next);
                assertThatThrownBy(transaction::commit).isInstanceOf(UnknownOutcomeException.class);
            }
            CompletableFuture<Boolean> asked = CompletableFuture.supplyAsync(() -> sink.hasCommitted(T, KEY, next));
            if (!heard) {
                // The server still has the transaction open: asking now must wait, or it would be told "no" too early.
                await().atMost(Duration.ofSeconds(10)).until(this::somebodyWaits);
                assertThat(asked).isNotDone();
                proxy.release();
                // The lock is the connection's that asked through the proxy too, so ask again on another one.
                try (Sink direct = sink()) {
                    assertThat(direct.hasCommitted(T, KEY, next)).isFalse();
                }
                // Through the proxy the question is cut off, or comes just in time; it is never told "yes".
                assertThat(asked.exceptionally(cutOff -> false).join()).isFalse();
            } else {
                assertThat(asked.join()).isTrue();
                assertThat(sink.hasCommitted(T, KEY, mark(0, 1, 1, "another"))).isFalse();
            }
            assertThat(bench.database.rows("SELECT * FROM t ORDER BY 1")).hasSize(heard ? 2 : 1);
        }
    }

    @Test
    void anErrorAtTheCommitItselfIsNoUnknownOutcome() {
        bench.database.execute(
                "DROP TABLE IF EXISTS child",
                "CREATE TABLE child (id bigint REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED)");
        Staged rows = bench.rows("SELECT 77::BIGINT AS id");
        try (Sink sink = sink()) {
            try (SinkTransaction transaction = sink.begin()) {
                transaction.write(TableName.parse("child"), rows, new SinkWrite.Append());
                assertThatThrownBy(transaction::commit)
                        .isInstanceOf(RunException.class)
                        .isNotInstanceOf(UnknownOutcomeException.class)
                        .hasMessageContaining("[23503]")
                        .matches(thrown -> !((RunException) thrown).isRetryable());
            }
            assertThat(sink.hasRows(TableName.parse("child"))).isFalse();
        }
        bench.database.execute("DROP TABLE child");
    }

    @Test
    void aTransactionThatHasFailedIsNeverCommitted() {
        Staged twice = bench.rows("SELECT 0::BIGINT AS id");
        try (Sink sink = sink();
                SinkTransaction transaction = sink.begin()) {
            assertThatThrownBy(() -> transaction.write(T, twice, new SinkWrite.Append()))
                    .hasMessageContaining("WR0503")
                    .hasMessageContaining("Key (id)=(0) already exists");
            assertThatThrownBy(transaction::commit)
                    .isInstanceOf(RunException.class)
                    .isNotInstanceOf(UnknownOutcomeException.class);
        }
    }

    @Test
    void marksLiveInTheSchemaOfTheirTable() {
        bench.database.execute("CREATE SCHEMA IF NOT EXISTS \"Other one\"", "CREATE TABLE \"Other one\".x (id bigint)");
        TableName table = TableName.parse("Other one.x");
        try (Sink sink = sink()) {
            try (SinkTransaction transaction = sink.begin()) {
                transaction.move(table, KEY, Optional.empty(), mark(0, 1, 1, "r"));
                transaction.commit();
            }
            assertThat(sink.mark(table, KEY)).isPresent();
            assertThat(sink.mark(T, KEY)).isEmpty();
        }
        assertThat(bench.database.value("SELECT to_regclass('\"Other one\"._weir_positions')"))
                .isNotEqualTo("null");
    }

    @Test
    void aDeadlockIsPassing() throws SQLException {
        bench.database.execute(
                "INSERT INTO t VALUES (1)",
                "CREATE TABLE IF NOT EXISTS u (id bigint PRIMARY KEY)",
                "TRUNCATE u",
                "INSERT INTO u VALUES (1)");
        SinkWrite merge = new SinkWrite.Merge(List.of("id"), Optional.empty(), false);
        Staged rows = bench.rows("SELECT 1::BIGINT AS id");
        try (Sink sink = sink();
                Connection other = bench.database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SET deadlock_timeout = '1h'");
            statement.execute("SELECT * FROM u WHERE id = 1 FOR UPDATE");
            CompletableFuture<Throwable> blocked;
            try (SinkTransaction transaction = sink.begin()) {
                transaction.write(T, rows, merge);
                blocked = CompletableFuture.supplyAsync(
                        () -> catchThrowable(() -> statement.execute("SELECT * FROM t WHERE id = 1 FOR UPDATE")));
                await().atMost(Duration.ofSeconds(10)).until(this::somebodyWaits);
                Throwable thrown = catchThrowable(() -> transaction.write(TableName.parse("u"), rows, merge));
                assertThat(thrown).isInstanceOf(RunException.class).hasMessageContaining("[40P01]");
                assertThat(((RunException) thrown).isRetryable()).isTrue();
            }
            assertThat(blocked.join()).isNull();
        }
    }
}
