package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.RunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log that state.db has beside it while a process loads. */
class StateLogTest {

    @TempDir
    Path project;

    private Path weirDir() {
        return project.resolve(".weir");
    }

    private StateStore loading() {
        return StateStore.openForLoading(weirDir(), Clock.systemUTC());
    }

    @Test
    void aFileIsOneFileAgainWhenTheLastWhoLoadsHasClosedIt() throws Exception {
        StateStore first = loading();
        StateStore second = loading();
        first.save(List.of(Samples.moved("lake.a", 1, "r1")));
        second.started(Samples.run("r2"));
        assertThat(files()).contains("state.db-wal");
        for (String file : files()) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(weirDir().resolve(file))))
                    .as(file)
                    .isEqualTo("rw-------");
        }
        first.close();
        assertThat(second.allPositions("shop")).hasSize(1);
        second.close();
        assertThat(files()).containsExactly("state.db");
        assertThat(journal()).isEqualTo("delete");
    }

    @Test
    void whatAKilledProcessLeftInTheLogIsThere() throws Exception {
        try (StateChild child = StateChild.start("save", weirDir(), "lake.a", "2000")) {
            String said = "";
            for (int i = 0; i < 20; i++) {
                said = child.says();
            }
            child.kill();
            assertThat(files()).contains("state.db-wal");
            try (StateStore looking =
                    StateStore.openForReading(weirDir(), Clock.systemUTC()).orElseThrow()) {
                assertThat(value(looking)).isGreaterThanOrEqualTo(Integer.parseInt(said));
            }
            try (StateStore next = loading()) {
                assertThat(value(next)).isGreaterThanOrEqualTo(Integer.parseInt(said));
            }
            assertThat(files()).containsExactly("state.db");
        }
    }

    @Test
    void theHistoryIsThereForOthersAtOnceAndAfterAKill() throws Exception {
        try (StateChild child = StateChild.start("hold", weirDir(), "pg.orders", "run-1")) {
            assertThat(child.says()).startsWith("holds");
            try (StateStore other = Samples.open(weirDir())) {
                assertThat(other.run("run-1").orElseThrow().status()).isEqualTo(RunRecord.Status.RUNNING);
                child.kill();
                assertThat(other.run("run-1").orElseThrow().status()).isEqualTo(RunRecord.Status.DIED);
            }
        }
    }

    /** A reader that is at it keeps the file from being one again: nothing fails, and nothing is lost. */
    @Test
    void whoReadsWhileItIsClosedIsNotInTheWay() throws Exception {
        StateStore store = loading();
        store.save(List.of(Samples.moved("lake.a", 7, "r1")));
        try (var connection =
                        DriverManager.getConnection("jdbc:sqlite:" + weirDir().resolve("state.db"));
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT * FROM positions")) {
            assertThat(rows.next()).isTrue();
            store.close();
            try (StateStore next = Samples.open(weirDir())) {
                assertThat(value(next)).isEqualTo(7);
            }
        }
        loading().close();
        assertThat(files()).containsExactly("state.db");
        assertThat(journal()).isEqualTo("delete");
    }

    @Test
    void aLogWithoutItsDatabaseIsNotPlayedIntoANewOne() throws Exception {
        try (StateChild child = StateChild.start("hold", weirDir(), "pg.orders", "run-1")) {
            assertThat(child.says()).startsWith("holds");
            child.kill();
        }
        Files.delete(weirDir().resolve("state.db"));
        assertThatThrownBy(this::loading).isInstanceOf(RunException.class).hasMessageContaining("WR0518");
    }

    private static int value(StateStore store) {
        return store.allPositions("shop").values().stream()
                .mapToInt(position -> Integer.parseInt(String.valueOf(position.value())))
                .max()
                .orElseThrow();
    }

    private String journal() throws Exception {
        try (var connection =
                        DriverManager.getConnection("jdbc:sqlite:" + weirDir().resolve("state.db"));
                var statement = connection.createStatement();
                var row = statement.executeQuery("PRAGMA journal_mode")) {
            return row.getString(1);
        }
    }

    private List<String> files() throws IOException {
        try (var entries = Files.list(weirDir())) {
            return entries.filter(Files::isRegularFile)
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }
}
