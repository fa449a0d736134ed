package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.RunException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatePlaceTest {

    @TempDir
    Path project;

    @Test
    void onlyTheOwnerMayReadAnyOfIt() throws Exception {
        Path weirDir = project.resolve(".weir");
        try (StateStore store = Samples.open(weirDir)) {
            store.started(Samples.run("r1"));
            store.locks().acquire(List.of("a.b"), "r1", Duration.ZERO, time -> {});
            try (var walk = Files.walk(weirDir)) {
                for (Path path : walk.toList()) {
                    assertThat(permissions(path))
                            .as(path.toString())
                            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
                }
            }
            assertThat(store.database().<String>read(connection -> {
                        try (var statement = connection.createStatement();
                                var row = statement.executeQuery("PRAGMA journal_mode")) {
                            return row.getString(1);
                        }
                    }))
                    .isEqualTo("delete");
        }
    }

    @Test
    void theJournalOfATransactionIsAsPrivateAsItsDatabase() {
        Path weirDir = project.resolve(".weir");
        try (StateStore store = Samples.open(weirDir)) {
            store.database().write("a test was", connection -> {
                try (var statement = connection.createStatement()) {
                    statement.execute("DELETE FROM runs");
                    statement.execute("INSERT INTO holders VALUES ('a', 'h', 1, 'r', 's')");
                }
                assertThat(permissions(weirDir.resolve("state.db-journal"))).isEqualTo("rw-------");
            });
        }
    }

    @Test
    void widerPermissionsAreNarrowed() throws Exception {
        Path weirDir = project.resolve(".weir");
        Samples.open(weirDir).close();
        Files.setPosixFilePermissions(weirDir, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(weirDir.resolve("state.db"), PosixFilePermissions.fromString("rw-r--r--"));
        Samples.open(weirDir).close();
        assertThat(permissions(weirDir)).isEqualTo("rwx------");
        assertThat(permissions(weirDir.resolve("state.db"))).isEqualTo("rw-------");
    }

    private static String permissions(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nfs, true",
        "nfs4, true",
        "cifs, true",
        "smb3, true",
        "smbfs, true",
        "fuse.sshfs, true",
        "fuse, true",
        "fuse.s3fs, true",
        "ceph, true",
        "9p, true",
        "NFS, true",
        "ext4, false",
        "xfs, false",
        "btrfs, false",
        "overlay, false",
        "tmpfs, false",
        "zfs, false",
        "apfs, false",
        "NTFS, false",
        "fuseblk, false"
    })
    void aNetworkFileSystemIsRefused(String type, boolean refused) {
        assertThat(NetworkFileSystems.include(type)).isEqualTo(refused);
        Path weirDir = project.resolve(".weir");
        if (refused) {
            assertThatThrownBy(() -> StateStore.open(weirDir, Samples.CLOCK, folder -> type))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0518")
                    .hasMessageContaining(type)
                    .hasMessageContaining("local disk");
            assertThat(weirDir.resolve("state.db")).doesNotExist();
        } else {
            StateStore.open(weirDir, Samples.CLOCK, folder -> type).close();
        }
    }

    @Test
    void aFileInTheFoldersPlaceIsRefused() throws Exception {
        Path weirDir = Files.writeString(project.resolve(".weir"), "mine");
        assertThatThrownBy(() -> Samples.open(weirDir))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("it is no folder");
        assertThat(weirDir).hasContent("mine");
    }

    @Test
    void aProjectThatIsNotThereIsToldPlainly() {
        assertThatThrownBy(() -> Samples.open(project.resolve("gone/.weir")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0518")
                .hasMessageContaining("making the folder failed");
    }

    @Test
    void aPlaceWhereNothingCanBeMadeIsToldPlainly() {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self")), "needs /proc, where nobody can make a folder");
        assertThatThrownBy(() -> Samples.open(Path.of("/proc/self/.weir")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0518");
    }
}
