package dev.weir.state;

import static dev.weir.state.Samples.moved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateDamageTest {

    @TempDir
    Path project;

    private Path weirDir;
    private Path file;

    @BeforeEach
    void aStateWithManyPositions() {
        weirDir = project.resolve(".weir");
        file = weirDir.resolve("state.db");
        try (StateStore store = Samples.open(weirDir)) {
            List<Moved> moves = new ArrayList<>();
            for (int sink = 0; sink < 200; sink++) {
                moves.add(moved("lake.t" + sink, sink, "r1"));
            }
            store.save(moves);
        }
    }

    /** Both ways of opening refuse it, and neither changes it. */
    private AbstractThrowableAssert<?, ? extends Throwable> assertRefused() throws Exception {
        byte[] before = Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0];
        assertThatThrownBy(() -> StateStore.openForReading(weirDir, Samples.CLOCK))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0518");
        AbstractThrowableAssert<?, ? extends Throwable> refused = assertThatThrownBy(() -> Samples.open(weirDir))
                .isInstanceOfSatisfying(
                        RunException.class, e -> assertThat(e.fault().code()).isEqualTo(Code.STATE))
                .hasMessageContaining("state.db");
        if (Files.isRegularFile(file)) {
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }
        return refused;
    }

    @Test
    void anEmptyFileIsDamagedAndNoEmptyState() throws Exception {
        Files.write(file, new byte[0]);
        assertRefused()
                .hasMessageContaining("it is empty")
                .hasMessageContaining("restore a backup")
                .hasMessageContaining("marks");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 99, 100, 512, 4095, 4096, 4097, 8192})
    void aTruncatedFileIsDamaged(int size) throws Exception {
        assertThat(Files.size(file)).isGreaterThan(size);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
        assertRefused().hasMessageContaining("restore a backup");
    }

    @Test
    void aFileCutInHalfIsDamaged() throws Exception {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(file) / 2);
        }
        assertRefused().hasMessageContaining("damaged");
    }

    @Test
    void aFileOfNulsIsDamaged() throws Exception {
        Files.write(file, new byte[Math.toIntExact(Files.size(file))]);
        assertRefused().hasMessageContaining("no SQLite database");
    }

    @Test
    void aFileOfTextIsDamaged() throws Exception {
        Files.writeString(file, "positions:\n  orders: 10\n".repeat(100));
        assertRefused().hasMessageContaining("no SQLite database");
    }

    @Test
    void aPageOverwrittenIsDamaged() throws Exception {
        long pages = Files.size(file) / 4096;
        for (long page = 1; page < pages; page++) {
            byte[] whole = Files.readAllBytes(file);
            try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
                raw.seek(page * 4096);
                raw.write(new byte[64]);
            }
            assertRefused().hasMessageContaining("damaged");
            Files.write(file, whole);
        }
    }

    @Test
    void aDatabaseOfAnotherProgramIsNotTouched() throws Exception {
        sql("PRAGMA application_id = 42");
        assertRefused().hasMessageContaining("another program");
    }

    @Test
    void anSqliteDatabaseWithoutOurMarkIsNotTouched() throws Exception {
        Files.delete(file);
        sql("CREATE TABLE positions (x)");
        assertRefused().hasMessageContaining("another program");
    }

    @Test
    void aNewerStateNeedsTheNewerVersion() throws Exception {
        sql("PRAGMA user_version = 99");
        assertRefused()
                .hasMessageContaining("newer weir")
                .hasMessageContaining("99")
                .hasMessageContaining("nothing was changed");
    }

    @Test
    void aStateWithoutItsFormNumberIsDamaged() throws Exception {
        sql("PRAGMA user_version = 0");
        assertRefused().hasMessageContaining("no form number");
    }

    @Test
    void aMissingTableIsToldWhenItIsRead() throws Exception {
        sql("DROP TABLE positions");
        try (StateStore store = Samples.open(weirDir)) {
            assertThatThrownBy(() -> store.allPositions("shop"))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0518")
                    .hasMessageContaining("no such table")
                    .hasMessageContaining("restore a backup");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "value = '12x'",
                "value = ''",
                "value = '9223372036854775808'",
                "stood = '1.5'",
                "generation_start = 'null'",
                "cursor_type = 'varchar'",
                "cursor_type = 'decimal(99,1)'",
                "cursor_type = 'date'",
                "at = 'yesterday'"
            })
    void aValueThatIsNoneIsNeverTakenForNowhere(String change) throws Exception {
        sql("UPDATE positions SET " + change + " WHERE sink = 'lake.t7'");
        try (StateStore store = Samples.open(weirDir)) {
            assertThatThrownBy(() -> store.positions("shop", Samples.SOURCE))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0518")
                    .hasMessageContaining("restore a backup");
        }
    }

    @Test
    void aFolderInItsPlaceIsDamaged() throws Exception {
        Files.delete(file);
        Files.createDirectory(file);
        assertRefused().hasMessageContaining("it is no file");
    }

    @Test
    void aLinkToNothingIsNotFollowed() throws Exception {
        Files.delete(file);
        Files.createSymbolicLink(file, project.resolve("gone.db"));
        assertRefused().hasMessageContaining("link to nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"state.db-journal", "state.db-wal"})
    void aJournalWithoutItsDatabaseIsNotPlayedIntoANewOne(String name) throws Exception {
        Files.delete(file);
        Files.writeString(weirDir.resolve(name), "left behind");
        assertThatThrownBy(() -> Samples.open(weirDir))
                .isInstanceOf(RunException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("state.db-");
        assertThat(file).doesNotExist();
    }

    @Test
    void aMissingFileIsNoDamageBecauseTheMarksAreInTheSinks() throws Exception {
        Files.delete(file);
        try (StateStore store = Samples.open(weirDir)) {
            assertThat(store.allPositions("shop")).isEmpty();
        }
    }

    private void sql(String statement) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement direct = connection.createStatement()) {
            direct.execute(statement);
        }
    }
}
