package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cursors of numbers that count time, and of numbers without an end of their own. */
class EpochCursorTest {

    private static final String DAY =
            "cursor: made, cursor_unit: epoch_ms, max_window: 1d, initial: 2025-03-29, until: now";

    /** Midnights of Berlin around a day of 23 hours, in milliseconds. */
    private static final long MIDNIGHT = 1_743_289_200_000L;

    private static final long NEXT_MIDNIGHT = 1_743_372_000_000L;

    @TempDir
    Path folder;

    /** One project, from its first run to what is said when the unit is taken away. */
    @Test
    void numbersThatCountTimeAreLoadedAsTimes() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, made bigint)",
                        "INSERT INTO t VALUES (1, " + (MIDNIGHT - 1) + "), (2, " + MIDNIGHT + "), (3, "
                                + (NEXT_MIDNIGHT - 1) + "), (4, " + NEXT_MIDNIGHT + ")",
                        "INSERT INTO t SELECT 5, (extract(epoch FROM now() + interval '1 day') * 1000)::bigint",
                        "INSERT INTO t VALUES (6, 9223372036854775807), (7, NULL)")
                .pipeline(
                        "SELECT *, typeof({{ watermark('pg', 'public.t') }}) AS type,"
                                + " made > {{ watermark('pg', 'public.t') }} AS above FROM {{ source('pg', 'public.t') }}",
                        "strategy: 'window'")
                .sync(DAY);

        WeirProject.Said first = copy.caughtUp();
        assertThat(first.all()).contains("1 with a NULL cursor", "1 with an infinite cursor", "1 dated after now");
        assertThat(copy.loaded("SELECT id, type, above FROM t ORDER BY id"))
                .containsExactly("1|BIGINT|null", "2|BIGINT|null", "3|BIGINT|true", "4|BIGINT|true");
        assertThat(copy.loaded("SELECT cursor, cursor_type, value FROM _weir_positions"))
                .containsExactly("made|epoch_ms|2025-03-30T22:00:00.000000Z");

        copy.given("INSERT INTO t VALUES (8, " + (NEXT_MIDNIGHT + 1) + ")");
        assertThat(copy.succeeded("plan", "--all").out()).contains("2025-03-30T22:00:00");
        assertThat(copy.pass().get("rows").asInt()).isEqualTo(1);
        assertThat(copy.succeeded("state", "show", "pg.t").out())
                .contains("cursor made (epoch_ms)", "2025-03-30T22:00:00.001");

        copy.given("DELETE FROM t WHERE id = 3", "INSERT INTO t VALUES (9, " + (MIDNIGHT + 1) + ")");
        WeirProject.Said backfill = copy.succeeded(
                "backfill",
                "copy",
                "--from",
                "2025-03-30",
                "--to",
                "2025-03-31",
                "--window",
                "1d",
                "--timezone",
                "Europe/Berlin");
        assertThat(backfill.out())
                .contains("chunk 1/1 [2025-03-29T23:00:00+00:00 → 2025-03-30T22:00:00+00:00): completed (2 records)");
        assertThat(copy.loaded("SELECT id, made FROM t ORDER BY id"))
                .isEqualTo(copy.source.rows("SELECT id, made FROM t WHERE id NOT IN (5, 6, 7) ORDER BY id"));

        assertThat(copy.succeeded(
                                "backfill",
                                "copy",
                                "--from",
                                "2025-03-30",
                                "--to",
                                "2025-03-31",
                                "--cursor",
                                "made",
                                "--dry-run")
                        .out())
                .contains("[2025-03-30T00:00:00+00:00 → 2025-03-31T00:00:00+00:00)");

        copy.succeeded("state", "set", "pg.t", "--value", "2025-03-30T00:00:00+01:00", "--reason", "test");
        assertThat(copy.succeeded("state", "show", "pg.t").out()).contains("2025-03-29T23:00:00.000000Z");
        for (String other : List.of(
                DAY.replace("epoch_ms", "epoch_s"),
                "cursor: made, max_window: 1, initial: 0, until: " + NEXT_MIDNIGHT)) {
            WeirProject.Said refused = copy.sync(other).run("run", "--all");
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.all()).contains("WR0505", "epoch_ms");
        }

        copy.pipeline("SELECT id, made / 1000 AS made FROM {{ source('pg', 'public.t') }}", "strategy: 'window'");
        WeirProject.Said changed = copy.sync(DAY).run("run", "--all");
        assertThat(changed.exitCode()).isEqualTo(2);
        assertThat(changed.all()).contains("the cursor made (epoch_ms), and the SELECT gives it as DOUBLE");
    }

    /** A second of a numeric is what ended, and each of its digits takes part. */
    @Test
    void secondsWithFractionsAreExact() {
        CaseProject copy = new CaseProject(folder, Into.POSTGRES)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, made numeric(20,9))",
                        "INSERT INTO t VALUES (1, -0.000000001), (2, 0), (3, 0.999999999), (4, 1.000000000),"
                                + " (5, 1.000000999), (6, 1.000001), (7, 'NaN')")
                .sync("cursor: made, cursor_unit: epoch_s, max_window: 1s, initial: 1969-12-31, until: 1970-01-02");
        copy.caughtUp();
        assertThat(copy.mark()).isEqualTo("1970-01-01T00:00:01.000001Z");
        copy.isExact("SELECT id, made::text FROM t WHERE made <> 'NaN' ORDER BY id");
        assertThat(copy.pass().get("rows").asInt()).isZero();
    }

    /** Numbers that may be longer than any cursor are refused with what to write, and windowed once it is written. */
    @Test
    void aNumberWithoutAnEndIsDeclared() {
        CaseProject copy = new CaseProject(folder, Into.DUCKDB)
                .given(
                        "CREATE TABLE t (id int PRIMARY KEY, seq numeric)",
                        "INSERT INTO t VALUES (1, 1.5), (2, 2), (3, 202109171437040633984411.000001)")
                .sync("cursor: seq, max_window: 0.5, initial: 1.5");
        WeirProject.Said refused = copy.run("run", "--all");
        assertThat(refused.exitCode()).as(refused.all()).isEqualTo(2);
        assertThat(refused.all()).contains("WR0213", "the cursor seq is a numeric", "{ seq: \"decimal(38,6)\" }");

        String declared = "{ columns: { id: int, seq: \"decimal(38,6)\" },"
                + " sync: { mode: incremental, cursor: seq, max_window: \"0.5\", initial: \"1.5\", until: \"1e30\" } }";
        copy.reads(declared.replace("1e30", "300000000000000000000000")).caughtUp();
        copy.isExact("SELECT id, seq::numeric(38,6)::text FROM t ORDER BY id");

        copy.given("INSERT INTO t VALUES (4, 1e33)");
        WeirProject.Said beyond = copy.run("run", "--all");
        assertThat(beyond.exitCode()).as(beyond.all()).isEqualTo(1);
        assertThat(beyond.all()).contains("WR0524 pg.public.t", "1000000000000000000000000000000000");
    }

    @Test
    void aHugeintIsDeclared() {
        WeirProject project = new WeirProject(folder).file("pipelines/copy.sql", """
                        INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}
                        SELECT * FROM {{ source('shop', 't') }}
                        """);
        String connections = """
                shop:
                  connector: duckdb
                  path: shop.duckdb
                  entities:
                    t: { read: { %s sync: { mode: incremental, cursor: id, initial: 0, until: 99999999999999999999999999999999999999 } } }
                lake: { connector: duckdb, path: lake.duckdb }
                """;
        project.duck(
                "shop.duckdb",
                "CREATE TABLE t (id HUGEINT)",
                "INSERT INTO t VALUES (1), (99999999999999999999999999999999999999)");
        WeirProject.Said refused =
                project.file("connections.yml", connections.formatted("")).run("run");
        assertThat(refused.exitCode()).as(refused.all()).isEqualTo(2);
        assertThat(refused.all()).contains("WR0213", "is a HUGEINT", "{ id: \"decimal(38,0)\" }");

        WeirProject.Said said = project.file(
                        "connections.yml", connections.formatted("columns: { id: \"decimal(38,0)\" },"))
                .run("run", "--until-caught-up");
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(project.duckRows("lake.duckdb", "SELECT id FROM t ORDER BY id"))
                .containsExactly("1", "99999999999999999999999999999999999999");

        project.duck("shop.duckdb", "INSERT INTO t VALUES (100000000000000000000000000000000000000)");
        WeirProject.Said beyond = project.run("run");
        assertThat(beyond.exitCode()).as(beyond.all()).isEqualTo(1);
        assertThat(beyond.all()).contains("100000000000000000000000000000000000000");
    }

    /** Nothing lies below the least number, so its watermark is that of a first run, and hides no row. */
    @ParameterizedTest
    @CsvSource({"'', 0, 9", "'cursor_unit: epoch_s, ', 1970-01-01, 1970-01-02"})
    void theLeastNumberIsAboveEveryWatermark(String unit, String from, String to) {
        WeirProject project =
                new WeirProject(folder).file("pipelines/copy.sql", """
                        INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}
                        SELECT * FROM {{ source('shop', 't') }}
                        WHERE {{ watermark('shop', 't') }} IS NULL OR id > {{ watermark('shop', 't') }}
                        """).file("connections.yml", """
                        shop:
                          connector: duckdb
                          path: shop.duckdb
                          entities:
                            t: { read: { sync: { mode: incremental, %s cursor: id } } }
                        lake: { connector: duckdb, path: lake.duckdb }
                        """.formatted(unit));
        project.duck("shop.duckdb", "CREATE TABLE t (id UBIGINT)", "INSERT INTO t VALUES (0), (1)");

        WeirProject.Said said = project.run("backfill", "copy", "--from", from, "--to", to);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(project.duckRows("lake.duckdb", "SELECT id FROM t ORDER BY id"))
                .containsExactly("0", "1");
    }
}
