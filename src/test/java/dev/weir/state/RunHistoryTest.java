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

    @Test
    void onlyTheNewestRunsAreKept() {
        try (StateStore store = open()) {
            store.database().write("a test was", connection -> {
                RunHistory history = new RunHistory(store.database().file());
                for (int i = 0; i <= RunHistory.KEPT + 5; i++) {
                    history.write(connection, ended(Samples.run("r" + i)), null);
                }
                history.prune(connection);
            });
            assertThat(store.runs(20_000)).hasSize(RunHistory.KEPT);
            assertThat(store.run("r5")).isEmpty();
            assertThat(store.run("r6")).isPresent();
        }
    }

    @Test
    void whatHasNotEndedHasNoEnd() {
        assertThatThrownBy(() -> Samples.run("r1").ended(NOW, Status.RUNNING, 1, 0, Counts.NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
