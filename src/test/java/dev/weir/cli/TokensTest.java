package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.run.Faults;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries with tokens outside a backfill. Source of the rules: contract, section 6. */
class TokensTest {

    private static final Clock EVENING = Clock.fixed(Instant.parse("2026-06-02T23:30:00Z"), ZoneOffset.UTC);

    @TempDir
    Path folder;

    private WeirProject project;

    @BeforeEach
    void aProject() {
        project = new WeirProject(folder)
                .file("connections.yml", """
                        shop:
                          connector: duckdb
                          path: shop.duckdb
                          entities:
                            today:
                              read:
                                query: SELECT * FROM facts WHERE day = '${now.date}' AND '$${now.date}' <> 'a'
                            range:
                              read:
                                query: SELECT * FROM facts WHERE day >= '${backfill.start_date}'
                        lake: { connector: duckdb, path: lake.duckdb }
                        """)
                .file(
                        "pipelines/today.sql",
                        "INSERT INTO {{ sink('lake', 'today', strategy: 'replace') }}\n"
                                + "SELECT * FROM {{ source('shop', 'today') }}\n")
                .file(
                        "pipelines/called.sql",
                        "INSERT INTO {{ sink('lake', 'called', strategy: 'replace') }}\nSELECT * FROM {{ source('shop',"
                                + " 'called', query: 'SELECT ${now.unix} AS now, \"$$\" AS dollars FROM (SELECT 1 AS \"$$\")') }}\n")
                .file(
                        "pipelines/ranged.sql",
                        "INSERT INTO {{ sink('lake', 'ranged', strategy: 'merge', keys: ['id']) }}\n"
                                + "SELECT * FROM {{ source('shop', 'range') }}\n");
        project.duck(
                "shop.duckdb",
                "CREATE TABLE facts AS SELECT i AS id, DATE '2026-06-01' + i::INTEGER AS day FROM range(4) t(i)");
    }

    @Test
    void aRunReadsTheDayItBeganInUtc() {
        assertThat(project.run(EVENING, Faults.NONE, "run", "today", "called").exitCode())
                .isZero();
        assertThat(project.duckRows("lake.duckdb", "SELECT id, day FROM today")).containsExactly("1|2026-06-02");
        assertThat(project.duckRows("lake.duckdb", "SELECT now, dollars FROM called"))
                .containsExactly(EVENING.instant().getEpochSecond() + "|1");
    }

    @Test
    void whatOnlyLooksReadsTheSameDay() {
        assertThat(project.run(EVENING, Faults.NONE, "preview", "today").out())
                .contains("2026-06-02")
                .doesNotContain("2026-06-03");
        assertThat(project.run(EVENING, Faults.NONE, "plan", "today").exitCode())
                .isZero();
        assertThat(project.run(EVENING, Faults.NONE, "doctor", "today").err()).isEmpty();
    }

    @Test
    void aPositionIsEditedAsRunsReadTheSource() {
        project.file("connections.yml", """
                shop:
                  connector: duckdb
                  path: shop.duckdb
                  entities:
                    today:
                      read:
                        query: SELECT * FROM facts WHERE day >= DATE '${now.date}'
                        sync: { mode: incremental, cursor: id }
                    range:
                      read:
                        query: SELECT * FROM facts WHERE day >= '${backfill.start_date}'
                        sync: { mode: incremental, cursor: id }
                lake: { connector: duckdb, path: lake.duckdb }
                """)
                .file(
                        "pipelines/today.sql",
                        "INSERT INTO {{ sink('lake', 'today', strategy: 'merge', keys: ['id']) }}\n"
                                + "SELECT * FROM {{ source('shop', 'today') }}\n");

        WeirProject.Said set = project.run("state", "set", "shop.today", "--value", "2", "--reason", "a test");
        WeirProject.Said no = project.run("state", "set", "shop.range", "--value", "2", "--reason", "a test");

        assertThat(set.exitCode()).as(set.all()).isZero();
        assertThat(no.exitCode()).isEqualTo(2);
        assertThat(no.err()).startsWith("WR0606 connections.yml:11:16: shop.range: the token ${backfill.start_date}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run --all", "run ranged", "plan ranged", "preview ranged", "doctor source:shop.range"})
    void aQueryForBackfillsIsRefusedByWhateverWouldReadIt(String command) {
        WeirProject.Said said = project.run(command.split(" "));

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err())
                .contains(
                        "WR0606 connections.yml:10:16: shop.range: the token ${backfill.start_date} is for backfills\n"
                                + "  run 'weir backfill ranged --from … --to …'");
        assertThat(folder.resolve("lake.duckdb")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"validate", "compile ranged", "ls", "ls --json", "run today"})
    void itIsAcceptedWhereNobodyReadsIt(String command) {
        WeirProject.Said said = project.run(command.split(" "));

        assertThat(said.exitCode()).as(said.all()).isZero();
    }

    @Test
    void numbersThatDatesCannotStandForAreRefusedBeforeAnythingIsAsked() {
        WeirProject.Said said = project.run("backfill", "ranged", "--from", "1", "--to", "4");

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err())
                .startsWith(
                        "WR0606 connections.yml:10:16: shop.range: ${backfill.start_date} needs a date or a time, and"
                                + " the chunk [1 → 4) is one of numbers\n");
        assertThat(folder.resolve("lake.duckdb")).doesNotExist();
    }

    @Test
    void aQueryOfOneDayIsReplayedDayByDay() {
        project.file(
                "pipelines/daily.sql",
                "INSERT INTO {{ sink('lake', 'daily', strategy: 'merge', keys: ['id']) }}\n"
                        + "SELECT * FROM {{ source('shop', 'today') }}\n");

        assertThat(project.run("backfill", "daily", "--from", "2026-06-01", "--to", "2026-06-04", "--window", "1d")
                        .out())
                .endsWith("3 completed, 0 skipped, 0 claimed elsewhere (3 chunks)\n");
        assertThat(project.duckRows("lake.duckdb", "SELECT id, day FROM daily ORDER BY id"))
                .containsExactly("0|2026-06-01", "1|2026-06-02", "2|2026-06-03");
        assertThat(project.run("backfill", "daily", "--from", "2026-06-01", "--to", "2026-06-04")
                        .err())
                .contains("WR0606", "take a --window of exactly that");
    }
}
