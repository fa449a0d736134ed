package dev.weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.project.Retention;
import dev.weir.state.ProcessIdentity;
import dev.weir.state.RunRecord;
import dev.weir.state.StateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an invocation forgets of former runs at its end. */
class OldRunsTest {

    private static final Instant NOW = Instant.parse("2026-09-02T09:15:00.118Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

    @TempDir
    Path weirDir;

    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    private static String id(int number) {
        return String.format("20260101T%09dZ-0a1b", number);
    }

    private void folder(String runId) throws IOException {
        Path folder = Files.createDirectories(weirDir.resolve("runs").resolve(runId));
        Files.createFile(folder.resolve("run_results.json"));
    }

    private long folders() throws IOException {
        try (Stream<Path> runs = Files.list(weirDir.resolve("runs"))) {
            return runs.count();
        }
    }

    private static void ended(StateStore state, String runId) {
        RunRecord run = RunRecord.starting(runId, "shop", "run", NOW, ProcessIdentity.current());
        state.finished(run.ended(NOW, RunRecord.Status.SUCCESS, 1, 0, RunRecord.Counts.NONE));
    }

    private OldRuns oldRuns(StateStore state) {
        return new OldRuns(state, weirDir, notes::add);
    }

    @Test
    void soManyGoAtOnceAsWereMadeAndAThousandMore() throws IOException {
        for (int i = 0; i < OldRuns.AT_ONCE + 5; i++) {
            folder(id(i));
        }
        try (StateStore state = StateStore.open(weirDir, CLOCK)) {
            oldRuns(state).forget(Retention.DEFAULT, NOW, 2);
            assertThat(folders()).isEqualTo(3);
            oldRuns(state).forget(Retention.DEFAULT, NOW, 1);
            assertThat(folders()).isZero();
        }
        assertThat(notes).isEmpty();
    }

    @Test
    void aRowWhoseFolderIsGoneAlreadyGoesToo() throws IOException {
        try (StateStore state = StateStore.open(weirDir, CLOCK)) {
            IntStream.range(0, 12).forEach(i -> ended(state, id(i)));
            folder(id(0));
            oldRuns(state).forget(new Retention(10, 90), NOW, 1);
            assertThat(folders()).isZero();
            assertThat(state.runs(100)).extracting(RunRecord::runId).hasSize(10).endsWith(id(2));
        }
    }

    @Test
    void aRunThatLivesKeepsItsFolderAndItsRow() throws IOException {
        try (StateStore state = StateStore.open(weirDir, CLOCK);
                StateStore other = StateStore.open(weirDir, CLOCK)) {
            other.started(RunRecord.starting(id(0), "shop", "run", Instant.EPOCH, ProcessIdentity.current()));
            folder(id(0));
            IntStream.range(1, 30).forEach(i -> ended(state, id(i)));
            oldRuns(state).forget(new Retention(1, 1), NOW.plusSeconds(1_000_000), 1);
            assertThat(folders()).isOne();
            assertThat(state.run(id(0))).isPresent();
        }
    }

    @Test
    void aFolderOfATimeThatNeverWasIsLeftAloneAndStopsNobody() throws IOException {
        folder("20260230T000000000Z-0a1b");
        folder("20260101T246161999Z-0a1b");
        folder("20261301T000000000Z-0a1b");
        folder(id(1));
        try (StateStore state = StateStore.open(weirDir, CLOCK)) {
            oldRuns(state).forget(Retention.DEFAULT, NOW, 1);
        }
        assertThat(folders()).isEqualTo(3);
        assertThat(notes).isEmpty();
    }

    @Test
    void twoWhoForgetAtOnceDoNotStumble() throws Exception {
        for (int i = 0; i < 300; i++) {
            folder(id(i));
        }
        try (StateStore state = StateStore.open(weirDir, CLOCK);
                StateStore other = StateStore.open(weirDir, CLOCK)) {
            Thread second = new Thread(() -> oldRuns(other).forget(Retention.DEFAULT, NOW, 1));
            second.start();
            oldRuns(state).forget(Retention.DEFAULT, NOW, 1);
            second.join();
        }
        assertThat(folders()).isZero();
        assertThat(notes).isEmpty();
    }
}
