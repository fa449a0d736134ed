package dev.weir.cli;

import static dev.weir.cli.GraphProject.append;
import static dev.weir.cli.GraphProject.from;
import static dev.weir.cli.GraphProject.merge;
import static dev.weir.cli.GraphProject.node;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.Jvm;
import dev.weir.testing.WeirProject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code weir plan} says is what the next run does, and neither it nor {@code weir preview} leaves a trace. */
class PlanCommandTest {

    private static final String A = "src_pg__public_a";

    @TempDir
    Path folder;

    private GraphProject graph;

    @BeforeEach
    void aProject() {
        graph = new GraphProject(folder)
                .pipeline(
                        "two",
                        "INSERT INTO " + merge("lake", "t") + ", " + merge("wh", "t") + " SELECT id, v FROM "
                                + from("a"));
    }

    private static List<String> with(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(Arrays.asList(more));
        return all;
    }

    private JsonNode planned(String... selection) {
        WeirProject.Said said =
                graph.run(with(List.of("plan", "--json"), selection).toArray(String[]::new));
        assertThat(said.exitCode()).as(said.all()).isIn(0, 1);
        return CaseProject.events(said).get(0);
    }

    /** Plans, then runs: for each incremental source the two say the same. */
    private JsonNode planIsWhatTheRunDoes(String... selection) {
        JsonNode plan = planned(selection);
        WeirProject.Said run = graph.run(
                with(List.of("run", "--log-format", "json"), selection).toArray(String[]::new));
        for (JsonNode source : plan.get("sources")) {
            JsonNode done = node(run, source.get("nodeId").asText());
            if (source.has("cursor")) {
                assertThat(seen(source.get("window"), source.get("watermark"), source.get("rows")))
                        .isEqualTo(
                                seen(done.get("window"), done.path("watermark").get("before"), done.get("rows")));
            } else {
                assertThat(source.get("mode").asText()).isEqualTo("full");
            }
        }
        return plan;
    }

    private static String seen(JsonNode window, JsonNode watermark, JsonNode rows) {
        String range = window == null || window.isNull()
                ? "nothing"
                : window.get("lower").asText() + " to " + window.get("upper").asText()
                        + (window.get("lowerInclusive").asBoolean() ? ", inclusive" : "");
        return range + ", above " + (watermark == null ? "null" : watermark.asText()) + ", " + rows.asText() + " rows";
    }

    private static JsonNode source(JsonNode plan, String nodeId) {
        for (JsonNode source : plan.get("sources")) {
            if (source.get("nodeId").asText().equals(nodeId)) {
                return source;
            }
        }
        throw new AssertionError(plan.toString());
    }

    @Test
    void fromTheFirstRunToTheLast() {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            JsonNode source = source(planIsWhatTheRunDoes(), A);
            rows.add(source.get("rows").asText() + " of "
                    + source.get("rowsLeft").asText());
        }
        assertThat(rows).containsExactly("5 of 10", "5 of 5", "0 of 0", "0 of 0");
    }

    @Test
    void withoutInitialOrUntil() {
        graph.sync("a", "cursor: id, max_window: 4").given("UPDATE a SET id = id + 1000");
        for (int i = 0; i < 4; i++) {
            planIsWhatTheRunDoes();
        }
        assertThat(graph.lake("SELECT count(*) FROM t")).containsExactly("10");
    }

    @Test
    void aSourceWithoutRows() {
        graph.given("DELETE FROM a").sync("a", "cursor: id, max_window: 4");

        planIsWhatTheRunDoes();
    }

    @Test
    void sinksThatLag() {
        graph.succeeds("run");
        graph.succeeds("run", "--select", "sink:lake.t", "--until-caught-up");
        graph.arrive("a", 11, 13);

        JsonNode source = source(planIsWhatTheRunDoes(), A);

        assertThat(source.get("sinks").findValuesAsText("takesPart")).containsExactly("false", "true");
        assertThat(source.get("sinks").findValuesAsText("stands")).containsExactly("10", "5");
    }

    @Test
    void lookback() {
        graph.sync("a", "cursor: id, max_window: 5, initial: 0, until: 100, lookback: 2");
        graph.succeeds("run");

        JsonNode source = source(planIsWhatTheRunDoes(), A);

        assertThat(source.get("rowsAgain").asInt()).isEqualTo(2);
        assertThat(source.get("again").toString()).contains("\"lower\":\"3\"").contains("\"upper\":\"5\"");
    }

    @Test
    void fullSourcesBesideIncrementalOnes() {
        graph.entity("b", "{}")
                .pipeline(
                        "copy",
                        "INSERT INTO {{ sink('lake', 'c', strategy: 'replace') }} SELECT id, v FROM " + from("b"));

        JsonNode plan = planIsWhatTheRunDoes("--all");

        assertThat(source(plan, "src_pg__public_b").has("window")).isFalse();
    }

    @Test
    void startingOver() {
        graph.succeeds("run", "--until-caught-up");

        JsonNode source = source(planIsWhatTheRunDoes("--full-refresh"), A);

        assertThat(source.get("rows").asInt()).isEqualTo(5);
        assertThat(source.get("watermark").isNull()).isTrue();
    }

    @Test
    void aSinkThatARunWouldRefuse() {
        graph.pipeline("log", "INSERT INTO " + append("wh", "log") + " SELECT id, v FROM " + from("a"));
        graph.onWarehouse("CREATE TABLE log AS SELECT 1::bigint AS id, 'x'::text AS v");

        WeirProject.Said said = graph.fails("plan", "--all");
        JsonNode source = source(planIsWhatTheRunDoes("--all"), A);

        assertThat(said.out()).contains("WR0528");
        assertThat(source.get("sinks").findValuesAsText("refusal")).hasSize(1).allMatch(why -> why.contains("WR0528"));
    }

    @Test
    void aFileThatAnotherProcessHoldsIsNotReadAndStateIsBelieved() throws Exception {
        graph.succeeds("run");
        List<String> command = Jvm.command(Jvm.SHORT_LIVED, BadSystemTest.HoldsFile.class);
        command.add(folder.resolve("lake.duckdb").toString());
        Process holder = new ProcessBuilder(command).start();
        try (BufferedReader says = holder.inputReader()) {
            assertThat(says.readLine()).isEqualTo("held");
            JsonNode source = source(planned(), A);

            assertThat(source.get("sinks").get(0).get("notRead").asText()).contains("lake");
            assertThat(source.get("sinks").findValuesAsText("stands")).containsExactly("5", "5");
            assertThat(source.get("rows").asInt()).isEqualTo(5);
            assertThat(graph.run("plan").out()).contains("not read");
        } finally {
            holder.destroyForcibly().waitFor();
        }
        planIsWhatTheRunDoes();
    }

    private Map<String, String> everything() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path path : found.toList()) {
                files.put(
                        folder.relativize(path).toString(),
                        Files.isDirectory(path) ? "folder" : HexFormat.of().formatHex(Files.readAllBytes(path)));
            }
        }
        files.put("tables", String.join(",", graph.warehouse("SELECT tablename FROM pg_tables ORDER BY 1")));
        return files;
    }

    private void lookAtEverything() {
        graph.run("plan", "--all");
        graph.run("plan", "--all", "--json", "--full-refresh");
        graph.succeeds("preview", "two");
        graph.succeeds("preview", "mid", "--json");
    }

    @Test
    void lookingLeavesNoTrace() throws IOException {
        graph.pipeline("mid", "SELECT id, v FROM " + from("b"))
                .pipeline("four", "INSERT INTO " + merge("box", "t") + " SELECT id, v FROM {{ ref('mid') }}");
        Map<String, String> before = everything();
        lookAtEverything();
        assertThat(everything()).isEqualTo(before).doesNotContainKeys(".weir", "lake.duckdb", "box.db");

        graph.succeeds("run", "--all");
        Map<String, String> loaded = everything();
        String rows = "SELECT id, v FROM t ORDER BY 1";
        List<String> inWarehouse = graph.warehouse(rows);
        lookAtEverything();
        assertThat(everything()).isEqualTo(loaded);
        assertThat(graph.warehouse(rows)).isEqualTo(inWarehouse);
    }

    @Test
    void aPreviewShowsTheNextSliceAfterTheSql() {
        graph.succeeds("run");

        List<String> ids = CaseProject.events(graph.succeeds("preview", "two", "--json", "--limit", "3")).stream()
                .map(row -> row.get("id").asText() + row.get("v").asText())
                .toList();

        assertThat(ids).containsExactly("6a6", "7a7", "8a8");
        assertThat(graph.succeeds("preview", "two").out())
                .contains("a6")
                .contains("a10")
                .doesNotContain("a5");
        assertThat(graph.run("preview", "two", "--limit", "0").exitCode()).isEqualTo(2);
        assertThat(graph.run("preview", "tow").err()).contains("WR0208").contains("two");
    }

    @Test
    void anIntermediateIsPreviewedOverTheSlicesOfWhatReadsIt() {
        graph.pipeline("two", "SELECT id, v || '!' AS v FROM " + from("a"))
                .pipeline("three", "INSERT INTO " + merge("lake", "t") + " SELECT id, v FROM {{ ref('two') }}");
        graph.succeeds("run", "three");

        assertThat(graph.succeeds("preview", "two").out()).contains("a6!").doesNotContain("a5!");
    }

    @Test
    void whatIsReadInFullIsPreviewedToo() {
        graph.entity("b", "{}")
                .pipeline("names", "SELECT id, v || '?' AS v FROM " + from("b"))
                .pipeline(
                        "copy",
                        "INSERT INTO {{ sink('lake', 'c', strategy: 'replace') }}"
                                + " SELECT id, v || '!' AS v FROM {{ ref('names') }}");

        assertThat(graph.succeeds("preview", "copy").out()).contains("b10?!");
        assertThat(graph.succeeds("preview", "names").out()).contains("b10?").doesNotContain("!");
    }

    @Test
    void aSecretInTheDataIsHiddenInAnErrorAboutIt() {
        graph.project.env("TOKEN", "kept-from-everyone").file("weir.yml", "secrets: [TOKEN]\n");
        graph.given("UPDATE a SET v = 'kept-from-everyone' WHERE id = 2")
                .pipeline(
                        "two",
                        "INSERT INTO " + merge("lake", "t") + " SELECT id, CAST(v AS integer) AS v FROM " + from("a"));

        WeirProject.Said said = graph.fails("preview", "two");

        assertThat(said.err()).contains("WR0502");
        assertThat(said.all()).doesNotContain("kept-from-everyone");
    }
}
