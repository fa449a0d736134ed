package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cli.Weir;
import dev.weir.testing.Jvm;
import dev.weir.testing.Postgres;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark that docs/performance.md tells its reader to start, for a moment. */
class BenchTest {

    @TempDir
    Path folder;

    private record Said(int exitCode, String all) {}

    private static Said bench(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bench/run"));
        command.addAll(List.of(arguments));
        ProcessBuilder script = new ProcessBuilder(command).redirectErrorStream(true);
        script.environment().put("JAVA_HOME", System.getProperty("java.home"));
        script.environment().putAll(environment);
        Process process = script.start();
        process.getOutputStream().close();
        String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), all);
    }

    @Test
    void itMeasuresChecksAndLeavesNothingBehind() throws Exception {
        assumeTrue(isThere("psql"), "psql is not installed");
        Postgres.Database database = Postgres.fresh();
        Said said = bench(on(database), small("transport,growth"));

        assertThat(said.exitCode).as(said.all).isZero();
        assertThat(said.all)
                .containsPattern("transport: one slice of all rows staged, to COPY +[\\d.]+ x ")
                .containsPattern("growth: last 20 small slices, to the first 20 +[\\d.]+ x ");
        assertThat(database.value("SELECT count(*) FROM pg_database WHERE datname LIKE 'weir_bench%'"))
                .isEqualTo("0");
        assertThat(folder.resolve("work")).isEmptyDirectory();
        try (Stream<Path> results = Files.list(folder.resolve("results"))) {
            JsonNode all = new ObjectMapper()
                    .readTree(results.findFirst().orElseThrow().toFile());
            assertThat(all.at("/figures/transport/samples/0/parts/staging_ms").asDouble())
                    .isPositive();
            assertThat(all.at("/figures/growth/samples/0/parts/passes").asInt()).isEqualTo(2);
        }
    }

    /** The table is twice as long as weir is told to copy. */
    @Test
    void aCopyThatLacksRowsFailsIt() throws Exception {
        assumeTrue(isThere("psql"), "psql is not installed");
        Path sql = folder.resolve("long.sql");
        Files.writeString(sql, Files.readString(Path.of("bench/orders.sql")).replace(":rows", "2 * :rows"));
        Map<String, String> environment = on(Postgres.fresh());
        environment.put("WEIR_BENCH_SQL", sql.toString());
        Said said = bench(environment, small("transport"));

        assertThat(said.exitCode).as(said.all).isEqualTo(1);
        assertThat(said.all)
                .contains("bench: wrong rows in orders: the source has 40000|40000|", ", it has 20000|20000|");
        assertThat(folder.resolve("results")).doesNotExist();
    }

    private String[] small(String figures) {
        return new String[] {
            "--rows",
            "20000",
            "--rounds",
            "1",
            "--only",
            figures,
            "--server",
            "--work",
            folder.resolve("work").toString(),
            "--results",
            folder.resolve("results").toString()
        };
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    private Map<String, String> on(Postgres.Database database) throws IOException {
        List<String> java = Jvm.command(Jvm.SHORT_LIVED, Weir.class);
        int classPath = java.indexOf("-cp");
        List<String> options = java.subList(1, classPath).stream()
                .map(option -> '"' + option.replace("\\", "\\\\") + '"')
                .toList();
        return new HashMap<>(Map.of(
                "PGHOST",
                "localhost",
                "PGPORT",
                Integer.toString(database.port()),
                "PGUSER",
                "postgres",
                "PGDATABASE",
                database.name(),
                "WEIR_BENCH_SQL",
                "bench/orders.sql",
                "WEIR_CLASSPATH",
                java.get(classPath + 1),
                "WEIR_JAVA_OPTS",
                "@" + Files.write(folder.resolve("java-options"), options)));
    }

    @Test
    void itTeachesAndRefusesWhatItDoesNotKnow() throws Exception {
        assertThat(bench(Map.of(), "--help").all).contains("Every figure is measured once a\nround");
        Said refused = bench(Map.of(), "--only", "speed");
        assertThat(refused.exitCode).isEqualTo(2);
        assertThat(refused.all).contains("--only does not know 'speed': it knows transport loop-small ");
    }
}
