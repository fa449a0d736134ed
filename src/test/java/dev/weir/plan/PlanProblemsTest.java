package dev.weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.project.ProjectFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contradiction of a project gives its code and its place, all of them at once, and nothing else. */
class PlanProblemsTest {

    private static final String CONNECTIONS = """
            === connections.yml
            pg:
              connector: postgres
              host: h
              database: d
              user: u
              entities:
                public.full:
                public.inc: {read: {sync: {mode: incremental, cursor: id}}}
                public.inc2: {read: {sync: {mode: incremental, cursor: id}}}
                public.late: {read: {sync: {mode: incremental, cursor: id, lookback: 5}}}
                a.twice:
                b.twice:
            lake: {connector: duckdb, path: l.duckdb, entities: {main.declared: {write: {strategy: merge, keys: [id]}}}}
            bucket: {connector: bucket}
            ro: {connector: readonly}
            """;

    private static final String P = "=== pipelines/p.sql\n";

    @TempDir
    private Path dir;

    record Case(String what, String files, List<String> expected) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Case sql(String what, String sql, String... expected) {
        return new Case(what, CONNECTIONS + P + sql, List.of(expected));
    }

    private static Case into(String what, String sink, String entity, String... expected) {
        return sql(
                what,
                "INSERT INTO {{ sink(" + sink + ") }}\nSELECT * FROM {{ source('pg', '" + entity + "') }}",
                expected);
    }

    private static Case yaml(String what, String connections, String... expected) {
        return new Case(what, "=== connections.yml\n" + connections, List.of(expected));
    }

    static Stream<Case> contradictions() {
        return Stream.of(
                yaml("an unknown connector", "a: {connector: postgers, host: x}", "WR0107 connections.yml:1:16"),
                yaml(
                        "options missing, unknown, empty",
                        "a:\n  connector: postgres\n  hots: x\n  user: \"\"\n  database: ${D:-}\n",
                        "WR0104 connections.yml:1:1",
                        "WR0102 connections.yml:3:3",
                        "WR0105 connections.yml:4:3",
                        "WR0105 connections.yml:5:3"),
                yaml(
                        "an unset variable is no missing option",
                        "a: {connector: duckdb, path: \"${NOPE}\"}",
                        "WR0106 connections.yml:1:30"),
                yaml(
                        "names of entities",
                        "a:\n  connector: duckdb\n  path: x\n  entities:\n    a..b:\n    '\"x':\n    a.b.c.d:\n    t:\n    '\"t\"':\n",
                        "WR0105 connections.yml:5:5",
                        "WR0105 connections.yml:6:5",
                        "WR0105 connections.yml:7:5",
                        "WR0103 connections.yml:9:5"),
                yaml(
                        "types",
                        "a:\n  connector: duckdb\n  path: x\n  entities:\n    t:\n      read:\n        columns:\n"
                                + "          a: bigit\n          b: numeric\n          c: decimal(40,2)\n"
                                + "          d: decimal(2,3)\n          e: int; DROP TABLE x\n          f: text\n",
                        "WR0105 connections.yml:8:14",
                        "WR0105 connections.yml:9:14",
                        "WR0105 connections.yml:10:14",
                        "WR0105 connections.yml:11:14",
                        "WR0105 connections.yml:12:14"),
                sql(
                        "an unknown connection",
                        "INSERT INTO {{ sink('lke', 't', strategy: 'append') }} SELECT 1",
                        "WR0202 pipelines/p.sql:1:21"),
                into(
                        "an unknown connection twice",
                        "'lke', 't', strategy: 'append'",
                        "full",
                        "WR0202 pipelines/p.sql:1:21"),
                into("an ambiguous name", "'lake', 't', strategy: 'replace'", "twice", "WR0204 pipelines/p.sql:2:31"),
                into("no name", "'lake', 't', strategy: 'replace'", "a..b", "WR0105 pipelines/p.sql:2:31"),
                sql(
                        "an option twice",
                        "INSERT INTO {{ sink('lake', 'declared', strategy: 'merge', order_by: 'id') }}\n"
                                + "SELECT * FROM {{ source('pg', 'inc', sync: {mode: incremental, cursor: id}) }}",
                        "WR0205 pipelines/p.sql:1:41",
                        "WR0205 pipelines/p.sql:2:38"),
                sql(
                        "an option in two calls",
                        "INSERT INTO {{ sink('lake', 'x', strategy: 'replace') }}\n"
                                + "SELECT * FROM {{ source('pg', 'n', columns: {a: int}) }} JOIN {{ source('pg', 'n', columns: {a: int}) }}",
                        "WR0205 pipelines/p.sql:2:84"),
                sql("an empty pipeline", "", "WR0215 pipelines/p.sql:1:1"),
                sql("no query", "-- {{ sink('lake', 'x') }}\nDELETE FROM t", "WR0215 pipelines/p.sql:1:1"),
                sql(
                        "two sinks",
                        "INSERT INTO {{ sink('lake', 'a', strategy: 'append') }}\nSELECT 1;\n"
                                + "INSERT INTO {{ sink('lake', 'b', strategy: 'append') }} SELECT 2",
                        "WR0215 pipelines/p.sql:3:1",
                        "WR0215 pipelines/p.sql:3:13"),
                sql(
                        "a sink behind the query",
                        "INSERT INTO {{ sink('lake', 'a', strategy: 'append') }} SELECT 1, {{ sink('lake', 'b', strategy: 'append') }}",
                        "WR0215 pipelines/p.sql:1:67"),
                sql(
                        "a table twice",
                        "INSERT INTO {{ sink('lake', 'a', strategy: 'append') }},\n {{ sink('lake', 'a', strategy: 'append') }} SELECT 1",
                        "WR0212 pipelines/p.sql:2:5"),
                sql(
                        "a second name of a declared table",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'replace') }}\nSELECT * FROM {{ source('pg', 'db.public.full') }}",
                        "WR0204 pipelines/p.sql:2:31"),
                sql(
                        "two names that nobody declared",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'replace') }} SELECT * FROM {{ source('pg', 'new') }},\n"
                                + " {{ source('pg', 'public.new') }}",
                        "WR0204 pipelines/p.sql:2:18"),
                sql(
                        "a pipeline that is not there",
                        "SELECT * FROM {{ ref('nowhere') }}",
                        "WR0217 pipelines/p.sql:1:22"),
                sql("a pipeline that reads itself", "SELECT * FROM {{ ref('p') }}", "WR0218 pipelines/p.sql:1:18"),
                new Case(
                        "pipelines in a circle",
                        CONNECTIONS + "=== pipelines/a.sql\nSELECT * FROM {{ ref('b') }}\n"
                                + "=== pipelines/b.sql\nSELECT * FROM {{ ref('c') }}\n"
                                + "=== pipelines/c.sql\nSELECT * FROM {{ ref('a') }}\n"
                                + "=== pipelines/d.sql\nSELECT * FROM {{ ref('a') }}\n",
                        List.of("WR0218 pipelines/a.sql:1:18")),
                into(
                        "lookback into append",
                        "'lake', 't', strategy: 'append', delivery: 'exactly_once'",
                        "late",
                        "WR0213 pipelines/p.sql:1:16"),
                into("merge without keys", "'lake', 't', strategy: 'merge'", "full", "WR0209 pipelines/p.sql:1:34"),
                into(
                        "merge with no key",
                        "'lake', 't', strategy: 'merge', keys: []",
                        "full",
                        "WR0209 pipelines/p.sql:1:34"),
                into("keys and nothing", "'lake', 't', keys: []", "full", "WR0209 pipelines/p.sql:1:16"),
                into(
                        "keys without merge",
                        "'lake', 't', strategy: 'replace', keys: ['id']",
                        "full",
                        "WR0211 pipelines/p.sql:1:55"),
                into(
                        "a key twice",
                        "'lake', 't', strategy: 'merge', keys: ['id', 'id', '']",
                        "full",
                        "WR0105 pipelines/p.sql:1:66",
                        "WR0105 pipelines/p.sql:1:72"),
                into("no strategy", "'lake', 't'", "full", "WR0210 pipelines/p.sql:1:16"),
                into("an unknown strategy", "'lake', 't', strategy: 'upsert'", "full", "WR0210 pipelines/p.sql:1:44"),
                into(
                        "options of another strategy",
                        "'lake', 't', strategy: 'replace', order_by: 'a', keep_columns: true, duplicates: 'accept'",
                        "full",
                        "WR0210 pipelines/p.sql:1:55",
                        "WR0210 pipelines/p.sql:1:70",
                        "WR0210 pipelines/p.sql:1:90"),
                into(
                        "keys removed without keys",
                        "'lake', 't', strategy: 'replace', delete_when: 'a'",
                        "full",
                        "WR0210 pipelines/p.sql:1:55"),
                into(
                        "a condition that says nothing",
                        "'lake', 't', keys: ['a'], delete_when: ' '",
                        "full",
                        "WR0105 pipelines/p.sql:1:60"),
                into(
                        "values no option takes",
                        "'lake', 't', strategy: 'append', duplicates: 'yes', delivery: 'twice'",
                        "full",
                        "WR0105 pipelines/p.sql:1:66",
                        "WR0210 pipelines/p.sql:1:73",
                        "WR0105 pipelines/p.sql:1:83"),
                into(
                        "a value that is no boolean",
                        "'lake', 't', keys: ['a'], keep_columns: 'yes'",
                        "full",
                        "WR0105 pipelines/p.sql:1:61"),
                into(
                        "both promises",
                        "'lake', 't', strategy: 'append', duplicates: 'accept', delivery: 'exactly_once'",
                        "inc",
                        "WR0210 pipelines/p.sql:1:76"),
                into("a sink that cannot", "'bucket', 't', strategy: 'replace'", "full", "WR0210 pipelines/p.sql:1:46"),
                into(
                        "a sink that cannot promise",
                        "'bucket', 't', strategy: 'append', delivery: 'exactly_once'",
                        "inc",
                        "WR0210 pipelines/p.sql:1:56"),
                into("no sink at all", "'ro', 't', strategy: 'append'", "full", "WR0210 pipelines/p.sql:1:16"),
                sql(
                        "no source at all",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'append') }} SELECT * FROM {{ source('bucket', 'x') }}",
                        "WR0105 pipelines/p.sql:1:81"),
                into(
                        "incremental into append",
                        "'lake', 't', strategy: 'append'",
                        "inc",
                        "WR0214 pipelines/p.sql:1:16"),
                into(
                        "incremental into replace",
                        "'lake', 't', strategy: 'replace'",
                        "inc",
                        "WR0335 pipelines/p.sql:1:16"),
                into("full into window", "'lake', 't', strategy: 'window'", "full", "WR0216 pipelines/p.sql:1:16"),
                sql(
                        "windows of two incremental sources",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'window') }} SELECT * FROM {{ source('pg', 'inc') }}\n"
                                + "UNION ALL SELECT * FROM {{ source('pg', 'inc') }}\n"
                                + "UNION ALL SELECT * FROM {{ source('pg', 'inc2') }}",
                        "WR0210 pipelines/p.sql:1:16"),
                new Case(
                        "a table of two pipelines",
                        CONNECTIONS
                                + "=== pipelines/a.sql\nINSERT INTO {{ sink('lake', 't', strategy: 'append') }} SELECT 1\n"
                                + "=== pipelines/b.sql\nINSERT INTO {{ sink('lake', 't', strategy: 'replace') }} SELECT 1\n",
                        List.of("WR0212 pipelines/b.sql:1:16")),
                new Case(
                        "a table of two pipelines by two names",
                        CONNECTIONS
                                + "=== pipelines/a.sql\nINSERT INTO {{ sink('lake', 't', strategy: 'replace') }} SELECT 1\n"
                                + "=== pipelines/b.sql\nINSERT INTO {{ sink('lake', 'main.t', keys: ['id']) }} SELECT 1\n"
                                + "=== pipelines/c.sql\nINSERT INTO {{ sink('lake', 'main.u', strategy: 'replace') }} SELECT 1\n"
                                + "=== pipelines/d.sql\nINSERT INTO {{ sink('lake', 'other.u', strategy: 'replace') }} SELECT 1\n",
                        List.of("WR0212 pipelines/b.sql:1:16")),
                sql(
                        "watermark of a full read",
                        "INSERT INTO {{ sink('lake', 't', keys: ['a']) }} SELECT {{ watermark('pg', 'full') }} FROM {{ source('pg', 'full') }}",
                        "WR0216 pipelines/p.sql:1:60"),
                sql(
                        "watermark of another source",
                        "INSERT INTO {{ sink('lake', 't', keys: ['a']) }} SELECT {{ watermark('pg', 'inc') }}",
                        "WR0201 pipelines/p.sql:1:60"),
                sql(
                        "a cursor twice",
                        "INSERT INTO {{ sink('lake', 't', keys: ['a']) }} SELECT {{ watermark('pg', 'inc', cursor: 'id') }} FROM {{ source('pg', 'inc') }}",
                        "WR0205 pipelines/p.sql:1:83"),
                sql(
                        "two cursors",
                        "INSERT INTO {{ sink('lake', 't', keys: ['a']) }} SELECT {{ watermark('pg', 'full', cursor: 'a') }},\n"
                                + "{{ watermark('pg', 'full', cursor: 'b') }} FROM {{ source('pg', 'full') }}",
                        "WR0205 pipelines/p.sql:2:28"),
                sql(
                        "a watermark makes a source incremental",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'replace') }} SELECT {{ watermark('pg', 'full', cursor: 'a') }} FROM {{ source('pg', 'full') }}",
                        "WR0335 pipelines/p.sql:1:16"),
                sql(
                        "a list of columns",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'append') }} (a, b) SELECT 1",
                        "WR0215 pipelines/p.sql:1:57"),
                sql(
                        "no query",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'append') }}",
                        "WR0215 pipelines/p.sql:1:13"),
                sql(
                        "by name",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'append') }} BY NAME SELECT 1",
                        "WR0215 pipelines/p.sql:1:57"),
                sql(
                        "select from a sink",
                        "SELECT * FROM {{ sink('lake', 't', strategy: 'append') }}",
                        "WR0215 pipelines/p.sql:1:15"),
                sql(
                        "insert in brackets",
                        "WITH x AS (INSERT INTO {{ sink('lake', 't', strategy: 'append') }} SELECT 1) SELECT 2",
                        "WR0215 pipelines/p.sql:1:24"),
                sql(
                        "insert or replace",
                        "INSERT OR REPLACE INTO {{ sink('lake', 't', strategy: 'append') }} SELECT 1",
                        "WR0215 pipelines/p.sql:1:24"),
                sql(
                        "insert after another statement",
                        "SET x = 1; INSERT INTO {{ sink('lake', 't', strategy: 'append') }} SELECT 1",
                        "WR0215 pipelines/p.sql:1:12",
                        "WR0215 pipelines/p.sql:1:24"),
                sql(
                        "two statements",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'append') }} SELECT 1;\n -- x\nDROP TABLE y",
                        "WR0215 pipelines/p.sql:3:1"),
                sql(
                        "a problem of the template hides no problem of the plan, and makes none",
                        "INSERT INTO {{ sink('lake', 't', strategy: 'replace') }} SELECT {{ x }} FROM {{ source('nope', 'x') }} JOIN {{ source('pg', 'inc') }}",
                        "WR0335 pipelines/p.sql:1:16",
                        "WR0201 pipelines/p.sql:1:68",
                        "WR0202 pipelines/p.sql:1:88"),
                new Case(
                        "an unreadable connections.yml says nothing of connections",
                        "=== connections.yml\n\ta\n" + P
                                + "INSERT INTO {{ sink('x', 't', strategy: 'merge') }} SELECT {{ y }}, * FROM {{ source('z', 'x') }}",
                        List.of("WR0101 connections.yml:1:1", "WR0201 pipelines/p.sql:1:63")),
                new Case(
                        "an unsound sync block is no full read",
                        CONNECTIONS.replace("cursor: id}}}\n    public.inc2", "curser: id}}}\n    public.inc2") + P
                                + "INSERT INTO {{ sink('lake', 't', strategy: 'window') }} SELECT {{ watermark('pg', 'inc') }} FROM {{ source('pg', 'inc') }}",
                        List.of("WR0104 connections.yml:8:25", "WR0102 connections.yml:8:51")));
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    void everyContradictionHasItsCodeAndPlace(Case contradiction) {
        ProjectFolder folder = ProjectFolder.of(dir, contradiction.files());
        Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.codesAndPlaces(folder.problems()))
                .as(ProjectFolder.printed(folder.problems()))
                .containsExactlyElementsOf(contradiction.expected());
    }

    /** Contract, section 2.3, every cell. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "full|strategy: 'replace'|",
                "full|strategy: 'append'|",
                "full|keys: ['id']|",
                "full|strategy: 'window'|WR0216",
                "inc|strategy: 'replace'|WR0335",
                "inc|strategy: 'append'|WR0214",
                "inc|strategy: 'append', duplicates: 'accept'|",
                "inc|strategy: 'append', delivery: 'exactly_once'|",
                "inc|strategy: 'merge', keys: ['id']|",
                "inc|strategy: 'window'|",
            })
    void readsFeedTheSinksTheyMay(String entity, String options, @Nullable String code) {
        String sql = "INSERT INTO {{ sink('lake', 't', " + options + ") }} SELECT * FROM {{ source('pg', '" + entity
                + "') }}";
        ProjectFolder folder = ProjectFolder.of(dir, CONNECTIONS + P + sql);
        Plan plan = Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(folder.problems().faults())
                .extracting(fault -> fault.code().toString())
                .isEqualTo(code == null ? List.of() : List.of(code));
        assertThat(plan.pipelines()).hasSize(code == null ? 1 : 0);
    }

    @Test
    void aRefusedPairingPrintsTheLineToWriteInstead() {
        ProjectFolder folder = ProjectFolder.of(
                dir,
                CONNECTIONS + P
                        + "INSERT INTO {{ sink('lake', 'out', strategy: 'append') }} SELECT * FROM {{ source('pg', 'inc') }}");
        Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.printed(folder.problems()))
                .contains(
                        "pipeline p",
                        "pg.public.inc",
                        "lake.out",
                        "INSERT INTO {{ sink('lake', 'out', strategy: 'merge', keys: ['id']) }}",
                        "INSERT INTO {{ sink('lake', 'out', strategy: 'append', delivery: 'exactly_once') }}");
    }

    @Test
    void optionsInConnectionsAreCorrectedThere() {
        ProjectFolder folder = ProjectFolder.of(
                dir,
                CONNECTIONS.replace("{strategy: merge, keys: [id]}", "{strategy: append}") + P
                        + "INSERT INTO {{ sink('lake', 'declared') }} SELECT * FROM {{ source('pg', 'inc') }}");
        Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.printed(folder.problems()))
                .contains("WR0214", "write: { strategy: 'merge', keys: ['id'] }");
    }

    @Test
    void anAmbiguousNameListsBoth() {
        ProjectFolder folder = ProjectFolder.of(
                dir,
                CONNECTIONS + P
                        + "INSERT INTO {{ sink('lake', 't', strategy: 'append') }} SELECT * FROM {{ source('pg', 'twice') }}");
        Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.printed(folder.problems())).contains("write one of: a.twice, b.twice");
    }
}
