package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.weir.connector.Column;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.slicing.Cursor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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

/** What goes wrong when reading, and what is said about it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SourceFaultsTest {

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
        bench.database.execute(
                "CREATE TABLE orders (id bigint PRIMARY KEY, \"Total\" int)",
                "CREATE TABLE big AS SELECT g AS id, repeat('x', 500) AS v FROM generate_series(1, 200000) g");
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    private RunException failure(Map<String, String> options, String table) {
        try (Source source = bench.connector.source(bench.database.settings(options), bench.engine)) {
            Throwable thrown = catchThrowable(() -> source.describe(Bench.table(table)));
            assertThat(thrown).isInstanceOf(RunException.class);
            return (RunException) thrown;
        }
    }

    @Test
    void aMissingTableNamesTheNearOnes() {
        assertThat(failure(Map.of(), "public.Order"))
                .hasMessageContaining(
                        "WR0501 pg.public.Order: there is no table public.Order in " + bench.database.name())
                .hasMessageContaining("did you mean public.orders?")
                .matches(thrown -> !thrown.isRetryable());
    }

    @Test
    void aMissingColumnListsTheRealOnes() {
        ReadRequest request =
                new ReadRequest(Bench.table("orders"), List.of(new Column("total", "INTEGER")), Optional.empty());
        try (Source source = bench.source()) {
            assertThatThrownBy(() -> source.open(request))
                    .hasMessageContaining("WR0501 pg.orders: there is no column total")
                    .hasMessageContaining("its columns are id, Total; names are case-sensitive");
        }
    }

    @Test
    void anUnknownHostIsTold() {
        assertThat(failure(Map.of("host", "no-such-host.invalid"), "orders"))
                .hasMessageContaining("WR0501 pg.orders: the host of no-such-host.invalid:");
    }

    @Test
    void aClosedPortIsTold() {
        assertThat(failure(Map.of("port", "1"), "orders"))
                .hasMessageContaining("localhost:1")
                .hasMessageContaining("refused")
                .matches(RunException::isRetryable);
    }

    @Test
    void anUnknownDatabaseIsTold() {
        assertThat(failure(Map.of("database", "no such/db?x=1"), "orders"))
                .hasMessageContaining("database \"no such/db?x=1\" does not exist")
                .hasMessageContaining("check database: of pg")
                .matches(thrown -> !thrown.isRetryable());
    }

    @ParameterizedTest
    @ValueSource(strings = {"wr$ong 'p\"w", "", "${HOME} &ssl=true"})
    void aWrongPasswordIsToldAndShownNowhere(String password) {
        RunException thrown = failure(Map.of("user", "secret", "password", password), "orders");

        assertThat(thrown).hasMessageContaining("check user and password of pg").matches(e -> !e.isRetryable());
        if (!password.isEmpty()) {
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                assertThat(cause.toString()).doesNotContain(password);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"$RvePwd01", "a: b #c", "p'w\"d", "sp ace", "%41&user=postgres"})
    void aPasswordMayHoldAnything(String password) {
        bench.database.execute(
                "ALTER ROLE secret PASSWORD '" + password.replace("'", "''") + "'", "GRANT SELECT ON orders TO secret");
        try (Source source = bench.connector.source(
                bench.database.settings(Map.of("user", "secret", "password", password)), bench.engine)) {
            assertThat(source.describe(Bench.table("orders"))).hasSize(2);
        }
    }

    @Test
    void aMissingPrivilegeIsTold() {
        bench.database.execute("CREATE ROLE nobody_here LOGIN");

        assertThat(failure(Map.of("user", "nobody_here"), "orders"))
                .hasMessageContaining("nobody_here may not read public.orders")
                .hasMessageContaining("GRANT SELECT ON \"public\".\"orders\" TO \"nobody_here\"");
    }

    @ParameterizedTest
    @CsvSource({
        "port, x, port 'x' is no port",
        "sslmode, maybe, sslmode 'maybe' is none",
        "host, a/b, host 'a/b' is no host name",
        "streams, 0, streams '0' is no number of streams",
        "streams, 17, write a number from 1 to 16",
        "streams, two, streams 'two' is no number",
        "database, ' ', the option database is missing",
    })
    void aWrongOptionIsAUsageError(String option, String value, String message) {
        assertThatThrownBy(() -> bench.connector.source(bench.database.settings(Map.of(option, value)), bench.engine))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }

    @Test
    void theConnectionIsOpenedLazily() {
        try (Source source = bench.connector.source(bench.database.settings(Map.of("port", "1")), bench.engine)) {
            assertThat(source).isNotNull();
        }
    }

    @Test
    void aConnectionCutInTheMiddleFailsTheReadAndIsPassing() {
        ReadRequest request =
                new ReadRequest(Bench.table("big"), List.of(new Column("v", "VARCHAR")), Optional.empty());
        try (Source source = bench.source();
                Snapshot snapshot = source.open(request)) {
            Throwable thrown =
                    catchThrowable(() -> bench.engine.stage("rows", request, snapshot.read(Optional.empty()), rows -> {
                        if (rows < 10_000) {
                            terminate();
                        }
                    }));
            assertThat(thrown).isInstanceOf(RunException.class).hasMessageContaining("WR0501 pg.big");
            assertThat(((RunException) thrown).isRetryable()).isTrue();
        }
    }

    private void terminate() {
        bench.database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND application_name = 'weir reader'");
    }

    private boolean isReading() {
        return !bench.database
                .rows(
                        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'weir reader'"
                                + " AND state = 'active'")
                .isEmpty();
    }

    @Test
    void aConnectionThatTheServerEndedWhileNobodyUsedItIsOpenedAnewWithoutAWord() {
        try (Source source = bench.source()) {
            source.describe(Bench.table("orders"));
            terminate();
            assertThat(source.describe(Bench.table("orders"))).hasSize(2);
            terminate();
            assertThat(source.clock()).isNotNull();
        }
    }

    @Test
    void aCancelReachesTheServerAndEndsABlockedRead() {
        Source source = bench.source();
        var entity = new dev.weir.connector.Entity.Query("slow", "SELECT 1 AS a FROM (SELECT pg_sleep(60)) s");
        ReadRequest request = new ReadRequest(entity, List.of(new Column("a", "INTEGER")), Optional.empty());
        Instant began = Instant.now();
        CompletableFuture<Throwable> reading = CompletableFuture.supplyAsync(() -> {
            try (Snapshot snapshot = source.open(request)) {
                return catchThrowable(
                        () -> bench.engine.stage("slow", request, snapshot.read(Optional.empty()), rows -> {}));
            }
        });
        await().atMost(Duration.ofSeconds(20)).until(this::isReading);
        source.cancel();

        assertThat(reading.join()).isInstanceOf(RunException.class).hasMessageContaining("cancelled");
        assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(30));
        await().atMost(Duration.ofSeconds(10)).until(() -> !isReading());
        assertThatThrownBy(source::clock).isInstanceOf(RunException.class).hasMessageContaining("cancelled");
        source.close();
    }

    @Test
    void aSnapshotThatIsNotReadToItsEndFreesTheServer() {
        ReadRequest request =
                new ReadRequest(Bench.table("big"), List.of(new Column("v", "VARCHAR")), Optional.empty());
        try (Source source = bench.source()) {
            try (Snapshot snapshot = source.open(request)) {
                snapshot.read(Optional.empty());
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> !isReading());
            assertThat(source.describe(Bench.table("orders"))).hasSize(2);
        }
    }

    @Test
    void aTableThatChangesBetweenSnapshotsIsReadWithTheDeclaredColumns() {
        bench.database.execute("CREATE TABLE moving (id bigint, v text)", "INSERT INTO moving VALUES (1, 'a')");
        Cursor cursor = Bench.cursor("id", "bigint");
        ReadRequest request = new ReadRequest(
                Bench.table("moving"),
                List.of(new Column("id", "BIGINT"), new Column("v", "VARCHAR")),
                Optional.of(cursor));
        try (Source source = bench.source()) {
            assertThat(bench.stage(source, request, Optional.of(Bench.all(cursor)))
                            .rows())
                    .isEqualTo(1);
            bench.database.execute(
                    "ALTER TABLE moving ADD COLUMN z text", "ALTER TABLE moving ALTER COLUMN v TYPE varchar(20)");
            assertThat(bench.stage(source, request, Optional.of(Bench.all(cursor)))
                            .rows())
                    .isEqualTo(1);
            bench.database.execute("ALTER TABLE moving DROP COLUMN v");
            assertThatThrownBy(() -> source.open(request)).hasMessageContaining("there is no column v");
        }
    }

    @Test
    void anIdleTransactionOfTheRoleIsNotCutShort() {
        bench.database.execute(
                "CREATE ROLE hasty LOGIN",
                "ALTER ROLE hasty SET idle_in_transaction_session_timeout = '100ms'",
                "GRANT SELECT ON orders TO hasty");
        Cursor cursor = Bench.cursor("id", "bigint");
        ReadRequest request =
                new ReadRequest(Bench.table("orders"), List.of(new Column("id", "BIGINT")), Optional.of(cursor));
        try (Source source = bench.connector.source(bench.database.settings(Map.of("user", "hasty")), bench.engine);
                Snapshot snapshot = source.open(request)) {
            Instant until = Instant.now().plusMillis(400);
            await().pollInterval(Duration.ofMillis(50))
                    .until(() -> Instant.now().isAfter(until));
            assertThat(snapshot.count(Bench.all(cursor), 10)).isZero();
        }
    }

    @Test
    void severalSnapshotsMayBeOpenAtOnce() {
        ReadRequest request =
                new ReadRequest(Bench.table("orders"), List.of(new Column("id", "BIGINT")), Optional.empty());
        try (Source source = bench.source();
                Snapshot one = source.open(request);
                Snapshot two = source.open(request)) {
            assertThat(bench.engine
                            .stage("one", request, one.read(Optional.empty()), rows -> {})
                            .rows())
                    .isZero();
            assertThat(bench.engine
                            .stage("two", request, two.read(Optional.empty()), rows -> {})
                            .rows())
                    .isZero();
        }
    }

    @Test
    void theClockIsTheServersOwn() {
        try (Source source = bench.source()) {
            assertThat(Duration.between(source.clock(), Instant.now()).abs()).isLessThan(Duration.ofSeconds(5));
        }
    }
}
