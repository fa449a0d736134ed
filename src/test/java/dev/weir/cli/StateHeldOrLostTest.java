package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** State that another process holds, that cannot be read, or that is gone: contract, sections 2.4 and 5. */
class StateHeldOrLostTest {

    private static final String APPEND = "strategy: 'append', delivery: 'exactly_once'";

    @TempDir
    Path folder;

    private CaseProject loaded(Into into, String sink) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id bigint PRIMARY KEY, name text)",
                        "INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 45) i")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100")
                .pipeline("SELECT * FROM {{ source('pg', 'public.t') }}", sink);
        copy.succeeded("run", "--all", "--until-caught-up", "--max-runs", "3");
        return copy;
    }

    private CaseProject merged() {
        return loaded(Into.DUCKDB, "strategy: 'merge', keys: ['id']");
    }

    @Test
    void anEditIsRefusedWhileAnotherProcessLoadsTheEntity() {
        CaseProject copy = merged();
        StringBuilder said = new StringBuilder();
        int exitCode = copy.project
                .run(
                        point -> {
                            if (point == Faults.Point.STAGED && said.isEmpty()) {
                                for (List<String> edit : List.of(
                                        List.of("state", "set", "pg.t", "--value", "5", "--reason", "r"),
                                        List.of("state", "clear", "pg.t", "--reason", "r"),
                                        List.of(
                                                "state",
                                                "adopt",
                                                "pg.t",
                                                "--sink",
                                                "lake.t",
                                                "--value",
                                                "5",
                                                "--reason",
                                                "r"))) {
                                    WeirProject.Said one = copy.run(edit.toArray(String[]::new));
                                    assertThat(one.exitCode()).as(one.all()).isEqualTo(1);
                                    said.append(one.err());
                                }
                                said.append(copy.run("state", "show", "pg.t").out());
                            }
                        },
                        "run",
                        "--all",
                        "--until-caught-up")
                .exitCode();
        assertThat(exitCode).as(said.toString()).isZero();
        assertThat(said.toString())
                .contains("WR0520 pg.public.t")
                .contains("current  30")
                .doesNotContain("edits");
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    @Test
    void anEditIsRefusedWhileAProcessOfItsOwnHoldsTheEntityAndNotAfterItWasKilled() throws Exception {
        CaseProject copy = merged();
        Process holder = CaseChild.start(
                folder, List.of(), Map.of(), Stands.class, folder.resolve("holder.txt"), "run", "--all");
        try (BufferedReader says = holder.inputReader()) {
            assertThat(says.readLine()).isEqualTo("standing");
            WeirProject.Said said = copy.run("state", "set", "pg.t", "--value", "5", "--reason", "r");
            assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
            assertThat(said.err()).contains("WR0520", Long.toString(holder.pid()));
            assertThat(copy.succeeded("runs", "--limit", "1").out()).contains("running");
        } finally {
            holder.destroyForcibly().waitFor();
        }
        assertThat(copy.succeeded("runs", "--limit", "1").out()).contains("died");
        assertThat(copy.succeeded("runs", "--limit", "1", "--json").out()).contains("\"status\":\"died\"");
        copy.succeeded("state", "set", "pg.t", "--value", "15", "--reason", "r");
        copy.caughtUp();
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    /** Runs weir and stands still once a slice is staged. */
    static final class Stands {
        private Stands() {}

        public static void main(String[] args) {
            System.exit(Weir.start(args, point -> {
                if (point == Faults.Point.STAGED) {
                    System.out.println("standing");
                    try {
                        System.in.read();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                }
            }));
        }
    }

    private Path stateDb() {
        return folder.resolve(".weir/state.db");
    }

    /** What a run makes of it, above every kind of sink, is told in the package of faults. */
    @Test
    void stateThatCannotBeReadIsAnErrorOfEveryCommandThatNeedsIt() throws Exception {
        CaseProject copy = loaded(Into.DUCKDB, APPEND);
        byte[] good = Files.readAllBytes(stateDb());
        for (String damage : List.of("empty", "half", "nul", "text", "foreign", "newer", "folder")) {
            Files.write(stateDb(), good);
            damage(damage);
            for (List<String> command : List.of(
                    List.of("run", "--all"),
                    List.of("plan", "--all"),
                    List.of("state", "show", "pg.t"),
                    List.of("state", "set", "pg.t", "--value", "50", "--reason", "r"),
                    List.of("runs"))) {
                WeirProject.Said said = copy.run(command.toArray(String[]::new));
                assertThat(said.exitCode()).as(damage + command + said.all()).isEqualTo(1);
                assertThat(said.err()).contains("WR0518 ").contains("state.db");
                assertThat(said.err()).contains(damage.equals("newer") ? "newer version of weir" : "restore a backup");
                BadOutput.isForPeople(said);
            }
        }
    }

    private void damage(String how) throws IOException, SQLException {
        byte[] bytes = Files.readAllBytes(stateDb());
        switch (how) {
            case "empty" -> Files.write(stateDb(), new byte[0]);
            case "half" -> Files.write(stateDb(), java.util.Arrays.copyOf(bytes, bytes.length / 2));
            case "nul" -> Files.write(stateDb(), new byte[bytes.length], StandardOpenOption.TRUNCATE_EXISTING);
            case "text" -> Files.writeString(stateDb(), "position: 30\n".repeat(100));
            case "folder" -> {
                Files.delete(stateDb());
                Files.createDirectory(stateDb());
            }
            case "foreign" -> sqlite("PRAGMA application_id = 7");
            default -> sqlite("PRAGMA user_version = 99");
        }
    }

    private void sqlite(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + stateDb());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @EnumSource
    void stateThatIsDeletedIsTakenFromTheMarks(Into into) throws IOException {
        CaseProject copy = loaded(into, APPEND);
        Files.delete(stateDb());
        assertThat(copy.succeeded("state", "show", "pg.t").out()).contains("current  none");
        assertThat(copy.succeeded("runs").out()).contains("no runs yet");
        WeirProject.Said said = copy.caughtUp();
        assertThat(said.out()).contains("lake.t: state said nothing, the sink's mark says 30: the mark is adopted");
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }
}
