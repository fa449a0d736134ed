package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.connector.Column;
import dev.weir.connector.ColumnsChangedException;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.Sample;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
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

/** Tables that are altered, written anew or swapped while reads begin. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AlteredSourceTest {

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    /** A table that is rewritten behind a snapshot that has not read of it yet would look empty to it. */
    @Test
    void aTableIsNotAlteredBelowASnapshotThatHasNotReadYet() {
        bench.database.execute("CREATE TABLE held (id int)", "CREATE VIEW seen AS SELECT id FROM held");
        for (String name : List.of("held", "seen")) {
            ReadRequest request =
                    new ReadRequest(Bench.table(name), List.of(new Column("id", "INTEGER")), Optional.empty());
            try (Source source = bench.source();
                    Snapshot snapshot = source.open(request)) {
                assertThat(snapshot).isNotNull();
                assertThatThrownBy(() ->
                                bench.database.execute("SET lock_timeout = '50ms'; ALTER TABLE held ADD COLUMN z int"))
                        .hasMessageContaining("lock timeout");
            }
        }
    }

    @Test
    void whatCannotBeLockedIsReadAllTheSame() {
        bench.database.execute(
                "CREATE MATERIALIZED VIEW kept AS SELECT 1 AS id",
                "CREATE TABLE partly (id int, hidden int)",
                "CREATE ROLE partial LOGIN",
                "GRANT SELECT (id) ON partly TO partial");
        List<Column> id = List.of(new Column("id", "INTEGER"));
        try (Source source = bench.source();
                Source partial =
                        bench.connector.source(bench.database.settings(Map.of("user", "partial")), bench.engine)) {
            source.open(new ReadRequest(Bench.table("kept"), id, Optional.empty()))
                    .close();
            partial.open(new ReadRequest(Bench.table("partly"), id, Optional.empty()))
                    .close();
        } finally {
            bench.database.execute("DROP TABLE partly", "DROP ROLE partial");
        }
    }

    /** By somebody whose work began before the read, and ends while the read waits for the table. */
    @Test
    void rowsThatAreRewrittenOrSwappedWhileAReadBeginsAreRead() throws Exception {
        bench.database.execute(
                "CREATE ROLE sighted LOGIN",
                "CREATE TABLE turned AS SELECT 1 AS id, 2 AS n",
                "CREATE VIEW onto AS SELECT id FROM turned",
                "GRANT SELECT (id) ON turned TO sighted");
        Cursor id = Bench.cursor("id", "integer");
        List<Entity> entities =
                List.of(Bench.table("turned"), Bench.table("onto"), new Entity.Query("asked", "SELECT id FROM turned"));
        List<String> changes = List.of(
                "ALTER TABLE turned ALTER n TYPE numeric(%d,0)",
                "CREATE TABLE fresh%1$d AS TABLE turned; GRANT SELECT (id) ON fresh%1$d TO sighted;"
                        + " ALTER TABLE turned RENAME TO old%1$d; ALTER TABLE fresh%1$d RENAME TO turned;"
                        + " CREATE OR REPLACE VIEW onto AS SELECT id FROM turned");
        int number = 20;
        for (String user : List.of("postgres", "sighted")) {
            for (Entity entity : user.equals("sighted") ? entities.subList(0, 1) : entities) {
                for (String change : changes) {
                    ReadRequest request =
                            new ReadRequest(entity, List.of(new Column("id", "INTEGER")), Optional.of(id));
                    CompletableFuture<Long> counted;
                    try (Source source = bench.connector.source(
                                    bench.database.settings(Map.of("user", user)), bench.engine);
                            Connection other = bench.database.connect();
                            Statement statement = other.createStatement()) {
                        source.open(request).close();
                        other.setAutoCommit(false);
                        statement.execute(change.formatted(number++));
                        counted = CompletableFuture.supplyAsync(() -> {
                            try (Snapshot snapshot = source.open(request)) {
                                return snapshot.count(Bench.all(id), 10);
                            }
                        });
                        await().until(() -> !bench.database
                                .rows("SELECT 1 FROM pg_locks WHERE NOT granted")
                                .isEmpty());
                        other.commit();
                        assertThat(counted.join())
                                .as(user + " " + entity + " " + change)
                                .isEqualTo(1);
                    }
                }
            }
        }
        bench.database.execute("DROP OWNED BY sighted", "DROP ROLE sighted");
    }

    /** One that is taken for empty would be taken for caught up. */
    @Test
    void theHighestCursorIsThatOfTheTableAsItIsOnceSomebodyHasWrittenItAnew() throws Exception {
        bench.database.execute("CREATE TABLE sampled AS SELECT 7 AS id, 2 AS n");
        Cursor id = Bench.cursor("id", "integer");
        try (Source source = bench.source();
                Connection other = bench.database.connect();
                Statement statement = other.createStatement()) {
            ReadRequest request = new ReadRequest(
                    Bench.table("sampled"),
                    List.of(new Column("n", "INTEGER")),
                    Optional.of(id),
                    source.describe(Bench.table("sampled")));
            other.setAutoCommit(false);
            statement.execute("ALTER TABLE sampled ALTER n TYPE bigint");
            CompletableFuture<Sample> sampled = CompletableFuture.supplyAsync(() -> source.sample(request));
            await().until(() -> !bench.database
                    .rows("SELECT 1 FROM pg_locks WHERE NOT granted")
                    .isEmpty());
            other.commit();

            assertThat(sampled.join())
                    .isInstanceOfSatisfying(Sample.OfNumbers.class, numbers -> assertThat(numbers.highest())
                            .contains(id.type().parse("7")));
        }
    }

    @Test
    void columnsThatHaveChangedSinceTheReadWasPlannedAreTold() {
        bench.database.execute("CREATE TABLE drifting (id int, gone text, grown int)");
        try (Source source = bench.source()) {
            ReadRequest request = new ReadRequest(
                    Bench.table("drifting"),
                    List.of(new Column("id", "INTEGER")),
                    Optional.empty(),
                    source.describe(Bench.table("drifting")));
            source.open(request).close();
            bench.database.execute("ALTER TABLE drifting DROP gone, ADD fresh uuid, ALTER grown TYPE bigint");

            assertThatThrownBy(() -> source.open(request))
                    .isInstanceOf(ColumnsChangedException.class)
                    .hasMessageContaining("WR0501 pg.drifting")
                    .hasMessageContaining("grown is bigint and was integer, fresh (uuid) is new, gone is gone");
        }
    }
}
