package dev.weir.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every malformed file gives its code and its place, all of them at once, and nothing else. */
class MalformedProjectTest {

    private static final String FINE = "pg:\n  connector: postgres\n  host: h\n";

    @TempDir
    private Path dir;

    record Case(String what, String files, List<String> expected) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Case yaml(String what, String connections, String... expected) {
        return new Case(what, "=== connections.yml\n" + connections, List.of(expected));
    }

    private static Case weir(String what, String weir, String... expected) {
        return new Case(what, "=== connections.yml\n" + FINE + "=== weir.yml\n" + weir, List.of(expected));
    }

    private static Case sql(String what, String sql, String... expected) {
        return new Case(what, "=== connections.yml\n" + FINE + "=== pipelines/p.sql\n" + sql, List.of(expected));
    }

    private static Case read(String what, String read, String... expected) {
        String text = "pg:\n  connector: postgres\n  entities:\n    t:\n      read:\n" + read.indent(8);
        return yaml(what, text, expected);
    }

    static Stream<Case> files() {
        return Stream.of(
                yaml("a tab", "pg:\n\tconnector: postgres\n", "WR0101 connections.yml:2:1"),
                yaml("a text", "just text\n", "WR0101 connections.yml:1:1"),
                yaml("a list", "- a\n- b\n", "WR0101 connections.yml:1:1"),
                yaml("an alias", "pg:\n  host: *secret\n", "WR0101 connections.yml:2:9"),
                yaml("an anchor", "pg: &a\n  host: x\n", "WR0101 connections.yml:1:5"),
                yaml("an anchor on a scalar", "pg:\n  host: &a x\n", "WR0101 connections.yml:2:9"),
                yaml("a tag", "pg:\n  host: !!int 5\n", "WR0101 connections.yml:2:9"),
                yaml("a tag on a mapping", "pg: !x\n  host: 5\n", "WR0101 connections.yml:1:5"),
                yaml("a merge key", "pg:\n  <<: {host: x}\n", "WR0101 connections.yml:2:3"),
                yaml("two documents", FINE + "---\nb: {}\n", "WR0101 connections.yml:4:1"),
                yaml("a list as a key", "pg:\n  ? [a]\n  : b\n", "WR0101 connections.yml:2:5"),
                yaml("no key", "pg:\n  : b\n", "WR0101 connections.yml:2:3"),
                yaml("an open bracket", "pg: {connector: postgres\n", "WR0101 connections.yml:2:1"),
                yaml("an open quote", "pg:\n  host: \"x\n", "WR0101 connections.yml:3:1"),
                yaml("a percent sign", "pg:\n  password: %x\n", "WR0101 connections.yml:2:13"),
                yaml("a control character", "pg:\n  host: a\u0007b\n", "WR0101 connections.yml:2:10"),
                yaml("a NUL", "pg:\n  host: a\0b\n", "WR0101 connections.yml:2:10"),
                yaml("deep nesting", "a: " + "[".repeat(100_000), "WR0101 connections.yml:1:36"),
                yaml("deep maps", "{a: ".repeat(100_000), "WR0101 connections.yml:1:133"),
                yaml(
                        "duplicate keys",
                        "pg:\n  connector: postgres\n  host: a\n  host: b\npg: {connector: x}\n",
                        "WR0103 connections.yml:4:3",
                        "WR0103 connections.yml:5:1"),
                yaml("an alias bomb", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "WR0101 connections.yml:1:4"),
                yaml("a bad name", "a.b:\n  connector: postgres\n", "WR0105 connections.yml:1:1"),
                yaml("a connection that is text", "pg: postgres\n", "WR0105 connections.yml:1:5"),
                yaml("a connection that is a list", "pg: [a]\n", "WR0105 connections.yml:1:5"),
                yaml("an empty connection", "pg:\n", "WR0104 connections.yml:1:1"),
                yaml("no connector", "pg:\n  host: x\n", "WR0104 connections.yml:1:1"),
                yaml("an empty connector", "pg:\n  connector:\n", "WR0105 connections.yml:2:13"),
                yaml(
                        "an option of a wrong shape",
                        "pg:\n  connector: postgres\n  host: [a]\n  port: {a: b}\n  user: ~\n",
                        "WR0105 connections.yml:3:9",
                        "WR0105 connections.yml:4:9",
                        "WR0105 connections.yml:5:9"),
                yaml(
                        "limits that are none",
                        FINE
                                + "  retry: {attempts: 0, delay: 5, max_delay: 0s, often: x}\n  max_concurrency: 0\n  rate_limit: 3\n",
                        "WR0105 connections.yml:4:21",
                        "WR0105 connections.yml:4:31",
                        "WR0105 connections.yml:4:45",
                        "WR0102 connections.yml:4:49",
                        "WR0105 connections.yml:5:20",
                        "WR0105 connections.yml:6:15"),
                yaml(
                        "a timeout and a breaker that are none",
                        FINE + "  timeout: 0s\n  breaker: {failures: 0, cooldown: x, often: y}\n",
                        "WR0105 connections.yml:4:12",
                        "WR0105 connections.yml:5:23",
                        "WR0105 connections.yml:5:36",
                        "WR0102 connections.yml:5:39"),
                yaml("entities as a list", FINE + "  entities: [a, b]\n", "WR0105 connections.yml:4:13"),
                yaml("an entity that is a list", FINE + "  entities: {t: [a]}\n", "WR0105 connections.yml:4:17"),
                yaml(
                        "an unknown key of an entity",
                        FINE + "  entities:\n    t:\n      sync: {mode: incremental}\n      raed: {}\n",
                        "WR0102 connections.yml:6:7",
                        "WR0102 connections.yml:7:7"),
                read("columns as a list", "columns: [a, b]", "WR0105 connections.yml:6:18"),
                read("no columns", "columns: {}", "WR0105 connections.yml:6:18"),
                read("a column without a type", "columns: {a: int, b: }", "WR0105 connections.yml:6:29"),
                read("a column with a list", "columns: {a: [int]}", "WR0105 connections.yml:6:22"),
                read("a torn type", "columns: {a: decimal(12,2), b: int}", "WR0105 connections.yml:6:22"),
                read("a column twice", "columns: {a: int, a: text}", "WR0103 connections.yml:6:27"),
                read("sync as text", "sync: incremental", "WR0105 connections.yml:6:15"),
                read("an empty sync", "sync: {}", "WR0104 connections.yml:6:9", "WR0104 connections.yml:6:9"),
                read("no cursor", "sync: {mode: incremental}", "WR0104 connections.yml:6:9"),
                read("a wrong mode", "sync: {mode: full, cursor: id}", "WR0105 connections.yml:6:22"),
                read(
                        "empty keys of a sync block",
                        "sync:\n  mode: incremental\n  cursor:\n  max_window: ~\n  initial: null\n  until:\n",
                        "WR0105 connections.yml:8:18",
                        "WR0105 connections.yml:9:23",
                        "WR0105 connections.yml:10:20",
                        "WR0105 connections.yml:11:17"),
                read(
                        "an unknown key beside all known ones",
                        "sync:\n  mode: incremental\n  cursor: id\n  delay: 1m\n  lookback: 5\n  settle: off\n"
                                + "  settle_timeout: 3s\n  nulls: fail\n  max_windw: 5\n",
                        "WR0102 connections.yml:14:11"),
                read("an unknown key", "colums: {a: int}", "WR0102 connections.yml:6:9"),
                read("a query that is a list", "query: [a]", "WR0105 connections.yml:6:16"),
                yaml(
                        "write options",
                        FINE
                                + "  entities:\n    t:\n      write: {strategy: , keys: {a: b}, per_slice: accept, x: y}\n",
                        "WR0105 connections.yml:6:24",
                        "WR0105 connections.yml:6:33",
                        "WR0102 connections.yml:6:60"),
                yaml(
                        "variables",
                        FINE + "  user: ${NOT_SET}\n  a: ${\n  b: ${1x}\n  c: ${A:-${B}}\n  d: ${backfill.start}\n"
                                + "  e: ${now.date}\n",
                        "WR0106 connections.yml:4:9",
                        "WR0105 connections.yml:5:6",
                        "WR0105 connections.yml:6:6",
                        "WR0105 connections.yml:7:6",
                        "WR0606 connections.yml:8:6",
                        "WR0606 connections.yml:9:6"),
                read(
                        "a variable is no cause of another problem",
                        "sync: {mode: \"${A}\", cursor: \"${B}\", until: \"${C}\"}",
                        "WR0106 connections.yml:6:22",
                        "WR0106 connections.yml:6:38",
                        "WR0106 connections.yml:6:53"),
                weir("an unknown key", "nmae: x\n", "WR0102 weir.yml:1:1"),
                weir("keys for later", "state: {}\nbackfill: {}\n", "WR0109 weir.yml:1:1"),
                weir(
                        "defaults of a backfill that are none",
                        "backfill: { window: 1y, concurrency: 65, timezone: Mars/Base, on_existing: ask, chunk: 1d }\n",
                        "WR0105 weir.yml:1:21",
                        "WR0105 weir.yml:1:38",
                        "WR0105 weir.yml:1:52",
                        "WR0105 weir.yml:1:76",
                        "WR0102 weir.yml:1:81"),
                weir("windows that are none", "backfill: { window: 0d }\n", "WR0105 weir.yml:1:21"),
                weir("a token in weir.yml", "name: ${now.date}\n", "WR0606 weir.yml:1:7"),
                read(
                        "tokens that are none, and tokens where none may stand",
                        "query: \"${backfill.begin} ${now.strftime.%Q}\"\ncolumns: { id: \"${now.date}\" }",
                        "WR0606 connections.yml:6:16",
                        "WR0606 connections.yml:6:16",
                        "WR0606 connections.yml:7:24"),
                weir("a retention that is none", "retention: 5\n", "WR0105 weir.yml:1:12"),
                weir(
                        "bad values",
                        "name: \"\"\nmemory: lots\nthreads: 0\nvars: [a]\nsecrets: {a: b}\n",
                        "WR0105 weir.yml:1:7",
                        "WR0105 weir.yml:2:9",
                        "WR0105 weir.yml:3:10",
                        "WR0105 weir.yml:4:7",
                        "WR0105 weir.yml:5:10"),
                weir("no memory", "memory: 0MB\n", "WR0105 weir.yml:1:9"),
                weir("too little memory", "memory: 255.999MB\n", "WR0105 weir.yml:1:9"),
                weir("a folder to spill to that is none", "spill: ' '\n", "WR0105 weir.yml:1:8"),
                weir("a unit without a number", "memory: MB\n", "WR0105 weir.yml:1:9"),
                weir("broken threads", "threads: 1.5\n", "WR0105 weir.yml:1:10"),
                weir(
                        "vars that are no scalars",
                        "vars:\n  a: [1]\n  b: {c: d}\n  c: ~\n",
                        "WR0105 weir.yml:2:6",
                        "WR0105 weir.yml:3:6",
                        "WR0105 weir.yml:4:6"),
                new Case(
                        ".env",
                        "=== connections.yml\n" + FINE
                                + "=== .env\nA=1\nno equals\n1A=2\nB='x\nC=\"x\" y\nexport A=3\n",
                        List.of(
                                "WR0101 .env:2:1",
                                "WR0101 .env:3:1",
                                "WR0101 .env:4:3",
                                "WR0101 .env:5:3",
                                "WR0103 .env:6:8")),
                sql("an unknown call", "{{ sorce('a', 'b') }}", "WR0201 pipelines/p.sql:1:4"),
                sql("ref of no text", "SELECT * FROM\n  {{ ref(other) }}", "WR0201 pipelines/p.sql:2:10"),
                sql("an empty call", "{{ }}", "WR0201 pipelines/p.sql:1:4"),
                sql("an open call", "SELECT {{ source('a', 'b')", "WR0201 pipelines/p.sql:1:27"),
                sql("an open quote in a call", "{{ source('a, 'b') }}", "WR0201 pipelines/p.sql:1:16"),
                sql("a quote never closed", "{{ var('a) }}", "WR0201 pipelines/p.sql:1:8"),
                sql("a missing comma", "{{ source('a' 'b') }}", "WR0201 pipelines/p.sql:1:15"),
                sql("a word without quotes", "{{ source('a', b) }}", "WR0201 pipelines/p.sql:1:16"),
                sql("a call in a call", "{{ source('a', var('b')) }}", "WR0201 pipelines/p.sql:1:16"),
                sql(
                        "a named word without quotes",
                        "{{ sink('a', 'b', strategy: merge) }}",
                        "WR0201 pipelines/p.sql:1:29"),
                sql("one argument", "{{ source('a') }}", "WR0201 pipelines/p.sql:1:4"),
                sql("three arguments", "{{ source('a', 'b', 'c') }}", "WR0201 pipelines/p.sql:1:4"),
                sql("a number as a name", "{{ source('a', 5) }}", "WR0201 pipelines/p.sql:1:4"),
                sql("no arguments", "{{ source }}", "WR0201 pipelines/p.sql:1:4"),
                sql("arguments for a value", "{{ run_id('x') }}", "WR0201 pipelines/p.sql:1:4"),
                sql("brackets for a value", "{{ run_id() }}", "WR0201 pipelines/p.sql:1:4"),
                sql(
                        "a name before a place",
                        "{{ source('a', columns: {a: int}, 'b') }}",
                        "WR0201 pipelines/p.sql:1:35"),
                sql(
                        "an option twice in one call",
                        "{{ sink('a', 'b', strategy: 'merge', strategy: 'merge') }}",
                        "WR0103 pipelines/p.sql:1:38"),
                sql("an unknown option", "{{ sink('a', 'b', strtegy: 'merge') }}", "WR0206 pipelines/p.sql:1:19"),
                sql(
                        "an option of var",
                        "{{ var('a', default: 1) }}",
                        "WR0106 pipelines/p.sql:1:8",
                        "WR0206 pipelines/p.sql:1:13"),
                sql("an option of watermark", "{{ watermark('a', 'b', curser: 'c') }}", "WR0206 pipelines/p.sql:1:24"),
                sql("deep lists", "{{ sink('a', 'b', keys: " + "[".repeat(50_000), "WR0201 pipelines/p.sql:1:42"),
                sql("a call in quotes", "SELECT '{{ var('x') }}'", "WR0201 pipelines/p.sql:1:9"),
                sql("a call in a quoted name", "SELECT \"{{ run_id }}\"", "WR0201 pipelines/p.sql:1:9"),
                sql("a call in dollar quotes", "SELECT $a$ {{ run_id }} $a$", "WR0201 pipelines/p.sql:1:12"),
                sql("a loop", "{% for x in y %} SELECT 1", "WR0201 pipelines/p.sql:1:1"),
                sql("an open string", "SELECT 'abc", "WR0215 pipelines/p.sql:1:8"),
                sql("an open comment", "SELECT 1 /* a /* b */", "WR0215 pipelines/p.sql:1:10"),
                sql(
                        "an unset variable",
                        "SELECT\n{{ env('NOT_SET') }}, {{ var('x') }}",
                        "WR0106 pipelines/p.sql:2:8",
                        "WR0106 pipelines/p.sql:2:30"),
                new Case(
                        "many files at once",
                        "=== connections.yml\npg:\n  connector: postgres\n  host: ${NOPE}\n=== weir.yml\nx: y\n"
                                + "=== pipelines/a.sql\n{{ x }}\n=== pipelines/b.sql\n{{ y }}\n",
                        List.of(
                                "WR0106 connections.yml:3:9",
                                "WR0201 pipelines/a.sql:1:4",
                                "WR0201 pipelines/b.sql:1:4",
                                "WR0102 weir.yml:1:1")));
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyProblemHasItsCodeAndPlace(Case malformed) {
        ProjectFolder folder = ProjectFolder.of(dir, malformed.files());
        folder.load();
        assertThat(ProjectFolder.codesAndPlaces(folder.problems()))
                .as(ProjectFolder.printed(folder.problems()))
                .containsExactlyElementsOf(malformed.expected());
    }

    @Test
    void aFolderWithoutConnectionsIsNoProject() {
        ProjectFolder folder = ProjectFolder.in(dir).file("pipelines/a.sql", "{{ x }}");
        folder.load();
        assertThat(ProjectFolder.printed(folder.problems()))
                .startsWith("WR0108 ")
                .contains("has no connections.yml", "--project DIR");
    }

    @Test
    void aFolderThatIsNotThereIsNoProject() {
        ProjectFolder folder = ProjectFolder.in(dir.resolve("nowhere"));
        folder.load();
        assertThat(ProjectFolder.printed(folder.problems()))
                .startsWith("WR0108 ")
                .contains("there is no folder");
    }

    @Test
    void bytesThatAreNoUtf8HaveTheirPlace() {
        byte[] latin1 = "pg:\n  host: hä\n".getBytes(StandardCharsets.ISO_8859_1);
        ProjectFolder folder = ProjectFolder.in(dir).file("connections.yml", latin1);
        folder.load();
        assertThat(ProjectFolder.codesAndPlaces(folder.problems())).containsExactly("WR0101 connections.yml:2:10");
    }

    @Test
    void aCutOffCharacterAtTheEndIsNoUtf8() {
        byte[] cut = {'a', ':', ' ', (byte) 0xC3};
        ProjectFolder folder = ProjectFolder.in(dir).file("connections.yml", cut);
        folder.load();
        assertThat(ProjectFolder.codesAndPlaces(folder.problems())).containsExactly("WR0101 connections.yml:1:4");
    }

    @Test
    void aHugeFileIsRefusedUnread() {
        ProjectFolder folder = ProjectFolder.in(dir)
                .file("connections.yml", "#".repeat(5 << 20))
                .file("pipelines/a.sql", "-".repeat(5 << 20));
        folder.load();
        assertThat(ProjectFolder.codesAndPlaces(folder.problems()))
                .containsExactly("WR0101 connections.yml", "WR0101 pipelines/a.sql");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheText() {
        ProjectFolder folder = ProjectFolder.in(dir).file("connections.yml", "\uFEFF" + FINE);
        assertThat(folder.load().connections()).hasSize(1);
        assertThat(folder.problems().faults()).isEmpty();
    }

    @Test
    void anEmptyFileIsAProjectWithoutConnections() {
        ProjectFolder folder = ProjectFolder.in(dir).file("connections.yml", "");
        assertThat(folder.load().connections()).isEmpty();
        assertThat(folder.problems().faults()).isEmpty();
    }

    @Test
    void namesThatDifferInCaseAloneAreRefused() {
        ProjectFolder folder = ProjectFolder.in(dir)
                .file("connections.yml", FINE)
                .file("pipelines/Orders.sql", "SELECT 1")
                .file("pipelines/orders.sql", "SELECT 1");
        folder.load();
        assertThat(ProjectFolder.codesAndPlaces(folder.problems())).containsExactly("WR0103 pipelines/orders.sql");
    }

    @Test
    void aFileThatIsAFolderIsNoStackTrace() {
        ProjectFolder folder =
                ProjectFolder.in(dir).file("connections.yml/x", "").file("weir.yml/x", "");
        folder.load();
        assertThat(ProjectFolder.codesAndPlaces(folder.problems()))
                .containsExactly("WR0101 connections.yml", "WR0101 weir.yml");
    }

    @Test
    void aMisspelledVarIsNotIgnored() {
        ProjectFolder folder = ProjectFolder.in(dir)
                .file("connections.yml", FINE)
                .file("weir.yml", "vars: {region: eu}")
                .var("regoin", "us");
        folder.load();
        assertThat(ProjectFolder.printed(folder.problems())).contains("WR0102 --var", "did you mean 'region'?");
    }

    @Test
    void aNearbyKeyIsSuggested() {
        ProjectFolder folder = ProjectFolder.of(dir, "=== connections.yml\n" + FINE + "=== weir.yml\nsecret: [A]\n");
        folder.load();
        assertThat(ProjectFolder.printed(folder.problems())).contains("did you mean 'secrets'?");
    }

    @Test
    void noProblemQuotesWhatMayBeASecret() {
        ProjectFolder folder = ProjectFolder.of(dir, """
                === connections.yml
                pg:
                  connector: postgres
                  host: ${A:-hunter2${B}}
                  password: [hunter2]
                  user: ${hunter 2}
                === .env
                hunter2
                A='hunter2
                === weir.yml
                secrets: *hunter2
                """);
        folder.load();
        assertThat(folder.problems().faults()).hasSize(6);
        assertThat(ProjectFolder.printed(folder.problems())).doesNotContain("hunter");
    }
}
