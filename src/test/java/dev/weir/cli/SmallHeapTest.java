package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Jvm;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory is bounded by configuration, not by the data: a heap of 256 MB takes any slice and any row. */
class SmallHeapTest {

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();

    @Test
    void aSliceOfTwoMillionRowsPasses() throws Exception {
        database.execute("CREATE TABLE t AS SELECT g AS id, md5(g::text) AS note, g::numeric(12,2) AS price,"
                + " timestamp '2026-01-01' + g * interval '1 second' AS seen FROM generate_series(1, 2000000) AS g");
        project("lake");
        assertThat(runInASmallHeap()).contains("ok src_pg__public_t 2000000 rows");
        String sums = "SELECT count(*), count(DISTINCT id), sum(price), min(seen), max(seen) FROM ";
        assertThat(new WeirProject(folder).duckRows("lake.duckdb", sums + "copied"))
                .containsExactly("2000000|2000000|2000001000000.00|2026-01-01 00:00:01.0|2026-01-24 03:33:20.0");
    }

    @Test
    void rowsOfFiftyMegabytesPassIntoDuckDb() throws Exception {
        wideRows();
        project("lake");
        assertThat(runInASmallHeap()).contains("ok lake.copied 2 rows");
        assertThat(new WeirProject(folder)
                        .duckRows("lake.duckdb", "SELECT id, length(body), octet_length(raw) FROM copied ORDER BY id"))
                .containsExactly("1|52428800|null", "2|null|26214400");
    }

    @Test
    void rowsOfFiftyMegabytesPassIntoPostgres() throws Exception {
        wideRows();
        project("pg");
        assertThat(runInASmallHeap()).contains("ok pg.copied 2 rows");
        assertThat(database.rows("SELECT id, length(body), octet_length(raw) FROM copied ORDER BY id"))
                .containsExactly("1|52428800|null", "2|null|26214400");
        assertThat(database.rows("SELECT count(*) FROM copied JOIN t USING (id)"
                        + " WHERE copied.body IS NOT DISTINCT FROM t.body AND copied.raw IS NOT DISTINCT FROM t.raw"))
                .containsExactly("2");
    }

    private void wideRows() {
        database.execute(
                "CREATE TABLE t (id int PRIMARY KEY, body text, raw bytea)",
                "INSERT INTO t SELECT 1, repeat('x', 50 * 1024 * 1024), NULL",
                "INSERT INTO t SELECT 2, NULL, decode(repeat('ab', 25 * 1024 * 1024), 'hex')");
    }

    private void project(String sink) {
        new WeirProject(folder)
                .file("weir.yml", "memory: 1GB\n")
                .file("connections.yml", """
                        pg:
                          connector: postgres
                          host: localhost
                          port: %d
                          database: %s
                          user: postgres
                          entities:
                            public.t: { read: { sync: { mode: incremental, cursor: id, initial: 0 } } }
                        lake: { connector: duckdb, path: lake.duckdb }
                        """.formatted(database.port(), database.name()))
                .file(
                        "pipelines/copy.sql",
                        "INSERT INTO {{ sink('" + sink + "', 'copied', strategy: 'merge', keys: ['id']) }}"
                                + " SELECT * FROM {{ source('pg', 't') }}\n");
    }

    private String runInASmallHeap() throws IOException, InterruptedException {
        List<String> command = Jvm.command(List.of("-Xmx256m"), Weir.class);
        command.add("run");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
