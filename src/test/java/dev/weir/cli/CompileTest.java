package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirProject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir compile}: the SQL as it will run, for a reader. */
class CompileTest {

    @TempDir
    Path folder;

    private WeirProject project(String columns) {
        return new WeirProject(folder)
                .file("connections.yml", """
                        pg:
                          connector: postgres
                          host: nowhere.invalid
                          database: shop
                          entities:
                            public.orders:
                              read:%s
                                sync: { mode: incremental, cursor: id, max_window: 10 }
                        lake: { connector: duckdb, path: lake.duckdb }
                        """.formatted(columns))
                .file("weir.yml", "vars: { country: DE }\nsecrets: [TOKEN]\n")
                .env("TOKEN", "battery staple")
                .file("pipelines/clean.sql", "SELECT * FROM {{ source('pg', 'orders') }}  -- all of them");
    }

    private WeirProject typed() {
        return project("\n        columns: { id: bigint, country: varchar }").file("pipelines/out.sql", """
                        -- What goes out.

                        INSERT INTO {{ sink('lake', 'orders', strategy: 'merge', keys: ['id']) }}
                        SELECT id, '  two  ' AS blanks, {{ run_id }} AS run
                        FROM {{ ref('clean') }}
                        WHERE id > {{ watermark('pg', 'orders') }}
                          AND country = {{ var('country') }} AND token <> {{ env('TOKEN') }};
                        """);
    }

    private static String compiled(WeirProject project, String... command) {
        WeirProject.Said said = project.run(command);
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.err()).isEmpty();
        return said.out();
    }

    @Test
    void printsEveryPipelineBehindThoseItReads() {
        assertThat(compiled(typed(), "compile")).isEqualTo("""
                        -- pipeline clean (pipelines/clean.sql)
                        -- reads pg.public.orders as staging."src_pg__public_orders"
                        SELECT * FROM staging."src_pg__public_orders"  -- all of them
                        ;

                        -- pipeline out (pipelines/out.sql)
                        -- reads pipeline clean as staging."pipe_clean"
                        -- writes lake.orders with merge
                        -- What goes out.
                        SELECT id, '  two  ' AS blanks, '00000000T000000000Z-0000' AS run
                        FROM staging."pipe_clean"
                        WHERE id > CAST(NULL AS BIGINT)
                          AND country = 'DE' AND token <> '***';

                        """);
        assertThat(Files.exists(folder.resolve(".weir"))).isFalse();
    }

    @Test
    void printsOnePipeline() {
        assertThat(compiled(typed(), "compile", "out"))
                .startsWith("-- pipeline out (pipelines/out.sql)\n")
                .doesNotContain("-- pipeline clean");
    }

    @Test
    void takesVariables() {
        assertThat(compiled(typed(), "compile", "out", "--var", "country=FR")).contains("country = 'FR'");
    }

    @Test
    void aWatermarkWhoseTypeOnlyTheSourceKnowsSaysSo() {
        WeirProject project = project("")
                .file(
                        "pipelines/out.sql",
                        "INSERT INTO {{ sink('lake', 'o', strategy: 'merge', keys: ['id']) }}\n"
                                + "SELECT *, {{ watermark('pg', 'orders') }} AS since FROM {{ source('pg', 'orders') }}");
        assertThat(compiled(project, "compile", "out"))
                .contains("SELECT *, NULL /* typed as the cursor id of pg.public.orders */ AS since FROM staging.");
    }

    @Test
    void showsNoSecret() {
        assertThat(compiled(typed(), "compile")).doesNotContain("battery").contains("token <> '***'");
    }

    @Test
    void aPipelineThatIsNotThereIsRefusedWithTheNearest() {
        WeirProject.Said said = typed().run("compile", "clan");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).contains("WR0208", "did you mean 'clean'?");
    }
}
