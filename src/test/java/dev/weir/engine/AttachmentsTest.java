package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.DuckSession.Attachment;
import dev.weir.fault.RunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttachmentsTest {

    @TempDir
    Path folder;

    private final List<Duration> pauses = new ArrayList<>();
    private DuckEngine engine;

    @BeforeEach
    void start() {
        engine = DuckEngine.start(
                EngineSettings.spillingTo(folder.resolve("spill")).withPatience(Duration.ofSeconds(2), pauses::add));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void attachesAFileOnceHoweverItIsSpelled() throws IOException, SQLException {
        Path file = file("lake.duckdb");
        Path link = Files.createSymbolicLink(folder.resolve("link.duckdb"), file);

        try (Attachment one = engine.attach(file, true, "lake");
                Attachment two = engine.attach(link, false, "other");
                Attachment three = engine.attach(folder.resolve("./x/../lake.duckdb"), true, "third")) {
            assertThat(one.catalog()).isEqualTo("lake").isEqualTo(two.catalog()).isEqualTo(three.catalog());
            assertThat(databases()).contains("lake").doesNotContain("link");
        }
        assertThat(databases()).doesNotContain("lake");
    }

    @Test
    void releasesTheFileWithItsLastUse() throws SQLException {
        Path file = file("lake.duckdb");
        Attachment one = engine.attach(file, true, "lake");
        Attachment two = engine.attach(file, true, "lake");
        one.close();
        one.close();
        assertThat(databases()).contains("lake");

        two.close();

        try (Connection other = DriverManager.getConnection("jdbc:duckdb:" + file)) {
            assertThat(other.isValid(1)).isTrue();
        }
    }

    @Test
    void createsAFileOnlyWhenItIsWritten() {
        Path file = folder.resolve("new.duckdb");

        assertThatThrownBy(() -> engine.attach(file, false, "lake"))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0501 lake: there is no file " + file);
        engine.attach(file, true, "lake").close();

        assertThat(file).exists();
    }

    @Test
    void twoFilesOfOneNameGetTwoCatalogs() throws IOException, SQLException {
        Files.createDirectory(folder.resolve("sub"));
        try (Attachment one = engine.attach(file("lake.duckdb"), true, "a");
                Attachment two = engine.attach(file("sub/LAKE.db"), true, "b");
                Attachment three = engine.attach(file("memory.duckdb"), true, "c")) {
            assertThat(List.of(one.catalog(), two.catalog(), three.catalog()))
                    .containsExactly("lake", "LAKE_2", "memory_2");
        }
    }

    @Test
    void opensForWritingWhenAWriterComesAfterAReader() throws SQLException {
        Path file = file("lake.duckdb");
        try (Attachment read = engine.attach(file, false, "lake");
                Attachment write = engine.attach(file, true, "lake");
                Connection connection = engine.connect()) {
            assertThat(read.catalog()).isEqualTo(write.catalog());
            connection.createStatement().execute("INSERT INTO lake.t VALUES (2)");
        }
    }

    @Test
    void aWriterWaitsForAReadUnderWayAndSaysSo() throws SQLException {
        Path file = file("lake.duckdb");
        try (Attachment read = engine.attach(file, false, "lake");
                Connection reading = engine.connect()) {
            reading.createStatement().execute("BEGIN");
            reading.createStatement().execute("SELECT * FROM lake.t");

            assertThatThrownBy(() -> engine.attach(file, true, "lake"))
                    .hasMessageContaining("WR0520")
                    .hasMessageContaining("being read by this run");
            assertThat(read.catalog()).isEqualTo("lake");
        }
    }

    @Test
    void waitsABoundedTimeForAnotherProcessAndNamesIt() throws IOException, InterruptedException {
        Path file = folder.resolve("held.duckdb");
        Process holder = ChildJvm.start(List.of(), AttachmentsTest.class, file.toString());
        try {
            assertThat(ChildJvm.line(holder)).isEqualTo("held");

            assertThatThrownBy(() -> engine.attach(file, true, "lake"))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0520 lake: " + file.toRealPath())
                    .hasMessageContaining("PID " + holder.pid())
                    .satisfies(e -> assertThat(((RunException) e).isRetryable()).isFalse());
            assertThat(pauses).hasSize(20);
        } finally {
            holder.destroyForcibly().waitFor();
        }
        engine.attach(file, true, "lake").close();
    }

    /** Holds a file until it is killed. */
    public static void main(String[] arguments) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + arguments[0])) {
            System.out.println("held");
            int end = System.in.read();
            connection.createStatement().execute("SELECT " + end);
        }
    }

    @Test
    void saysWhatIsWrongWithAFileThatIsNoDatabase() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "no database ".repeat(1_000));
        Path empty = Files.createFile(folder.resolve("empty.duckdb"));
        Path sqlite = Files.write(folder.resolve("s.db"), sqliteHeader());

        assertRefused(text, "is no DuckDB database");
        assertRefused(empty, "is no DuckDB database");
        assertRefused(sqlite, "is no DuckDB database");
        assertRefused(folder, "is a folder");
        assertRefused(folder.resolve("no/such.duckdb"), "the folder of");
    }

    @Test
    void saysThatAFileIsOfANewerVersion() throws IOException, SQLException {
        Path file = file("lake.duckdb");
        byte[] bytes = Files.readAllBytes(file);
        bytes[12] = 99;
        Files.write(file, bytes);

        assertRefused(file, "cannot be opened");
    }

    private void assertRefused(Path file, String says) {
        assertThatThrownBy(() -> engine.attach(file, true, "lake"))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0503 lake: ")
                .hasMessageContaining(says);
    }

    private static byte[] sqliteHeader() {
        byte[] header = new byte[4096];
        byte[] magic = "SQLite format 3\0".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        System.arraycopy(magic, 0, header, 0, magic.length);
        return header;
    }

    private Path file(String name) throws SQLException {
        Path file = folder.resolve(name);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file)) {
            connection.createStatement().execute("CREATE TABLE t AS SELECT 1 AS id");
        }
        return file;
    }

    private List<String> databases() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = engine.connect();
                var result =
                        connection.createStatement().executeQuery("SELECT database_name FROM duckdb_databases()")) {
            while (result.next()) {
                names.add(result.getString(1));
            }
        }
        return names;
    }
}
