package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.Jvm;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask nobody but state and the project start without DuckDB's library, which takes longer than they do. */
class WithoutDuckDbTest {

    @TempDir
    Path folder;

    @Test
    void whatNeedsNoDuckDbDoesNotLoadIt() throws Exception {
        new WeirProject(folder)
                .file("connections.yml", """
                        lake:
                          connector: duckdb
                          path: lake.duckdb
                          entities: { t: { read: { sync: { mode: incremental, cursor: id, until: 9 } } } }
                        """)
                .file(
                        "pipelines/copy.sql",
                        "INSERT INTO {{ sink('lake', 'u', strategy: 'merge', keys: ['id']) }}"
                                + " SELECT * FROM {{ source('lake', 't') }}\n")
                .duck("lake.duckdb", "CREATE TABLE t AS SELECT 1 AS id");
        assertThat(new WeirProject(folder).run("run", "--all").exitCode()).isZero();
        List<String> command = Jvm.command(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xlog:class+load:stdout"),
                WithoutDuckDbTest.class);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isZero();
        assertThat(said).contains(" org.sqlite.", "current  1", "exit codes 0");
        assertThat(said.lines().filter(line -> line.contains(" org.duckdb."))).isEmpty();
    }

    public static void main(String[] arguments) throws IOException {
        int codes = 0;
        for (String command : List.of(
                "--version",
                "--help",
                "state show",
                "state show lake.t",
                "runs",
                "backfill list",
                "ls",
                "compile",
                "schema types",
                "generate-completion",
                "init new")) {
            codes += Weir.start(command.split(" "), Faults.NONE);
        }
        System.out.println("exit codes " + codes);
        System.exit(codes);
    }
}
