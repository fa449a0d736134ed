package dev.weir.state;

import static dev.weir.state.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.state.RunRecord.Counts;
import dev.weir.state.RunRecord.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHistoryTest {

    @TempDir
    Path project;

    private StateStore open() {
        return Samples.open(project.resolve(".weir"));
    }

    private static RunRecord ended(RunRecord run) {
        return run.ended(NOW.plusSeconds(5), Status.COMPLETED_WITH_FAILURES, 3, 1, new Counts(2, 1, 1, 1_000));
    }

    @Test
    void aRunIsRunningUntilItEnds() {
        try (StateStore store = open()) {
            RunRecord run = Samples.run("r1");
            store.started(run);
            assertThat(store.run("r1")).contains(run);
            store.finished(ended(run));
            assertThat(store.run("r1")).contains(ended(run));
            assertThat(store.run("r2")).isEmpty();
        }
        try (StateStore store = open()) {
            assertThat(store.run("r1")).contains(ended(Samples.run("r1")));
        }
    }

    @Test
    void theAttemptsAtAPlanAreFoundAndShowAsTheyStand() {
        RunRecord died = attempt("r2", "shop", "plan");
        try (StateStore store = open()) {
            store.started(died);
        }
        try (StateStore store = open()) {
            store.started(Samples.run("r1"));
            RunRecord running = attempt("r3", "shop", "plan");
            store.started(running);
            store.started(attempt("r4", "shop", "other"));
            store.started(attempt("r5", "elsewhere", "plan"));
            RunRecord over = attempt("r6", "shop", "plan");
            store.started(over);
            store.finished(ended(over));
            assertThat(store.runsOf("shop", "plan", 9)).containsExactly(ended(over), running, died.died());
            assertThat(store.runsOf("shop", "plan", 1)).containsExactly(ended(over));
            assertThat(store.run("r6")).contains(ended(over));
            assertThat(store.runs(1)).containsExactly(ended(over));
            assertThat(store.run("r1").orElseThrow().backfillId()).isNull();
        }
    }

    private static RunRecord attempt(String runId, String project, String backfillId) {
        return RunRecord.startingChunk(
                runId, project, "backfill", NOW, ProcessIdentity.current(), backfillId, "chunk-1");
    }

    @Test
    void theNewestComeFirst() {
        try (StateStore store = open()) {
            for (String id : List.of("r1", "r2", "r3")) {
                store.started(Samples.run(id));
                store.finished(ended(Samples.run(id)));
            }
            assertThat(store.runs(2)).extracting(RunRecord::runId).containsExactly("r3", "r2");
        }
    }

    @Test
    void aRunWhoseStoreIsGoneDied() {
        try (StateStore store = open()) {
            store.started(Samples.run("r1"));
        }
        try (StateStore store = open()) {
            assertThat(store.run("r1").orElseThrow().status()).isEqualTo(Status.DIED);
            assertThat(store.run("r1").orElseThrow().endedAt()).isNull();
            // It stays so when a later run lives under the lock the dead one had.
            store.started(Samples.run("r2"));
            assertThat(store.run("r1").orElseThrow().status()).isEqualTo(Status.DIED);
            assertThat(store.run("r2").orElseThrow().status()).isEqualTo(Status.RUNNING);
        }
    }

    @Test
    void runsAtOnceLiveAndEndEachForItself() throws Exception {
        try (StateStore store = open();
                StateStore other = open()) {
            store.started(Samples.run("r1"));
            other.started(Samples.run("r2"));
            store.started(Samples.run("r3"));
            assertThat(other.runs(9)).extracting(RunRecord::status).containsOnly(Status.RUNNING);
            other.finished(ended(Samples.run("r2")));
            assertThat(store.runs(9))
                    .extracting(RunRecord::status)
                    .containsExactly(Status.RUNNING, Status.COMPLETED_WITH_FAILURES, Status.RUNNING);
        }
    }

    @Test
    void lockFilesAreAsManyAsRunsAtOnceNotAsManyAsRuns() throws Exception {
        try (StateStore store = open()) {
            for (int i = 0; i < 20; i++) {
                store.started(Samples.run("r" + i));
                store.finished(ended(Samples.run("r" + i)));
            }
        }
        try (var files = Files.list(project.resolve(".weir/locks"))) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder("run-0.lock", "jvm.guard");
        }
    }

    @Test
    void aRunWhoseStartCouldNotBeWrittenIsStillWrittenAtItsEnd() {
        try (StateStore store = open()) {
            store.finished(ended(Samples.run("r1")));
            assertThat(store.runs(1)).containsExactly(ended(Samples.run("r1")));
        }
    }

    private static void add(StateStore store, int from, int to) {
        for (int i = from; i <= to; i++) {
            store.finished(ended(Samples.run("r" + i)));
        }
    }

    @Test
    void ofTheRunsTheNewestSoManyAreKept() {
        try (StateStore store = open()) {
            add(store, 1, 20);
            Retained runs = store.retained(15, NOW.minusSeconds(1));
            assertThat(runs.released()).containsExactlyInAnyOrder("r1", "r2", "r3", "r4", "r5");
            assertThat(runs.kept()).hasSize(15);
            store.forget(runs.released(), 100);
            assertThat(store.runs(100))
                    .extracting(RunRecord::runId)
                    .hasSize(15)
                    .startsWith("r20")
                    .endsWith("r6");
        }
    }

    @Test
    void runsBeforeTheInstantAreReleasedButForTheNewestTen() {
        try (StateStore store = open()) {
            add(store, 1, 12);
            assertThat(store.retained(1_000, NOW.minusSeconds(1)).released()).isEmpty();
            assertThat(store.retained(1_000, NOW.plusSeconds(1)).released()).containsExactlyInAnyOrder("r1", "r2");
        }
    }

    @Test
    void aRunThatLivesIsKeptHoweverOldAndADeadOneIsNot() {
        try (StateStore store = open();
                StateStore other = open()) {
            other.started(Samples.run("dead"));
            store.started(Samples.run("alive"));
            other.close();
            add(store, 1, 12);
            Retained runs = store.retained(10, NOW);
            assertThat(runs.kept()).contains("alive");
            assertThat(runs.released()).containsExactlyInAnyOrder("dead", "r1", "r2");
        }
    }

    @Test
    void noMoreThanAskedForAreForgottenAtOnceTheOldestFirst() {
        try (StateStore store = open()) {
            add(store, 1, 20);
            store.forget(store.retained(10, NOW).released(), 3);
            assertThat(store.runs(100)).extracting(RunRecord::runId).hasSize(17).endsWith("r4");
        }
    }

    @Test
    void theRowOfARunThatARollbackMayGoBackToIsNotForgotten() {
        try (StateStore store = open()) {
            store.save(List.of(Samples.moved("lake.a", 10, "r2")));
            add(store, 1, 12);
            store.save(List.of(Samples.moved("lake.a", 20, "r13")));
            add(store, 13, 13);
            // Adopted from a sink later, under the same run's id: no part of what r2 left.
            store.save(List.of(Samples.moved("lake.a", 15, "r2")));

            store.forget(store.retained(1, NOW.plusSeconds(60)).released(), 100);

            assertThat(store.runs(100)).extracting(RunRecord::runId).containsExactly("r13", "r2");
            assertThat(store.positionsAfter("shop", Samples.SOURCE, "r2").orElseThrow())
                    .containsEntry(Samples.key("lake.a"), Samples.at(10L, "r2"));
            assertThat(store.positionsAfter("shop", Samples.SOURCE, "r1")).isEmpty();
        }
    }

    @Test
    void aRunIsFoundByTheBeginningOfItsId() {
        try (StateStore store = open()) {
            add(store, 1, 12);
            assertThat(store.runsBeginning("r1", 3))
                    .extracting(RunRecord::runId)
                    .containsExactly("r1", "r12", "r11");
            assertThat(store.runsBeginning("r5", 3))
                    .extracting(RunRecord::runId)
                    .containsExactly("r5");
            assertThat(store.runsBeginning("R5", 3)).isEmpty();
            assertThat(store.runsBeginning("%", 3)).isEmpty();
        }
    }

    @Test
    void whatHasNotEndedHasNoEnd() {
        assertThatThrownBy(() -> Samples.run("r1").ended(NOW, Status.RUNNING, 1, 0, Counts.NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
