package dev.weir.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How every transactional sink keeps marks, on top of {@link SinkKit}. */
public abstract class LedgerKit extends SinkTableKit {

    protected static final PositionKey KEY = new PositionKey("shop", "orders", "sys.t", "pg.public.orders");
    private static final Cursor ID = new Cursor("id", CursorType.of(CursorType.Kind.BIGINT));
    private static final Instant AT = Instant.parse("2026-10-25T00:30:00.123456789Z");
    private static final Instant AT_STORED = Instant.parse("2026-10-25T00:30:00.123456Z");

    protected static Mark mark(long generation, long seq, @Nullable Long value, String run) {
        return new Mark(ID, generation, null, seq, value == null ? null : bigint(value), seq * 10, false, run, AT);
    }

    private static Mark stored(Mark mark) {
        return new Mark(
                mark.cursor(),
                mark.generation(),
                mark.generationStart(),
                mark.seq(),
                mark.value(),
                mark.rowsDelivered(),
                mark.tableEmpty(),
                mark.runId(),
                AT_STORED);
    }

    /** One slice: rows and the mark in one transaction. */
    protected final void slice(Staged rows, Optional<Mark> former, Mark next) {
        boolean exists = sink.describe(T).isPresent();
        try (SinkTransaction transaction = sink.begin()) {
            if (!exists) {
                transaction.create(T, rows.columns(), List.of("id"));
            }
            transaction.write(T, rows, merge("id"));
            transaction.move(T, KEY, former, next);
            transaction.commit();
        }
    }

    private void move(PositionKey key, Optional<Mark> former, Mark next) {
        try (SinkTransaction transaction = sink.begin()) {
            transaction.move(T, key, former, next);
            transaction.commit();
        }
    }

    private Staged row(int id, String v) {
        return values("id, v", "(" + id + ", '" + v + "')");
    }

    @Test
    void thereIsNoMarkBeforeTheFirst() {
        assertThat(sink.mark(T, KEY)).isEmpty();
        assertThat(sink.marks(T, KEY)).isEmpty();
        assertThat(sink.marked(T, "sys.t")).isEmpty();
        assertThat(sink.hasCommitted(T, KEY, mark(0, 1, 1L, "r1"))).isFalse();
    }

    @Test
    void rowsAndMarkCommitTogether() {
        slice(row(1, "a"), Optional.empty(), mark(0, 1, 10L, "r1"));

        assertThat(t()).containsExactly("1|a");
        assertThat(sink.mark(T, KEY)).contains(stored(mark(0, 1, 10L, "r1")));

        slice(row(2, "b"), sink.mark(T, KEY), mark(0, 2, 20L, "r2"));

        assertThat(t()).containsExactly("1|a", "2|b");
        assertThat(sink.mark(T, KEY)).contains(stored(mark(0, 2, 20L, "r2")));
    }

    @Test
    void withoutACommitNeitherRowsNorMarkAreThere() {
        slice(row(1, "a"), Optional.empty(), mark(0, 1, 10L, "r1"));

        try (SinkTransaction transaction = sink.begin()) {
            transaction.write(T, row(2, "b"), merge("id"));
            transaction.move(T, KEY, Optional.of(mark(0, 1, 10L, "r1")), mark(0, 2, 20L, "r2"));
            assertThat(sink.mark(T, KEY)).contains(stored(mark(0, 1, 10L, "r1")));
        }

        assertThat(t()).containsExactly("1|a");
        assertThat(sink.mark(T, KEY)).contains(stored(mark(0, 1, 10L, "r1")));
    }

    static Stream<Mark> othersThanTheFormer() {
        Mark former = mark(5, 3, 30L, "r1");
        return Stream.of(
                mark(5, 2, 30L, "r1"),
                mark(5, 3, 31L, "r1"),
                mark(5, 3, null, "r1"),
                mark(5, 3, 30L, "r2"),
                mark(4, 3, 30L, "r1"),
                mark(6, 3, 30L, "r1"),
                new Mark(ID, 5, bigint(1), 3, bigint(30), 30, false, "r1", AT),
                new Mark(ID, 5, null, 3, bigint(30), 31, false, "r1", AT),
                new Mark(ID, 5, null, 3, bigint(30), 30, true, "r1", AT),
                new Mark(ID, 5, null, 3, bigint(30), 30, false, "r1", AT.plusSeconds(1)),
                new Mark(new Cursor("seq", ID.type()), 5, null, 3, bigint(30), 30, false, "r1", AT),
                new Mark(
                        new Cursor("id", CursorType.of(CursorType.Kind.INTEGER)),
                        5,
                        null,
                        3,
                        CursorType.of(CursorType.Kind.INTEGER).units(30),
                        30,
                        false,
                        "r1",
                        former.committedAt()));
    }

    /** Compare-and-set on the whole former mark: whatever differs, another process was here. */
    @ParameterizedTest
    @MethodSource("othersThanTheFormer")
    void aMarkThatIsNotTheFormerIsNotMoved(Mark other) {
        slice(row(1, "a"), Optional.empty(), mark(5, 3, 30L, "r1"));

        assertThatThrownBy(() -> slice(row(2, "b"), Optional.of(other), mark(7, 4, 40L, "mine")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0520 sys.t")
                .hasMessageContaining("r1")
                .satisfies(e -> assertThat(((RunException) e).fault().code()).isEqualTo(Code.HELD_ELSEWHERE));
        assertThat(t()).containsExactly("1|a");
        assertThat(sink.mark(T, KEY)).contains(stored(mark(5, 3, 30L, "r1")));
    }

    @Test
    void aFirstMarkIsRefusedWhereThereIsOne() {
        slice(row(1, "a"), Optional.empty(), mark(0, 1, 10L, "r1"));

        assertThatThrownBy(() -> slice(row(2, "b"), Optional.empty(), mark(0, 1, 20L, "r2")))
                .hasMessageContaining("WR0520");
        assertThat(t()).containsExactly("1|a");
    }

    @Test
    void aMoveIsRefusedWhereTheMarkIsGone() {
        assertThatThrownBy(() -> move(KEY, Optional.of(mark(0, 1, 10L, "r1")), mark(0, 2, 20L, "r2")))
                .hasMessageContaining("WR0520");
    }

    @Test
    void generationsAreKeptSideBySideAndTheNewestCounts() {
        move(KEY, Optional.empty(), mark(0, 1, 10L, "r1"));
        move(KEY, Optional.of(mark(0, 1, 10L, "r1")), mark(1_777L, 1, 5L, "r2"));
        move(KEY, Optional.of(mark(1_777L, 1, 5L, "r2")), mark(1_777L, 2, 6L, "r3"));

        assertThat(sink.mark(T, KEY)).contains(stored(mark(1_777L, 2, 6L, "r3")));
        assertThat(query("SELECT generation, value FROM _weir_positions ORDER BY 1"))
                .containsExactly("0|10", "1777|6");
        assertThatThrownBy(() -> move(KEY, Optional.of(mark(0, 1, 10L, "r1")), mark(0, 2, 11L, "r4")))
                .hasMessageContaining("WR0520");
        assertThat(sink.marks(T, KEY))
                .containsExactly(stored(mark(1_777L, 2, 6L, "r3")), stored(mark(0, 1, 10L, "r1")));
        assertThat(sink.marks(T, new PositionKey("shop", "orders", "sys.t", "pg.public.refunds")))
                .isEmpty();
    }

    @Test
    void positionsOfOthersAreNotTouched() {
        List<PositionKey> keys = List.of(
                KEY,
                new PositionKey("shop", "orders", "sys.t", "pg.public.refunds"),
                new PositionKey("shop", "other", "sys.t", "pg.public.orders"),
                new PositionKey("mall", "orders", "sys.t", "pg.public.orders"),
                new PositionKey("shop", "orders", "sys.u", "pg.public.orders"));
        for (int i = 0; i < keys.size(); i++) {
            move(keys.get(i), Optional.empty(), mark(0, 1, (long) i, "r" + i));
        }
        move(KEY, Optional.of(mark(0, 1, 0L, "r0")), mark(0, 2, 100L, "r9"));

        for (int i = 1; i < keys.size(); i++) {
            assertThat(sink.mark(T, keys.get(i))).contains(stored(mark(0, 1, (long) i, "r" + i)));
        }
        assertThat(sink.marked(T, "sys.t")).containsExactlyInAnyOrderElementsOf(keys.subList(0, 4));
        assertThat(sink.marked(T, "sys.u")).containsExactly(keys.get(4));
    }

    static Stream<CursorValue> ends() {
        return Stream.of(
                        CursorType.of(CursorType.Kind.UBIGINT),
                        CursorType.of(CursorType.Kind.BIGINT),
                        CursorType.of(CursorType.Kind.SMALLINT),
                        CursorType.decimal(38, 6),
                        CursorType.of(CursorType.Kind.DATE),
                        CursorType.of(CursorType.Kind.TIMESTAMP),
                        CursorType.of(CursorType.Kind.TIMESTAMPTZ))
                .flatMap(type -> Stream.of(
                        type.least(), type.greatest(), type.units(BigInteger.ONE), type.units(BigInteger.ZERO)));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void valuesOfEveryCursorTypeComeBackExactly(CursorValue value) {
        Cursor cursor = new Cursor("odd \"cursor\"", value.type());
        Mark mark = new Mark(cursor, Long.MAX_VALUE, value, 1, value, Long.MAX_VALUE, true, "r'1", AT_STORED);

        move(KEY, Optional.empty(), mark);
        assertThat(sink.mark(T, KEY)).contains(mark);

        Mark nowhere = new Mark(cursor, Long.MAX_VALUE, null, 2, null, 0, false, "r2", AT_STORED);
        move(KEY, Optional.of(mark), nowhere);
        assertThat(sink.mark(T, KEY)).contains(nowhere);
    }

    @Test
    void tellsWhetherACommitTookEffect() {
        Mark first = mark(0, 1, 10L, "r1");
        move(KEY, Optional.empty(), first);

        assertThat(sink.hasCommitted(T, KEY, first)).isTrue();
        assertThat(sink.hasCommitted(T, KEY, mark(0, 1, 10L, "r2"))).isFalse();
        assertThat(sink.hasCommitted(T, KEY, mark(0, 2, 20L, "r1"))).isFalse();
    }

    @Test
    void ofTwoTransactionsThatMoveOneMarkExactlyOneCommits() throws Exception {
        move(KEY, Optional.empty(), mark(0, 1, 10L, "r1"));
        for (long seq = 1; seq <= 5; seq++) {
            assertOneWins(sink.mark(T, KEY), seq + 1);
        }
    }

    @Test
    void ofTwoTransactionsThatMakeTheFirstMarkExactlyOneCommits() throws Exception {
        move(new PositionKey("p", "q", "s", "t"), Optional.empty(), mark(0, 1, 10L, "so that the ledger is there"));

        assertOneWins(Optional.empty(), 1);
    }

    private void assertOneWins(Optional<Mark> former, long seq) throws Exception {
        try (Sink rival = connector().sink(settings(), engine)) {
            SinkTransaction mine = sink.begin();
            mine.move(T, KEY, former, mark(0, seq, 1L, "mine"));
            CompletableFuture<Optional<Code>> theirs =
                    CompletableFuture.supplyAsync(() -> commits(rival.begin(), former, mark(0, seq, 2L, "theirs")));
            Optional<Code> failed = outcome(() -> {
                mine.commit();
                mine.close();
            });
            Optional<Code> theirsFailed = theirs.get(30, TimeUnit.SECONDS);

            assertThat(Stream.of(failed, theirsFailed).flatMap(Optional::stream))
                    .containsExactly(Code.HELD_ELSEWHERE);
            assertThat(sink.mark(T, KEY).orElseThrow().runId()).isEqualTo(failed.isEmpty() ? "mine" : "theirs");
            mine.close();
        }
    }

    private static Optional<Code> commits(SinkTransaction transaction, Optional<Mark> former, Mark next) {
        try (transaction) {
            return outcome(() -> {
                transaction.move(T, KEY, former, next);
                transaction.commit();
            });
        }
    }

    private static Optional<Code> outcome(Runnable work) {
        try {
            work.run();
            return Optional.empty();
        } catch (RunException e) {
            return Optional.of(e.fault().code());
        }
    }

    @Test
    void theLedgerIsNoSink() {
        move(KEY, Optional.empty(), mark(0, 1, 10L, "r1"));

        assertThatThrownBy(() -> sink.fit(TableName.parse("_weir_positions"), List.of(), APPEND, OnSchemaChange.FAIL))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("weir keeps its marks");
    }

    @Test
    void aMarkWeirDidNotWriteIsAnErrorWithAWayOut() {
        move(KEY, Optional.empty(), mark(0, 1, 10L, "r1"));
        execute("UPDATE _weir_positions SET value = '0x1F'");

        assertThatThrownBy(() -> sink.mark(T, KEY))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("0x1F");
    }
}
