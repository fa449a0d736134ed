package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cli.Weir;
import dev.weir.testing.Jvm;
import dev.weir.testing.WeirProject.Said;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The third reference document runs as printed, {@code pz} read as {@code weir}. */
class ReferenceDocumentTest {

    private static final String RUN = "[0-9]{8}T[0-9]{9}Z-[0-9a-f]{4}";
    private static final String ALL_ROWS = "50000|1250025000|50000";
    private static final String LOOP = "run --all --until-caught-up";

    @TempDir
    Path folder;

    private ReferenceDocument document;

    @BeforeEach
    void open() {
        document = ReferenceDocument.open(folder);
    }

    @AfterEach
    void close() throws IOException {
        document.close();
    }

    private static String lastLine(String text) {
        List<String> lines = text.lines().toList();
        return lines.get(lines.size() - 1);
    }

    private static List<JsonNode> events(Said said) {
        List<JsonNode> events = new ArrayList<>();
        for (String line : said.out().lines().toList()) {
            try {
                events.add(new ObjectMapper().readTree(line));
            } catch (JsonProcessingException e) {
                throw new AssertionError("not JSON: " + line, e);
            }
        }
        return events;
    }

    private static JsonNode sourceCompleted(Said said) {
        return events(said).stream()
                .filter(event -> event.path("event").asText().equals("node_completed")
                        && event.path("kind").asText().equals("SourceLoad"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void runLoadsOneSliceAndPrintsThreeLines() {
        Said said = document.run("pz run --all");

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.err()).isEmpty();
        assertThat(said.out())
                .matches("ok src_pg_prod__public_orders 10000 rows [0-9]+ms\n"
                        + "ok lake\\.orders_synced 10000 rows [0-9]+ms\n"
                        + "run (" + RUN
                        + "): 2 succeeded, 0 failed, 0 skipped \\(\\.weir/runs/\\1/run_results\\.json\\)\n");
        assertThat(document.loaded()).isEqualTo("10000|50005000|10000");
    }

    @Test
    void loopDrivesTheBackfillToCompletion() {
        Said said = document.run("pz run --all --until-caught-up --max-runs 1000");

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(lastLine(said.out())).isEqualTo("note: until-caught-up: 5 passes, stopped: caught up");
        assertThat(document.loaded()).isEqualTo(ALL_ROWS);
    }

    @Test
    void hundredPassesAreTheDefaultLimitAndTheNextInvocationContinues() {
        document.database()
                .execute(
                        "TRUNCATE orders",
                        "INSERT INTO orders SELECT i * 10000, i, i FROM generate_series(1, 102) AS i");

        Said limited = document.weir(LOOP);
        Said rest = document.run("pz run --all --until-caught-up --max-runs 1000");

        assertThat(lastLine(limited.out())).contains("100 passes, stopped: max runs (100) reached");
        assertThat(lastLine(rest.out())).isEqualTo("note: until-caught-up: 2 passes, stopped: caught up");
        assertThat(document.loaded()).isEqualTo("102|52530000|1020000");
    }

    @Test
    void stateShowPrintsTheWatermarkOfTheKeyAsItWasAsked() {
        document.run("pz run --all");

        Said said = document.run("pz state show pg_prod.orders");

        assertThat(said.exitCode()).isZero();
        assertThat(String.join("\n", said.out().lines().limit(2).toList()))
                .matches("pg_prod\\.orders — cursor id \\(bigint\\)\n  current  10000  run " + RUN);
    }

    @Test
    void jsonKeepsStdoutPureAndTellsWhetherItIsCaughtUp() {
        List<String> caughtUp = new ArrayList<>();
        for (int run = 1; run <= 6; run++) {
            Said said = document.weir("run --all --log-format json");
            JsonNode source = sourceCompleted(said);
            caughtUp.add(
                    source.path("rows").asText() + " " + source.path("caughtUp").asText());
            assertThat(said.exitCode()).isZero();
        }

        assertThat(caughtUp)
                .containsExactly("10000 false", "10000 false", "10000 false", "10000 false", "10000 true", "0 true");
    }

    @Test
    void resultsOfTheRunSayCaughtUpToo() throws IOException {
        document.weir("run --all");
        try (var runs = Files.list(folder.resolve(".weir/runs"))) {
            JsonNode results = new ObjectMapper()
                    .readTree(runs.findFirst()
                            .orElseThrow()
                            .resolve("run_results.json")
                            .toFile());
            assertThat(results.findValue("caughtUp").asBoolean(true)).isFalse();
        }
    }

    @Test
    void lastLineOfALoopGoesToStderrUnderJson() {
        Said said = document.weir(LOOP + " --log-format json");

        assertThat(events(said))
                .last()
                .extracting(event -> event.path("event").asText())
                .isEqualTo("loop_completed");
        assertThat(said.err()).isEqualTo("note: until-caught-up: 5 passes, stopped: caught up\n");
    }

    @Test
    void fullRefreshStartsAtInitialAndOverwritesTheWatermark() {
        document.weir(LOOP);

        assertThat(document.weir("run --all --full-refresh").exitCode()).isZero();

        assertThat(document.watermark()).isEqualTo("10000");
        assertThat(document.loaded()).isEqualTo(ALL_ROWS);
    }

    @Test
    void fullRefreshAppliesToTheFirstPassOfALoopOnly() {
        document.weir(LOOP);
        document.database().execute("UPDATE orders SET amount = -1");

        Said said = document.run("pz run --all --full-refresh --until-caught-up");

        assertThat(lastLine(said.out())).isEqualTo("note: until-caught-up: 5 passes, stopped: caught up");
        assertThat(document.project().duckRows("lake.duckdb", "SELECT count(*), sum(amount) FROM orders_synced"))
                .containsExactly("50000|-50000.0");
    }

    @Test
    void sourceIsKeptCurrentInWindowsUpToNow() {
        document.database()
                .execute(
                        "ALTER TABLE orders ADD updated_at timestamp",
                        "UPDATE orders SET updated_at = timestamp '2026-01-01' + id * interval '1 second'",
                        "INSERT INTO orders VALUES (60000, 1, 1, now() AT TIME ZONE 'UTC' + interval '1 day')");
        String sync = document.currentSync().indent(8);
        String connections = document.connections();
        int from = connections.indexOf("        sync:");
        document.project().file("connections.yml", connections.substring(0, from) + sync + """
                lake:
                  connector: duckdb
                  path: lake.duckdb
                """);

        Said said = document.run("pz run --until-caught-up");

        assertThat(lastLine(said.out()))
                .as(said.all())
                .isEqualTo("note: until-caught-up: 14 passes, stopped: caught up");
        assertThat(document.loaded()).isEqualTo(ALL_ROWS);
        assertThat(said.out()).contains("1 dated after now");
    }

    @Test
    void untilNowOnANumericCursorIsRefused() {
        document.edit("until: \"5000000\"", "until: now");

        Said said = document.weir("run --all");

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).startsWith("WR0213 connections.yml:");
    }

    /** The table of endings, a row each. */
    @Nested
    class Endings {

        @Test
        void everyWindowedSourceHasCaughtUp() {
            Said said = document.weir(LOOP);

            assertThat(lastLine(said.out())).endsWith("stopped: caught up");
            assertThat(said.exitCode()).isZero();
        }

        @Test
        void passFails() {
            document.database()
                    .execute(
                            "ALTER TABLE orders DROP CONSTRAINT orders_pkey",
                            "INSERT INTO orders VALUES (25000, 1, 7)");

            Said said = document.weir(LOOP);

            assertThat(lastLine(said.out())).isEqualTo("note: until-caught-up: 3 passes, stopped: run failed");
            assertThat(said.exitCode()).isEqualTo(1);
            assertThat(document.watermark()).isEqualTo("20000");
        }

        @ParameterizedTest
        @CsvSource({"INT, 2", "TERM, 15", "HUP, 1"})
        void signalArrives(String signal, int number) throws IOException, InterruptedException {
            assumeThat(isIgnored(number))
                    .as("%s is ignored here, and a child inherits that", signal)
                    .isFalse();
            document.edit("\"10000\"", "\"10\"");
            Process process = child(LOOP + " --max-runs 5000");
            String last = "";
            boolean sent = false;
            try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    last = line;
                    if (!sent && line.startsWith("run ")) {
                        sent = true;
                        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                                .start()
                                .waitFor();
                    }
                }
            }

            assertThat(process.waitFor()).isEqualTo(3);
            assertThat(last).matches("note: until-caught-up: [0-9]+ pass(es)?, stopped: cancelled");
            long watermark = Long.parseLong(document.watermark());
            assertThat(document.loaded()).startsWith(watermark + "|").endsWith("|" + watermark);
        }

        private Process child(String words) throws IOException {
            List<String> command = Jvm.command(Jvm.SHORT_LIVED, Weir.class);
            command.addAll(List.of(words.split(" ")));
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
            builder.environment().putAll(document.project().environment());
            return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        }

        private boolean isIgnored(int signal) throws IOException {
            Path status = Path.of("/proc/self/status");
            if (!Files.exists(status)) {
                return false;
            }
            String ignored = Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .findFirst()
                    .orElse("SigIgn: 0")
                    .split("\\s+")[1];
            return (Long.parseUnsignedLong(ignored, 16) >> (signal - 1) & 1) == 1;
        }

        @Test
        void maxRunsPassesHaveRun() {
            Said said = document.weir(LOOP + " --max-runs 2");

            assertThat(lastLine(said.out()))
                    .isEqualTo("note: until-caught-up: 2 passes, stopped: max runs (2) reached before every source"
                            + " caught up; run again to continue from the stored watermarks");
            assertThat(said.exitCode()).isZero();
        }

        @Test
        void noWindowedSourceHasAnUntil() {
            document.edit("          until: \"5000000\"\n", "");

            Said said = document.weir(LOOP);

            assertThat(lastLine(said.out()))
                    .isEqualTo("note: until-caught-up: 1 pass, stopped: no windowed source with a stop");
            assertThat(said.exitCode()).isZero();
            assertThat(document.watermark()).isEqualTo("10000");
        }
    }

    /** The troubleshooting table, a row each. */
    @Nested
    class Troubleshooting {

        @Test
        void withoutUntilCaughtUpIsAbsentAndAddingItHelps() {
            document.edit("          until: \"5000000\"\n", "");
            assertThat(sourceCompleted(document.weir("run --all --log-format json"))
                            .has("caughtUp"))
                    .isFalse();

            document.edit("initial: \"0\"\n", "initial: \"0\"\n          until: \"5000000\"\n");

            assertThat(lastLine(document.weir(LOOP).out())).endsWith("4 passes, stopped: caught up");
        }

        @Test
        void afterAFailureItResumesFromTheStoredWatermark() {
            document.database()
                    .execute(
                            "ALTER TABLE orders DROP CONSTRAINT orders_pkey",
                            "INSERT INTO orders VALUES (25000, 1, 7)");
            document.weir(LOOP);

            document.database().execute("DELETE FROM orders WHERE amount = 7 AND id = 25000");

            assertThat(lastLine(document.weir(LOOP).out())).endsWith("3 passes, stopped: caught up");
            assertThat(document.loaded()).isEqualTo(ALL_ROWS);
        }

        @Test
        void afterMaxRunsTheCommandContinues() {
            document.weir(LOOP + " --max-runs 2");
            document.weir(LOOP + " --max-runs 2");

            assertThat(lastLine(document.weir(LOOP + " --max-runs 2").out())).endsWith("1 pass, stopped: caught up");
            assertThat(document.loaded()).isEqualTo(ALL_ROWS);
        }

        @Test
        void plainAppendIsRefusedAndMergeIsTheWayOut() throws IOException {
            Path pipeline = folder.resolve("pipelines/orders_out.sql");
            String merge = Files.readString(pipeline);
            Files.writeString(pipeline, merge.replace("'merge', keys: ['id']", "'append'"));

            Said said = document.weir("run --all");

            assertThat(said.exitCode()).isEqualTo(2);
            assertThat(said.err())
                    .startsWith("WR0214 pipelines/orders_out.sql:1:")
                    .contains("strategy: 'merge', keys: ['id']");
            Files.writeString(pipeline, merge);
            assertThat(document.weir("run --all").exitCode()).isZero();
        }

        @Test
        void loopOfOnesOwnThatRefreshesReadsTheFirstSliceAgainAndAgain() {
            for (int run = 1; run <= 3; run++) {
                document.weir("run --all --full-refresh");
                assertThat(document.watermark()).isEqualTo("10000");
            }
            assertThat(document.loaded()).isEqualTo("10000|50005000|10000");
        }

        @Test
        void smallerWindowAndPauseEaseTheSource() {
            document.weir("run --all");
            document.edit("\"10000\"", "\"8000\"");

            Said said = document.weir(LOOP + " --pause 10ms");

            assertThat(said.out()).contains("ok src_pg_prod__public_orders 8000 rows");
            assertThat(lastLine(said.out())).endsWith("5 passes, stopped: caught up");
            assertThat(document.loaded()).isEqualTo(ALL_ROWS);
        }
    }
}
