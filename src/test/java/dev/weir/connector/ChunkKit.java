package dev.weir.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.PlanKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How every transactional sink keeps the chunks of backfills, on top of {@link LedgerKit}. */
public abstract class ChunkKit extends LedgerKit {

    protected static final PlanKey PLAN = new PlanKey("shop", "orders", "sys.t", "8000000000000000");
    private static final Cursor ID = new Cursor("id", CursorType.of(CursorType.Kind.BIGINT));
    private static final Instant AT = Instant.parse("2026-10-25T00:30:00.123456789Z");
    private static final Instant AT_STORED = Instant.parse("2026-10-25T00:30:00.123456Z");

    protected static ChunkKey key(PlanKey plan, long restart, int number) {
        return new ChunkKey(plan, restart, String.format("%06d", number));
    }

    protected static ChunkMark chunk(ChunkKey key, String run) {
        return chunk(key, run, AT_STORED);
    }

    private static ChunkMark chunk(ChunkKey key, String run, Instant at) {
        long number = Long.parseLong(key.chunkId());
        return new ChunkMark(
                key, "pg.public.orders", ID, bigint(number), bigint(number + 1), "f00d", number * 10, run, at);
    }

    private static PlanKey plan(String backfillId) {
        return new PlanKey(PLAN.project(), PLAN.pipeline(), PLAN.sink(), backfillId);
    }

    private void complete(ChunkMark... done) {
        try (SinkTransaction transaction = sink.begin()) {
            for (ChunkMark chunk : done) {
                transaction.complete(T, chunk);
            }
            transaction.commit();
        }
    }

    private void load(Staged rows, ChunkMark done) {
        try (SinkTransaction transaction = sink.begin()) {
            transaction.write(T, rows, APPEND);
            transaction.complete(T, done);
            transaction.commit();
        }
    }

    private Staged rowOf(int id) {
        return values("id, v", "(" + id + ", 'x')");
    }

    private void makeT() {
        createTable("t", "id", "INTEGER", "v", "VARCHAR");
    }

    @Test
    void thereIsNoChunkBeforeTheFirst() {
        assertNoChunks();
        slice(values("id, v", "(1, 'a')"), Optional.empty(), mark(0, 1, 1L, "r"));
        assertNoChunks();

        assertThatThrownBy(() -> query("SELECT * FROM _weir_chunks")).hasMessageContaining("_weir_chunks");
    }

    private void assertNoChunks() {
        assertThat(sink.chunks(T, PLAN)).isEmpty();
        assertThat(sink.chunksOfOthers(T, PLAN)).isEmpty();
        assertThat(sink.chunksOfAll(T, "shop", "orders", "sys.t")).isEmpty();
        assertThat(sink.chunk(T, key(PLAN, 0, 0))).isEmpty();
        assertThat(sink.hasCommitted(T, key(PLAN, 0, 0), "r1")).isFalse();
    }

    @Test
    void rowsAndChunkCommitTogetherWithTheirTablesMadeInTheSameTransaction() {
        ChunkMark done = chunk(key(PLAN, 0, 0), "r1", AT);
        Staged rows = rowOf(1);
        try (SinkTransaction transaction = sink.begin()) {
            transaction.create(T, rows.columns(), List.of());
            transaction.write(T, rows, APPEND);
            transaction.complete(T, done);
            assertThat(sink.chunk(T, done.key())).isEmpty();
            transaction.commit();
        }

        assertThat(t()).containsExactly("1|x");
        assertThat(sink.chunk(T, done.key())).contains(chunk(done.key(), "r1"));
        assertThat(sink.chunks(T, PLAN)).containsExactly(chunk(done.key(), "r1"));
    }

    @Test
    void withoutACommitNeitherRowsNorChunkAreThere() {
        makeT();
        load(rowOf(1), chunk(key(PLAN, 0, 0), "r1"));

        try (SinkTransaction transaction = sink.begin()) {
            transaction.write(T, rowOf(2), APPEND);
            transaction.complete(T, chunk(key(PLAN, 0, 1), "r2"));
        }

        assertThat(t()).containsExactly("1|x");
        assertThat(sink.chunks(T, PLAN)).containsExactly(chunk(key(PLAN, 0, 0), "r1"));
        assertThat(sink.hasCommitted(T, key(PLAN, 0, 1), "r2")).isFalse();
        load(rowOf(2), chunk(key(PLAN, 0, 1), "r3"));
        assertThat(sink.hasCommitted(T, key(PLAN, 0, 1), "r3")).isTrue();
    }

    @Test
    void aChunkThatIsThereIsNotLoadedAgain() {
        makeT();
        ChunkKey key = key(PLAN, 0, 7);
        load(rowOf(1), chunk(key, "r1"));

        for (String run : List.of("r1", "r2")) {
            assertThatThrownBy(() -> load(rowOf(2), chunk(key, run)))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0520 sys.t")
                    .hasMessageContaining("chunk 000007 of backfill 8000000000000000")
                    .hasMessageContaining("run r1 committed it at 2026-10-25T00:30:00.123456Z")
                    .satisfies(
                            e -> assertThat(((RunException) e).fault().code()).isEqualTo(Code.HELD_ELSEWHERE));
        }
        assertThat(t()).containsExactly("1|x");
        assertThat(sink.chunks(T, PLAN)).containsExactly(chunk(key, "r1"));
    }

    @Test
    void aChunkIsNotCompletedTwiceInOneTransaction() {
        ChunkMark done = chunk(key(PLAN, 0, 0), "r1");

        assertThatThrownBy(() -> complete(done, done)).hasMessageContaining("WR0520");
        assertThat(sink.chunks(T, PLAN)).isEmpty();
    }

    @Test
    void whatARefusedTransactionHasWrittenIsNotCommittedAfterAll() {
        makeT();
        load(rowOf(1), chunk(key(PLAN, 0, 0), "r1"));

        try (SinkTransaction transaction = sink.begin()) {
            transaction.write(T, rowOf(2), APPEND);
            assertThatThrownBy(() -> transaction.complete(T, chunk(key(PLAN, 0, 0), "r2")))
                    .hasMessageContaining("WR0520");
            assertThatThrownBy(transaction::commit).isInstanceOf(RuntimeException.class);
        }
        assertThat(t()).containsExactly("1|x");
    }

    static Stream<CursorValue> endsAndTexts() {
        return Stream.concat(
                ends(),
                Stream.of(
                        CursorType.decimal(12, 2).parse("-0.10"),
                        CursorType.of(CursorType.Kind.UBIGINT).greatest()));
    }

    @Test
    void boundsOfEveryCursorTypeComeBackExactly() {
        List<ChunkMark> written = new ArrayList<>();
        endsAndTexts().forEach(value -> {
            int number = written.size();
            String column = number % 2 == 0 ? Cursor.TOKENS : "odd \"cursor\", 'quoted' ä日";
            written.add(new ChunkMark(
                    key(PLAN, Long.MAX_VALUE, number),
                    "pg.public.orders, pg.\"public\".\"odd, table\"",
                    new Cursor(column, value.type()),
                    value,
                    value.type().greatest(),
                    "f'\"",
                    Long.MAX_VALUE,
                    "r'1",
                    AT_STORED));
        });

        complete(written.toArray(ChunkMark[]::new));

        assertThat(sink.chunks(T, PLAN)).containsExactlyElementsOf(written);
    }

    @Test
    void longNamesAreKeptWhole() {
        String name = IntStream.range(0, 60).mapToObj(i -> "n" + i + "ä'\".").reduce("", String::concat);
        PlanKey plan = new PlanKey("p" + name, "q" + name, "s" + name, "0123456789abcdef");
        ChunkMark done = chunk(key(plan, 3, 99_999), "r" + name);

        complete(done);

        assertThat(sink.chunks(T, plan)).containsExactly(done);
        assertThat(sink.chunk(T, done.key())).contains(done);
        assertThat(sink.hasCommitted(T, done.key(), "r" + name)).isTrue();
    }

    @Test
    void restartsAreKeptApart() {
        ChunkMark first = chunk(key(PLAN, 0, 0), "r1");
        ChunkMark again = chunk(key(PLAN, 1, 0), "r2");
        ChunkMark tenth = chunk(key(PLAN, 10, 0), "r3");
        ChunkMark second = chunk(key(PLAN, 2, 0), "r4");
        for (ChunkMark done : List.of(first, again, tenth, second)) {
            complete(done);
        }

        assertThat(sink.chunks(T, PLAN)).containsExactly(first, again, second, tenth);
        assertThat(sink.chunk(T, again.key())).contains(again);
        assertThat(sink.chunk(T, key(PLAN, 3, 0))).isEmpty();
        assertThat(sink.hasCommitted(T, again.key(), "r1")).isFalse();
        assertThat(sink.hasCommitted(T, again.key(), "r2")).isTrue();
    }

    @Test
    void chunksOfOtherPlansAreTheirs() {
        ChunkMark mine = chunk(key(PLAN, 0, 0), "mine");
        ChunkMark before = chunk(key(plan("7fffffffffffffff"), 0, 0), "before");
        ChunkMark after = chunk(key(plan("8000000000000001"), 5, 0), "after");
        List<ChunkMark> strangers = Stream.of(
                        new PlanKey("mall", "orders", "sys.t", PLAN.backfillId()),
                        new PlanKey("shop", "refunds", "sys.t", PLAN.backfillId()),
                        new PlanKey("shop", "orders", "sys.u", PLAN.backfillId()),
                        new PlanKey("shop", "orders", "sys.u", "other"))
                .map(plan -> chunk(key(plan, 0, 0), "stranger"))
                .toList();
        complete(mine, before, after);
        complete(strangers.toArray(ChunkMark[]::new));

        assertThat(sink.chunks(T, PLAN)).containsExactly(mine);
        assertThat(sink.chunksOfOthers(T, PLAN)).containsExactly(before, after);
        assertThat(sink.chunksOfOthers(T, plan("7fffffffffffffff"))).containsExactly(mine, after);
        assertThat(sink.chunksOfOthers(T, plan("none"))).containsExactly(before, mine, after);
        assertThat(sink.chunksOfAll(T, "shop", "orders", "sys.t")).containsExactly(before, mine, after);
        assertThat(sink.chunks(T, strangers.get(0).key().plan())).containsExactly(strangers.get(0));
        assertThat(sink.chunksOfOthers(T, strangers.get(2).key().plan())).containsExactly(strangers.get(3));
    }

    @Test
    void chunksAndMarksOfOneTransactionCommitTogether() {
        try (SinkTransaction transaction = sink.begin()) {
            transaction.move(T, KEY, Optional.empty(), mark(0, 1, 10L, "r1"));
            transaction.complete(T, chunk(key(PLAN, 0, 0), "r1"));
            transaction.commit();
        }

        assertThat(sink.mark(T, KEY)).isPresent();
        assertThat(sink.chunks(T, PLAN)).hasSize(1);
    }

    @Test
    void ofTwoTransactionsThatCompleteOneChunkExactlyOneCommits() throws Exception {
        makeT();
        complete(chunk(key(PLAN, 0, 0), "so that the ledger is there"));
        for (int number = 1; number <= 5; number++) {
            Outcomes both = atOnce(chunk(key(PLAN, 0, number), "mine"), chunk(key(PLAN, 0, number), "theirs"));

            assertThat(Stream.of(both.mine, both.theirs).flatMap(Optional::stream))
                    .extracting(failure -> failure.fault().code())
                    .containsExactly(Code.HELD_ELSEWHERE);
            assertThat(sink.chunk(T, key(PLAN, 0, number)).orElseThrow().runId())
                    .isEqualTo(both.mine.isEmpty() ? "mine" : "theirs");
            assertThat(query("SELECT count(*) FROM t")).containsExactly(Integer.toString(number));
        }
    }

    /** Each of two chunks is committed, at the latest when the one that lost asks again. */
    @Test
    void twoTransactionsCompleteTwoChunks() throws Exception {
        makeT();
        for (int number = 0; number < 4; number += 2) {
            ChunkMark mine = chunk(key(PLAN, 0, number), "mine");
            ChunkMark theirs = chunk(key(PLAN, 0, number + 1), "theirs");
            Outcomes both = atOnce(mine, theirs);

            both.mine.ifPresent(failure -> {
                assertThat(failure.isRetryable()).isTrue();
                load(rowOf(1), mine);
            });
            both.theirs.ifPresent(failure -> {
                assertThat(failure.isRetryable()).isTrue();
                load(rowOf(2), theirs);
            });
            assertThat(sink.chunks(T, PLAN)).hasSize(number + 2).contains(mine, theirs);
            assertThat(query("SELECT count(*) FROM t")).containsExactly(Integer.toString(number + 2));
        }
    }

    private record Outcomes(Optional<RunException> mine, Optional<RunException> theirs) {}

    /** Completes both in transactions that overlap, where the system lets the second begin before the first has ended. */
    private Outcomes atOnce(ChunkMark mine, ChunkMark theirs) throws Exception {
        Staged one = rowOf(1);
        try (Sink rival = connector().sink(settings(), engine);
                SinkTransaction transaction = sink.begin()) {
            transaction.write(T, one, APPEND);
            transaction.complete(T, mine);
            CompletableFuture<Optional<RunException>> other = CompletableFuture.supplyAsync(() -> {
                try (SinkTransaction rivals = rival.begin()) {
                    return outcome(() -> {
                        rivals.write(T, one, APPEND);
                        rivals.complete(T, theirs);
                        rivals.commit();
                    });
                }
            });
            Optional<RunException> failed = outcome(() -> {
                transaction.commit();
                transaction.close();
            });
            return new Outcomes(failed, other.get(30, TimeUnit.SECONDS));
        }
    }

    private static Optional<RunException> outcome(Runnable work) {
        try {
            work.run();
            return Optional.empty();
        } catch (RunException e) {
            return Optional.of(e);
        }
    }

    @Test
    void tenThousandChunksAreListedFast() {
        ChunkMark other = chunk(key(plan("other"), 0, 0), "r");
        complete(chunk(key(PLAN, 0, 0), "r"), other);
        execute("INSERT INTO _weir_chunks WITH d(n) AS (VALUES ('0'), ('1'), ('2'), ('3'), ('4'), ('5'), ('6'), ('7'),"
                + " ('8'), ('9')) SELECT project, pipeline, sink, backfill_id, restart, '00' || a.n || b.n || c.n || e.n,"
                + " source, cursor, cursor_type, chunk_from, chunk_to, fingerprint, records_loaded, run_id, committed_at"
                + " FROM _weir_chunks, d a, d b, d c, d e WHERE backfill_id <> 'other'"
                + " AND a.n || b.n || c.n || e.n <> '0000'");
        long start = System.nanoTime();

        assertThat(sink.chunks(T, PLAN))
                .extracting(chunk -> chunk.key().chunkId())
                .containsExactlyElementsOf(IntStream.range(0, 10_000)
                        .mapToObj(number -> String.format("%06d", number))
                        .toList());
        assertThat(sink.chunksOfOthers(T, PLAN)).containsExactly(other);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void theChunksAreNoSink() {
        complete(chunk(key(PLAN, 0, 0), "r1"));

        assertThatThrownBy(() -> sink.fit(TableName.parse("_weir_chunks"), List.of(), APPEND, OnSchemaChange.FAIL))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("weir keeps the chunks of its backfills");
    }

    @Test
    void aTableOfTheirNameIsNotMadeForRows() {
        assertThatThrownBy(() -> write(TableName.parse("_weir_chunks"), rowOf(1), APPEND))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("weir keeps the chunks of its backfills");
        assertThat(sink.describe(TableName.parse("_weir_chunks"))).isEmpty();
        assertThat(write(TableName.parse("my_weir_chunks"), rowOf(1), APPEND).rows())
                .isEqualTo(1);
    }

    static Stream<String> valuesWeirDidNotWrite() {
        return Stream.of("chunk_from = '0x1F'", "chunk_to = '+7'", "cursor_type = 'varchar'");
    }

    @ParameterizedTest
    @MethodSource("valuesWeirDidNotWrite")
    void aChunkWeirDidNotWriteIsAnErrorWithAWayOut(String edit) {
        complete(chunk(key(PLAN, 0, 0), "r1"));
        execute("UPDATE _weir_chunks SET " + edit);

        assertThatThrownBy(() -> sink.chunks(T, PLAN))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining(edit.replaceAll(".*'(.*)'", "$1"))
                .hasMessageContaining("Restore the row");
        assertThatThrownBy(() -> complete(chunk(key(PLAN, 0, 0), "r2"))).isInstanceOf(RunException.class);
    }
}
