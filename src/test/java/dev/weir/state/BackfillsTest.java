package dev.weir.state;

import static dev.weir.slicing.ChunkStatus.CLAIMED;
import static dev.weir.slicing.ChunkStatus.COMPLETED;
import static dev.weir.slicing.ChunkStatus.FAILED;
import static dev.weir.slicing.ChunkStatus.PENDING;
import static dev.weir.slicing.ChunkStatus.RUNNING;
import static dev.weir.state.PlanSamples.ID;
import static dev.weir.state.PlanSamples.chunks;
import static dev.weir.state.PlanSamples.id;
import static dev.weir.state.PlanSamples.plan;
import static dev.weir.state.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.ChunkStatus;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackfillsTest {

    private static final BackfillKey KEY = new BackfillKey("shop", ID, 0);

    @TempDir
    Path project;

    private StateStore store;
    private Backfills backfills;

    @BeforeEach
    void open() {
        store = Samples.open(project.resolve(".weir"));
        backfills = store.backfills();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private ChunkRecord chunk(int number) {
        return backfills.chunk("shop", ID, id(number)).orElseThrow();
    }

    /** Brings the first chunk to a status on the ways there are. */
    private void bringTo(ChunkStatus status) {
        if (status == PENDING) {
            return;
        }
        backfills.claim(KEY, id(0), "me");
        if (status == CLAIMED) {
            return;
        }
        backfills.running(KEY, id(0));
        if (status == COMPLETED) {
            backfills.completed(KEY, id(0), 7);
        } else if (status == FAILED) {
            backfills.failed(KEY, id(0), "WR0501");
        }
        assertThat(chunk(0).status()).isEqualTo(status);
    }

    @Test
    void aPlanIsReadAsItWasWritten() {
        assertThat(backfills.find("shop", ID)).isEmpty();
        assertThat(backfills.begin(plan(3), chunks(3))).isEqualTo(plan(3));
        assertThat(backfills.find("shop", ID)).contains(plan(3));
        assertThat(backfills.find("shop", ID).orElseThrow().inputs().keySet()).containsExactly("sql", "keys", "a");
        assertThat(backfills.chunks("shop", ID)).isEqualTo(chunks(3));
        assertThat(backfills.chunk("shop", ID, id(2))).contains(chunks(3).get(2));
        assertThat(backfills.chunk("shop", ID, id(3))).isEmpty();
        assertThat(backfills.find("other", ID)).isEmpty();
        assertThat(backfills.chunks("other", ID)).isEmpty();
    }

    @Test
    void plansOfEveryTypeAreReadAsTheyWereWritten() {
        int number = 0;
        for (CursorType type : List.of(
                CursorType.decimal(38, 10),
                CursorType.of(CursorType.Kind.DATE),
                CursorType.of(CursorType.Kind.UBIGINT),
                CursorType.of(CursorType.Kind.TIMESTAMP),
                CursorType.of(CursorType.Kind.TIMESTAMPTZ))) {
            String backfillId = "plan-" + number++;
            BackfillRecord plan = new BackfillRecord(
                    "shop",
                    backfillId,
                    "orders_out",
                    type.least(),
                    type.greatest(),
                    "1mo",
                    new Cursor(Cursor.TOKENS, type),
                    "Europe/Berlin",
                    "rehearsal",
                    "f",
                    Map.of(),
                    Long.MAX_VALUE,
                    1,
                    NOW,
                    "backfill");
            List<ChunkRecord> whole = List.of(ChunkRecord.pending(id(0), type.least(), type.greatest(), "r"));
            backfills.begin(plan, whole);
            assertThat(backfills.find("shop", backfillId)).contains(plan);
            assertThat(backfills.chunks("shop", backfillId)).isEqualTo(whole);
        }
    }

    @Test
    void aPlanBegunAgainKeepsWhatItsChunksCameTo() {
        backfills.begin(plan(2), chunks(2));
        bringTo(COMPLETED);
        List<ChunkRecord> before = backfills.chunks("shop", ID);
        BackfillRecord other = changed(plan(2), "another fingerprint");
        assertThat(backfills.begin(other, chunks(2))).isEqualTo(plan(2));
        assertThat(backfills.find("shop", ID)).contains(plan(2));
        assertThat(backfills.chunks("shop", ID)).isEqualTo(before);
    }

    private static BackfillRecord changed(BackfillRecord plan, String fingerprint) {
        return new BackfillRecord(
                plan.project(),
                plan.backfillId(),
                plan.pipeline(),
                plan.from(),
                plan.to(),
                plan.chunk(),
                plan.cursor(),
                plan.zone(),
                plan.into(),
                fingerprint,
                Map.of("sql", "SELECT 1"),
                plan.restart(),
                plan.chunks(),
                plan.createdAt().plusSeconds(9),
                plan.command());
    }

    @Test
    void aChunkThatIsNoLongerWhatItWasIsRefusedAndNothingIsWritten() {
        backfills.begin(plan(3), chunks(3));
        List<ChunkRecord> moved = new ArrayList<>(chunks(5));
        moved.set(1, ChunkRecord.pending(id(1), Samples.BIGINT.units(10), Samples.BIGINT.units(19), "run-" + id(1)));
        assertThatThrownBy(() -> backfills.begin(plan(3), moved))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("chunk 000001 was [10, 20)")
                .hasMessageContaining("[10, 19)")
                .hasMessageContaining("--restart");
        assertThatThrownBy(() -> backfills.begin(plan(3), chunks(2)))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("chunk 000002");
        assertThat(backfills.chunks("shop", ID)).isEqualTo(chunks(3));
    }

    @Test
    void aPlanStartedOverForgetsWhatItsChunksCameTo() {
        backfills.begin(plan(2), chunks(2));
        bringTo(COMPLETED);
        backfills.restart(changed(plan(ID, 2, 1), "new"), chunks(2));
        BackfillRecord stored = backfills.find("shop", ID).orElseThrow();
        assertThat(stored.restart()).isEqualTo(1);
        assertThat(stored.fingerprint()).isEqualTo("new");
        assertThat(stored.inputs()).isEqualTo(Map.of("sql", "SELECT 1"));
        assertThat(stored.createdAt()).isEqualTo(NOW);
        assertThat(backfills.chunks("shop", ID)).isEqualTo(chunks(2));
    }

    @Test
    void aPlanThatIsNotStoredCanBeStartedOver() {
        backfills.restart(plan(ID, 2, 4), chunks(2));
        assertThat(backfills.find("shop", ID)).contains(plan(ID, 2, 4));
        assertThat(backfills.chunks("shop", ID)).hasSize(2);
    }

    @Test
    void underAFormerRestartNumberNothingMoves() {
        backfills.begin(plan(2), chunks(2));
        bringTo(RUNNING);
        backfills.restart(plan(ID, 2, 1), chunks(2));
        List<ThrowingCallable> moves = List.of(
                () -> backfills.claim(KEY, id(0), "me"),
                () -> backfills.running(KEY, id(0)),
                () -> backfills.completed(KEY, id(0), 1),
                () -> backfills.failed(KEY, id(0), "why"),
                () -> backfills.released(KEY, id(0)),
                () -> backfills.found(KEY, Map.of(id(0), 1L)),
                () -> backfills.missing(KEY, List.of(id(0))),
                () -> backfills.begin(plan(2), chunks(2)),
                () -> backfills.restart(plan(ID, 2, 1), chunks(2)));
        for (ThrowingCallable move : moves) {
            assertCode(move, Code.HELD_ELSEWHERE)
                    .hasMessageContaining("started over")
                    .hasMessageContaining(ID);
        }
        assertThat(backfills.chunks("shop", ID)).isEqualTo(chunks(2));
    }

    @Test
    void aPlanThatIsGoneIsToldNotMade() {
        assertCode(() -> backfills.claim(KEY, id(0), "me"), Code.STATE).hasMessageContaining(ID);
        assertCode(() -> backfills.found(KEY, Map.of()), Code.STATE);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertCode(ThrowingCallable move, Code code) {
        return assertThatThrownBy(move)
                .isInstanceOfSatisfying(
                        RunException.class, e -> assertThat(e.fault().code()).isEqualTo(code));
    }

    @Test
    void aChunkGoesFromPendingToCompleted() {
        backfills.begin(plan(2), chunks(2));
        Backfills.Claimed claimed = backfills.claim(KEY, id(0), "host, process 1");
        assertThat(claimed.taken()).isTrue();
        assertThat(claimed.chunk()).isEqualTo(chunk(0));
        assertThat(chunk(0).status()).isEqualTo(CLAIMED);
        assertThat(chunk(0).claimedBy()).isEqualTo("host, process 1");
        assertThat(chunk(0).claimedAt()).isEqualTo(NOW);
        assertThat(chunk(0).attempts()).isZero();
        assertThat(backfills.running(KEY, id(0))).isTrue();
        assertThat(chunk(0).status()).isEqualTo(RUNNING);
        assertThat(chunk(0).attempts()).isEqualTo(1);
        assertThat(chunk(0).startedAt()).isEqualTo(NOW);
        assertThat(backfills.completed(KEY, id(0), 41)).isTrue();
        assertThat(chunk(0).status()).isEqualTo(COMPLETED);
        assertThat(chunk(0).recordsLoaded()).isEqualTo(41);
        assertThat(chunk(0).completedAt()).isEqualTo(NOW);
        assertThat(chunk(1)).isEqualTo(chunks(2).get(1));
    }

    @Test
    void aFailedChunkIsAttemptedAgainAndItsErrorGoesWhenItRuns() {
        backfills.begin(plan(1), chunks(1));
        bringTo(FAILED);
        assertThat(chunk(0).error()).isEqualTo("WR0501");
        assertThat(backfills.claim(KEY, id(0), "me").taken()).isTrue();
        assertThat(chunk(0).error()).isEqualTo("WR0501");
        backfills.running(KEY, id(0));
        assertThat(chunk(0).error()).isNull();
        assertThat(chunk(0).attempts()).isEqualTo(2);
    }

    @Test
    void eachMoveIsMadeFromWhereItMayComeAndFromNowhereElse() {
        Map<String, Function<Backfills, Boolean>> moves = new LinkedHashMap<>();
        moves.put("claim", to -> to.claim(KEY, id(0), "you").taken());
        moves.put("running", to -> to.running(KEY, id(0)));
        moves.put("completed", to -> to.completed(KEY, id(0), 9));
        moves.put("failed", to -> to.failed(KEY, id(0), "why"));
        moves.put("released", to -> to.released(KEY, id(0)));
        moves.put("found", to -> to.found(KEY, Map.of(id(0), 9L)) == 1);
        moves.put("missing", to -> to.missing(KEY, List.of(id(0))) == 1);
        Map<String, List<ChunkStatus>> from = Map.of(
                "claim", List.of(PENDING, CLAIMED, RUNNING, FAILED),
                "running", List.of(CLAIMED),
                "completed", List.of(RUNNING),
                "failed", List.of(CLAIMED, RUNNING),
                "released", List.of(CLAIMED, RUNNING),
                "found", List.of(PENDING, CLAIMED, RUNNING, FAILED),
                "missing", List.of(COMPLETED));
        Map<String, ChunkStatus> into = Map.of(
                "claim", CLAIMED,
                "running", RUNNING,
                "completed", COMPLETED,
                "failed", FAILED,
                "released", PENDING,
                "found", COMPLETED,
                "missing", PENDING);
        long restart = 0;
        for (String name : moves.keySet()) {
            for (ChunkStatus status : ChunkStatus.values()) {
                try (StateStore fresh = Samples.open(project.resolve(name + restart++))) {
                    backfills = fresh.backfills();
                    backfills.begin(plan(1), chunks(1));
                    bringTo(status);
                    ChunkRecord before = chunk(0);
                    boolean may = from.get(name).contains(status);
                    assertThat(moves.get(name).apply(backfills))
                            .as(name + " from " + status)
                            .isEqualTo(may);
                    if (may) {
                        assertThat(chunk(0).status()).isEqualTo(into.get(name));
                        assertThat(chunk(0).completedAt() != null).isEqualTo(chunk(0).status() == COMPLETED);
                        assertThat(chunk(0).recordsLoaded() != null).isEqualTo(chunk(0).status() == COMPLETED);
                    } else {
                        assertThat(chunk(0)).isEqualTo(before);
                    }
                }
            }
        }
    }

    @Test
    void anErrorOfAnyLengthIsKeptInPart() {
        backfills.begin(plan(1), chunks(1));
        bringTo(RUNNING);
        String half = "x".repeat(Backfills.ERROR_LENGTH - 1) + "\uD83D\uDE00 and more";
        assertThat(backfills.failed(KEY, id(0), half)).isTrue();
        assertThat(chunk(0).error()).isEqualTo("x".repeat(Backfills.ERROR_LENGTH - 1));
    }

    @Test
    void plansAreListedNewestFirstWithWhatTheirChunksCameTo() {
        backfills.begin(plan("aaaa000000000000", 2, 0), chunks(2));
        backfills.begin(plan(3), chunks(3));
        backfills.begin(plan("aaab000000000000", 1, 0), chunks(1));
        bringTo(COMPLETED);
        backfills.claim(KEY, id(1), "me");
        assertThat(backfills.list("shop", 2))
                .extracting(one -> one.plan().backfillId())
                .containsExactly("aaab000000000000", ID);
        BackfillSummary summary = backfills.list("shop", 9).get(1);
        assertThat(summary.counts()).isEqualTo(Map.of(COMPLETED, 1, CLAIMED, 1, PENDING, 1));
        assertThat(summary.count(FAILED)).isZero();
        assertThat(summary.recordsLoaded()).isEqualTo(7);
        assertThat(backfills.list("other", 9)).isEmpty();
        assertThat(backfills.beginning("shop", "aaa", 9))
                .extracting(BackfillRecord::backfillId)
                .containsExactly("aaab000000000000", "aaaa000000000000");
        assertThat(backfills.beginning("shop", "aaa", 1)).hasSize(1);
        assertThat(backfills.beginning("shop", "%", 9)).isEmpty();
    }

    @Test
    void whatIsCompletedOfAPipelineIsFoundInAllItsPlans() {
        backfills.begin(plan("aaaa000000000000", 2, 0), chunks(2));
        backfills.begin(plan("bbbb000000000000", 2, 0), chunks(2));
        backfills.begin(plan(3), chunks(3));
        bringTo(COMPLETED);
        backfills.found(new BackfillKey("shop", "aaaa000000000000", 0), Map.of(id(0), 1L, id(1), 2L));
        assertThat(backfills.completed("shop", "orders_out"))
                .extracting(one -> one.plan().backfillId())
                .containsExactly(ID, "aaaa000000000000");
        assertThat(backfills.completed("shop", "orders_out").get(0).chunks()).containsExactly(chunk(0));
        assertThat(backfills.completed("shop", "customers_out")).isEmpty();
    }

    @Test
    void aHundredThousandChunksAreWrittenFoundAndLostInSeconds() {
        List<ChunkRecord> many = chunks(100_000);
        Map<String, Long> all = new LinkedHashMap<>();
        many.forEach(chunk -> all.put(chunk.chunkId(), 1L));
        long start = System.nanoTime();
        backfills.begin(plan(many.size()), many);
        backfills.begin(plan(many.size()), many);
        assertThat(backfills.found(KEY, all)).isEqualTo(many.size());
        assertThat(backfills.list("shop", 1).get(0).counts()).isEqualTo(Map.of(COMPLETED, many.size()));
        assertThat(backfills.missing(KEY, List.copyOf(all.keySet()))).isEqualTo(many.size());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void aReaderSeesPlansAndChangesNothing() {
        backfills.begin(plan(2), chunks(2));
        try (StateStore reader = StateStore.openForReading(project.resolve(".weir"), Samples.CLOCK)
                .orElseThrow()) {
            assertThat(reader.backfills().chunks("shop", ID)).isEqualTo(chunks(2));
            assertThat(reader.planLocks().lives("shop", ID)).isFalse();
            assertCode(() -> reader.backfills().claim(KEY, id(0), "me"), Code.STATE_NOT_WRITTEN);
        }
        assertThat(project.resolve(".weir/locks")).doesNotExist();
    }
}
