package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.run.Faults;
import dev.weir.testing.Jvm;
import dev.weir.testing.WeirProject;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that another process holds, and one that two connections of a project name. */
class HeldFileTest {

    @TempDir
    Path folder;

    private WeirProject project;

    /** One file, read as one connection and written as another, which says it by a link. */
    @BeforeEach
    void oneFileUnderTwoNames() throws IOException {
        Files.createDirectory(folder.resolve("files"));
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("files"));
        project = new WeirProject(folder).file("connections.yml", """
                        in:
                          connector: duckdb
                          path: files/one.duckdb
                          entities:
                            t: { read: { sync: { mode: incremental, cursor: id, max_window: 50, initial: 0, until: 100 } } }
                        out: { connector: duckdb, path: link/one.duckdb }
                        lite: { connector: sqlite, path: files/one.sqlite }
                        lite2: { connector: sqlite, path: ./link/../files/one.sqlite }
                        """);
        pipeline("out", "out", "merge', keys: ['id']");
        project.duck("files/one.duckdb", "CREATE TABLE t AS SELECT i AS id FROM range(1, 101) r(i)");
    }

    private void pipeline(String name, String connection, String strategy) {
        project.file(
                "pipelines/" + name + ".sql",
                "INSERT INTO {{ sink('" + connection + "', 'copy', strategy: '" + strategy + ") }}"
                        + " SELECT id FROM {{ source('in', 't') }}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"in", "lite"})
    void aTableUnderTwoConnectionsIsOneTable(String connection) {
        if (connection.equals("lite")) {
            pipeline("out", "lite2", "merge', keys: ['id']");
        }
        pipeline("windows", connection, "window'");

        WeirProject.Said said = project.run("validate");

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err())
                .contains("WR0212 pipelines/windows.sql", "both write " + connection + ".copy")
                .contains("a table written with window belongs to one pipeline");
    }

    /** Holds a file for a second, lets go, takes it again when told to, and keeps it until told again. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try (Connection held = opened(arguments[0])) {
                System.out.println("held");
                told.readLine();
                Thread.sleep(1_000);
            }
            told.readLine();
            try (Connection held = opened(arguments[0])) {
                System.out.println("held again");
                told.readLine();
            }
        }

        private static Connection opened(String file) {
            return await().atMost(Child.PATIENCE)
                    .pollInterval(Duration.ofMillis(10))
                    .ignoreExceptions()
                    .until(() -> DriverManager.getConnection("jdbc:duckdb:" + file), Objects::nonNull);
        }
    }

    @Test
    void weirWaitsForAFileThatIsHeldAndLeavesItToOthersWhileItPauses() throws Exception {
        List<String> command = new ArrayList<>(Jvm.command(Jvm.SHORT_LIVED, Holder.class));
        command.add(folder.resolve("files/one.duckdb").toString());
        Process holder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader says = holder.inputReader();
                BufferedWriter tell = holder.outputWriter()) {
            assertThat(says.readLine()).isEqualTo("held");
            CompletableFuture<String> again = new CompletableFuture<>();

            WeirProject.Said said = project.run(
                    point -> {
                        if (point == Faults.Point.LOCKED) {
                            tell(tell);
                        } else if (point == Faults.Point.BEFORE_FINAL_STATUS && !again.isDone()) {
                            tell(tell);
                            again.completeAsync(() -> letGoInTheSecondPass(says, tell));
                        }
                    },
                    "run",
                    "--all",
                    "--until-caught-up",
                    "--pause",
                    "3s");

            assertThat(said.exitCode()).as(said.all()).isZero();
            assertThat(said.out()).contains("2 passes, stopped: caught up");
            assertThat(again.join()).isEqualTo("held again");
            assertThat(holder.waitFor()).isZero();
        } finally {
            holder.destroyForcibly();
        }
        assertThat(project.duckRows("files/one.duckdb", "SELECT count(*), count(DISTINCT id), max(id) FROM copy"))
                .containsExactly("100|100|100");
    }

    private String letGoInTheSecondPass(BufferedReader says, BufferedWriter tell) {
        try {
            String said = says.readLine();
            Path runs = folder.resolve(".weir/runs");
            await().atMost(Child.PATIENCE).until(() -> runs.toFile().list().length == 2);
            tell(tell);
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void tell(BufferedWriter writer) {
        try {
            writer.write("go\n");
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
