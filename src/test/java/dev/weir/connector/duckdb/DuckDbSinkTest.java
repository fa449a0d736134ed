package dev.weir.connector.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.ChunkKit;
import dev.weir.connector.Column;
import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.TableName;
import dev.weir.fault.RunException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuckDbSinkTest extends ChunkKit {

    @Override
    protected Connector connector() {
        return new DuckDbConnector(Clock.systemUTC());
    }

    private DuckDbSystem system() {
        return new DuckDbSystem(folder, engine);
    }

    @Override
    protected ConnectionSettings settings() {
        return system().settings();
    }

    @Override
    protected void execute(String sql) {
        system().execute(sql);
    }

    @Override
    protected List<String> query(String sql) {
        return system().query(sql);
    }

    @Override
    protected Optional<String> typeName(String duckType) {
        return Optional.of(duckType);
    }

    @Test
    void lookingDoesNotCreateTheFileAndTheFirstTransactionDoes() {
        try (Sink fresh = connector().sink(settings(), engine)) {
            assertThat(fresh.describe(T)).isEmpty();
            assertThat(fresh.hasRows(T)).isFalse();
            assertThat(fresh.mark(T, KEY)).isEmpty();
            assertThat(folder.resolve("lake.duckdb")).doesNotExist();

            fresh.begin().close();
            assertThat(folder.resolve("lake.duckdb")).exists();
        }
    }

    @Test
    void theFileHoldsNoIndexButTheLedgers() {
        slice(values("id, v", "(1, 'a')"), Optional.empty(), mark(0, 1, 10L, "r1"));

        assertThat(query(
                        "SELECT table_name FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE')"
                                + " AND database_name = 'lake'"))
                .containsExactly("_weir_positions");
        assertThat(query("SELECT count(*) FROM duckdb_indexes() WHERE database_name = 'lake'"))
                .containsExactly("0");
    }

    @Test
    void twoTransactionsThatHaveBothCompletedOneChunkDoNotBothCommit() {
        ledgerOfChunks();
        try (SinkTransaction one = sink.begin();
                SinkTransaction two = sink.begin()) {
            one.complete(T, chunk(key(PLAN, 0, 1), "one"));
            two.complete(T, chunk(key(PLAN, 0, 1), "two"));
            two.commit();
            assertThatThrownBy(one::commit).hasMessageContaining("WR0520");
        }
        assertThat(sink.hasCommitted(T, key(PLAN, 0, 1), "two")).isTrue();
    }

    @Test
    void aChunkCommittedSinceTheTransactionsSnapshotIsSeenAllTheSame() {
        ledgerOfChunks();
        try (SinkTransaction one = sink.begin();
                SinkTransaction two = sink.begin()) {
            assertThat(one.isEmpty(TableName.parse("_weir_chunks"))).isFalse();
            two.complete(T, chunk(key(PLAN, 0, 1), "two"));
            two.commit();
            assertThatThrownBy(() -> one.complete(T, chunk(key(PLAN, 0, 1), "one")))
                    .hasMessageContaining("WR0520");
        }
        assertThat(sink.hasCommitted(T, key(PLAN, 0, 1), "two")).isTrue();
    }

    private void ledgerOfChunks() {
        try (SinkTransaction transaction = sink.begin()) {
            transaction.complete(T, chunk(key(PLAN, 0, 0), "r"));
            transaction.commit();
        }
    }

    /** Whichever of the two chunks it is, the second is tried again, and then sees what there is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aLedgerMadeSinceTheTransactionsSnapshotIsAPassingFailure(int number) {
        execute("CREATE TABLE t (id INTEGER, v VARCHAR)");
        try (SinkTransaction late = sink.begin()) {
            assertThat(late.isEmpty(T)).isTrue();
            ledgerOfChunks();
            assertThat(sink.chunks(T, PLAN)).hasSize(1);
            assertThatThrownBy(() -> late.complete(T, chunk(key(PLAN, 0, number), "late")))
                    .isInstanceOf(RunException.class)
                    .matches(failure -> ((RunException) failure).isRetryable());
        }
    }

    @Test
    void aTableWhoseNameDiffersInCaseIsNotTakenForIt() {
        execute("CREATE TABLE \"Orders\" (id INTEGER)");

        assertThatThrownBy(() -> sink.describe(TableName.parse("orders"))).hasMessageContaining("Orders");
    }

    @Test
    void aColumnTheTableComputesIsNotMissedAndNotWritten() {
        execute("CREATE TABLE t (id INTEGER, twice INTEGER GENERATED ALWAYS AS (id * 2))");

        write(T, values("id", "(1), (2)"), merge("id"));
        assertThat(query("SELECT id, twice FROM t ORDER BY id")).containsExactly("1|2", "2|4");
        assertThatThrownBy(() ->
                        sink.fit(T, List.of(new Column("id", "INTEGER"), new Column("twice", "INTEGER")), APPEND, OnSchemaChange.FAIL))
                .hasMessageContaining("the column twice is computed by the table itself");
    }

    @Test
    void nestedTypesAreCreatedAndMerged() {
        String select =
                "SELECT 1 AS id, [1, NULL] AS l, {'a': 1, 'b': ['x']} AS s, MAP {'k': 1.5} AS m, 'x'::ENUM('x') AS e,"
                        + " INTERVAL 1 MONTH AS i, 5::HUGEINT AS h";

        write(T, rows(select), merge("id"));
        write(T, rows(select), merge("id"));

        assertThat(query("SELECT * FROM t")).containsExactly("1|[1, NULL]|{'a': 1, 'b': [x]}|{k=1.5}|x|1 month|5");
        assertThat(sink.describe(T)).contains(rows(select).columns());
    }

    @Test
    void aCommitThatDuckDbRefusesKeepsNothing() {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR)");
        try (SinkTransaction one = sink.begin();
                SinkTransaction two = sink.begin()) {
            one.write(T, values("id, v", "(1, 'one')"), APPEND);
            two.write(T, values("id, v", "(1, 'two')"), APPEND);
            one.commit();
            assertThatThrownBy(two::commit).hasMessageContaining("WR0520");
        }
        assertThat(t()).containsExactly("1|one");
    }
}
