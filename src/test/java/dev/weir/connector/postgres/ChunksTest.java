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
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.PlanKey;
import dev.weir.testing.FaultyWire;
import dev.weir.testing.FaultyWire.Fate;
import dev.weir.testing.FaultyWire.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks of backfills in a schema of Postgres: one transaction at a time is at work on each, many on different ones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChunksTest {

    private static final TableName T = TableName.parse("t");
    private static final Cursor CURSOR = Bench.cursor("id", "bigint");
    private static final Instant NOW = Instant.parse("2026-11-30T10:15:30.123456Z");
    private static final SinkWrite APPEND = new SinkWrite.Append();

    private Bench bench;
    private Staged row;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
        row = bench.rows("SELECT 1::BIGINT AS id");
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    @BeforeEach
    void table() {
        bench.database.execute("DROP TABLE IF EXISTS t, _weir_chunks", "CREATE TABLE t (id bigint)");
    }

    private Sink sink() {
        return sink(Map.of());
    }

    private Sink sink(Map<String, String> options) {
        return bench.connector.sink(bench.database.settings(options), bench.engine);
    }

    private static ChunkMark chunk(int number, String run) {
        ChunkKey key =
                new ChunkKey(new PlanKey("p", "pipe", "pg.t", "0123456789abcdef"), 0, String.format("%06d", number));
        return new ChunkMark(
                key,
                "src.orders",
                CURSOR,
                CURSOR.type().units(number),
                CURSOR.type().units(number + 1),
                "f",
                1,
                run,
                NOW);
    }

    private void load(Sink sink, ChunkMark done) {
        try (SinkTransaction transaction = sink.begin()) {
            transaction.write(T, row, APPEND);
            transaction.complete(T, done);
            transaction.commit();
        }
    }

    private CompletableFuture<Throwable> loading(Sink sink, ChunkMark done) {
        return CompletableFuture.supplyAsync(() -> catchThrowable(() -> load(sink, done)));
    }

    private void awaitSomebodyWaiting() {
        await().atMost(Duration.ofSeconds(10)).until(() -> !bench.database
                .rows("SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND wait_event_type = 'Lock'")
                .isEmpty());
    }

    private String rows() {
        return bench.database.value("SELECT count(*) FROM t");
    }

    /** The ledger missing, and there. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theSecondOnAChunkWaitsForTheFirstAndThenKeepsNothing(boolean ledger) {
        try (Sink one = sink();
                Sink two = sink()) {
            if (ledger) {
                load(one, chunk(9, "before"));
            }
            String before = rows();
            try (SinkTransaction leading = one.begin()) {
                leading.complete(T, chunk(0, "first"));
                CompletableFuture<Throwable> trailing = loading(two, chunk(0, "second"));
                awaitSomebodyWaiting();
                assertThat(trailing).isNotDone();
                leading.commit();

                assertThat(trailing.join())
                        .isInstanceOf(RunException.class)
                        .hasMessageContaining("WR0520 pg.t: chunk 000000 of backfill 0123456789abcdef")
                        .hasMessageContaining("run first committed it");
            }
            assertThat(rows()).isEqualTo(before);
            assertThat(one.chunk(T, chunk(0, "").key())).contains(chunk(0, "first"));
        }
    }

    @Test
    void whereTheFirstRollsBackTheSecondGoesOn() {
        try (Sink one = sink();
                Sink two = sink()) {
            SinkTransaction leading = one.begin();
            leading.complete(T, chunk(0, "first"));
            CompletableFuture<Throwable> trailing = loading(two, chunk(0, "second"));
            awaitSomebodyWaiting();
            leading.close();

            assertThat(trailing.join()).isNull();
            assertThat(one.chunk(T, chunk(0, "").key())).contains(chunk(0, "second"));
        }
    }

    @Test
    void differentChunksAreCommittedBesideEachOther() {
        try (Sink one = sink();
                Sink two = sink()) {
            load(one, chunk(0, "so that the ledger is there"));
            try (SinkTransaction leading = one.begin()) {
                leading.complete(T, chunk(1, "first"));
                load(two, chunk(2, "second"));
                leading.commit();
            }
            assertThat(one.chunks(T, chunk(0, "").key().plan())).hasSize(3);
        }
    }

    @Test
    void twoFirstChunksMayCreateTheLedgerAtOnce() {
        try (Sink one = sink();
                Sink two = sink();
                SinkTransaction leading = one.begin()) {
            leading.complete(T, chunk(0, "first"));
            CompletableFuture<Throwable> trailing = loading(two, chunk(1, "second"));
            awaitSomebodyWaiting();
            leading.commit();

            assertThat(trailing.join()).isNull();
            assertThat(one.chunks(T, chunk(0, "").key().plan())).containsExactly(chunk(0, "first"), chunk(1, "second"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aQuestionAboutALostCommitWaitsForTheTransactionThatIsStillOpen(boolean commits) {
        try (Sink one = sink();
                Sink two = sink();
                SinkTransaction open = one.begin()) {
            open.complete(T, chunk(0, "mine"));
            CompletableFuture<Boolean> asked = CompletableFuture.supplyAsync(
                    () -> two.hasCommitted(T, chunk(0, "").key(), "mine"));
            awaitSomebodyWaiting();
            assertThat(asked).isNotDone();
            if (commits) {
                open.commit();
            } else {
                open.close();
            }

            assertThat(asked.join()).isEqualTo(commits);
            assertThat(two.hasCommitted(T, chunk(0, "").key(), "another")).isFalse();
        }
    }

    @Test
    void aCommitWhoseAnswerIsLostIsFound() throws IOException {
        try (FaultyWire proxy = new FaultyWire(bench.database.port(), Plan.completing("COMMIT\0", Fate.CUT_AFTER));
                Sink sink = sink(Map.of("port", Integer.toString(proxy.port()), "sslmode", "disable"))) {
            assertThatThrownBy(() -> load(sink, chunk(0, "mine"))).isInstanceOf(UnknownOutcomeException.class);

            assertThat(sink.hasCommitted(T, chunk(0, "").key(), "mine")).isTrue();
            assertThat(sink.hasCommitted(T, chunk(0, "").key(), "another")).isFalse();
            assertThat(rows()).isEqualTo("1");
        }
    }

    @Test
    void thePlansOwnChunksAreNotEvenPassedOverByTheLookForOthers() {
        try (Sink sink = sink()) {
            load(sink, chunk(0, "r"));
        }
        bench.database.execute(
                "CREATE TABLE copied AS SELECT project, pipeline, sink, backfill_id, restart,"
                        + " lpad(n::text, 6, '0'), source, cursor, cursor_type, chunk_from, chunk_to, fingerprint,"
                        + " records_loaded, run_id, committed_at FROM _weir_chunks, generate_series(1, 49999) n",
                "INSERT INTO _weir_chunks SELECT * FROM copied",
                "DROP TABLE copied",
                "VACUUM ANALYZE _weir_chunks",
                "SELECT pg_stat_reset_single_table_counters('_weir_chunks'::regclass)");
        PlanKey plan = chunk(0, "").key().plan();
        try (Sink sink = sink()) {
            assertThat(sink.chunks(T, plan)).hasSize(50_000);
            assertThat(sink.chunksOfOthers(T, plan)).isEmpty();
        }

        assertThat(rowsPassed()).isBetween(50_000L, 60_000L);
    }

    /** What has been read of the ledger, once the server's processes have told it: that is when they end. */
    private long rowsPassed() {
        await().atMost(Duration.ofSeconds(10)).until(() -> bench.database
                .rows("SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()")
                .isEmpty());
        return Long.parseLong(bench.database.value(
                "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables" + " WHERE relname = '_weir_chunks'"));
    }
}
