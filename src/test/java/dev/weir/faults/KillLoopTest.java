package dev.weir.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import dev.weir.testing.Jvm;
import dev.weir.testing.Postgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that kills weir for as long as one likes, for a moment. */
class KillLoopTest {

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    private record Said(int exitCode, String all) {}

    private Said killLoop(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("soak/kill-loop"));
        command.addAll(List.of(arguments));
        List<String> java = Jvm.command(Jvm.SHORT_LIVED, Weir.class);
        int classPath = java.indexOf("-cp");
        ProcessBuilder script = new ProcessBuilder(command).redirectErrorStream(true);
        script.environment()
                .putAll(Map.of(
                        "PGHOST", "localhost",
                        "PGPORT", Integer.toString(database.port()),
                        "PGUSER", "postgres",
                        "PGDATABASE", database.name(),
                        "WEIR_CLASSPATH", java.get(classPath + 1),
                        "WEIR_JAVA_OPTS", "@" + inFile(java.subList(1, classPath)),
                        "JAVA_HOME", System.getProperty("java.home")));
        Process process = script.start();
        String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), all);
    }

    /** Options as the JVM reads them from a file, which may hold paths with spaces. */
    private Path inFile(List<String> options) throws IOException {
        List<String> quoted = options.stream()
                .map(option -> '"' + option.replace("\\", "\\\\") + '"')
                .toList();
        return Files.write(folder.resolve("java-options"), quoted);
    }

    @Test
    void aRoundIsAKillAndTheSinkIsComparedWhenItHasCaughtUp() throws Exception {
        Said said = killLoop(small("2"));

        assertThat(said.exitCode).as(said.all).isZero();
        assertThat(said.all)
                .startsWith("kill-loop: 2 kills, 20000 rows in slices of 1000, Postgres to duckdb, seed 7\n")
                .contains("catch-up 1 is exact after ")
                .containsPattern("kills 2 \\(.*\\), catch-ups \\d+, passes \\d+, rows compared \\d+, mismatches 0, ");
        leavesNothingBehind();
    }

    @Test
    void aBackfillIsKilledTheSameWayAndItsChunksAreComparedToo() throws Exception {
        Said said = killLoop(small("1", "--backfill", "--target", "postgres"));

        assertThat(said.exitCode).as(said.all).isZero();
        assertThat(said.all)
                .startsWith("kill-loop: 1 kills, 20000 rows in chunks of 1000, Postgres to postgres, seed 7\n")
                .contains("catch-up 1 is exact after ")
                .containsPattern("kills 1 \\(.*\\), catch-ups \\d+, attempts \\d+, rows compared \\d+, mismatches 0, ");
        leavesNothingBehind();
    }

    private String[] small(String rounds, String... more) {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.addAll(
                List.of("--rounds", rounds, "--rows", "20000", "--window", "1000", "--longest", "2000", "--seed", "7"));
        arguments.addAll(List.of("--folder", folder.resolve("loop").toString()));
        return arguments.toArray(String[]::new);
    }

    private void leavesNothingBehind() {
        assertThat(folder.resolve("loop")).doesNotExist();
        assertThat(database.value("SELECT count(*) FROM pg_database WHERE datname LIKE 'weir_soak%'"))
                .isEqualTo("0");
    }

    @Test
    void itTeachesAndRefusesWhatItDoesNotKnow() throws Exception {
        assertThat(killLoop("--help").all).contains("A round is one kill.");
        Said refused = killLoop("--rounds", "many");
        assertThat(refused.exitCode).isEqualTo(2);
        assertThat(refused.all).contains("--rounds must be a number from 1 on, not 'many'");
    }
}
