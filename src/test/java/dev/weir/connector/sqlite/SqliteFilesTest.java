package dev.weir.connector.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.connector.Column;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.engine.StageListener;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are missing, locked, of another kind, or in use by others while weir reads and writes them. */
class SqliteFilesTest extends SqliteSinkBench {

    private static final ReadRequest ROWS =
            new ReadRequest(table("t"), List.of(new Column("id", "BIGINT")), cursor("id", "BIGINT"));

    private Source source(boolean written) {
        return connector().source(system().settings(written), engine);
    }

    @Test
    void aMissingFileIsAnErrorForASourceAndIsNotMade() {
        for (boolean written : new boolean[] {true, false}) {
            try (Source source = source(written)) {
                assertThatThrownBy(() -> source.describe(table("t")))
                        .isInstanceOf(RunException.class)
                        .hasMessageContaining("WR0501 sys.t: there is no file")
                        .hasMessageContaining("lake.sqlite");
            }
        }
        assertThat(system().file()).doesNotExist();
    }

    @Test
    void aFolderThatIsMissingIsNamed() {
        SqliteSystem nowhere = new SqliteSystem(folder.resolve("nowhere"), "delete");
        try (var into = connector().sink(nowhere.settings(true), engine)) {
            assertThatThrownBy(into::begin)
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0503 sys")
                    .hasMessageContaining("nowhere");
        }
    }

    @Test
    void aFileThatIsNoDatabaseIsSaidToBeNone() throws IOException {
        Files.writeString(system().file(), "id,name\n".repeat(1_000));
        try (Source source = source(false)) {
            assertThatThrownBy(() -> source.describe(table("t")))
                    .hasMessageContaining("WR0501 sys.t")
                    .hasMessageContaining("is no SQLite database");
        }
        assertThatThrownBy(() -> sink.describe(T)).hasMessageContaining("WR0503 sys.t");
    }

    /** What a source reads stays as it was, whichever journal the file has, and whoever writes. */
    @ParameterizedTest
    @ValueSource(strings = {"wal", "delete"})
    void aSnapshotIsStable(String journal) throws SQLException {
        SqliteSystem file = new SqliteSystem(folder, journal);
        file.execute("CREATE TABLE t (id INTEGER)");
        file.execute("INSERT INTO t VALUES (1), (2)");
        try (Source source = source(false);
                Connection other = file.connect();
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 0");
            try (Snapshot snapshot = source.open(ROWS)) {
                boolean refused = !wrote(statement);
                assertThat(refused)
                        .as("a rollback journal makes the writer wait")
                        .isEqualTo(journal.equals("delete"));
                assertThat(snapshot.countNull(10)).isZero();
                var staged = engine.stage("src", ROWS, snapshot.read(Optional.empty()), StageListener.NONE);
                assertThat(staged.rows()).isEqualTo(2);
            }
            assertThat(wrote(statement)).isTrue();
        }
    }

    private static boolean wrote(Statement statement) {
        try {
            statement.execute("INSERT INTO t VALUES (3)");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    @Test
    void aSourceOpensItsFileReadOnly() {
        new SqliteSystem(folder, "wal").execute("CREATE TABLE t (id INTEGER)");
        try (Connection connection = SqliteFile.of(system().settings(false), Duration.ZERO, Code.SOURCE)
                .open(false)) {
            assertThatThrownBy(() -> Session.execute(connection, "INSERT INTO t VALUES (1)"))
                    .hasMessageContaining("readonly");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Retried by the run, and then said as it is. */
    @ParameterizedTest
    @ValueSource(strings = {"wal", "delete"})
    void aFileAnotherProcessIsWritingIsNamedAndMayBeTriedAgain(String journal) throws SQLException {
        SqliteSystem file = new SqliteSystem(folder, journal);
        file.execute("CREATE TABLE t (id INTEGER)");
        try (Connection other = file.connect();
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("INSERT INTO t VALUES (1)");

            RunException failure = catchThrowableOfType(RunException.class, sink::begin);
            assertThat(failure)
                    .hasMessageContaining("WR0503 sys")
                    .hasMessageContaining("lake.sqlite is locked by another process")
                    .hasMessageContaining("lsof");
            assertThat(failure.isRetryable()).isTrue();

            statement.execute("ROLLBACK");
            sink.begin().close();
        }
    }

    @Test
    void aFileLockedForReadersTooIsNamed() throws SQLException {
        execute("CREATE TABLE t (id INTEGER)");
        try (Connection other = system().connect();
                Statement statement = other.createStatement();
                Source source = source(false)) {
            statement.execute("BEGIN EXCLUSIVE");

            RunException failure = catchThrowableOfType(RunException.class, () -> source.describe(table("t")));
            assertThat(failure)
                    .hasMessageContaining("WR0501 sys.t")
                    .hasMessageContaining("is locked by another process");
            assertThat(failure.isRetryable()).isTrue();
        }
    }

    @Test
    void aLookThatAnotherProcessKeptFromBeginningMayBeTriedAgain() throws SQLException {
        execute("CREATE TABLE t (id INTEGER)");
        assertThat(sink.hasRows(T)).isFalse();
        try (Connection other = system().connect();
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN EXCLUSIVE");
            assertThatThrownBy(() -> sink.hasRows(T)).hasMessageContaining("is locked by another process");
            statement.execute("ROLLBACK");
        }
        assertThat(sink.hasRows(T)).isFalse();
    }

    /** It waits for the lock much longer than anybody waits for a cancel. */
    @Test
    @Timeout(60)
    void whoWaitsForALockHearsACancel() throws Exception {
        execute("CREATE TABLE t (id INTEGER)");
        SqliteConnector patient = new SqliteConnector(Clock.systemUTC(), Duration.ofMinutes(10));
        try (Connection other = system().connect();
                Statement statement = other.createStatement();
                Sink waiting = patient.sink(settings(), engine)) {
            statement.execute("BEGIN IMMEDIATE");
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread thread = new Thread(() -> failure.set(catchThrowable(waiting::begin)));
            thread.start();
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            waiting.cancel();
            thread.join();

            assertThat(failure.get()).hasMessageContaining("cancelled");
        }
    }

    /** With a rollback journal a COMMIT waits for the readers; what it could not end is not there. */
    @Test
    void aCommitThatReadersKeepFromEndingKeepsNothingAndMayBeTriedAgain() throws SQLException {
        execute("CREATE TABLE t (id INTEGER)");
        try (Connection other = system().connect();
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN");
            statement.execute("SELECT * FROM t");
            SinkTransaction transaction = sink.begin();
            transaction.write(T, rows("SELECT 1::BIGINT AS id"), APPEND);

            RunException failure = catchThrowableOfType(RunException.class, transaction::commit);
            assertThat(failure).hasMessageContaining("is locked by another process");
            assertThat(failure.isRetryable()).isTrue();

            statement.execute("ROLLBACK");
            assertThat(query("SELECT count(*) FROM t")).containsExactly("0");
            write(rows("SELECT 2::BIGINT AS id"), APPEND);
            assertThat(query("SELECT id FROM t")).containsExactly("2");
        }
    }

    @Test
    void oneFileIsSourceAndSinkAtOnceAndOthersWriteBetween() {
        execute("CREATE TABLE a (id INTEGER PRIMARY KEY)");
        try (Source source = source(true)) {
            for (int i = 1; i <= 3; i++) {
                execute("INSERT INTO a VALUES (" + i + ")");
                ReadRequest request =
                        new ReadRequest(table("a"), List.of(new Column("id", "BIGINT")), cursor("id", "BIGINT"));
                assertThat(read(source, request, Optional.empty()).rows()).hasSize(i);
                write(rows("SELECT * FROM memory.staging.src"), merge("id"));
                execute("DELETE FROM t WHERE id = 2");
            }
        }
        assertThat(query("SELECT id FROM t ORDER BY id")).containsExactly("1", "3");
    }

    @Test
    void aFileReplacedBetweenPassesIsReadAnew() throws IOException {
        execute("CREATE TABLE t (id INTEGER)");
        try (Source source = source(false)) {
            assertThat(read(source, ROWS, Optional.empty()).rows()).isEmpty();
            SqliteSystem other = new SqliteSystem(Files.createDirectory(folder.resolve("other")), "delete");
            other.execute("CREATE TABLE t (id INTEGER)");
            other.execute("INSERT INTO t VALUES (7)");
            Files.move(other.file(), system().file(), StandardCopyOption.REPLACE_EXISTING);

            assertThat(read(source, ROWS, Optional.empty()).rows()).containsExactly("7");
        }
    }

    /** What a process that died while it committed left behind: only a writer may put it right. */
    @Test
    void aHotJournalIsRolledBackByASinkAndNamedByASource() throws IOException, SQLException {
        execute("CREATE TABLE t (id INTEGER, v TEXT)");
        execute("INSERT INTO t VALUES (1, 'old')");
        SqliteSystem died = new SqliteSystem(Files.createDirectory(folder.resolve("died")), "delete");
        try (Connection other = system().connect();
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA cache_size = 1");
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("UPDATE t SET v = 'new'");
            statement.execute("INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE"
                    + " i < 20000) SELECT i, 'new' FROM n");
            for (String end : List.of("", "-journal")) {
                Files.copy(folder.resolve("lake.sqlite" + end), died.file().resolveSibling("lake.sqlite" + end));
            }
            statement.execute("ROLLBACK");
        }

        try (Source source = connector().source(died.settings(false), engine)) {
            assertThatThrownBy(() -> source.describe(table("t")))
                    .hasMessageContaining("WR0501 sys.t")
                    .hasMessageContaining("a process died while writing it");
        }
        try (var into = connector().sink(died.settings(true), engine)) {
            assertThat(into.hasRows(T)).isTrue();
        }
        assertThat(died.query("SELECT id, v FROM t")).containsExactly("1|old");
    }

    @Test
    void theJournalStaysAsTheFileHasIt() {
        new SqliteSystem(folder, "wal").execute("CREATE TABLE t (id INTEGER)");
        write(rows("SELECT 1::BIGINT AS id"), APPEND);
        try (Connection connection = SqliteFile.of(system().settings(true), Duration.ZERO, Code.SINK)
                        .open(false);
                Statement statement = connection.createStatement();
                var mode = statement.executeQuery("PRAGMA journal_mode")) {
            assertThat(mode.getString(1)).isEqualTo("wal");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
