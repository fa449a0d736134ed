package dev.weir.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.project.Place;
import dev.weir.project.ProjectFolder;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pipeline becomes, tried on the real DuckDB. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompiledSqlTest {

    private static final Instant STARTED = Instant.parse("2026-09-02T09:15:00.118123789Z");
    private static final CursorType BIGINT = CursorType.of(CursorType.Kind.BIGINT);

    private Connection duck;

    @TempDir
    private Path dir;

    private CompiledSql compile(String sql) {
        ProjectFolder folder = ProjectFolder.in(dir)
                .file("connections.yml", """
                        pg: {connector: postgres, host: h, database: d, user: u, entities: {public.t: {read: {sync: {mode: incremental, cursor: id}}}}}
                        lake: {connector: duckdb, path: lake.duckdb}
                        """)
                .file("weir.yml", "vars: {n: 5, text: \"it's\\nme\\\\\"}")
                .file("pipelines/p.sql", sql);
        Plan plan = Planner.plan(folder.load(), KnownConnector.ALL, folder.problems());
        assertThat(ProjectFolder.printed(folder.problems())).isEmpty();
        return plan.pipelines().get(0).sql();
    }

    private static RenderContext context(Optional<CursorValue> watermark) {
        return new RenderContext(
                "20260902T091500118Z-9a1c",
                STARTED,
                Map.of(),
                Map.of("src_pg__public_t", new RenderContext.Watermark(BIGINT, watermark)));
    }

    @BeforeAll
    void openDuckDb() throws SQLException {
        duck = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = duck.createStatement()) {
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("CREATE SCHEMA staging");
            statement.execute("CREATE TABLE staging.src_pg__public_t AS SELECT 1::BIGINT AS id, 'x' AS v");
        }
    }

    @AfterAll
    void closeDuckDb() throws SQLException {
        duck.close();
    }

    private List<String> run(String sql) throws SQLException {
        try (Statement statement = duck.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT * FROM (" + sql + ")")) {
                rows.next();
                ArrayList<String> row = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.add(rows.getString(i));
                }
                return row;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO {{ sink('lake', 'o', keys: ['id']) }}\nSELECT id FROM {{ source('pg', 't') }}",
                "insert\n into {{ sink('lake', 'o', keys: ['id']) }}\nselect id from {{ source('pg', 't') }};",
                "-- first\n/* ; {{ x }} */ INSERT INTO {{ sink('lake', 'o', keys: ['id']) }} FROM {{ source('pg', 't') }} SELECT id ; -- end",
                "WITH a AS (SELECT id FROM {{ source('pg', 't') }}) INSERT INTO {{ sink('lake', 'o', keys: ['id']) }} SELECT id FROM a;;\n",
                "INSERT INTO {{ sink('lake', 'o', keys: ['id']) }} WITH a AS (FROM {{ source('pg', 't') }}) SELECT id FROM a",
                "INSERT INTO {{ sink('lake', 'o', keys: ['id']) }} (SELECT id FROM {{ source('pg', 't') }})",
                "INSERT INTO {{ sink('lake', 'o', keys: ['id']) }} ((SELECT id FROM {{ source('pg', 't') }}))",
                "INSERT INTO {{ sink('lake', 'o', keys: ['id']) }}/**/SELECT id FROM {{ source('pg', 't') }} WHERE ';' <> 'a;b' -- it's",
                "INSERT INTO {{ sink('lake', 'o', keys: ['id']) }} VALUES (1)",
            })
    void aPipelineIsOneSelectThatMayStandInBrackets(String sql) throws SQLException {
        assertThat(run(compile(sql).render(context(Optional.empty())))).containsExactly("1");
    }

    @Test
    void everyLineStaysWhereItIs() {
        String sql = """
                -- a comment
                INSERT INTO
                  {{ sink('lake', 'o',
                       keys: ['id']) }}
                SELECT nonsense,
                  {{ watermark('pg',
                     't') }}
                FROM {{
                  source('pg', 't')
                }}
                WHERE wrong_column = {{ var('text') }}
                """;
        String rendered = compile(sql).render(context(Optional.empty()));
        List<String> lines = rendered.lines().toList();
        assertThat(lines.get(4)).isEqualTo("SELECT nonsense,");
        assertThat(lines.get(10)).startsWith("WHERE wrong_column = ");
        assertThatThrownBy(() -> run(rendered)).hasMessageContaining("LINE 11: WHERE wrong_column");
    }

    @Test
    void watermarksAreTypedAndNullOnTheFirstRun() throws SQLException {
        CompiledSql sql =
                compile("INSERT INTO {{ sink('lake', 'o', keys: ['id']) }} SELECT typeof(w), w, id FROM (SELECT "
                        + "{{ watermark('pg', 't') }} AS w, id FROM {{ source('pg', 't') }})");
        assertThat(run(sql.render(context(Optional.empty())))).containsExactly("BIGINT", null, "1");
        assertThat(run(sql.render(context(Optional.of(BIGINT.units(-42)))))).containsExactly("BIGINT", "-42", "1");
        assertThatThrownBy(() -> sql.render(new RenderContext("r", STARTED, Map.of(), Map.of())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void runValuesAndVariablesAreLiterals() throws SQLException {
        CompiledSql sql = compile(
                "INSERT INTO {{ sink('lake', 'o', strategy: 'append') }} SELECT {{ run_id }}, {{ run_started_at }}, "
                        + "typeof({{ run_started_at }}), {{ var('n') }} + 1, {{ var('text') }}");
        assertThat(run(sql.render(context(Optional.empty()))))
                .containsExactly(
                        "20260902T091500118Z-9a1c",
                        "2026-09-02T09:15:00.118123Z",
                        "TIMESTAMP WITH TIME ZONE",
                        "6",
                        "it's\nme\\");
    }

    static Stream<CursorValue> ends() {
        return Stream.concat(
                        Stream.of(CursorType.Kind.values())
                                .filter(kind -> kind != CursorType.Kind.DECIMAL)
                                .map(CursorType::of)
                                .filter(type -> !type.isEpoch()),
                        Stream.of(CursorType.decimal(38, 0), CursorType.decimal(38, 38), CursorType.decimal(18, 3)))
                .flatMap(type -> Stream.of(type.least(), type.greatest(), type.units(0), type.units(1)));
    }

    /** Every value comes back from DuckDB as the units it stands for. */
    @ParameterizedTest
    @MethodSource("ends")
    void aWatermarkIsExactToTheEndsOfItsType(CursorValue value) throws SQLException {
        String literal = CursorLiteral.of(value);
        String units =
                switch (value.type().kind()) {
                    case DATE -> "(" + literal + " - DATE '1970-01-01')";
                    case TIMESTAMP, TIMESTAMPTZ -> "epoch_us(" + literal + ")";
                    default -> literal;
                };
        String expected = value.type().isTime()
                ? value.units().toString()
                : value.toBigDecimal().toPlainString().replaceFirst("^(-?)0[.](\\d{38})$", "$1.$2");
        assertThat(run("SELECT " + units + "::VARCHAR, lower(typeof(" + literal + "))"))
                .containsExactly(
                        expected,
                        value.type().kind() == CursorType.Kind.TIMESTAMPTZ
                                ? "timestamp with time zone"
                                : value.type().toString());
        assertThat(run("SELECT typeof(" + CursorLiteral.of(new RenderContext.Watermark(value.type(), Optional.empty()))
                        + ")"))
                .isEqualTo(run("SELECT typeof(" + literal + ")"));
    }

    /** Every name of a type means in weir what it means in DuckDB. */
    @Test
    void typesAreNamedAsDuckDbPrintsThem() throws SQLException {
        for (String name : ColumnTypes.known()) {
            assertThat(run("SELECT typeof(NULL::" + name + "), typeof(NULL::" + name + "[])"))
                    .as(name)
                    .containsExactly(
                            ColumnTypes.canonical(name).orElseThrow(),
                            ColumnTypes.canonical(name + "[]").orElseThrow());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Decimal( 12 , 2 )|DECIMAL(12,2)",
                "numeric(5)|DECIMAL(5,0)",
                "varchar(20)|VARCHAR",
                "TIMESTAMP  with time zone|TIMESTAMP WITH TIME ZONE",
                "int[][]|INTEGER[][]"
            })
    void typesAreReadInAnySpelling(String written, String canonical) throws SQLException {
        assertThat(ColumnTypes.canonical(written)).contains(canonical);
        assertThat(run("SELECT typeof(NULL::" + written + ")")).containsExactly(canonical);
    }

    /** As the reader of templates takes it. */
    @Test
    void commentsNest() throws SQLException {
        assertThat(run("SELECT 1 /* a /* b */ c */")).containsExactly("1");
    }

    private static Place placeOf(String mark, String sql) {
        String before = sql.substring(0, sql.indexOf(mark));
        int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
        String onLine = before.substring(before.lastIndexOf('\n') + 1);
        return new Place("pipelines/p.sql", line, 1 + onLine.codePointCount(0, onLine.length()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mark_a", "mark_b", "mark_c", "mark_d", "mark_e", "mark_f", "mark_g"})
    void whatIsRenderedIsFoundWhereItIsWritten(String mark) {
        String written = """
                INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }} SELECT mark_a,
                  '🔑' AS k, {{ var('n') }} AS n, mark_b, {{ var('text') }}, mark_c
                FROM {{ source(
                  'pg',
                  't') }} AS mark_d JOIN {{ source('pg', 't') }} AS mark_e ON {{ watermark('pg', 't') }} < mark_f
                WHERE {{ run_id }} = '' AND {{ run_started_at }} IS NULL AND mark_g;
                """;
        CompiledSql sql = compile(written);
        RenderContext context = context(Optional.empty());

        assertThat(sql.written(context, placeOf(mark, sql.render(context)))).isEqualTo(placeOf(mark, written));
    }

    @Test
    void whatACallBecameIsFoundAtTheCall() {
        String written = "INSERT INTO {{ sink('lake', 't', strategy: 'append', duplicates: 'accept') }}\n"
                + "SELECT 1 AS one, {{ var('n') }} AS n FROM {{ source('pg', 't') }}";
        CompiledSql sql = compile(written);
        RenderContext context = context(Optional.empty());

        assertThat(sql.written(context, placeOf("src_pg", sql.render(context))))
                .isEqualTo(placeOf("{{ source", written));
        assertThat(sql.written(context, new Place("pipelines/p.sql", 2, 500)).line())
                .isEqualTo(2);
    }
}
