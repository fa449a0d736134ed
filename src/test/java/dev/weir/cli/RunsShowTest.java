package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.state.ProcessIdentity;
import dev.weir.state.RunRecord;
import dev.weir.state.StateStore;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir runs show}: what the history and a run's own files tell of it. */
class RunsShowTest {

    @TempDir
    Path folder;

    private WeirProject project;

    @BeforeEach
    void makeTheProject() {
        project = BadProject.sound(folder);
    }

    private WeirProject.Said said(int exitCode, String... command) {
        WeirProject.Said said = project.run(command);
        assertThat(said.exitCode()).as(said.all()).isEqualTo(exitCode);
        BadOutput.isForPeople(said);
        return said;
    }

    private List<String> runIds() {
        return said(0, "runs").out().lines().map(line -> line.split(" ")[0]).toList();
    }

    private Path filesOf(String runId) {
        return folder.resolve(".weir/runs").resolve(runId);
    }

    @Test
    void tellsOfTheRunAndItsNodes() {
        said(0, "run", "--all", "--until-caught-up");
        String second = runIds().get(0);
        assertThat(said(0, "runs", "show", second).out())
                .startsWith("run " + second + ": success\n  command  run --all --until-caught-up\n  started  20")
                .containsPattern("  ended    \\S+Z, after \\d+ms\n")
                .contains(
                        "\n  pass     2\n  exit     0\n  nodes    2 succeeded, 0 failed, 0 skipped; 10 rows written\n")
                .containsPattern("\nok src_shop__t 10 rows \\d+ms\n"
                        + "   window \\(10, 20], watermark of id \\(bigint\\): 10 → 20, caught up\n")
                .containsPattern("\nok lake\\.t 10 rows \\d+ms\n");
    }

    @Test
    void theFirstWindowIncludesItsLowerEnd() {
        said(0, "run", "--all");
        assertThat(said(0, "runs", "show", runIds().get(0)).out())
                .contains("window [0, 10], watermark of id (bigint): none → 10, not caught up");
    }

    @Test
    void tellsAnErrorWithWhatToDo() {
        project.duck("lake.duckdb", "CREATE TABLE t (id BIGINT, name INTEGER)");
        said(1, "run", "--all");
        assertThat(said(0, "runs", "show", runIds().get(0)).out())
                .contains(": completed_with_failures\n")
                .contains("failed lake.t 0 rows")
                .contains("WR0523 lake.t: ");
    }

    @Test
    void takesTheBeginningOfAnIdThatTellsItApart() {
        said(0, "run", "--all", "--until-caught-up");
        List<String> ids = runIds();
        String whole = ids.get(1);
        assertThat(said(0, "runs", "show", whole.substring(0, whole.length() - 1))
                        .out())
                .startsWith("run " + whole + ":");
        assertThat(said(2, "runs", "show", "20").err()).contains("WR0105 RUN", ids.get(0), ids.get(1));
        assertThat(said(2, "runs", "show", "nope").err()).contains("WR0105 RUN", "nope", "weir runs");
        assertThat(said(2, "runs", "show", "../x").err()).contains("WR0105 RUN", "../x");
    }

    @Test
    void filesThatAreGoneOrDamagedAreSaidAndTheHistoryStillShown() throws IOException {
        said(0, "run", "--all");
        String id = runIds().get(0);
        Files.writeString(filesOf(id).resolve("run_results.json"), "{ \"runId\": ");
        assertThat(said(0, "runs", "show", id).out()).contains(": success\n", "run_results.json is no JSON");
        Files.writeString(filesOf(id).resolve("run_results.json"), "");
        assertThat(said(0, "runs", "show", id).out()).contains(": success\n", "run_results.json is empty");
        Files.delete(filesOf(id).resolve("run_results.json"));
        assertThat(said(0, "runs", "show", id).out()).contains(": success\n", "run_results.json is gone");
        Files.delete(filesOf(id).resolve("events.ndjson"));
        Files.delete(filesOf(id));
        assertThat(said(0, "runs", "show", id).out()).contains(": success\n", id + " is gone");
        assertThat(said(0, "runs", "show", id, "--json").out()).endsWith("\"results\":null}\n");
    }

    @Test
    void aRunWithoutALivingProcessDied() {
        try (StateStore state = StateStore.open(folder.resolve(".weir"), Clock.systemUTC())) {
            state.started(RunRecord.starting(
                    "20260902T091500118Z-9a1c",
                    "shop",
                    "run --all",
                    Clock.systemUTC().instant(),
                    ProcessIdentity.current()));
            assertThat(said(0, "runs", "show", "2026").out()).contains(": running\n", "  ended    not yet\n");
        }
        assertThat(said(0, "runs", "show", "2026").out()).contains(": died\n", "  ended    never");
    }

    @Test
    void asJsonIsOneObjectWithTheHistoryAndTheResults() throws IOException {
        said(0, "run", "--all");
        String id = runIds().get(0);
        String out = said(0, "runs", "show", id, "--json").out();
        assertThat(out.lines()).hasSize(1);
        JsonNode json = new ObjectMapper().readTree(out);
        assertThat(json.path("runId").asText()).isEqualTo(id);
        assertThat(json.path("results"))
                .isEqualTo(new ObjectMapper()
                        .readTree(filesOf(id).resolve("run_results.json").toFile()));
    }

    @Test
    void withoutAProjectOrARunItSaysSo() {
        assertThat(said(2, "runs", "show", "x").err()).contains("WR0105 RUN", "no run 'x' is known");
        assertThat(said(2, "runs", "show", "x", "--project", "nowhere").err()).contains("WR0108");
    }
}
