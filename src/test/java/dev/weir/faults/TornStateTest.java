package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Disk;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * State that is damaged, lost, old or out of reach, above every kind of sink and every strategy: an error with its way out,
 * or the marks, and never a start from {@code initial} that nobody asked for.
 */
class TornStateTest {

    private static final String ADOPTED = ": state said %s, the sink's mark says %s: the mark is adopted";

    @TempDir
    Path folder;

    private AllSinks all;
    private Path state;

    @BeforeEach
    void twoSlicesAreLoaded() {
        all = AllSinks.half(folder);
        state = folder.resolve(".weir/state.db");
    }

    enum Damage {
        NO_BYTES,
        HALF,
        MIDDLE_OF_A_PAGE,
        ZEROES,
        GARBAGE,
        GARBAGE_IN_A_PAGE;

        void to(Path file) throws IOException {
            long size = Files.size(file);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                switch (this) {
                    case NO_BYTES -> channel.truncate(0);
                    case HALF -> channel.truncate(size / 2);
                    case MIDDLE_OF_A_PAGE -> channel.truncate(size - 1000);
                    case ZEROES -> overwrite(channel, 0, new byte[Math.toIntExact(size)]);
                    case GARBAGE -> overwrite(channel, 0, noise(Math.toIntExact(size)));
                    case GARBAGE_IN_A_PAGE -> overwrite(channel, 3 * 4096, noise(4096));
                }
            }
        }

        private static void overwrite(FileChannel channel, long at, byte[] bytes) throws IOException {
            channel.write(java.nio.ByteBuffer.wrap(bytes), at);
        }

        private static byte[] noise(int size) {
            byte[] bytes = new byte[size];
            new Random(7).nextBytes(bytes);
            return bytes;
        }
    }

    @Test
    void damagedStateIsRefusedAndItsWayOutMakesEverySinkWhole() throws IOException {
        List<String> before = all.rows();
        byte[] good = Files.readAllBytes(state);
        for (Damage damage : Damage.values()) {
            Files.write(state, good);
            damage.to(state);
            byte[] damaged = Files.readAllBytes(state);

            assertThat(all.fails().err())
                    .as("%s", damage)
                    .startsWith("WR0518 " + state)
                    .contains("move state.db and any file whose name begins with state.db- out of the folder and run"
                            + " again");

            assertThat(Files.readAllBytes(state)).as("%s", damage).isEqualTo(damaged);
        }
        assertThat(all.rows()).isEqualTo(before);
        moveOut();
        everyMarkIsAdopted("nothing");
    }

    private void moveOut() throws IOException {
        Path out = Files.createDirectory(folder.resolve("out"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(state.getParent(), "state.db*")) {
            for (Path file : files) {
                Files.move(file, out.resolve(file.getFileName()));
            }
        }
    }

    private void everyMarkIsAdopted(String stateSaid) {
        WeirProject.Said said = all.copy.catchUp();
        AllSinks.tables().forEach(table -> assertThat(said.out())
                .contains(all.id(table) + ADOPTED.formatted(stateSaid, AllSinks.HALF)));
        all.isExact();
    }

    @Test
    void aFolderThatIsGoneAltogetherIsTakenFromTheMarks() throws IOException {
        Files.move(folder.resolve(".weir"), folder.resolve("gone"));
        everyMarkIsAdopted("nothing");
    }

    @Test
    void stateOfANewerVersionIsLeftAloneUntilThatVersionIsBack() throws Exception {
        List<String> before = all.rows();
        String form = all.copy
                .project()
                .sqliteRows(".weir/state.db", "PRAGMA user_version")
                .get(0);
        sqlite("PRAGMA user_version = 99");
        byte[] bytes = Files.readAllBytes(state);

        assertThat(all.fails().err())
                .contains("WR0518", "written by a newer weir", "use that newer version of weir; nothing was changed");

        assertThat(Files.readAllBytes(state)).isEqualTo(bytes);
        assertThat(all.rows()).isEqualTo(before);
        sqlite("PRAGMA user_version = " + form);
        all.copy.catchUp();
        all.isExact();
    }

    @Test
    void stateOfYesterdayIsBehindTheMarksWhichAreAdopted() throws Exception {
        Path yesterday = folder.resolve("yesterday.db");
        sqlite("VACUUM INTO '" + yesterday + "'");
        all.copy.succeeds("run", "--all");
        Files.move(yesterday, state, StandardCopyOption.REPLACE_EXISTING);

        WeirProject.Said said = all.copy.catchUp();

        AllSinks.tables().forEach(table -> assertThat(said.out())
                .contains(all.id(table) + ADOPTED.formatted(AllSinks.HALF, "1000")));
        all.isExact();
    }

    @Test
    void stateOfBeforeAnEditIsOlderThanTheMarksThatCarryIt() throws Exception {
        Path yesterday = folder.resolve("yesterday.db");
        sqlite("VACUUM INTO '" + yesterday + "'");
        all.copy.succeeds("state", "set", "pg.t", "--value", AllSinks.HALF, "--reason", "r");
        all.copy.succeeds("run", "--all");
        Files.move(yesterday, state, StandardCopyOption.REPLACE_EXISTING);

        all.copy.catchUp();

        AllSinks.tables().forEach(table -> assertThat(all.copy.sinkRows(table.system(), table.name()))
                .as(table.name())
                .isEqualTo(all.copy.sourceRows()));
    }

    @Test
    void aJournalOfAnotherDayIsNotTakenForTheTruth() throws Exception {
        Path journal = state.resolveSibling("state.db-journal");
        Path kept = folder.resolve("journal");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + state);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA cache_size = 1");
            statement.execute("PRAGMA cache_spill = 1");
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("UPDATE positions SET value = '5'");
            statement.execute("UPDATE position_history SET value = '5'");
            statement.execute("UPDATE runs SET status = 'failed'");
            Files.copy(journal, kept);
            statement.execute("ROLLBACK");
        }
        all.copy.succeeds("run", "--all");
        Files.copy(kept, journal);

        WeirProject.Said said = all.copy.project().run(Copy.RUN);

        if (said.exitCode() != 0) {
            assertThat(said.err()).contains("WR0518", "state.db-");
            moveOut();
            all.copy.catchUp();
        }
        all.isExact();
    }

    @Test
    void aWriteAheadLogThatIsNoneIsNoPartOfState() throws IOException {
        Files.write(state.resolveSibling("state.db-wal"), Damage.noise(8192));
        Files.write(state.resolveSibling("state.db-shm"), Damage.noise(8192));
        all.copy.catchUp();
        all.isExact();
    }

    @Test
    void stateThatSomebodyPutIntoWalModeAndLostItsLogIsBehindTheMarks() throws Exception {
        Path held = folder.resolve("held.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + state);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = wal");
            statement.execute("PRAGMA wal_autocheckpoint = 0");
            statement.execute("UPDATE runs SET pid = 1");
            all.copy.succeeds("run", "--all");
            Files.copy(state, held);
        }
        Files.deleteIfExists(state.resolveSibling("state.db-wal"));
        Files.deleteIfExists(state.resolveSibling("state.db-shm"));
        Files.move(held, state, StandardCopyOption.REPLACE_EXISTING);

        assertThat(all.copy.catchUp().out()).contains(ADOPTED.formatted(AllSinks.HALF, "1000"));
        all.isExact();
    }

    @Test
    void stateThatCannotBeWrittenIsToldBeforeAnythingIsRead() throws Exception {
        List<String> before = all.rows();
        try (AutoCloseable readOnly = Disk.readOnly(folder.resolve(".weir"))) {
            WeirProject.Said refused = all.fails();
            assertThat(refused.out()).doesNotContain("ok ");
            assertThat(refused.err()).contains("WR0527 " + state, "let the user who runs weir write it");
            assertThat(all.copy.state()).contains("current  " + AllSinks.HALF);
        }
        assertThat(all.rows()).isEqualTo(before);
        all.copy.catchUp();
        all.isExact();
    }

    @Test
    void aFileInPlaceOfTheFolderIsRefused() throws IOException {
        Path weir = folder.resolve(".weir");
        Files.move(weir, folder.resolve("kept"));
        Files.writeString(weir, "");

        assertThat(all.fails().err()).contains("WR0518 " + weir, "it is no folder");

        Files.delete(weir);
        Files.move(folder.resolve("kept"), weir);
        assertThat(all.copy.state()).contains("current  " + AllSinks.HALF);
    }

    private void sqlite(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + state);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
