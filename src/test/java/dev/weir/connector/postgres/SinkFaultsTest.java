package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.Column;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.fault.RunException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a table of Postgres cannot take, and what is said about it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SinkFaultsTest {

    private static final TableName T = TableName.parse("t");
    private static final SinkWrite MERGE = new SinkWrite.Merge(List.of("id"), Optional.empty(), false);

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    private Sink sink(Map<String, String> options) {
        return bench.connector.sink(bench.database.settings(options), bench.engine);
    }

    private void table(String columns) {
        bench.database.execute("DROP TABLE IF EXISTS t", "CREATE TABLE t (" + columns + ")");
    }

    private void write(SinkWrite how, String select) {
        Staged rows = bench.rows(select);
        try (Sink sink = sink(Map.of());
                SinkTransaction transaction = sink.begin()) {
            transaction.write(T, rows, how);
            transaction.commit();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "text; 'a' || chr(0) || 'b'; column v holds 'a\\0b', which has a zero character",
                "varchar(3); 'abc '; column v holds 'abc ', which is longer than character varying(3)",
                "varchar(3); '日本語👍'; which is longer than character varying(3)",
                "char(3); 'abcd'; which is longer than character(3)",
                "date; DATE '4800-01-01 (BC)'; column v holds -4799-01-01, which is outside Postgres' dates",
                "date; DATE '5881580-07-10'; is outside Postgres' dates",
                "timestamp; TIMESTAMP '4800-01-01 (BC) 00:00:00'; is before Postgres' times begin",
                "timestamptz; TIMESTAMPTZ '290000-01-01 (BC) 00:00:00+00'; is before Postgres' times begin",
            })
    void aValueTheColumnCannotHoldNamesTheRow(String type, String value, String message) {
        table("id bigint PRIMARY KEY, v " + type);

        assertThatThrownBy(() -> write(MERGE, "SELECT 6::BIGINT AS id, NULL AS v UNION ALL SELECT 7, " + value))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0524 pg.t: in the row with id = 7, ")
                .hasMessageContaining(message);
        assertThat(bench.database.rows("SELECT * FROM t")).isEmpty();
    }

    @Test
    void whatOnlyTheServerCanRefuseIsToldInItsWords() {
        table("id bigint PRIMARY KEY, v text CHECK (v <> 'bad'), w int NOT NULL");
        assertThatThrownBy(() -> write(MERGE, "SELECT 1::BIGINT AS id, 'bad' AS v, 1 AS w"))
                .hasMessageContaining("WR0503 pg.t: new row for relation \"t\" violates check constraint");
        assertThatThrownBy(() -> write(MERGE, "SELECT 1::BIGINT AS id, 'good' AS v, NULL::INTEGER AS w"))
                .hasMessageContaining("null value in column \"w\"")
                .hasMessageContaining("the table's own constraint refuses the row");
        table("id bigint PRIMARY KEY, v jsonb");
        assertThatThrownBy(() -> write(MERGE, "SELECT 1::BIGINT AS id, '\"\\u0000\"'::JSON AS v"))
                .hasMessageContaining("WR0524 pg.t: ");
    }

    @Test
    void anUnknownEnumLabelIsRefusedByTheServer() {
        bench.database.execute(
                "DROP TABLE IF EXISTS t", "DROP TYPE IF EXISTS mood", "CREATE TYPE mood AS ENUM ('sad', 'ok')");
        table("id bigint PRIMARY KEY, v mood");
        write(MERGE, "SELECT 1::BIGINT AS id, 'ok' AS v");
        assertThatThrownBy(() -> write(MERGE, "SELECT 1::BIGINT AS id, 'new' AS v"))
                .hasMessageContaining("WR0524")
                .hasMessageContaining("\"new\"");
    }

    @Test
    void aTriggerThatDropsRowsIsNoticed() {
        table("id bigint PRIMARY KEY");
        bench.database.execute(
                "CREATE OR REPLACE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                "CREATE TRIGGER dropping BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION drop_it()");
        assertThatThrownBy(() -> write(new SinkWrite.Append(), "SELECT 1::BIGINT AS id"))
                .hasMessageContaining("1 rows were sent and 0 taken by the table");
        assertThatThrownBy(() -> write(MERGE, "SELECT 1::BIGINT AS id"))
                .hasMessageContaining("0 of 1 rows were taken by the table");
    }

    @Test
    void aTriggerThatDropsRowsIsNoticedThoughAnotherRowIsStoredTwice() {
        table("id bigint, v bigint");
        bench.database.execute(
                "INSERT INTO t VALUES (1, 1), (1, 1)",
                "CREATE OR REPLACE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                "CREATE TRIGGER dropping BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION drop_it()");
        assertThatThrownBy(() -> write(MERGE, "SELECT unnest([1, 2])::BIGINT AS id, 2::BIGINT AS v"))
                .hasMessageContaining("1 of 2 rows were taken by the table");
        assertThat(bench.database.rows("SELECT id, v FROM t")).containsExactly("1|1", "1|1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PRIMARY KEY"})
    void rowsThatAreNothingButKeysTheTableGivesItselfAreCountedToo(String index) {
        table("id bigint GENERATED ALWAYS AS IDENTITY " + index);
        write(MERGE, "SELECT 1::BIGINT AS id");
        write(MERGE, "SELECT unnest([1, 2])::BIGINT AS id");
        bench.database.execute(
                "CREATE OR REPLACE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                "CREATE TRIGGER dropping BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION drop_it()");
        assertThatThrownBy(() -> write(MERGE, "SELECT unnest([2, 3])::BIGINT AS id"))
                .hasMessageContaining("1 of 2 rows were taken by the table");
        assertThat(bench.database.rows("SELECT id FROM t ORDER BY id")).containsExactly("1", "2");
    }

    @Test
    void aTriggerThatKeepsRowsFromChangingOrGoingIsNoticed() {
        table("id bigint, v bigint");
        bench.database.execute(
                "INSERT INTO t VALUES (1, 1)",
                "CREATE OR REPLACE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                "CREATE TRIGGER keeping BEFORE UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION drop_it()");
        String rows = "SELECT 1::BIGINT AS id, 2::BIGINT AS v";
        assertThatThrownBy(() -> write(new SinkWrite.Replace(), rows))
                .hasMessageContaining("rows that were to be deleted are still in the table");
        assertThatThrownBy(() -> write(MERGE, rows)).hasMessageContaining("0 of 1 rows were taken by the table");
        bench.database.execute("CREATE UNIQUE INDEX ON t (id)");
        SinkWrite byV = new SinkWrite.Merge(List.of("id"), Optional.of("v"), false);
        assertThatThrownBy(() -> write(byV, rows)).hasMessageContaining("0 of 1 rows were taken by the table");
        assertThat(bench.database.rows("SELECT id, v FROM t")).containsExactly("1|1");
    }

    /** By a trigger, by one of a partition, by a rule. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (id bigint, v bigint);"
                        + " CREATE TRIGGER k BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION drop_it()",
                "CREATE TABLE t (id bigint, v bigint) PARTITION BY RANGE (id);"
                        + " CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (0) TO (9);"
                        + " CREATE TRIGGER k BEFORE DELETE ON t1 FOR EACH ROW EXECUTE FUNCTION drop_it()",
                "CREATE TABLE t (id bigint, v bigint); CREATE RULE k AS ON DELETE TO t DO INSTEAD NOTHING"
            })
    void aRowThatIsKeptFromBeingDeletedByItsKeyIsNoticed(String table) {
        bench.database.execute(
                "CREATE OR REPLACE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                "DROP TABLE IF EXISTS t CASCADE",
                table,
                "INSERT INTO t VALUES (1, 1), (2, 9)");
        SinkWrite.Merge byV = new SinkWrite.Merge(List.of("id"), Optional.of("v"), false);
        try (Sink sink = sink(Map.of());
                SinkTransaction transaction = sink.begin()) {
            Staged newer = bench.rows("SELECT 2::BIGINT AS id, 3::BIGINT AS v");
            assertThat(transaction.delete(T, newer, byV)).isEqualTo(new Written(0, 1, 0));
            Staged gone = bench.rows("SELECT 1::BIGINT AS id, 2::BIGINT AS v");
            assertThatThrownBy(() -> transaction.delete(T, gone, byV))
                    .hasMessageContaining("WR0503 pg.t: rows that were to be deleted are still in the table");
        }
        assertThat(bench.database.rows("SELECT id FROM t ORDER BY id")).containsExactly("1", "2");
    }

    @Test
    void aMissingPrivilegeIsToldBeforeAnythingIsWritten() {
        table("id bigint PRIMARY KEY");
        bench.database.execute("CREATE ROLE only_inserts LOGIN", "GRANT SELECT, INSERT ON t TO only_inserts");
        try (Sink sink = sink(Map.of("user", "only_inserts"))) {
            assertThatThrownBy(() -> sink.fit(T, List.of(new Column("id", "BIGINT")), MERGE, OnSchemaChange.FAIL))
                    .hasMessageContaining("WR0503 pg.t: only_inserts may not UPDATE on public.t")
                    .hasMessageContaining(
                            "GRANT SELECT, INSERT, UPDATE, DELETE ON \"public\".\"t\" TO \"only_inserts\"");
        }
    }

    @Test
    void aReadOnlyServerIsTold() {
        table("id bigint PRIMARY KEY");
        bench.database.execute(
                "CREATE ROLE frozen LOGIN SUPERUSER", "ALTER ROLE frozen SET default_transaction_read_only = on");
        Staged rows = bench.rows("SELECT 1::BIGINT AS id");
        try (Sink sink = sink(Map.of("user", "frozen"))) {
            assertThatThrownBy(() -> sink.fit(T, List.of(new Column("id", "BIGINT")), MERGE, OnSchemaChange.FAIL))
                    .hasMessageContaining("WR0503 pg.t: the server is read-only");
            try (SinkTransaction transaction = sink.begin()) {
                assertThatThrownBy(() -> transaction.write(T, rows, new SinkWrite.Append()))
                        .hasMessageContaining("WR0503")
                        .hasMessageContaining("write to the primary");
            }
        }
    }

    @Test
    void aMissingSchemaIsTold() {
        try (Sink sink = sink(Map.of());
                SinkTransaction transaction = sink.begin()) {
            assertThatThrownBy(() -> transaction.create(
                            TableName.parse("nowhere.t"), List.of(new Column("id", "BIGINT")), List.of()))
                    .hasMessageContaining("schema \"nowhere\" does not exist")
                    .hasMessageContaining("create the schema first");
        }
    }

    @Test
    void aLostConnectionIsPassingAndTheSinkCanBeUsedAgain() {
        table("id bigint PRIMARY KEY");
        Staged rows = bench.rows("SELECT 1::BIGINT AS id");
        try (Sink sink = sink(Map.of())) {
            try (SinkTransaction transaction = sink.begin()) {
                transaction.write(T, rows, MERGE);
                bench.database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND application_name = 'weir'");
                Throwable thrown = catchThrowable(() -> transaction.write(T, rows, MERGE));
                assertThat(thrown).isInstanceOf(RunException.class);
                assertThat(((RunException) thrown).isRetryable()).isTrue();
            }
            try (SinkTransaction transaction = sink.begin()) {
                assertThat(transaction.write(T, rows, MERGE).rows()).isEqualTo(1);
                transaction.commit();
            }
        }
        assertThat(bench.database.rows("SELECT * FROM t")).containsExactly("1");
    }

    @Test
    void aCancelEndsAWriteThatWaitsForALock() throws SQLException {
        table("id bigint PRIMARY KEY");
        Staged rows = bench.rows("SELECT 1::BIGINT AS id");
        try (Sink sink = sink(Map.of());
                Connection holder = bench.database.connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("LOCK TABLE t");
            CompletableFuture<Throwable> writing = CompletableFuture.supplyAsync(() -> catchThrowable(() -> {
                try (SinkTransaction transaction = sink.begin()) {
                    transaction.write(T, rows, MERGE);
                }
            }));
            await().atMost(Duration.ofSeconds(10)).until(() -> !bench.database
                    .rows(
                            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
                    .isEmpty());
            sink.cancel();
            assertThat(writing.join()).isInstanceOf(RunException.class).hasMessageContaining("cancelled");
            holder.rollback();
        }
    }
}
