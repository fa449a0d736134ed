package dev.weir.cli;

import static dev.weir.cli.BadProject.PIPELINE;
import static dev.weir.cli.BadProject.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A malformed pipeline: exit 2, a code, the place, and nothing touched. */
class BadPipelineTest {

    @TempDir
    Path folder;

    private WeirProject project() {
        return BadProject.sound(folder);
    }

    static Stream<Arguments> pipelines() {
        return Stream.of(
                sql(
                        "no sink",
                        "WR0207 pipelines/copy.sql",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}",
                        ""),
                sql("an unknown call", "WR0201 pipelines/copy.sql:3:", "source(", "sauce("),
                sql("a call that is not closed", "WR0201 pipelines/copy.sql:4:1: ", " }}\n", "\n", 2),
                sql("a quote in a call that is not closed", "WR0201 pipelines/copy.sql:3:", "'t') }}", "'t) }}"),
                sql("a call without arguments", "WR0201 pipelines/copy.sql:3:", "('shop', 't')", "()"),
                sql(
                        "a call with too many arguments",
                        "WR0201 pipelines/copy.sql:3:",
                        "'shop', 't'",
                        "'shop', 't', 'u'"),
                sql("a number for a connection", "WR020", "'shop'", "7"),
                sql(
                        "a call in quotes",
                        "WR0201 pipelines/copy.sql:3:",
                        "{{ source('shop', 't') }}",
                        "'{{ source('shop', 't') }}'"),
                sql("a loop", "WR0201 pipelines/copy.sql:2:", "SELECT id", "{% for x %} SELECT id"),
                sql("an unknown connection", "WR0202 pipelines/copy.sql:3:", "'shop'", "'shopp'"),
                sql("an unknown connection of the sink", "WR0202 pipelines/copy.sql:1:", "'lake'", "'like'"),
                sql("an unknown option", "WR0206 pipelines/copy.sql:1:", "keys:", "kees:"),
                sql(
                        "an option given twice",
                        "WR0205 pipelines/copy.sql:3:",
                        "'t') }}\n",
                        "'t', sync: { mode: incremental, cursor: id }) }}\n"),
                sql("a merge without keys", "WR0209 pipelines/copy.sql:1:", ", keys: ['id']", ""),
                sql("an unknown strategy", "WR0210 pipelines/copy.sql:1:", "'merge'", "'marge'"),
                sql("no strategy", "WR0210 pipelines/copy.sql:1:", ", strategy: 'merge', keys: ['id']", ""),
                sql("keys without merge", "WR0211 pipelines/copy.sql:1:", "'merge'", "'window'"),
                sql("a key twice", "WR0105 pipelines/copy.sql:1:", "['id']", "['id', 'id']"),
                sql("incremental into append", "WR0214 pipelines/copy.sql:1:", "'merge', keys: ['id']", "'append'"),
                sql("incremental into replace", "WR0335 pipelines/copy.sql:1:", "'merge', keys: ['id']", "'replace'"),
                sql("a key that is no column", "WR0210 pipelines/copy.sql:1:", "['id']", "['nr']"),
                sql(
                        "an order_by that is no column",
                        "WR0210 pipelines/copy.sql:1:",
                        "keys: ['id']",
                        "keys: ['id'], order_by: 'x'"),
                sql(
                        "a window without its cursor",
                        "WR0210 pipelines/copy.sql:1:",
                        "'merge', keys: ['id']) }}\nSELECT id,",
                        "'window') }}\nSELECT"),
                sql(
                        "a word that is none",
                        "WR0105 pipelines/copy.sql:1:",
                        "keys: ['id']",
                        "keys: ['id'], keep_columns: 'maybe'"),
                sql("an unset var", "WR0", "id, name", "id, {{ var('nowhere') }} AS name"),
                sql(
                        "an unset variable",
                        "WR0106 pipelines/copy.sql:2:",
                        "id, name",
                        "id, {{ env('NOWHERE') }} AS name"),
                sql(
                        "a watermark of what is not read",
                        "WR0201 pipelines/copy.sql:2:",
                        "id, name",
                        "id, {{ watermark('lake', 'x', cursor: 'id') }} AS name"),
                sql(
                        "SQL that does not parse",
                        "WR0215 pipelines/copy.sql",
                        "SELECT id, name\nFROM",
                        "SELECT id, name\nFORM"),
                sql(
                        "SQL that ends early",
                        "WR0215 pipelines/copy.sql",
                        "SELECT id, name\nFROM {{ source('shop', 't') }}",
                        "SELECT id, name FROM"),
                sql("a column that is none", "WR0215 pipelines/copy.sql:2:12: ", "id, name", "id, nam"),
                sql(
                        "a table that is none",
                        "WR0215 pipelines/copy.sql",
                        "{{ source('shop', 't') }}",
                        "{{ source('shop', 't') }} JOIN nowhere USING (id)"),
                sql(
                        "a function that is none",
                        "WR0215 pipelines/copy.sql:2:12: ",
                        "id, name",
                        "id, nonsense(name) AS name"),
                sql("two columns of one name", "WR0215 pipelines/copy.sql", "id, name", "id, name, name"),
                sql("a second statement", "WR0215 pipelines/copy.sql:5:1", "}}\n", "}};\n\nDROP TABLE t;\n", 2),
                sql("no query", "WR0215 pipelines/copy.sql", "SELECT id, name\nFROM {{ source('shop', 't') }}", ""),
                sql("an UPDATE", "WR0215 pipelines/copy.sql", "SELECT id, name\nFROM", "UPDATE x SET a = 1 FROM"),
                sql(
                        "a quote that is not closed",
                        "WR0215 pipelines/copy.sql:3:45",
                        "'t') }}\n",
                        "'t') }} WHERE name = 'x\n"),
                sql("a comment that is not closed", "WR0215 pipelines/copy.sql:2:", "id, name", "id, name /*"),
                sql("a column list", "WR0215 pipelines/copy.sql:1:", "}}\nSELECT", "}} (id, name)\nSELECT"));
    }

    private static Arguments sql(String what, String says, String from, String to) {
        return sql(what, says, from, to, 1);
    }

    /** @param nth which occurrence is replaced */
    private static Arguments sql(String what, String says, String from, String to, int nth) {
        int at = -1;
        for (int i = 0; i < nth; i++) {
            at = PIPELINE.indexOf(from, at + 1);
        }
        assertThat(at).as(from).isNotNegative();
        return Arguments.of(what, says, PIPELINE.substring(0, at) + to + PIPELINE.substring(at + from.length()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pipelines")
    void inAPipelineIsRefusedAtItsPlace(String what, String says, String pipeline) {
        refused(project().file("pipelines/copy.sql", pipeline), says);
    }

    @Test
    void sqlThatDoesNotBindNamesItsLine() {
        WeirProject project = project()
                .file("pipelines/copy.sql", PIPELINE.replace("SELECT id, name", "SELECT id,\n  name,\n  nonsense\n"));
        WeirProject.Said said = refused(project, "WR0215 pipelines/copy.sql");
        assertThat(said.err()).contains("copy.sql:4:3: ").contains("nonsense");
    }

    @Test
    void sqlThatDoesNotParseNamesItsLine() {
        WeirProject project = project().file("pipelines/copy.sql", PIPELINE.replace("name\n", "name,\n  1 + ,\n  2\n"));
        WeirProject.Said said = refused(project, "WR0215 pipelines/copy.sql");
        assertThat(said.err()).contains("copy.sql:3:7: ");
    }

    @Test
    void bytesThatAreNoUtf8InAPipelineAreRefused() throws IOException {
        WeirProject project = project();
        Files.write(folder.resolve("pipelines/copy.sql"), (PIPELINE + "-- ä").getBytes(StandardCharsets.ISO_8859_1));
        refused(project, "WR0101 pipelines/copy.sql");
    }

    @Test
    void aPipelineThatIsALinkToNothingIsRefused() throws IOException {
        WeirProject project = project();
        Files.createSymbolicLink(folder.resolve("pipelines/other.sql"), folder.resolve("nowhere.sql"));
        refused(project, "WR0101 pipelines/other.sql");
    }

    @Test
    void pipelinesWhoseNamesDifferInCaseAloneAreRefused() {
        refused(project().file("pipelines/Copy.sql", PIPELINE), "WR0103 pipelines/");
    }

    @Test
    void aPipelineWithAnOddNameIsRefused() {
        refused(project().file("pipelines/a b.sql", PIPELINE), "WR0105 pipelines/a b.sql");
    }

    @Test
    void anEmptyPipelineIsRefused() {
        refused(project().file("pipelines/copy.sql", ""), "WR0215 pipelines/copy.sql:1:1");
    }

    @Test
    void aTableWrittenInWindowsByTwoPipelinesIsRefused() {
        String window = PIPELINE.replace("'merge', keys: ['id']", "'window'");
        refused(
                project().file("pipelines/copy.sql", window).file("pipelines/more.sql", window),
                "WR0212 pipelines/more.sql:1:");
    }

    @Test
    void aProjectWithoutPipelinesIsSaid() throws IOException {
        WeirProject project = project();
        Files.delete(folder.resolve("pipelines/copy.sql"));
        refused(project, "WR0208 ");
    }
}
