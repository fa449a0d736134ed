package dev.weir.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.slicing.Token;
import dev.weir.slicing.TokenText;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProjectLoaderTest {

    private static final String FINE = "=== connections.yml\npg: {connector: postgres}\n";

    @TempDir
    private Path dir;

    private Project load(ProjectFolder folder) {
        Project project = folder.load();
        assertThat(ProjectFolder.printed(folder.problems())).isEmpty();
        return project;
    }

    private Project load(String files) {
        return load(ProjectFolder.of(dir, files));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01",
                "2026-01-01 00:00:00",
                "2026-01-01T00:00:00Z",
                "0123",
                "1_000",
                "12:30:00",
                "1e3",
                "9223372036854775808",
                "0x1F",
                "0o17",
                "0b1",
                "no",
                "yes",
                "on",
                ".inf",
                ".nan",
                "-5",
                "+5",
                "1.50",
                "true",
                "now"
            })
    void aScalarIsItsSourceText(String text) {
        String files = """
                === connections.yml
                pg:
                  connector: postgres
                  entities:
                    t:
                      read:
                        sync: {mode: incremental, cursor: id, initial: %s, until: "%s", max_window: '%s'}
                """;
        SyncSpec sync = load(files.formatted(text, text, text))
                .connections()
                .get(0)
                .entities()
                .get(0)
                .read()
                .sync()
                .orElseThrow()
                .value();
        assertThat(List.of(sync.initial(), sync.until(), sync.maxWindow()))
                .extracting(key -> key.orElseThrow().value().text())
                .containsExactly(text, text, text);
    }

    @Test
    void columnNamesAreTextWhateverTheyLookLike() {
        Project project = load("""
                === connections.yml
                pg:
                  connector: postgres
                  entities:
                    t:
                      read:
                        columns: { no: varchar, y: int, on: text, null: text, ~: text, 1: int, true: bool, "a b": "decimal(12,2)" }
                """);
        List<ColumnSpec> columns = project.connections()
                .get(0)
                .entities()
                .get(0)
                .read()
                .columns()
                .orElseThrow()
                .value();
        assertThat(columns)
                .extracting(column -> column.name().text() + " " + column.type().text())
                .containsExactly(
                        "no varchar",
                        "y int",
                        "on text",
                        "null text",
                        "~ text",
                        "1 int",
                        "true bool",
                        "a b decimal(12,2)");
    }

    @Test
    void theProjectIsNamedAfterItsFolderUnlessItSaysOtherwise() {
        assertThat(load(FINE).name()).isEqualTo(dir.getFileName().toString());
        assertThat(load(FINE + "=== weir.yml\nname: my project\n").name()).isEqualTo("my project");
    }

    @Test
    void settingsAreRead() {
        Project project = load(FINE + "=== weir.yml\nmemory: 512MB\nspill: /spill\nthreads: 4\nvars:\nsecrets:\n");
        assertThat(project.settings())
                .isEqualTo(new Settings(
                        Optional.of(new Memory(512_000_000)),
                        Optional.of(Path.of("/spill")),
                        OptionalInt.of(4),
                        Retention.DEFAULT,
                        BackfillDefaults.NONE));
        assertThat(load(FINE + "=== weir.yml\n# nothing\n").settings()).isEqualTo(Settings.NONE);
    }

    @Test
    void defaultsOfBackfillsAreRead() {
        Project project = load(
                FINE
                        + "=== weir.yml\nbackfill: { window: 1mo, concurrency: 64, timezone: Europe/Berlin, on_existing: error }\n");
        assertThat(project.settings().backfill())
                .isEqualTo(new BackfillDefaults(
                        Optional.of("1mo"),
                        OptionalInt.of(64),
                        Optional.of(ZoneId.of("Europe/Berlin")),
                        dev.weir.slicing.Resumption.OnExisting.ERROR));
        assertThat(load(FINE + "=== weir.yml\nbackfill: { window: 0.5, on_existing: resume }\n")
                        .settings()
                        .backfill())
                .isEqualTo(new BackfillDefaults(
                        Optional.of("0.5"),
                        OptionalInt.empty(),
                        Optional.empty(),
                        dev.weir.slicing.Resumption.OnExisting.RESUME));
    }

    private static final String TOKENS = """
            === connections.yml
            pg:
              connector: postgres
              entities:
                days:
                  read:
                    query: "SELECT '${A}', '$${backfill.start}', '$$', '${backfill.start}', ${now.strftime.%Y-%m}"
            === pipelines/p.sql
            SELECT * FROM {{ source('pg', 'x', query: 'SELECT $$${A}$$, ${now.date} FROM x') }}
            """;

    @Test
    void tokensOfAQueryAreReadOnceAndNeverMadeOfAVariableOrAnEscape() {
        Project project =
                ProjectFolder.of(dir, TOKENS).environment("A", "${now.date}").load();
        TokenText query = project.connections()
                .get(0)
                .entities()
                .get(0)
                .read()
                .query()
                .orElseThrow()
                .value()
                .text();

        assertThat(query.tokens()).map(Token::toString).containsExactly("${backfill.start}", "${now.strftime.%Y-%m}");
        assertThat(query.written())
                .isEqualTo(
                        "SELECT '${now.date}', '${backfill.start}', '$', '${backfill.start}', ${now.strftime.%Y-%m}");
        assertThat(query.parts().get(0))
                .isEqualTo(new TokenText.Plain("SELECT '${now.date}', '${backfill.start}', '$', '"));
    }

    @Test
    void aQueryInACallHasTokensAndNothingElseIsExpanded() {
        Project project = ProjectFolder.of(dir, TOKENS).environment("A", "a").load();
        TokenText query = project.pipelines()
                .get(0)
                .calls(Call.Source.class)
                .get(0)
                .options()
                .query()
                .orElseThrow()
                .value()
                .text();

        assertThat(query.written()).isEqualTo("SELECT $$${A}$$, ${now.date} FROM x");
        assertThat(query.tokens()).map(Token::toString).containsExactly("${now.date}");
    }

    @Test
    void anEmptyEntityIsDeclaredWithoutOptions() {
        Project project = load(
                "=== connections.yml\npg:\n  connector: postgres\n  entities:\n    public.t:\n    b: {read: , write: }\n");
        assertThat(project.connections().get(0).entities())
                .extracting(entity -> entity.name().text())
                .containsExactly("public.t", "b");
    }

    @Test
    void onlySqlFilesDirectlyInPipelinesArePipelines() {
        Project project = load(
                FINE + "=== pipelines/b.sql\nSELECT 1\n=== pipelines/a.sql\nSELECT 1\n"
                        + "=== pipelines/readme.md\n{{ x }}\n=== pipelines/.hidden.sql\n{{ x }}\n=== pipelines/old/c.sql\n{{ x }}\n");
        assertThat(project.pipelines()).extracting(PipelineSpec::name).containsExactly("a", "b");
    }

    @Test
    void allPiecesTogetherAreTheWholeText() {
        String sql = """
                -- {{ not_a_call }}
                /* {{ neither /* is */ this }} */
                INSERT INTO {{ sink("lake", 'it''s', strategy: 'merge',
                    keys: ['id', "b"], ) }}
                SELECT "a""b", 'x''y', E'\\'', $$ it's $$, $t$ $$ $t$, $1, 日本, 1.5e-3, {'a': 1}, a::int
                FROM {{source('pg', 't', columns: {id: bigint, amount: decimal(12, 2), "no": 'varchar'},
                  sync: {mode: incremental, cursor: id, initial: 0}, query: "SELECT ""x"" FROM t -- }}
                ")}} WHERE id > {{ watermark('pg', 't') }} AND {{ run_id }} <> ';' -- end; {{
                """;
        PipelineSpec pipeline =
                load(FINE + "=== pipelines/p.sql\n" + sql).pipelines().get(0);
        assertThat(pipeline.sound()).isTrue();
        assertThat(pipeline.pieces().stream().map(Piece::text).collect(Collectors.joining()))
                .isEqualTo(sql);
        Call.Sink sink = pipeline.calls(Call.Sink.class).get(0);
        assertThat(sink.entity().text()).isEqualTo("it's");
        assertThat(sink.entity().place()).isEqualTo(new Place("pipelines/p.sql", 3, 29));
        assertThat(sink.options().keys().orElseThrow().value())
                .extracting(Value.Scalar::text)
                .containsExactly("id", "b");
        Call.Source source = pipeline.calls(Call.Source.class).get(0);
        assertThat(source.options().columns().orElseThrow().value())
                .extracting(column -> column.name().text() + " " + column.type().text())
                .containsExactly("id bigint", "amount decimal(12, 2)", "no varchar");
        assertThat(source.options().query().orElseThrow().value().text().written())
                .isEqualTo("SELECT \"x\" FROM t -- }}\n");
        assertThat(pipeline.calls(Call.Watermark.class)).hasSize(1);
        assertThat(pipeline.calls(Call.RunId.class)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "5|5",
                "-5|(-5)",
                "1.5e3|1.5e3",
                "true|true",
                "\"5\"|'5'",
                "'true'|'true'",
                "0123|'0123'",
                "1_000|'1_000'",
                "no|'no'",
                "2026-01-01|'2026-01-01'",
                "it's|'it''s'",
                "\"'; DROP TABLE x; --\"|'''; DROP TABLE x; --'",
                "\"a\\nb'\\\\c\"|E'a\\nb''\\\\c'",
                "5 OR 1=1|'5 OR 1=1'",
                "${E}|'7'"
            })
    void aVarIsOneSqlLiteral(String written, String sql) {
        Project project = load(ProjectFolder.of(
                        dir,
                        FINE + "=== weir.yml\nvars:\n  v: " + written
                                + "\n=== pipelines/p.sql\nSELECT {{ var('v') }}\n")
                .environment("E", "7"));
        assertThat(literal(project)).isEqualTo(sql);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"1|5|5", "1|x|'x'", "'a'|5|'5'", "a|5|'5'", "1|5; DROP|'5; DROP'"})
    void aFlagWinsOverTheFileAndStaysTextWhereTheFileHasText(String written, String flag, String sql) {
        Project project = load(ProjectFolder.of(
                        dir,
                        FINE + "=== weir.yml\nvars: {v: " + written + "}\n=== pipelines/p.sql\nSELECT {{ var('v') }}\n")
                .var("v", flag));
        assertThat(literal(project)).isEqualTo(sql);
    }

    @Test
    void aFlagMayGiveAVarThatTheFileDoesNotHave() {
        Project project = load(ProjectFolder.of(dir, FINE + "=== pipelines/p.sql\nSELECT {{ var('v') }}\n")
                .var("v", "5"));
        assertThat(literal(project)).isEqualTo("5");
    }

    @Test
    void anEnvironmentVariableIsAlwaysText() {
        Project project = load(ProjectFolder.of(dir, FINE + "=== pipelines/p.sql\nSELECT {{ env('V') }}\n")
                .environment("V", "5' OR '1'='1"));
        assertThat(literal(project)).isEqualTo("'5'' OR ''1''=''1'");
    }

    private static String literal(Project project) {
        return project.pipelines().get(0).calls(Call.Literal.class).get(0).sql();
    }
}
