package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong command line: exit 2, what is wrong, and where help is. */
class BadUsageTest {

    @TempDir
    Path folder;

    @ParameterizedTest(name = "weir {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rnu                                         | rnu                  | weir --help",
                "--nope                                      | --nope               | weir --help",
                "run --nope                                  | --nope               | weir run --help",
                "run --max-runs 5                            | --until-caught-up    | weir run --help",
                "run --pause 5s                              | --until-caught-up    | weir run --help",
                "run --require-caught-up                     | --until-caught-up    | weir run --help",
                "run --until-caught-up --max-runs 0          | not 0                | weir run --help",
                "run --until-caught-up --max-runs -1         | not -1               | weir run --help",
                "run --until-caught-up --max-runs many       | many                 | weir run --help",
                "run --until-caught-up --max-runs            | --max-runs           | weir run --help",
                "run --until-caught-up --max-runs 1 --max-runs 2 | --max-runs         | weir run --help",
                "run --until-caught-up --pause 5             | '5'                  | weir run --help",
                "run --until-caught-up --pause 5y            | 5y                   | weir run --help",
                "run --wait 9999999999d                      | longer than a year   | weir run --help",
                "run --log-format xml                        | xml                  | weir run --help",
                "run --var x                                 | x                    | weir run --help",
                "run --project                               | --project            | weir run --help",
                "state                                       | show                 | weir state --help",
                "state shwo                                  | shwo                 | weir state --help",
                "state set                                   | --value              | weir state set --help",
                "state set a.b                               | --value              | weir state set --help",
                "state set --value 1                         | KEY                  | weir state set --help",
                "state adopt a.b --value 1                   | --sink               | weir state adopt --help",
                "state rollback a.b                          | --to-run             | weir state rollback --help",
                "state clear                                 | KEY                  | weir state clear --help",
                "state show a b                              | b                    | weir state show --help",
                "runs --limit 0                              | not 0                | weir runs --help",
                "runs --limit x                              | x                    | weir runs --help",
                "runs now                                    | now                  | weir runs --help",
                "runs show                                   | RUN                  | weir runs show --help",
                "runs --limit 3 show x                       | follow its name      | weir runs show --help",
                "ls x                                        | x                    | weir ls --help",
                "validate x                                  | x                    | weir validate --help",
                "compile a b                                 | b                    | weir compile --help",
                "help nope                                   | nope                 | weir help --help",
                "help state nope                             | nope                 | weir help --help",
                "init a b                                    | b                    | weir init --help",
                "demo a b                                    | b                    | weir demo --help",
            })
    void isToldWithAHint(String command, String says, String help) {
        WeirProject.Said said = new WeirProject(folder).run(command.split(" +"));
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).contains(says).contains(help);
        BadOutput.isForPeople(said);
        assertThat(folder).isEmptyDirectory();
    }

    private WeirProject twoPipelines() {
        return new WeirProject(folder)
                .file("connections.yml", "lake: { connector: duckdb, path: lake.duckdb }\n")
                .file("pipelines/orders.sql", "INSERT INTO {{ sink('lake', 'a', strategy: 'replace') }} SELECT 1 AS id")
                .file("pipelines/items.sql", "INSERT INTO {{ sink('lake', 'b', strategy: 'replace') }} SELECT 1 AS id");
    }

    @Test
    void nothingSelectedOfTwoPipelinesIsRefused() {
        WeirProject.Said said = twoPipelines().run("run");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains("WR0208").contains("--all").contains("items, orders");
    }

    @Test
    void aPipelineThatIsNotThereIsRefusedWithTheNearest() {
        WeirProject.Said said = twoPipelines().run("run", "ordres");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains("WR0208").contains("ordres").contains("orders");
        assertThat(Files.exists(folder.resolve("lake.duckdb"))).isFalse();
    }

    @Test
    void allBesideANameIsRefused() {
        WeirProject.Said said = twoPipelines().run("run", "orders", "--all");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains("WR0208").contains("--all");
    }

    @Test
    void aVariableNoPipelineUsesIsRefused() {
        WeirProject.Said said = twoPipelines().run("run", "--all", "--var", "dya=2026-01-01");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains("dya");
    }

    @Test
    void runsOfAFolderWithoutAProjectIsRefused() {
        WeirProject.Said said = new WeirProject(folder).run("runs", "--project", "nowhere");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains("WR0108");
    }

    @Test
    void aDemoIsNotMadeOverAFolderThatHoldsSomething() {
        WeirProject project = new WeirProject(folder).file("shop/own.txt", "mine");
        WeirProject.Said said = project.run("demo", "shop");
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains("WR0105 shop");
        assertThat(folder.resolve("shop")).isDirectoryContaining("glob:**/own.txt");
    }
}
