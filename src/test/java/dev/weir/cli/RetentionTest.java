package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of old runs is forgotten when an invocation ends, and nothing that is still needed. */
class RetentionTest {

    @TempDir
    Path folder;

    /** 20 rows, one a pass. */
    private WeirProject project(String settings) {
        return BadProject.sound(folder)
                .file("connections.yml", BadProject.CONNECTIONS.replace("max_window: 10", "max_window: 1"))
                .file("weir.yml", settings);
    }

    private static WeirProject.Said succeeded(WeirProject project, String... command) {
        WeirProject.Said said = project.run(command);
        assertThat(said.exitCode()).as(said.all()).isZero();
        return said;
    }

    private List<String> folders() throws IOException {
        try (Stream<Path> runs = Files.list(folder.resolve(".weir/runs"))) {
            return runs.map(Path::getFileName).map(Path::toString).sorted().toList();
        }
    }

    private Path former(String runId) throws IOException {
        Path run = Files.createDirectories(folder.resolve(".weir/runs").resolve(runId));
        Files.writeString(run.resolve("events.ndjson"), "{}\n");
        return run;
    }

    @Test
    void theFoldersOfTheNewestRunsAreKept() throws IOException {
        WeirProject project = project("retention: { runs: 3 }\n");
        succeeded(project, "run", "--all", "--until-caught-up");

        List<String> listed = succeeded(project, "runs", "--limit", "3")
                .out()
                .lines()
                .map(line -> line.split(" ")[0])
                .sorted()
                .toList();
        assertThat(folders()).hasSize(3).isEqualTo(listed);
    }

    @Test
    void aRollbackToARunWhoseFolderIsGoneIsStillExact() {
        WeirProject project = project("retention: { runs: 2 }\n");
        String second = succeeded(project, "run", "--all", "--until-caught-up")
                .out()
                .lines()
                .filter(line -> line.startsWith("run "))
                .toList()
                .get(1)
                .substring("run ".length())
                .split(":")[0];
        assertThat(succeeded(project, "runs", "show", second).out()).contains("success", "is gone");

        succeeded(project, "state", "rollback", "shop.t", "--to-run", second, "--reason", "a test");
        assertThat(succeeded(project, "state", "show", "shop.t").out()).contains("current  2 ");
    }

    @Test
    void aFolderNobodyKnowsIsRemovedOnceItIsOld() throws IOException {
        WeirProject project = project("retention: { days: 30 }\n");
        Path old = former("20200101T000000000Z-0a1b");
        Path young = former("29990101T000000000Z-0a1b");
        Path notOurs = former("20200101-backup");
        Path linked = Files.createDirectories(folder.resolve("elsewhere"));
        Files.createSymbolicLink(folder.resolve(".weir/runs/20200101T000000001Z-0a1b"), linked);
        succeeded(project, "run", "--all");

        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(notOurs).exists();
        assertThat(linked).exists();
        assertThat(folder.resolve(".weir/runs/20200101T000000001Z-0a1b")).exists();
    }

    @Test
    void aRunThatCannotForgetSaysSoAndSucceeds() throws SQLException {
        WeirProject project = project("retention: { runs: 1 }\n");
        succeeded(project, "run", "--all", "--until-caught-up");
        succeeded(project, "run", "--all");
        try (Connection state = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(".weir/state.db"));
                Statement statement = state.createStatement()) {
            statement.execute(
                    "CREATE TRIGGER full BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
        }
        assertThat(succeeded(project, "run", "--all").out())
                .contains("note: old runs are not forgotten: WR0527")
                .contains("the disk is full");
    }

    @ParameterizedTest
    @ValueSource(strings = {"runs: 0", "runs: -1", "days: 1.5", "days: soon", "weeks: 2", "runs: 1000000", "runs: [1]"})
    void whatIsNoRetentionIsRefusedAtItsPlace(String wrong) {
        WeirProject.Said said = new WeirProject(folder)
                .file("connections.yml", BadProject.CONNECTIONS)
                .file("weir.yml", "retention: { " + wrong + " }\n")
                .run("run", "--all");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains(wrong.startsWith("weeks") ? "WR0102 weir.yml:1:14" : "WR0105 weir.yml:1:20");
    }
}
