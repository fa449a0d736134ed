package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loading DuckDB's library costs more than all else these commands do. */
class StartUpTest {

    @TempDir
    Path folder;

    /** All of these commands in one process. */
    static final class Several {

        private static final List<List<String>> COMMANDS = List.of(
                List.of("--help"),
                List.of("init"),
                List.of("ls"),
                List.of("compile"),
                List.of("runs"),
                List.of("runs", "show", "20"),
                List.of("backfill", "list"),
                List.of("state", "show"),
                List.of("generate-completion"));

        private Several() {}

        public static void main(String[] args) {
            PrintStream out = new PrintStream(PrintStream.nullOutputStream());
            for (List<String> command : COMMANDS) {
                int exitCode =
                        Weir.run(out, System.err, System.getenv(), Path.of(args[0]), command.toArray(String[]::new));
                System.out.println(exitCode + " " + String.join(" ", command));
            }
        }
    }

    @Test
    void commandsThatNeedNoDuckDbDoNotLoadIt() throws IOException, InterruptedException {
        WeirProject project = BadProject.sound(folder.resolve("loaded"));
        assertThat(project.run("run", "--all").exitCode()).isZero();
        Files.move(folder.resolve("loaded/.weir"), folder.resolve(".weir"));
        Path log = folder.resolve("classes.log");

        Process process = CaseChild.start(
                folder,
                List.of("-Xlog:class+init=info:file=" + log),
                Map.of("PG_HOST", "h", "PG_DATABASE", "d", "PG_USER", "u", "PG_PASSWORD", "p"),
                Several.class,
                folder.resolve("err.txt"),
                folder.toString());
        assertThat(CaseChild.text(process.getInputStream()).lines())
                .as(Files.readString(folder.resolve("err.txt")))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("0 "));
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();

        String initialized = Files.readString(log);
        assertThat(initialized.contains("'org/sqlite/SQLiteJDBCLoader'")).isTrue();
        assertThat(initialized.contains("'org/duckdb/DuckDBNative'")).isFalse();
    }
}
