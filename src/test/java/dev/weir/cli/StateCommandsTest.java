package dev.weir.cli;

import static dev.weir.cli.CaseProject.after;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.WeirProject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Positions as people see and move them: contract, sections 2.4 and 5. */
class StateCommandsTest {

    private static final String APPEND = "strategy: 'append', delivery: 'exactly_once'";
    private static final String ALL = "SELECT * FROM {{ source('pg', 'public.t') }}";
    private static final Pattern RUN = Pattern.compile("run (\\S+): ");

    @TempDir
    Path folder;

    private CaseProject loaded(Into into, String sink) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id bigint PRIMARY KEY, name text)",
                        "INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 45) i")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100")
                .pipeline(ALL, sink);
        copy.succeeded("run", "--all", "--until-caught-up", "--max-runs", "3");
        return copy;
    }

    private CaseProject merged() {
        return loaded(Into.DUCKDB, "strategy: 'merge', keys: ['id']");
    }

    private static String runId(WeirProject.Said said) {
        Matcher matcher = RUN.matcher(said.out());
        assertThat(matcher.find()).as(said.all()).isTrue();
        return matcher.group(1);
    }

    @Test
    void showPrintsThePositionAsTheContractDoes() {
        CaseProject copy = merged();
        String runId = runId(copy.succeeded("run", "--all"));
        WeirProject.Said all = copy.succeeded("state", "show");
        assertThat(all.out()).isEqualTo("pg.public.t — cursor id (bigint)\n  current  40  run " + runId + "\n");
        WeirProject.Said one = copy.succeeded("state", "show", "pg.t");
        assertThat(one.out())
                .startsWith("pg.t — cursor id (bigint)\n  current  40  run " + runId + "\n  history, newest first\n");
        assertThat(one.err()).isEmpty();
    }

    @Test
    void showOfNothingLoadedSaysNone() {
        CaseProject copy =
                new CaseProject(folder, Into.DUCKDB).sync("cursor: id, max_window: 10, initial: 0, until: 100");
        assertThat(copy.succeeded("state", "show", "pg.t").out())
                .contains("pg.t — cursor id")
                .contains("current  none");
        assertThat(Files.exists(folder.resolve(".weir"))).isFalse();
    }

    @Test
    void aKeyNobodyReadsIsRefusedWithTheNearest() {
        CaseProject copy = merged();
        for (List<String> command : List.of(
                List.of("state", "show", "pg.tt"),
                List.of("state", "set", "pg.tt", "--value", "1", "--reason", "r"),
                List.of("state", "clear", "pg.tt", "--reason", "r"))) {
            WeirProject.Said said = copy.run(command.toArray(String[]::new));
            assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
            assertThat(said.err()).contains("WR0203", "pg.tt", "pg.public.t");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"set --value 5", "clear", "rollback --to-run x", "adopt --sink lake.t --value 5"})
    void anEditNeedsAReason(String edit) {
        CaseProject copy = merged();
        String before = copy.succeeded("state", "show", "pg.t").out();
        String[] words = edit.split(" ", 2);
        String rest = words.length == 1 ? "" : " " + words[1];
        WeirProject.Said said = copy.run(("state " + words[0] + " pg.t" + rest).split(" "));
        assertThat(said.exitCode()).as(said.all()).isEqualTo(2);
        assertThat(said.err()).contains("--reason");
        WeirProject.Said blank = copy.run(("state " + words[0] + " pg.t" + rest + " --reason= ").split(" "));
        assertThat(blank.exitCode()).as(blank.all()).isEqualTo(2);
        assertThat(copy.succeeded("state", "show", "pg.t").out()).isEqualTo(before);
    }

    @Test
    void everyEditIsKeptInTheAudit() {
        CaseProject copy = merged();
        String runId = runId(copy.succeeded("run", "--all"));
        copy.succeeded("state", "set", "pg.t", "--value", "5", "--reason", "rows 6 to 40 were wrong");
        copy.succeeded("state", "clear", "pg.t", "--reason", "all were wrong");
        copy.succeeded("state", "rollback", "pg.t", "--to-run", runId, "--reason", "none was wrong");
        copy.succeeded(
                "state", "adopt", "pg.t", "--sink", "lake.t", "--value", "41", "--reason", "41 was loaded by hand");
        String shown = copy.succeeded("state", "show", "pg.t").out();
        String who = System.getProperty("user.name");
        assertThat(shown)
                .contains("set by " + who + ": 40 → 5  lake.t  (rows 6 to 40 were wrong)")
                .contains("clear by " + who + ": 5 → none  lake.t  (all were wrong)")
                .contains("rollback by " + who + ": none → 40  lake.t  (none was wrong)")
                .contains("adopt by " + who + ": 40 → 41  lake.t  (41 was loaded by hand)")
                .contains("current  41  by hand");
    }

    @ParameterizedTest
    @EnumSource
    void setBackLoadsTheRowsAboveAgainAndEndsExact(Into into) {
        CaseProject copy = loaded(into, "strategy: 'merge', keys: ['id']");
        copy.given("UPDATE t SET name = 'mended' WHERE id > 15");
        WeirProject.Said set = copy.succeeded("state", "set", "pg.t", "--value", "15", "--reason", "mended above 15");
        assertThat(set.out()).contains("15").contains("counts as loaded");
        assertThat(copy.succeeded("state", "show", "pg.t").out()).contains("current  15  by hand");
        assertThat(after(copy.pass())).isEqualTo("25");
        copy.caughtUp();
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    @Test
    void setForwardSkipsAndSetBackLoadsWhatWasSkipped() {
        CaseProject copy = merged();
        copy.succeeded("state", "set", "pg.t", "--value", "40", "--reason", "31 to 40 are not wanted");
        copy.caughtUp();
        assertThat(copy.loaded("SELECT count(*) FROM t WHERE id BETWEEN 31 AND 40"))
                .containsExactly("0");
        copy.succeeded("state", "set", "pg.t", "--value", "30", "--reason", "they are");
        copy.caughtUp();
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    @Test
    void setOfAValueThatIsNoneIsRefused() {
        CaseProject copy = merged();
        for (String value : List.of("abc", "1.5", "", "9223372036854775808", "2026-01-01")) {
            WeirProject.Said said = copy.run("state", "set", "pg.t", "--value", value, "--reason", "r");
            assertThat(said.exitCode()).as(value + said.all()).isEqualTo(2);
            assertThat(said.err()).contains("--value").contains("id (bigint)");
        }
        assertThat(copy.succeeded("state", "show", "pg.t").out())
                .contains("current  30")
                .doesNotContain("edits");
    }

    @ParameterizedTest
    @EnumSource
    void clearStartsAtInitialAgain(Into into) {
        CaseProject copy = loaded(into, "strategy: 'merge', keys: ['id']");
        copy.given("UPDATE t SET name = 'mended'");
        copy.succeeded("state", "clear", "pg.t", "--reason", "all of it");
        assertThat(copy.succeeded("state", "show", "pg.t").out()).contains("current  none");
        assertThat(after(copy.pass())).isEqualTo("10");
        copy.caughtUp();
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    @Test
    void rollbackGoesToWhereARunLeftIt() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id bigint PRIMARY KEY, name text)",
                        "INSERT INTO t SELECT i, 'n' FROM generate_series(1, 45) i")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100");
        String first = runId(copy.succeeded("run", "--all"));
        String second = runId(copy.succeeded("run", "--all"));
        copy.succeeded("run", "--all");
        copy.given("UPDATE t SET name = 'mended' WHERE id > 10");
        copy.succeeded("state", "rollback", "pg.t", "--to-run", first, "--reason", "r");
        assertThat(copy.succeeded("state", "show", "pg.t").out()).contains("current  10  by hand");
        assertThat(after(copy.pass())).isEqualTo("20");
        copy.succeeded("state", "rollback", "pg.t", "--to-run", second, "--reason", "r");
        copy.caughtUp();
        copy.isExact("SELECT id, name FROM t ORDER BY id");
        WeirProject.Said unknown = copy.run("state", "rollback", "pg.t", "--to-run", "nothing", "--reason", "r");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("WR0105", "nothing", "weir runs");
    }

    @ParameterizedTest
    @EnumSource
    void goingBackInAnAppendIsRefusedAtTheEdit(Into into) {
        CaseProject copy = loaded(into, APPEND);
        for (List<String> edit : List.of(
                List.of("state", "set", "pg.t", "--value", "5", "--reason", "r"),
                List.of("state", "clear", "pg.t", "--reason", "r"),
                List.of("state", "adopt", "pg.t", "--sink", "lake.t", "--value", "29", "--reason", "r"))) {
            WeirProject.Said said = copy.run(edit.toArray(String[]::new));
            assertThat(said.exitCode()).as(said.all()).isEqualTo(1);
            assertThat(said.err()).contains("WR0529", "lake.t", "30");
        }
        copy.caughtUp();
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    @ParameterizedTest
    @EnumSource
    void adoptSaysWhereAnAppendedTableStands(Into into) {
        CaseProject copy = new CaseProject(folder, into)
                .given(
                        "CREATE TABLE t (id bigint PRIMARY KEY, name text)",
                        "INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 45) i")
                .sync("cursor: id, max_window: 10, initial: 0, until: 100")
                .pipeline(ALL, APPEND);
        copy.onSink(
                "CREATE TABLE t (id bigint, name " + (into == Into.DUCKDB ? "VARCHAR" : "text") + ")",
                "INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 22) g(i)");
        WeirProject.Said refused = copy.run("run", "--all");
        assertThat(refused.exitCode()).as(refused.all()).isEqualTo(1);
        assertThat(refused.all()).contains("WR0528", "lake.t", "weir state adopt pg.public.t --sink lake.t --value V");
        WeirProject.Said other =
                copy.run("state", "adopt", "pg.t", "--sink", "lake.x", "--value", "22", "--reason", "r");
        assertThat(other.exitCode()).isEqualTo(2);
        assertThat(other.err()).contains("lake.x").contains("lake.t");
        copy.succeeded("state", "adopt", "pg.t", "--sink", "lake.t", "--value", "22", "--reason", "loaded by hand");
        assertThat(copy.mark()).isEqualTo("22");
        copy.caughtUp();
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    @ParameterizedTest
    @EnumSource
    void aTableThatIsGoneOrEmptiedIsRefusedAndClearLoadsItAgain(Into into) {
        CaseProject copy = loaded(into, "strategy: 'merge', keys: ['id']");
        copy.onSink("DELETE FROM t");
        WeirProject.Said emptied = copy.run("run", "--all");
        assertThat(emptied.exitCode()).as(emptied.all()).isEqualTo(1);
        assertThat(emptied.all()).contains("WR0528", "lake.t", "30", "state clear");
        copy.onSink("DROP TABLE t");
        WeirProject.Said gone = copy.run("run", "--all");
        assertThat(gone.exitCode()).as(gone.all()).isEqualTo(1);
        assertThat(gone.all()).contains("WR0528", "lake.t", "state clear");
        copy.succeeded("state", "clear", "pg.t", "--reason", "the table was dropped");
        copy.caughtUp();
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    @ParameterizedTest
    @EnumSource
    void aSinkRestoredFromABackupIsLoadedOnFromThere(Into into) {
        CaseProject copy = loaded(into, APPEND);
        copy.onSink("CREATE TABLE old_t AS SELECT * FROM t", "CREATE TABLE old_m AS SELECT * FROM _weir_positions");
        copy.caughtUp();
        copy.onSink(
                "DELETE FROM t",
                "INSERT INTO t SELECT * FROM old_t",
                "DELETE FROM _weir_positions",
                "INSERT INTO _weir_positions SELECT * FROM old_m");
        WeirProject.Said said = copy.caughtUp();
        assertThat(said.out()).contains("lake.t: state said 45, the sink's mark says 30: the mark is adopted");
        copy.isExact("SELECT id, name FROM t ORDER BY id");
    }

    @Test
    void runsListsTheNewestFirst() {
        CaseProject copy = merged();
        String newest = runId(copy.succeeded("run", "--all"));
        copy.run("run", "--all", "--until-caught-up");
        List<String> lines = copy.succeeded("runs").out().lines().toList();
        assertThat(lines).hasSizeGreaterThan(4);
        assertThat(lines)
                .anyMatch(
                        line -> line.startsWith(newest + "  ") && line.contains("success") && line.contains("10 rows"));
        List<String> two = copy.succeeded("runs", "--limit", "2").out().lines().toList();
        assertThat(two).isEqualTo(lines.subList(0, 2));
        assertThat(CaseProject.events(copy.succeeded("runs", "--json"))).hasSameSizeAs(lines);
    }
}
