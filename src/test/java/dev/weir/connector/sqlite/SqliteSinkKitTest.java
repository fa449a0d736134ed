package dev.weir.connector.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.ChunkKit;
import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.fault.RunException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Into a file with a rollback journal, as SQLite makes it. */
class SqliteSinkKitTest extends ChunkKit {

    private SqliteSystem system() {
        return new SqliteSystem(folder, "delete");
    }

    @Override
    protected Connector connector() {
        return new SqliteConnector(Clock.systemUTC());
    }

    @Override
    protected ConnectionSettings settings() {
        return system().settings(true);
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
        return SqliteSystem.typeName(duckType);
    }

    @Override
    protected String value(String duckType, String text) {
        return SqliteSystem.value(duckType, text);
    }

    @Override
    protected boolean holds(String duckType, String text) {
        return SqliteSystem.holds(text);
    }

    @Override
    protected boolean hasSchemas() {
        return false;
    }

    @Override
    protected boolean canWiden() {
        return false;
    }

    @Test
    void aQuestionAboutALostCommitWaitsForTheTransactionThatIsStillOpen() {
        try (Sink other = connector().sink(settings(), engine);
                SinkTransaction open = sink.begin()) {
            open.complete(T, chunk(key(PLAN, 0, 0), "mine"));
            CompletableFuture<Boolean> asked =
                    CompletableFuture.supplyAsync(() -> other.hasCommitted(T, key(PLAN, 0, 0), "mine"));
            assertThatThrownBy(() -> asked.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            open.commit();

            assertThat(asked.join()).isTrue();
        }
    }

    /** Its columns take whatever they are given. */
    @ParameterizedTest
    @CsvSource({
        "_weir_chunks, restart, zero",
        "_weir_chunks, records_loaded, 1.5",
        "_weir_chunks, committed_at, yesterday",
        "_weir_positions, generation, first",
        "_weir_positions, seq, 1.5",
        "_weir_positions, committed_at, yesterday"
    })
    void whatIsNoNumberOrTimeIsNotTakenForOne(String table, String column, String value) {
        try (SinkTransaction transaction = sink.begin()) {
            transaction.move(T, KEY, Optional.empty(), mark(0, 1, 10L, "r1"));
            transaction.complete(T, chunk(key(PLAN, 0, 0), "r1"));
            transaction.commit();
        }
        execute("UPDATE " + table + " SET " + column + " = '" + value + "'");

        assertThatThrownBy(() -> {
                    sink.marks(T, KEY);
                    sink.chunks(T, PLAN);
                })
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining("main." + table)
                .hasMessageContaining("'" + value + "'");
    }

    @Test
    void lookingDoesNotCreateTheFileAndTheFirstTransactionDoes() {
        try (Sink fresh = connector().sink(settings(), engine)) {
            assertThat(fresh.describe(T)).isEmpty();
            assertThat(fresh.hasRows(T)).isFalse();
            assertThat(fresh.mark(T, KEY)).isEmpty();
            assertThat(system().file()).doesNotExist();

            fresh.begin().close();
            assertThat(system().file()).exists();
        }
    }
}
