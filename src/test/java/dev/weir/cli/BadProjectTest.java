package dev.weir.cli;

import static dev.weir.cli.BadProject.CONNECTIONS;
import static dev.weir.cli.BadProject.PIPELINE;
import static dev.weir.cli.BadProject.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A malformed project: exit 2, a code, the place, and nothing touched. The source is a DuckDB file with rows. */
class BadProjectTest {

    @TempDir
    Path folder;

    private WeirProject project() {
        return BadProject.sound(folder);
    }

    @Test
    void theProjectTheseAreMadeOfIsSound() {
        WeirProject.Said said = project().run("run");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(Files.exists(folder.resolve("lake.duckdb"))).isTrue();
    }

    static Stream<Arguments> connections() {
        return Stream.of(
                // YAML
                yaml(
                        "a tab",
                        "WR0101 connections.yml:9:",
                        "  connector: duckdb\n  path: lake",
                        "\tconnector: duckdb\n\tpath: lake"),
                yaml(
                        "a quote that is not closed",
                        "WR0101 connections.yml:",
                        "path: shop.duckdb",
                        "path: \"shop.duckdb"),
                yaml("a bracket that is not closed", "WR0101 connections.yml:", "until: 100 }", "until: 100"),
                yaml("a colon too many", "WR0101 connections.yml:3:", "path: shop.duckdb", "path: shop: duckdb"),
                yaml("an anchor", "WR0101 connections.yml:3:9", "path: shop.duckdb", "path: &a shop.duckdb"),
                yaml("an alias", "WR0101 connections.yml:3:9", "path: shop.duckdb", "path: *a"),
                yaml("a tag", "WR0101 connections.yml:3:9", "path: shop.duckdb", "path: !!binary aGk="),
                yaml("a merge key", "WR0101 connections.yml:3:", "path: shop.duckdb", "<<: { path: shop.duckdb }"),
                yaml("a second document", "WR0101 connections.yml:8:1", "lake:", "---\nlake:"),
                yaml("a control character", "WR0101 connections.yml:3:", "shop.duckdb", "shop\u0007.duckdb"),
                yaml("a list of connections", "WR0101 connections.yml:1:1", CONNECTIONS, "- shop\n- lake\n"),
                yaml("text in place of connections", "WR0101 connections.yml:1:1", CONNECTIONS, "nothing\n"),
                yaml("a key without a name", "WR0101 connections.yml:", "path: shop.duckdb", ": shop.duckdb"),
                yaml("a list as a key", "WR0101 connections.yml:", "path: shop.duckdb", "? [a, b]\n  : c"),
                // keys
                yaml(
                        "an unknown key",
                        "WR0102 connections.yml:11:3",
                        "path: lake.duckdb",
                        "path: lake.duckdb\n  pth: x"),
                yaml("an unknown key of an entity", "WR0102 connections.yml:6:", "read:", "reed:"),
                yaml("an unknown key of sync", "WR0102 connections.yml:7:", "cursor: id", "cursor: id, curser: id"),
                yaml(
                        "a key given twice",
                        "WR0103 connections.yml:",
                        "path: lake.duckdb",
                        "path: lake.duckdb\n  path: b.duckdb"),
                yaml("a connection given twice", "WR0103 connections.yml:8:1", "lake:", "shop:"),
                yaml("an entity given twice", "WR0103 connections.yml:", "lake:", "    \"t\":\n      read: {}\nlake:"),
                yaml("no connector", "WR0104 connections.yml:8:1", "lake:\n  connector: duckdb", "lake:"),
                yaml("no path", "WR0104 connections.yml:", "path: lake.duckdb", "entities: {}"),
                yaml("an empty path", "WR0105 connections.yml:", "path: lake.duckdb", "path: \"\""),
                yaml("no value", "WR0105 connections.yml:", "path: lake.duckdb", "path:"),
                yaml("a list for a path", "WR010", "path: lake.duckdb", "path: [a, b]"),
                yaml("a mapping for a path", "WR010", "path: lake.duckdb", "path: { a: b }"),
                yaml(
                        "an unknown connector",
                        "WR0107 connections.yml:9:14",
                        "lake:\n  connector: duckdb",
                        "lake:\n  connector: duckbd"),
                yaml("no mode", "WR0104 connections.yml:7:", "mode: incremental, ", ""),
                yaml("no cursor", "WR0104 connections.yml:7:", "cursor: id, ", ""),
                yaml("another mode", "WR0105 connections.yml:7:", "mode: incremental", "mode: snapshot"),
                yaml("no columns", "WR0105 connections.yml:", "read:", "read:\n        columns: {}"),
                yaml(
                        "a column of no type",
                        "WR0105 connections.yml:",
                        "read:",
                        "read:\n        columns: { id: bigint, name: verchar }"),
                yaml(
                        "a column's type cut off",
                        "WR0105 connections.yml:",
                        "read:",
                        "read:\n        columns: { id: decimal(12,2) }"),
                yaml("an empty query", "WR0105 connections.yml:", "read:", "read:\n        query: \" \""),
                yaml("an unset variable", "WR0106 connections.yml:10:9", "path: lake.duckdb", "path: ${NOWHERE}"),
                yaml(
                        "a variable that is not closed",
                        "WR0105 connections.yml:10:9",
                        "path: lake.duckdb",
                        "path: ${NOWHERE"),
                yaml("a variable without a name", "WR0105 connections.yml:10:9", "path: lake.duckdb", "path: ${}"),
                window("cursor: id", "cursor: id, settle: perhaps"),
                window("cursor: id", "cursor: id, settle_timeout: 30"),
                yaml("a bad name of a connection", "WR0105 connections.yml:", "lake:\n", "la.ke:\n"),
                yaml("a null", "WR0105 connections.yml:7:", "initial: 0", "initial: ~"),
                // windows: case F5, F8, D5, D7, D12, F9
                window("max_window: 10", "max_window: 0"),
                window("max_window: 10", "max_window: -5"),
                window("max_window: 10", "max_window: \"\""),
                window("max_window: 10", "max_window: abc"),
                window("max_window: 10", "max_window: 1e3"),
                window("max_window: 10", "max_window: 0d"),
                window("max_window: 10", "max_window: 1.5"),
                window("max_window: 10", "max_window: 1d"),
                window("max_window: 10", "max_window: ' 10'"),
                window("initial: 0", "initial: no"),
                window("initial: 0", "initial: .inf"),
                window("initial: 0", "initial: 0x1F"),
                window("initial: 0", "initial: 1_000"),
                window("initial: 0", "initial: 9223372036854775808"),
                window("initial: 0", "initial: 2026-01-01"),
                window("until: 100", "until: -1"),
                window("until: 100", "until: now"),
                window("until: 100", "until: 12:30:00"),
                window("cursor: id", "cursor: u"),
                window("cursor: id", "cursor: name"),
                window("cursor: id", "cursor: coalesce(id)"),
                window("cursor: id, max_window: 10, initial: 0, until: 100", "cursor: d, max_window: 6h"),
                window("cursor: id, max_window: 10, initial: 0, until: 100", "cursor: d, max_window: 1mo"),
                window("cursor: id, max_window: 10, initial: 0, until: 100", "cursor: d, initial: 2026-01-01 06:00:00"),
                window("cursor: id, max_window: 10, initial: 0, until: 100", "cursor: d, initial: 2026-02-30"),
                window("cursor: id, max_window: 10, initial: 0, until: 100", "cursor: ts, max_window: 10"),
                window(
                        "cursor: id, max_window: 10, initial: 0, until: 100",
                        "cursor: ts, initial: 2026-01-01T00:00:00+02:00"));
    }

    private static Arguments yaml(String what, String says, String from, String to) {
        return Arguments.of(what, says, from, to);
    }

    private static Arguments window(String from, String to) {
        return Arguments.of(to, "WR0213 connections.yml:7:", from, to);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("connections")
    void inConnectionsIsRefusedAtItsPlace(String what, String says, String from, String to) {
        assertThat(CONNECTIONS).contains(from);
        refused(
                project()
                        .file(
                                "connections.yml",
                                CONNECTIONS.replaceFirst(
                                        java.util.regex.Pattern.quote(from),
                                        java.util.regex.Matcher.quoteReplacement(to))),
                says);
    }

    static Stream<Arguments> settings() {
        return Stream.of(
                Arguments.of("WR0102 weir.yml:1:1", "naem: x\n"),
                Arguments.of("WR0105 weir.yml:1:", "name: \"\"\n"),
                Arguments.of("WR0105 weir.yml:1:", "memory: lots\n"),
                Arguments.of("WR0105 weir.yml:1:", "memory: 0GB\n"),
                Arguments.of("WR0105 weir.yml:1:", "threads: 0\n"),
                Arguments.of("WR0105 weir.yml:1:", "threads: -1\n"),
                Arguments.of("WR0105 weir.yml:1:", "threads: many\n"),
                Arguments.of("WR0109 weir.yml:1:1", "state: { path: x }\n"),
                Arguments.of("WR0105 weir.yml:1:", "backfill: { window: always }\n"),
                Arguments.of("WR0106 weir.yml:1:", "name: ${NOWHERE}\n"),
                Arguments.of("WR010", "vars: [a]\n"),
                Arguments.of("WR010", "secrets: { a: b }\n"),
                Arguments.of("WR0101 weir.yml:", "name: [\n"));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void inWeirYmlIsRefusedAtItsPlace(String says, String settings) {
        refused(project().file("weir.yml", settings), says);
    }

    @ParameterizedTest
    @MethodSource("environments")
    void inTheEnvFileIsRefusedAtItsPlace(String says, String env) {
        refused(project().file(".env", env), says);
    }

    static Stream<Arguments> environments() {
        return Stream.of(
                Arguments.of("WR0101 .env:2:1", "A=1\nno variable\n"),
                Arguments.of("WR0101 .env:1:", "A='not closed\n"),
                Arguments.of("WR0101 .env:1:", "A=\"x\" y\n"),
                Arguments.of("WR0101 .env:1:1", "1A=2\n"),
                Arguments.of("WR0103 .env:2:1", "A=1\nA=2\n"));
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() throws IOException {
        WeirProject project = project();
        Files.write(
                folder.resolve("connections.yml"), "läke: { connector: duckdb }".getBytes(StandardCharsets.ISO_8859_1));
        refused(project, "WR0101 connections.yml");
    }

    @Test
    void aFolderInPlaceOfAFileIsRefused() throws IOException {
        WeirProject project = project();
        Files.delete(folder.resolve("connections.yml"));
        Files.createDirectory(folder.resolve("connections.yml"));
        refused(project, "WR0101 connections.yml");
    }

    @Test
    void aNameThatMeansTwoEntitiesListsBoth() {
        WeirProject project =
                project().file("connections.yml", CONNECTIONS.replace("    t:\n", "    b.t: {}\n    a.t:\n"));
        WeirProject.Said said = refused(project, "WR0204 pipelines/copy.sql:3:");
        assertThat(said.err()).contains("a.t").contains("b.t");
    }

    @Test
    void allProblemsOfAllFilesAreToldAtOnce() {
        WeirProject project = project()
                .file(
                        "connections.yml",
                        CONNECTIONS
                                .replace("max_window: 10", "max_window: 10, settel: off")
                                .replace("path: lake.duckdb", "pth: lake.duckdb"))
                .file("weir.yml", "threads: no\n")
                .file("pipelines/copy.sql", PIPELINE.replace("'merge'", "'marge'"))
                .file("pipelines/more.sql", PIPELINE.replace("'shop'", "'shpo'"));
        WeirProject.Said said = refused(project, "WR0102 connections.yml:7:");
        assertThat(said.err())
                .contains("WR0102 connections.yml:10:3")
                .contains("WR0104 connections.yml:8:1")
                .contains("WR0105 weir.yml:1:10")
                .contains("WR0210 pipelines/copy.sql:1:")
                .contains("WR0202 pipelines/more.sql:3:");
    }

    @Test
    void everyCommandThatNeedsTheProjectRefusesIt() {
        WeirProject project = project()
                .file(
                        "connections.yml",
                        CONNECTIONS
                                .replace("max_window: 10", "max_window: 0")
                                .replace("until: 100", "until: 100, x: 1"));
        for (List<String> command : List.of(
                List.of("run"),
                List.of("run", "--log-format", "json"),
                List.of("validate"),
                List.of("ls"),
                List.of("compile"),
                List.of("state", "show"),
                List.of("state", "show", "shop.t"),
                List.of("state", "set", "shop.t", "--value", "1", "--reason", "r"),
                List.of("state", "clear", "shop.t", "--reason", "r"),
                List.of("state", "rollback", "shop.t", "--to-run", "x", "--reason", "r"),
                List.of("state", "adopt", "shop.t", "--sink", "lake.t", "--value", "1", "--reason", "r"))) {
            refused(project, "WR0102 connections.yml:7:", command.toArray(String[]::new));
        }
    }

    @Test
    void noProjectIsSaidWithItsFolder() {
        WeirProject empty = new WeirProject(folder);
        refused(empty, "WR0108 " + folder);
        refused(empty, "WR0108 " + folder.resolve("nowhere"), "run", "--project", "nowhere");
        refused(empty, "WR0108 " + folder, "state", "show");
    }
}
