package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.SliceRead;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.StageListener;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices that are read over several connections at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamsTest {

    private static final Streams THREE = new Streams(3, 1_000);
    private static final Cursor ID = Bench.cursor("id", "bigint");

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(EngineSettings.spillingTo(folder.resolve("spill")).withThreads(3));
        bench.database.execute(
                "CREATE TABLE spread AS SELECT g::bigint AS id, g AS i, (g % 30000)::smallint AS s,"
                        + " date '2020-01-01' + g / 50 AS d, timestamp '2020-01-01' + g * interval '0.7 s' AS t,"
                        + " timestamptz '2020-01-01 00:00Z' + g * interval '71 us' AS tz,"
                        + " (g * 0.037)::numeric(12,3) AS n, 1577836800000 + g * 13::bigint AS ms"
                        + " FROM generate_series(1, 20000) g",
                "INSERT INTO spread SELECT g, NULL, NULL, 'infinity', '-infinity', 'infinity', 'NaN', NULL"
                        + " FROM generate_series(20001, 20100) g",
                "CREATE TABLE big AS SELECT g AS id, repeat('x', 500) AS v FROM generate_series(1::bigint, 60000) g",
                "CREATE INDEX ON big (id)",
                "CREATE VIEW seen AS TABLE big",
                "CREATE FOREIGN DATA WRAPPER elsewhere",
                "CREATE SERVER far FOREIGN DATA WRAPPER elsewhere",
                "CREATE TABLE parted (id bigint, v text) PARTITION BY RANGE (id)",
                "CREATE TABLE near PARTITION OF parted FOR VALUES FROM (0) TO (100000)",
                "INSERT INTO parted TABLE big",
                "CREATE INDEX ON near (id)",
                "CREATE TABLE loose AS TABLE big",
                "ANALYZE");
        for (String column : List.of("id", "i", "s", "d", "t", "tz", "n", "ms")) {
            bench.database.execute("CREATE INDEX ON spread (" + column + ")");
        }
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    private Source source(Streams streams) {
        return new PostgresSource(Address.of(bench.database.settings()), streams);
    }

    private Source as(String user) {
        return new PostgresSource(Address.of(bench.database.settings(Map.of("user", user))), THREE);
    }

    private static ReadRequest big(Entity entity) {
        return new ReadRequest(
                entity, List.of(new Column("id", "BIGINT"), new Column("v", "VARCHAR")), Optional.of(ID));
    }

    private static ReadRequest big() {
        return big(Bench.table("big"));
    }

    private static int streamsOf(SliceRead read) {
        return read instanceof SliceRead.Streams streams ? streams.each().size() : 1;
    }

    /** Count, sum of the identities and a sum of hashes of whole rows. */
    private String staged(Snapshot snapshot, ReadRequest request, CursorRange range, int streams) {
        SliceRead read = snapshot.read(Optional.of(range));
        assertThat(streamsOf(read)).isEqualTo(streams);
        var staged = bench.engine.stage("rows", request, read, StageListener.NONE);
        return staged.max() + " " + bench.duck("SELECT count(*), sum(id), sum(hash(rows)) FROM staging.rows");
    }

    @ParameterizedTest
    @CsvSource({
        "id, bigint",
        "i, integer",
        "i, bigint",
        "s, smallint",
        "d, date",
        "t, timestamp",
        "tz, timestamptz",
        "n, 'decimal(12,3)'",
        "n, 'decimal(20,6)'",
        "ms, epoch_ms",
    })
    void readsTheRowsThatOneConnectionReads(String column, String type) {
        Cursor cursor = Bench.cursor(column, type);
        try (Source one = source(Streams.ONE);
                Source three = source(THREE)) {
            // Some n is no number, which only a hidden cursor passes over.
            List<Column> columns = Bench.natural(one, Bench.table("spread")).stream()
                    .filter(each -> !each.name().equals("n"))
                    .toList();
            ReadRequest request = new ReadRequest(Bench.table("spread"), columns, Optional.of(cursor));
            CursorValue highest = bench.stage(one, request, Optional.of(Bench.all(cursor)))
                    .max()
                    .orElseThrow();
            try (Snapshot alone = one.open(request);
                    Snapshot together = three.open(request)) {
                CursorValue lowest = alone.lowest(Bench.all(cursor)).orElseThrow();
                for (CursorRange range : List.of(
                        Bench.all(cursor),
                        CursorRange.startingAt(lowest, highest),
                        CursorRange.above(lowest, highest.plus(BigInteger.valueOf(-1))))) {
                    assertThat(staged(together, request, range, 3)).isEqualTo(staged(alone, request, range, 1));
                }
            }
        }
    }

    @Test
    void allSeeWhatTheFirstSawWhateverIsCommittedMeanwhile() {
        bench.database.execute(
                "CREATE TABLE moving AS SELECT id, id AS at FROM big", "CREATE INDEX ON moving (at)", "ANALYZE moving");
        Cursor at = Bench.cursor("at", "bigint");
        ReadRequest request = new ReadRequest(
                Bench.table("moving"),
                List.of(new Column("id", "BIGINT"), new Column("at", "BIGINT")),
                Optional.of(at));
        try (Source source = source(THREE);
                Snapshot snapshot = source.open(request)) {
            assertThat(snapshot.count(Bench.all(at), 10)).isEqualTo(10);
            bench.database.execute(
                    "UPDATE moving SET at = (at + 30000) % 60000 + 1",
                    "DELETE FROM moving WHERE id % 7 = 0",
                    "INSERT INTO moving SELECT g, g % 60000 FROM generate_series(70000, 90000) g");
            SliceRead read = snapshot.read(Optional.of(Bench.all(at)));
            AtomicBoolean told = new AtomicBoolean();
            bench.engine.stage("rows", request, read, rows -> {
                if (!told.getAndSet(true)) {
                    bench.database.execute("UPDATE moving SET at = at + 1000000");
                }
            });

            assertThat(streamsOf(read)).isEqualTo(3);
            assertThat(
                            bench.duck(
                                    "SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE id = \"at\") FROM staging.rows"))
                    .containsExactly("60000|60000|60000");
        }
    }

    @Test
    void theProgressIsThatOfAllTogether() {
        List<Long> heard = new ArrayList<>();
        try (Source source = source(THREE);
                Snapshot snapshot = source.open(big())) {
            bench.engine.stage("rows", big(), snapshot.read(Optional.of(Bench.all(ID))), heard::add);
        }

        assertThat(heard).isSorted().doesNotHaveDuplicates().endsWith(60_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ASC", "DESC"})
    void oneThatBreaksFailsTheReadAndNothingIsStaged(String which) {
        try (Source source = source(THREE)) {
            try (Snapshot snapshot = source.open(big())) {
                SliceRead read = snapshot.read(Optional.of(Bench.all(ID)));
                AtomicBoolean told = new AtomicBoolean();
                Throwable thrown = catchThrowable(() -> bench.engine.stage("broken", big(), read, rows -> {
                    if (!told.getAndSet(true)) {
                        bench.database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE"
                                + " application_name = 'weir reader' AND datname = current_database()"
                                + " ORDER BY backend_start " + which + " LIMIT 1");
                    }
                }));
                assertThat(thrown)
                        .isInstanceOf(RunException.class)
                        .hasMessageContaining("WR0501 pg.big")
                        .matches(failure -> ((RunException) failure).isRetryable());
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> readers("state = 'active'") == 0);
            assertThat(bench.duck("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'broken'"))
                    .containsExactly("0");
            try (Snapshot again = source.open(big())) {
                assertThat(staged(again, big(), Bench.all(ID), 3)).contains("60000|");
            }
        }
    }

    private int readers(String condition) {
        return bench.database
                .rows("SELECT pid FROM pg_stat_activity WHERE application_name = 'weir reader'"
                        + " AND datname = current_database() AND " + condition)
                .size();
    }

    /** Each row takes its time, as a policy wants it, so that all connections wait for the server. */
    @Test
    void aCancelReachesAllOfThem() {
        bench.database.execute(
                "CREATE ROLE waiting LOGIN",
                "CREATE TABLE slow AS TABLE big",
                "CREATE INDEX ON slow (id)",
                "ALTER TABLE slow ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY slowly ON slow USING (pg_sleep(0.05) IS NOT NULL)",
                "GRANT SELECT ON slow TO waiting",
                "ANALYZE slow");
        ReadRequest request = big(Bench.table("slow"));
        try (Source source = as("waiting")) {
            CompletableFuture<Throwable> reading = CompletableFuture.supplyAsync(() -> {
                try (Snapshot snapshot = source.open(request)) {
                    SliceRead read = snapshot.read(Optional.of(Bench.all(ID)));
                    return catchThrowable(() -> bench.engine.stage("slow", request, read, StageListener.NONE));
                }
            });
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> readers("query LIKE 'COPY (SELECT \"id\"%' AND state = 'active'") > 0);
            Instant began = Instant.now();
            source.cancel();

            assertThat(reading.join()).isInstanceOf(RunException.class).hasMessageContaining("cancelled");
            assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(5));
            await().atMost(Duration.ofSeconds(10)).until(() -> readers("true") == 0);
        } finally {
            bench.database.execute("DROP OWNED BY waiting", "DROP ROLE waiting");
        }
    }

    @Test
    void aReadThatIsNotUsedFreesAllOfThem() {
        try (Source source = source(THREE)) {
            try (Snapshot snapshot = source.open(big())) {
                assertThat(streamsOf(snapshot.read(Optional.of(Bench.all(ID))))).isEqualTo(3);
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> readers("state <> 'idle'") == 0);
        }
    }

    @Test
    void theyAreUsedAgain() {
        try (Source source = source(THREE)) {
            for (int i = 0; i < 2; i++) {
                try (Snapshot snapshot = source.open(big())) {
                    staged(snapshot, big(), Bench.all(ID), 3);
                    staged(
                            snapshot,
                            big(),
                            CursorRange.above(ID.type().units(7), ID.type().units(50_000)),
                            3);
                }
            }
            assertThat(readers("state = 'idle'")).isEqualTo(3);
        }
    }

    /** He waits for the first transaction; the further ones would wait for him. */
    @Test
    void somebodyWhoWaitsToAlterTheTableLeavesOneConnection() {
        bench.database.execute("CREATE TABLE altered AS TABLE big", "CREATE INDEX ON altered (id)", "ANALYZE altered");
        ReadRequest request = big(Bench.table("altered"));
        CompletableFuture<Void> altering;
        try (Source source = source(THREE);
                Snapshot snapshot = source.open(request)) {
            altering = CompletableFuture.runAsync(
                    () -> bench.database.execute("ALTER TABLE altered ALTER v TYPE varchar(900) USING v || 'y'"));
            await().until(() -> !bench.database
                    .rows("SELECT 1 FROM pg_locks WHERE NOT granted")
                    .isEmpty());

            assertThat(staged(snapshot, request, Bench.all(ID), 1)).contains("60000|");
            assertThat(readers("state = 'active'")).isZero();
        }
        altering.join();
    }

    @Test
    void aServerThatLetsNoMoreInLeavesOneConnection() {
        bench.database.execute("CREATE ROLE narrow LOGIN CONNECTION LIMIT 2", "GRANT SELECT ON big TO narrow");
        try (Source source = as("narrow");
                Snapshot snapshot = source.open(big())) {
            assertThat(staged(snapshot, big(), Bench.all(ID), 1)).contains("60000|");
        } finally {
            bench.database.execute("DROP OWNED BY narrow", "DROP ROLE narrow");
        }
    }

    @Test
    void aRoleThatMayNotShareItsSnapshotHasOneConnection() {
        bench.database.execute(
                "CREATE ROLE alone LOGIN",
                "GRANT SELECT ON big TO alone",
                "REVOKE EXECUTE ON FUNCTION pg_export_snapshot() FROM PUBLIC");
        try (Source source = as("alone");
                Snapshot snapshot = source.open(big())) {
            assertThat(staged(snapshot, big(), Bench.all(ID), 1)).contains("60000|");
        } finally {
            bench.database.execute(
                    "GRANT EXECUTE ON FUNCTION pg_export_snapshot() TO PUBLIC",
                    "DROP OWNED BY alone",
                    "DROP ROLE alone");
        }
    }

    @Test
    void onlyLargeRangesOfTablesThatAnIndexLeadsToAreReadSo() {
        Map<Entity, Integer> expected = Map.of(
                Bench.table("big"),
                3,
                Bench.table("parted"),
                3,
                Bench.table("loose"),
                1,
                Bench.table("seen"),
                1,
                new Entity.Query("asked", "SELECT id, v FROM big"),
                1);
        try (Source source = source(THREE)) {
            expected.forEach((entity, streams) -> {
                try (Snapshot snapshot = source.open(big(entity))) {
                    assertThat(staged(snapshot, big(entity), Bench.all(ID), streams))
                            .as(entity.name())
                            .contains("60000|");
                }
            });
            CursorRange small = CursorRange.above(ID.type().units(0), ID.type().units(1_500));
            CursorRange middle = CursorRange.above(ID.type().units(0), ID.type().units(2_700));
            try (Snapshot snapshot = source.open(big())) {
                assertThat(staged(snapshot, big(), small, 1)).contains("1500|");
                assertThat(staged(snapshot, big(), middle, 2)).contains("2700|");
                assertThat(snapshot.read(Optional.empty())).isInstanceOf(SliceRead.Vectors.class);
            }
            bench.database.execute(
                    "CREATE FOREIGN TABLE away PARTITION OF parted FOR VALUES FROM (100000) TO (200000) SERVER far");
            CursorRange here = CursorRange.above(ID.type().units(0), ID.type().units(99_999));
            try (Snapshot snapshot = source.open(big(Bench.table("near")))) {
                assertThat(staged(snapshot, big(Bench.table("near")), here, 3)).contains("60000|");
            }
            try (Snapshot snapshot = source.open(big(Bench.table("parted")))) {
                assertThat(staged(snapshot, big(Bench.table("parted")), here, 1))
                        .contains("60000|");
            }
        }
    }
}
