package dev.weir.cli;

import static dev.weir.cli.BackfillProject.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sinks know what is completed: a chunk counts when each of them keeps it, whatever state says. */
class BackfillSinksTest {

    private static final String APPEND = "strategy: 'append', delivery: 'exactly_once'";
    private static final String MERGE = "strategy: 'merge', keys: ['id']";
    private static final String WINDOW = "strategy: 'window'";
    private static final String SELECT = "SELECT id, v FROM {{ source('pg', 't') }}";
    private static final String RANGE = "--from 1 --to 31 --window 10";
    private static final String CHUNKS = "SELECT chunk_id, restart FROM _weir_chunks ORDER BY ALL";
    private static final String WH_CHUNKS = "SELECT chunk_id, restart FROM %s._weir_chunks ORDER BY 1, 2";

    private static Postgres.Database database;

    @TempDir
    Path folder;

    @BeforeAll
    static void rows() {
        database = Postgres.fresh();
        database.execute(
                "CREATE TABLE t (id int PRIMARY KEY, v int)",
                "INSERT INTO t SELECT i, i FROM generate_series(1, 60) i");
    }

    private BackfillProject project() {
        return new BackfillProject(folder, database)
                .reads("{ public.t: { read: { sync: { mode: incremental, cursor: id } } } }");
    }

    /** Lake by append, wh by another strategy. */
    private BackfillProject both(String strategy) {
        BackfillProject both = project().intoPostgres("t", strategy, SELECT);
        String sinks =
                both.written("t").replaceFirst("INSERT INTO ", "INSERT INTO {{ sink('lake', 't', " + APPEND + ") }}, ");
        both.project.file("pipelines/t.sql", sinks);
        return both;
    }

    @ParameterizedTest
    @ValueSource(strings = {APPEND, MERGE, WINDOW})
    void whatOneSinkLacksIsFilledInThereAlone(String strategy) {
        BackfillProject both = both(strategy);
        both.onWh("CREATE TABLE %s.t (id int, v int CHECK (v <> 15))");

        Said failed = both.backfill(1, RANGE);

        assertThat(failed.all()).contains("WR0503");
        assertThat(both.statuses()).containsExactly("completed", "failed", "pending");
        assertThat(both.lake("SELECT count(*), max(id) FROM t")).containsExactly("20|20");
        assertThat(both.wh("SELECT count(*), max(id) FROM %s.t")).containsExactly("10|10");
        assertThat(both.lake(CHUNKS)).containsExactly("000000|0", "000001|0");
        assertThat(both.wh(WH_CHUNKS)).containsExactly("000000|0");

        both.onWh("ALTER TABLE %s.t DROP CONSTRAINT t_v_check");
        both.backfill(0, RANGE);

        assertThat(both.lake("SELECT count(*), count(DISTINCT id), max(id) FROM t"))
                .containsExactly("30|30|30");
        assertThat(both.wh("SELECT count(*), count(DISTINCT id), max(id) FROM %s.t"))
                .containsExactly("30|30|30");
        assertThat(both.chunks("status, attempts, records_loaded"))
                .containsExactly("completed|1|10", "completed|2|10", "completed|1|10");

        // A sink that was set back to a backup lacks what came after.
        both.onWh("DELETE FROM %s.t WHERE id > 20", "DELETE FROM %s._weir_chunks WHERE chunk_id = '000002'");
        both.backfill(0, RANGE);

        assertThat(both.lake("SELECT count(*) FROM t")).containsExactly("30");
        assertThat(both.wh("SELECT count(*), count(DISTINCT id) FROM %s.t")).containsExactly("30|30");
        assertThat(both.chunks("attempts")).containsExactly("1", "2", "2");
    }

    @Test
    void aStateThatIsLostIsFoundAgainInTheSinks() {
        BackfillProject both = both(APPEND);
        both.onWh("CREATE TABLE %s.t (id int, v int CHECK (v <> 25))");
        both.backfill(1, RANGE);
        both.onWh("ALTER TABLE %s.t DROP CONSTRAINT t_v_check");
        both.loseState();

        both.backfill(0, RANGE);

        assertThat(both.statuses()).containsOnly("completed").hasSize(3);
        assertThat(both.chunks("records_loaded")).containsExactly("10", "10", "10");
        assertThat(both.history("chunk_run_id")).hasSize(1);
        assertThat(both.lake("SELECT count(*), count(DISTINCT id) FROM t")).containsExactly("30|30");
        assertThat(both.wh("SELECT count(*), count(DISTINCT id) FROM %s.t")).containsExactly("30|30");
        both.loseState();
        assertThat(both.backfill(0, RANGE).all()).contains("nothing to do");
        both.loseState();
        both.project.file("pipelines/t.sql", both.written("t").replace("SELECT id, v", "SELECT id, -v AS v"));
        assertThat(both.backfill(2, RANGE).err()).contains("WR0604");
    }

    @Test
    void aTableThatIsGoneOrEmptyIsSaidAndRestartFillsItAgain() {
        BackfillProject merged = project().into("t", MERGE, SELECT);
        merged.backfill(0, RANGE);
        for (String loss : List.of("DELETE FROM t", "DROP TABLE t")) {
            merged.onLake(loss);

            assertThat(merged.backfill(1, RANGE).err()).contains("WR0528", "lake.t", "30 rows", "--restart");
            assertThat(merged.backfill(1, RANGE + " --resume").err()).contains("WR0528");
        }
        merged.backfill(0, RANGE + " --restart");

        assertThat(merged.lake("SELECT count(*) FROM t")).containsExactly("30");
        assertThat(merged.lake(CHUNKS)).contains("000000|1", "000001|1", "000002|1");
        // A state that was restored from before does not start the plan over.
        merged.loseState();
        assertThat(merged.backfill(0, RANGE).all()).contains("nothing to do");
        assertThat(merged.state("SELECT restart FROM backfills")).containsExactly("1");
    }

    @Test
    void aRangeWithoutRowsIsCoveredToo() {
        BackfillProject appended = project().into("t", APPEND, SELECT);

        appended.backfill(0, "--from 100 --to 130 --window 10");

        assertThat(appended.statuses()).containsOnly("completed").hasSize(3);
        assertThat(appended.lake("SELECT count(*) FROM t")).containsExactly("0");
        assertThat(appended.backfill(0, "--from 100 --to 130 --window 10").all())
                .contains("nothing to do");
        ended(1, appended.run("run", "--all"));
    }

    @Test
    void aRestartThatStoppedHalfWayGoesOnWithWhatItLeft() {
        BackfillProject restarted = project().intoPostgres("t", MERGE, SELECT);
        restarted.backfill(0, RANGE);
        restarted.onWh("ALTER TABLE %s.t ADD CHECK (v <> 15 OR id > 100) NOT VALID");
        restarted.backfill(1, RANGE + " --restart");
        assertThat(restarted.statuses()).containsExactly("completed", "failed", "pending");
        restarted.onWh("ALTER TABLE %s.t DROP CONSTRAINT t_check");
        restarted.loseState();

        restarted.backfill(0, RANGE);

        assertThat(restarted.history("chunk_run_id")).hasSize(2);
        assertThat(restarted.wh(WH_CHUNKS))
                .containsExactly("000000|0", "000000|1", "000001|0", "000001|1", "000002|0", "000002|1");
        restarted.backfill(0, RANGE + " --restart");
        assertThat(restarted.state("SELECT restart FROM backfills")).containsExactly("2");
        assertThat(restarted.wh("SELECT count(*), count(DISTINCT id) FROM %s.t"))
                .containsExactly("30|30");
    }

    @Test
    void decimalsAreCutExactlyAndAWindowIsReplacedByTheColumnThatScopes() {
        database.execute("CREATE TABLE prices AS SELECT i AS id, (i * 0.25)::numeric(10,2) AS price, i / 4 AS whole"
                + " FROM generate_series(1, 20) AS i");
        BackfillProject prices = new BackfillProject(folder, database)
                .reads("{ public.prices: { read: { sync: { mode: incremental, cursor: id } } } }")
                .into("prices", WINDOW, "SELECT id, price, whole FROM {{ source('pg', 'prices') }}");
        prices.backfill(0, "--from 0.5 --to 4.00 --window 1.50 --cursor price");
        assertThat(prices.chunks("chunk_from, chunk_to, records_loaded"))
                .containsExactly("0.5|2|6", "2|3.5|6", "3.5|4|2");
        assertThat(prices.backfill(0, "--from 0.50 --to 4 --window 1.5 --cursor price")
                        .all())
                .contains("nothing to do");

        database.execute("DELETE FROM prices WHERE id IN (7, 8, 11, 12)");
        prices.backfill(0, "--from 2 --to 3 --cursor whole");

        assertThat(prices.lake("SELECT id FROM prices ORDER BY id"))
                .containsExactly("2", "3", "4", "5", "6", "7", "9", "10", "12", "13", "14", "15");
        assertThat(prices.backfill(2, "--from 0.501 --to 4 --cursor price").err())
                .contains("WR0603", "0.501");
    }
}
