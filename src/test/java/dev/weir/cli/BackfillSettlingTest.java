package dev.weir.cli;

import static dev.weir.cli.BackfillProject.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject.Said;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** A chunk is read when nothing can appear in it any more. Rule: contract, sections 3.2 and 6. */
class BackfillSettlingTest {

    private static final String APPEND = "strategy: 'append', delivery: 'exactly_once'";

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();
    private BackfillProject settling;

    @BeforeEach
    void rows() {
        database.execute(
                "CREATE TABLE t (id int PRIMARY KEY, ts timestamptz)",
                "INSERT INTO t SELECT i, now() - i * interval '1 minute' FROM generate_series(1, 4) AS i");
    }

    private void by(String cursor) {
        settling = new BackfillProject(folder, database)
                .reads("{ public.t: { read: { sync: { mode: incremental, cursor: " + cursor + " } } } }")
                .into("t", APPEND, "SELECT id, ts FROM {{ source('pg', 't') }}");
    }

    @Test
    void aChunkAboveTheOldestOpenTransactionStaysPendingUntilThatHasEnded() throws SQLException {
        by("ts");
        try (Connection writer = database.connect();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (5, now())");
            // The last second is not read even when nobody writes.
            database.rows("SELECT pg_sleep(1.2)");
            String start = database.value("SELECT to_char(min(xact_start), 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
                    + " FROM pg_stat_activity WHERE pid = "
                    + writer.unwrap(PGConnection.class).getBackendPID());
            String end = database.value("SELECT to_char(timestamptz '" + start
                    + "' + interval '1 ms', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')");
            String upToNow = "--from " + start.substring(0, 10) + "T00:00:00Z --to " + end;
            String before = "--from 2026-01-01T00:00:00Z --to " + start.substring(0, 10);

            Said held = settling.backfill(1, upToNow);

            assertThat(held.all())
                    .contains("pid " + writer.unwrap(PGConnection.class).getBackendPID());
            assertThat(settling.chunks("status, attempts, claimed_by")).containsExactly("pending|0|null");
            assertThat(settling.history("status")).isEmpty();
            // What lies below is not held up.
            settling.backfill(0, before);

            writer.commit();
            settling.backfill(0, upToNow + " --resume");
        }
        assertThat(settling.lake("SELECT DISTINCT id FROM t WHERE id = 5")).containsExactly("5");
        assertThat(settling.lake("SELECT count(*) FROM t"))
                .isEqualTo(database.rows("SELECT count(*) FROM t WHERE ts < now()"));
    }

    @Test
    void aChunkOfNumbersWaitsForTheWritersThatAreOpenAndHoldsTheirRows() throws Exception {
        by("id");
        CompletableFuture<Said> backfill;
        try (Connection writer = database.connect();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (5, now())");
            database.execute("INSERT INTO t VALUES (6, now())");

            backfill = CompletableFuture.supplyAsync(() -> settling.backfill("--from 1 --to 9 --window 4"));
            await().atMost(Duration.ofSeconds(60)).until(this::waits);
            assertThat(backfill.isDone()).isFalse();
            assertThat(settling.statuses()).doesNotContain("failed");
            writer.commit();
        }
        Said said = ended(0, backfill.get());

        assertThat(said.all()).contains("its newest row is at 6");
        assertThat(settling.lake("SELECT id FROM t ORDER BY id")).containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(settling.chunks("records_loaded")).containsExactly("4", "2");
    }

    /** Whether the second chunk is claimed, and has been for a moment. */
    private boolean waits() throws InterruptedException {
        for (int looks = 0; looks < 3; looks++) {
            if (!folder.resolve(".weir/state.db").toFile().exists()
                    || !settling.statuses().contains("claimed")) {
                return false;
            }
            Thread.sleep(100);
        }
        return true;
    }

    @Test
    void aChunkThatEndsInTheFutureStaysPendingWhateverScopesIt() {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        String days = "--from " + today.minusDays(2) + " --to " + today.plusDays(2) + " --window 1d";
        by("ts");
        settling.backfill(1, days);
        List<String> byCursor = settling.statuses();

        settling.reads("{ public.t: { read: { query: \"SELECT * FROM t WHERE ts >= '${backfill.start}'"
                        + " AND ts < '${backfill.end}'\" } } }")
                .into("t", "strategy: 'merge', keys: ['id']", "SELECT id, ts FROM {{ source('pg', 'public.t') }}");
        settling.backfill(1, days + " --into other");

        assertThat(byCursor).hasSize(4).endsWith("pending", "pending").startsWith("completed");
        assertThat(settling.statuses().subList(4, 8)).isEqualTo(byCursor);
        assertThat(settling.chunks("attempts").subList(6, 8)).containsExactly("0", "0");
    }
}
