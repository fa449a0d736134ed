package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.Jvm;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code memory} and {@code spill}, in a process whose heap is set as the launcher sets it. */
class MemoryLimitTest {

    private static final Pattern MOST = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    @TempDir
    Path folder;

    private WeirProject project(String weir) {
        Postgres.Database database = Postgres.fresh();
        return new WeirProject(folder)
                .file("weir.yml", weir)
                .file("connections.yml", """
                        pg:
                          connector: postgres
                          host: localhost
                          port: %d
                          database: %s
                          user: postgres
                          entities:
                            big:
                              read:
                                query: SELECT g AS id, repeat(md5(g::text), 12) AS note FROM generate_series(1, 700000) g
                                sync: { mode: incremental, cursor: id, settle: off }
                        lake: { connector: duckdb, path: lake.duckdb }
                        """.formatted(database.port(), database.name()))
                .file(
                        "pipelines/copy.sql",
                        "INSERT INTO {{ sink('lake', 'copied', strategy: 'merge', keys: ['id']) }}"
                                + " SELECT * FROM {{ source('pg', 'big') }}\n");
    }

    @Test
    void aSliceThatIsLargerThanTheMemoryIsSpilledAndPasses() throws Exception {
        Path spill = Files.createDirectory(folder.resolve("spill"));
        WeirProject project = project("memory: 256MB\nspill: spill\n");

        String said = inAHeapOf64();

        assertThat(said).contains("ok lake.copied 700000 rows");
        assertThat(project.duckRows("lake.duckdb", "SELECT count(DISTINCT id), count(DISTINCT note) FROM copied"))
                .containsExactly("700000|700000");
        Matcher most = MOST.matcher(said);
        if (most.find()) {
            assertThat(Long.parseLong(most.group(1)) * 1024).isLessThan(256_000_000L + 64_000_000);
        }
        try (var left = Files.walk(spill)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
        assertThat(folder.resolve(".weir/tmp")).doesNotExist();
    }

    @Test
    void whatADeadProcessSpilledIsRemovedAndNothingElse() throws Exception {
        Path spill = Files.createDirectories(folder.resolve("spill/123456789-of-another"));
        WeirProject project = project("spill: spill\n");
        project.run("run", "--all");
        Path own;
        try (var made = Files.list(folder.resolve("spill"))) {
            own = made.filter(path -> !path.equals(spill)).findFirst().orElseThrow();
        }
        Path left = Files.createDirectory(own.resolve("999999999-run"));
        Files.writeString(left.resolve("duckdb_temp_storage-0.tmp"), "left behind");

        assertThat(project.run("run", "--all").exitCode()).isZero();

        assertThat(left).doesNotExist();
        assertThat(spill).exists();
    }

    @Test
    void aFolderToSpillToThatIsNotThereIsRefusedBeforeAnythingRuns() {
        WeirProject project = project("spill: nowhere\n");
        for (String command : List.of("run", "validate")) {
            WeirProject.Said said = project.run(command);
            assertThat(said.exitCode()).isEqualTo(2);
            assertThat(said.err()).contains("WR0105 weir.yml", folder.resolve("nowhere") + " is no folder");
        }
    }

    private String inAHeapOf64() throws IOException, InterruptedException {
        List<String> command = Jvm.command(List.of("-Xmx64m", "-XX:MaxNewSize=16m"), MemoryLimitTest.class);
        command.addAll(List.of("run", "--all"));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /** Weir, and at its end how much memory it had at most, where the system tells. */
    public static void main(String[] arguments) throws IOException {
        int exitCode = Weir.start(arguments, Faults.NONE);
        Path status = Path.of("/proc/self/status");
        if (Files.exists(status)) {
            System.out.println(Files.readString(status));
        }
        System.exit(exitCode);
    }
}
