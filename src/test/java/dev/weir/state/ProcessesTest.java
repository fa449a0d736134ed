package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.RunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes beside this one, killed with SIGKILL where the sentence says so. */
class ProcessesTest {

    @TempDir
    Path project;

    private Path weirDir() {
        return project.resolve(".weir");
    }

    private StateStore open() {
        return StateStore.open(weirDir(), Clock.systemUTC());
    }

    private static EntityLocks.Lease take(StateStore store, String key) throws InterruptedException {
        return store.locks().acquire(List.of(key), "run-9", Duration.ZERO, time -> {});
    }

    @Test
    void whatAnotherProcessHoldsIsRefusedAndNamed() throws Exception {
        try (StateChild child = StateChild.start("hold", weirDir(), "pg.orders", "run-1")) {
            assertThat(child.says()).isEqualTo("holds [pg.orders]");
            try (StateStore store = open()) {
                assertThatThrownBy(() -> take(store, "pg.orders"))
                        .isInstanceOf(RunException.class)
                        .hasMessageContaining("WR0520")
                        .hasMessageContaining("process " + child.pid())
                        .hasMessageContaining("run run-1");
                assertThat(store.locks().isHeld("pg.orders")).isTrue();
                assertThat(store.run("run-1").orElseThrow().status()).isEqualTo(RunRecord.Status.RUNNING);
                take(store, "pg.customers").close();
                child.goOn();
                assertThat(child.says()).isEqualTo("released");
                assertThat(child.ends()).isZero();
                take(store, "pg.orders").close();
            }
        }
    }

    @Test
    void aKilledProcessHoldsNothingAndItsRunDied() throws Exception {
        try (StateStore store = open()) {
            for (int round = 1; round <= 3; round++) {
                String run = "run-" + round;
                try (StateChild child = StateChild.start("hold", weirDir(), "pg.orders", run)) {
                    assertThat(child.says()).startsWith("holds");
                    assertThat(store.run(run).orElseThrow().status()).isEqualTo(RunRecord.Status.RUNNING);
                    child.kill();
                }
                assertThat(store.locks().isHeld("pg.orders")).isFalse();
                assertThat(store.locks().holder("pg.orders")).isEmpty();
                assertThat(store.runs(round)).hasSize(round).allSatisfy(one -> assertThat(one.status())
                        .isEqualTo(RunRecord.Status.DIED));
                take(store, "pg.orders").close();
            }
        }
    }

    @Test
    void ofProcessesThatStartAtOnceOneWins() throws Exception {
        List<StateChild> children = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                children.add(StateChild.start("race", weirDir(), "pg.orders", "run-" + i));
            }
            for (StateChild child : children) {
                assertThat(child.says()).isEqualTo("ready");
            }
            for (StateChild child : children) {
                child.goOn();
            }
            List<String> outcomes = new ArrayList<>();
            for (StateChild child : children) {
                outcomes.add(child.says());
            }
            assertThat(outcomes).containsExactlyInAnyOrder("won [pg.orders]", "WR0520", "WR0520", "WR0520");
        } finally {
            for (StateChild child : children) {
                child.close();
            }
        }
    }

    @Test
    void processesThatMakeTheStateTogetherLoseNothing() throws Exception {
        List<StateChild> children = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                children.add(StateChild.start("save", weirDir(), "lake.t" + i, "25"));
            }
            for (StateChild child : children) {
                assertThat(child.saysAll()).hasSize(25).last().isEqualTo("25");
                assertThat(child.ends()).isZero();
            }
        } finally {
            for (StateChild child : children) {
                child.close();
            }
        }
        try (StateStore store = open()) {
            assertThat(store.positions("shop", Samples.SOURCE)).hasSize(4);
            assertThat(store.history("shop", Samples.SOURCE, 1_000)).hasSize(100);
        }
        try (var files = Files.list(weirDir())) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).containsExactly("state.db");
        }
    }

    @Test
    void aProcessKilledWhileItSavesLeavesWhatItHasSaid() throws Exception {
        for (int round = 0; round < 5; round++) {
            String sink = "lake.t" + round;
            int said = 0;
            try (StateChild child = StateChild.start("save", weirDir(), sink, "100000")) {
                for (int i = 0; i < 10 + 7 * round; i++) {
                    said = Integer.parseInt(child.says());
                }
                child.kill();
            }
            try (StateStore store =
                    StateStore.openForReading(weirDir(), Clock.systemUTC()).orElseThrow()) {
                var value = store.positions("shop", Samples.SOURCE)
                        .get(Samples.key(sink))
                        .value();
                assertThat(value).isGreaterThanOrEqualTo(Samples.BIGINT.units(said));
            }
        }
    }

    @Test
    void aReaderInAnotherProcessWaitsForNoLock() throws Exception {
        try (StateStore store = open();
                EntityLocks.Lease lease = take(store, "pg.orders")) {
            store.started(Samples.run("run-1"));
            try (StateStore reader =
                    StateStore.openForReading(weirDir(), Clock.systemUTC()).orElseThrow()) {
                assertThat(reader.locks().isHeld("pg.orders")).isTrue();
                assertThat(reader.locks().holder("pg.orders").orElseThrow().process())
                        .isEqualTo(ProcessIdentity.current());
                assertThat(reader.runs(1).get(0).status()).isEqualTo(RunRecord.Status.RUNNING);
            }
            assertThat(lease.keys()).hasSize(1);
            try (StateChild child = StateChild.start("hold", weirDir(), "pg.orders", "run-2")) {
                assertThat(child.says()).startsWith("WR0520");
            }
        }
    }

    @Test
    void aDiskWithoutRoomFailsThePositionsPlainly() throws Exception {
        assumeOwnMounts();
        try (StateChild child = StateChild.startIn(
                "mount -t tmpfs -o size=1m tmpfs '" + project + "' && exec \"$@\"",
                "save",
                weirDir(),
                "lake.t",
                "100000")) {
            List<String> said = child.saysAll();
            assertThat(said).hasSizeGreaterThan(10);
            assertThat(said.get(said.size() - 1))
                    .contains("WR0527")
                    .contains("the positions were not written")
                    .contains("make room");
        }
    }

    @Test
    void aDiskWithoutAnyRoomMakesNoHalfState() throws Exception {
        assumeOwnMounts();
        try (StateChild child = StateChild.startIn(
                "mount -t tmpfs -o size=16k tmpfs '" + project + "' && \"$@\"; ls -a '" + weirDir()
                        + "' | sed 's/^/> /'",
                "open",
                weirDir())) {
            assertThat(child.says()).containsAnyOf("WR0518", "WR0527");
            assertThat(child.saysAll()).containsExactlyInAnyOrder(".", "..");
        }
    }

    @Test
    void aReadOnlyDiskIsToldBeforeAnythingIsLoaded() throws Exception {
        assumeOwnMounts();
        open().close();
        try (StateChild child = StateChild.startIn(
                "mount --bind '" + project + "' '" + project + "' && mount -o remount,ro,bind '" + project
                        + "' && exec \"$@\"",
                "open",
                weirDir())) {
            assertThat(child.says()).contains("WR0527").contains("let the user who runs weir write it");
        }
    }

    @Test
    void aReadOnlyDiskCanBeRead() throws Exception {
        assumeOwnMounts();
        try (StateStore store = open()) {
            store.save(List.of(Samples.moved("lake.a", 1, "run-1")));
            take(store, "pg.orders").close();
        }
        try (StateChild child = StateChild.startIn(
                "mount --bind '" + project + "' '" + project + "' && mount -o remount,ro,bind '" + project
                        + "' && exec \"$@\"",
                "read",
                weirDir())) {
            assertThat(child.says()).isEqualTo("1 positions, false");
        }
    }

    private static void assumeOwnMounts() throws InterruptedException {
        boolean able;
        try {
            able = new ProcessBuilder("unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            able = false;
        }
        Assumptions.assumeTrue(able, "needs the right to mount, in a mount namespace of its own");
    }
}
