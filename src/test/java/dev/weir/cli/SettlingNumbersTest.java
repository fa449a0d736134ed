package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.WeirProject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Writers of a table that is read under a numeric cursor. Rule: contract, section 3.2. */
class SettlingNumbersTest extends SettlingCase {

    @Test
    void aWriterThatCommitsInTimeIsWaitedForAndItsRowLoaded() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT);
        runs(PATIENT);
        Connection writer = writes(INSERT);
        copy.given(INSERT);

        WeirProject.Said said = loopAnd(committing(writer));

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.all()).contains(WAITING).doesNotContain("held back");
        loadedAre("1", "2", "3");
        copy.isExact(ALL);
    }

    @Test
    void aWriterThatRollsBackLeavesAGapAndNothingWaits() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT);
        Connection writer = writes(INSERT);
        copy.given(INSERT);
        writer.rollback();

        WeirProject.Said said = runs(PATIENT);

        assertThat(said.all()).doesNotContain(WAITING);
        loadedAre("1", "3");
    }

    @Test
    void aWriterThatOutlastsTheWaitHoldsBackAtWhatSettledLast() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT);
        runs(HASTY);
        Connection writer = writes(INSERT);
        copy.given(INSERT);

        WeirProject.Said held = runs(HASTY);

        int pid = writer.unwrap(PGConnection.class).getBackendPID();
        assertThat(held.all())
                .contains("held back at 1: writers still open after 50ms since ")
                .contains(": pid " + pid + " (postgres");
        loadedAre("1");
        assertThat(copy.mark()).isEqualTo("1");

        writer.commit();
        assertThat(runs(HASTY).all()).doesNotContain("held back");
        copy.isExact(ALL);
        loadedAre("1", "2", "3");
    }

    @Test
    void planTellsForWhomARunWouldWait() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT);
        runs(HASTY);
        Connection writer = writes(INSERT);
        copy.given(INSERT);

        WeirProject.Said plan = copy.succeeded("plan", "--all");

        assertThat(plan.err())
                .contains("note: pg.public.t: a run waits for writers to end when a window needs it, at most 50ms: pid "
                        + writer.unwrap(PGConnection.class).getBackendPID());
        assertThat(plan.out()).contains("  ceiling    3");
    }

    @Test
    void nothingIsReadWhileWritersAreOpenAndNothingSettledBefore() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT);
        Connection writer = writes(INSERT);

        WeirProject.Said held = runs(HASTY);

        assertThat(held.all()).contains("held back altogether: writers still open after 50ms");
        loadedAre();

        writer.commit();
        runs(HASTY);
        copy.isExact(ALL);
    }

    @Test
    void aWriterWithNothingVisibleAboveWhatSettledHoldsNothingBack() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT);
        runs(HASTY);
        writes(INSERT);

        WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--require-caught-up");

        assertThat(said.all()).doesNotContain(WAITING).doesNotContain("held back");
    }

    @Test
    void whatIsNotAskedForHoldsNothingBack() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT);
        runs(HASTY);
        writes(INSERT);
        copy.given(INSERT).sync("cursor: id, max_window: 10, initial: 0, until: 1, settle_timeout: 50ms");

        WeirProject.Said said = copy.succeeded("run", "--all", "--until-caught-up", "--require-caught-up");

        assertThat(said.all()).doesNotContain(WAITING).doesNotContain("held back");
    }

    @Test
    void aLoopFarBehindWaitsNoEarlierThanAtTheWindowThatNeedsIt() throws SQLException {
        tables(Into.POSTGRES, TABLE, "INSERT INTO t (v) SELECT g FROM generate_series(1, 50) g");
        copy.sync(PATIENT).succeeded("run", "--all");
        Connection writer = writes(INSERT);
        copy.given(INSERT);

        WeirProject.Said behind = copy.succeeded("run", "--all", "--until-caught-up", "--max-runs", "3");
        assertThat(behind.all()).doesNotContain(WAITING);
        assertThat(copy.mark()).isEqualTo("40");

        List<String> marks = new ArrayList<>();
        Runnable ends = () -> {
            marks.add(copy.mark());
            committing(writer).run();
        };
        WeirProject.Said said = loopAnd(ends);
        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(marks).containsExactly("40");
        copy.isExact(ALL);
    }

    @Test
    void aTransactionThatBeginsAfterTheWaitDidIsNotWaitedFor() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT);
        Connection writer = writes(INSERT);
        copy.given(INSERT).sync(PATIENT);
        Runnable anotherBegins = () -> {
            try {
                writes(INSERT);
                writer.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        };

        WeirProject.Said said = loopAnd(anotherBegins);

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.all()).doesNotContain("held back");
        loadedAre("1", "2", "3");
    }

    @Test
    void aPartitionReadByItselfWaitsForWhoHasDrawnANumberFromItsParent() throws SQLException {
        tables(
                Into.DUCKDB,
                "CREATE TABLE whole (id bigserial, v text, k int) PARTITION BY LIST (k)",
                "CREATE TABLE t PARTITION OF whole FOR VALUES IN (1)");
        Connection gate = connection();
        execute(gate, "SELECT pg_advisory_lock(7)");
        // It has drawn its number, and does not know yet which partition its row belongs to.
        CompletableFuture<Void> writer = later(
                "INSERT INTO whole (id, v, k) SELECT id, 'one', 1 FROM (SELECT nextval('whole_id_seq') AS id OFFSET 0)"
                        + " drawn, LATERAL (SELECT pg_advisory_xact_lock(7 + 0 * drawn.id::int)) held");
        await().pollInterval(Duration.ofMillis(20)).until(() -> copy.source
                .value("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                        + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))")
                .equals("t"));
        assertThat(copy.source.rows(
                        "SELECT 1 FROM pg_locks WHERE relation = 't'::regclass AND mode = 'RowExclusiveLock'"))
                .isEmpty();
        copy.given("INSERT INTO whole (v, k) VALUES ('two', 1)");

        assertThat(runs(HASTY).all()).contains("held back altogether: writers still open");
        execute(gate, "SELECT pg_advisory_unlock(7)");
        writer.join();
        runs(HASTY);

        loadedAre("1", "2");
        copy.isExact(ALL);
    }

    @Test
    void aWriterOfAPartitionHoldsBackTheWhole() throws SQLException {
        tables(
                Into.DUCKDB,
                "CREATE TABLE t (id bigserial, v text, k int) PARTITION BY LIST (k)",
                "CREATE TABLE sub PARTITION OF t FOR VALUES IN (1) PARTITION BY LIST (k)",
                "CREATE TABLE leaf PARTITION OF sub FOR VALUES IN (1)");
        isHeldBackByAndThenLoads("INSERT INTO leaf (v, k) VALUES ('one', 1)", "INSERT INTO t (v, k) VALUES ('two', 1)");
    }

    @Test
    void aWriterOfATableThatInheritsHoldsBackItsParent() throws SQLException {
        tables(Into.DUCKDB, TABLE, "CREATE TABLE child (more text) INHERITS (t)");
        isHeldBackByAndThenLoads("INSERT INTO child (v) VALUES ('one')", INSERT);
    }

    @Test
    void aWriterByCopyHoldsBackToo() throws SQLException {
        tables(Into.DUCKDB, TABLE);
        isHeldBackByAndThenLoads("COPY t (v) FROM PROGRAM 'echo one'", INSERT);
    }

    private void isHeldBackByAndThenLoads(String late, String early) throws SQLException {
        Connection writer = writes(late);
        copy.given(early);
        assertThat(runs(HASTY).all()).contains("held back altogether: writers still open");

        writer.commit();
        runs(HASTY);

        loadedAre("1", "2");
        copy.isExact(ALL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (id bigserial, v text)",
                "CREATE TABLE t (id bigint GENERATED ALWAYS AS IDENTITY, v text)",
                "CREATE SEQUENCE t_id_seq; CREATE TABLE t (id bigint DEFAULT nextval('t_id_seq'), v text)",
                "CREATE TABLE whole (id bigserial, v text) PARTITION BY RANGE (id); ALTER SEQUENCE whole_id_seq RENAME TO"
                        + " t_id_seq; CREATE TABLE t PARTITION OF whole DEFAULT"
            })
    void whoHasDrawnANumberAndInsertsLaterIsWaitedFor(String table) throws SQLException {
        tables(Into.DUCKDB, table);
        Connection writer = writes("SELECT nextval('t_id_seq')");
        copy.given(INSERT);
        assertThat(runs(HASTY).all()).contains("held back altogether: writers still open");

        execute(writer, "INSERT INTO t (id, v) OVERRIDING SYSTEM VALUE VALUES (1, 'one')");
        writer.commit();
        runs(HASTY);

        loadedAre("1", "2");
        copy.isExact(ALL);
    }

    @Test
    void analyzeAndAnIndexMadeConcurrentlyHoldNothingBack() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT, "CREATE TABLE elsewhere ()");
        writes("ANALYZE t");
        Connection old = connection();
        old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        old.setAutoCommit(false);
        execute(old, "SELECT * FROM elsewhere");
        JsonNode whileAnalyzing = copy.sync(PATIENT + ", settle: required").pass();
        opened.get(0).rollback();
        CompletableFuture<Void> index = later("CREATE INDEX CONCURRENTLY ON t (v)");
        await().pollInterval(Duration.ofMillis(20)).until(() -> copy.source
                .rows("SELECT phase FROM pg_stat_progress_create_index WHERE datname = current_database()")
                .contains("waiting for old snapshots"));
        copy.given(INSERT);

        JsonNode whileIndexing = copy.pass();
        old.rollback();
        index.join();

        assertThat(whileAnalyzing.get("rows").asInt()).isEqualTo(1);
        assertThat(whileAnalyzing.has("heldBack")).isFalse();
        assertThat(whileIndexing.get("rows").asInt()).isEqualTo(1);
        assertThat(whileIndexing.has("heldBack")).isFalse();
    }

    /** A statement in a session of its own that does not end yet. */
    private CompletableFuture<Void> later(String sql) {
        return CompletableFuture.runAsync(() -> copy.source.execute(sql));
    }
}
