package dev.weir.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables are expanded once, after YAML is parsed; what they hold is never looked at (cases P1, P2). */
class VariablesTest {

    private static final Place HERE = new Place("connections.yml", 1, 1);

    @TempDir
    private Path dir;

    private static String expand(String text, Map<String, String> environment) {
        Problems problems = new Problems();
        Value.Mapping mapping = new Value.Mapping(
                HERE, List.of(new Value.Entry(new Value.Scalar(HERE, "k", false), new Value.Scalar(HERE, text, true))));
        Value.Mapping expanded = new Expansion(new Variables(Map.of(), environment), problems).expand(mapping);
        problems.throwIfAny();
        return ((Value.Scalar) expanded.entries().get(0).value()).text();
    }

    @Property
    void aValueIsNeverExpandedAgain(@ForAll String value) {
        assertThat(expand("${V}", Map.of("V", value))).isEqualTo(value);
        assertThat(expand("a${V}b$$c${V}", Map.of("V", value))).isEqualTo("a" + value + "b$c" + value);
    }

    @Property
    void anyTextCanBeWrittenWithDoubledDollars(@ForAll @StringLength(max = 40) String text) {
        assertThat(expand(text.replace("$", "$$"), Map.of())).isEqualTo(text);
    }

    @Property
    void textWithoutDollarsStays(@ForAll String text) {
        String plain = text.replace("$", "");
        assertThat(expand(plain, Map.of())).isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$RvePwd01",
                "pa$$word",
                "${HOME}",
                "${NOT_SET}",
                "a: b #c",
                "\"quoted\"",
                "'",
                " lead",
                "trailing\n",
                "two\nlines",
                "yes",
                "0123",
                "~",
                "null",
                "",
                "%x",
                "*x",
                "&x",
                "!x",
                "\t",
                "ä日本🙂"
            })
    void aSecretArrivesAsItIs(String secret) {
        Project project = ProjectFolder.of(
                        dir, "=== connections.yml\npg:\n  connector: postgres\n  password: ${PG_PASSWORD}\n")
                .environment("PG_PASSWORD", secret)
                .environment("HOME", "/home/x")
                .load();
        assertThat(password(project)).isEqualTo(secret);
    }

    @Test
    void aLongSecretArrivesAsItIs() {
        aSecretArrivesAsItIs("$x}${".repeat(400) + "'\"");
    }

    @Test
    void defaultsAreUsedForUnsetAndEmptyVariables() {
        assertThat(expand("${A:-d}", Map.of())).isEqualTo("d");
        assertThat(expand("${A:-d}", Map.of("A", ""))).isEqualTo("d");
        assertThat(expand("${A:-d}", Map.of("A", "x"))).isEqualTo("x");
        assertThat(expand("${A:-}", Map.of())).isEmpty();
        assertThat(expand("${A:-a$$b:-c}", Map.of())).isEqualTo("a$$b:-c");
        assertThat(expand("${A}", Map.of("A", ""))).isEmpty();
    }

    @Test
    void aDollarBeforeAnythingElseIsItself() {
        assertThat(expand("$A $1 a$", Map.of("A", "x"))).isEqualTo("$A $1 a$");
        assertThat(expand("$${A}", Map.of("A", "x"))).isEqualTo("${A}");
        assertThat(expand("$$${A}", Map.of("A", "x"))).isEqualTo("$x");
    }

    @Test
    void theEnvironmentWinsOverTheFile() {
        Project project = ProjectFolder.of(dir, """
                        === connections.yml
                        a: {connector: x, host: "${A}", port: "${B}"}
                        === .env
                        A=file
                        B=file
                        """).environment("A", "real").load();
        assertThat(option(project, "host")).isEqualTo("real");
        assertThat(option(project, "port")).isEqualTo("file");
    }

    @Test
    void theEnvFileKeepsValuesAsTheyAreMeant() {
        Problems problems = new Problems();
        Map<String, String> values = EnvFile.read(new SourceText(".env", """
                        # comment
                          # another

                        PLAIN= a b\t
                        HASH=a#b # comment
                        EMPTY=
                        ONLY= # comment
                        SINGLE='a "b" $c \\n # d' # comment
                        DOUBLE="a 'b' \\"c\\" \\\\ \\n \\x # d"   # comment
                        export EXPORTED=$RvePwd01
                        DOLLARS=pa$$word${HOME}
                        EQUALS=a=b==
                        QUOTE_INSIDE=a'b"c
                        CRLF=x\r
                        """), problems);
        assertThat(ProjectFolder.printed(problems)).isEmpty();
        assertThat(values)
                .containsOnly(
                        Map.entry("PLAIN", "a b"),
                        Map.entry("HASH", "a#b"),
                        Map.entry("EMPTY", ""),
                        Map.entry("ONLY", ""),
                        Map.entry("SINGLE", "a \"b\" $c \\n # d"),
                        Map.entry("DOUBLE", "a 'b' \"c\" \\ \n \\x # d"),
                        Map.entry("EXPORTED", "$RvePwd01"),
                        Map.entry("DOLLARS", "pa$$word${HOME}"),
                        Map.entry("EQUALS", "a=b=="),
                        Map.entry("QUOTE_INSIDE", "a'b\"c"),
                        Map.entry("CRLF", "x"));
    }

    @Test
    void anUnsetVariableNamesTheVariableAndTheKey() {
        ProjectFolder folder = ProjectFolder.of(dir, """
                === connections.yml
                pg:
                  connector: postgres
                  entities:
                    public.t:
                      read:
                        columns: {a: "${TYPE}"}
                """);
        folder.load();
        assertThat(ProjectFolder.printed(folder.problems()))
                .startsWith(
                        "WR0106 connections.yml:6:22: pg.entities.public.t.read.columns.a: the variable TYPE is not set")
                .contains("or in .env");
    }

    @Test
    void listedSecretsAreRememberedWithTheirDefaults() {
        Project project = ProjectFolder.of(dir, """
                        === connections.yml
                        a: {connector: x, token: "${T:-fallback}", other: "${O}"}
                        === weir.yml
                        secrets: [T, O, NOT_SET]
                        === .env
                        O=o-value
                        """).load();
        assertThat(project.secrets()).containsExactlyInAnyOrder("fallback", "o-value");
        assertThat(project.toString()).doesNotContain("o-value");
        assertThat(project.connections().toString()).doesNotContain("o-value");
    }

    private static String password(Project project) {
        return option(project, "password");
    }

    private static String option(Project project, String name) {
        return project.connections()
                .get(0)
                .options()
                .get(name)
                .value()
                .orElseThrow()
                .text();
    }
}
