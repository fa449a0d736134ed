package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks in flight together that hold the same keys leave each row once, in its newest version. */
class BackfillVersionsTest {

    private static final String MERGE = "strategy: 'merge', keys: ['id']";

    private static Postgres.Database database;

    @TempDir
    Path folder;

    @BeforeAll
    static void rows() {
        database = Postgres.fresh();
        database.execute(
                "CREATE TABLE versions (id int, ts timestamp, day int)",
                "INSERT INTO versions SELECT id, timestamp '2026-01-01' + day * interval '1 day' + id * interval '1 minute',"
                        + " day FROM generate_series(1, 200) AS id, generate_series(0, 15) AS day");
    }

    private BackfillProject versions() {
        return new BackfillProject(folder, database)
                .reads("{ public.versions: { read: { sync: { mode: incremental, cursor: ts } } } }");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wh", "lake", "file"})
    void eachRowIsThereOnceInItsNewestVersion(String sink) {
        BackfillProject versions = versions();
        String select = "SELECT id, ts, day FROM {{ source('pg', 'versions') }}";
        if (sink.equals("wh")) {
            versions.intoPostgres("t", MERGE, select);
        } else if (sink.equals("lake")) {
            versions.into("t", MERGE, select);
        } else {
            versions.pipeline("t", "'file', 't'", MERGE, select);
        }

        versions.backfill(0, "--from 2026-01-01 --to 2026-01-17 --window 1d --concurrency 8");

        String what = "SELECT count(*), count(DISTINCT id), min(day), max(day) FROM ";
        assertThat(
                        sink.equals("wh")
                                ? versions.wh(what + "%s.t")
                                : sink.equals("lake")
                                        ? versions.lake(what + "t")
                                        : versions.project.sqliteRows("file.db", what + "t"))
                .containsExactly("200|200|15|15");
    }
}
