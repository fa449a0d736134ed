package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Snapshot;
import dev.weir.connector.Source;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.engine.StageListener;
import dev.weir.fault.RunException;
import dev.weir.testing.FaultyWire;
import dev.weir.testing.FaultyWire.Fate;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a later attempt may not meet any more, as a real server says it; and what it does meet again. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PassingFailuresTest {

    private static final TableName T = TableName.parse("t");
    private static final ReadRequest ENDLESS = new ReadRequest(
            Bench.table("endless"), List.of(new Column("id", "BIGINT"), new Column("v", "VARCHAR")), Optional.empty());

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
        bench.database.execute(
                "CREATE TABLE t (id bigint PRIMARY KEY, v text)",
                "CREATE VIEW endless AS SELECT g::bigint AS id, pg_sleep(0.05)::text AS v"
                        + " FROM generate_series(1, 100000) AS g",
                "CREATE FUNCTION fail(state text) RETURNS bigint LANGUAGE plpgsql AS"
                        + " 'BEGIN RAISE EXCEPTION ''as asked'' USING ERRCODE = state; END'");
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    private String role(String setting) {
        String role = "role_" + Integer.toHexString(setting.hashCode()).toLowerCase(Locale.ROOT);
        bench.database.execute("CREATE ROLE " + role + " LOGIN SUPERUSER", "ALTER ROLE " + role + " SET " + setting);
        return role;
    }

    private RunException readFails(String role, ReadRequest request, StageListener listener) {
        try (Source source = bench.connector.source(bench.database.settings(Map.of("user", role)), bench.engine);
                Snapshot snapshot = source.open(request)) {
            return catchThrowableOfType(
                    RunException.class,
                    () -> bench.engine.stage("rows", request, snapshot.read(Optional.empty()), listener));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "statement_timeout = '700ms', [57014], raise it for role_",
        "transaction_timeout = '700ms', connection failed, its log says why",
    })
    void aReadThatTakesLongerThanTheRoleMayIsTriedAgain(String setting, String state, String remedy) {
        assertThat(readFails(role(setting), ENDLESS, StageListener.NONE))
                .hasMessageContaining("WR0501 pg.endless: ")
                .hasMessageContaining(state)
                .hasMessageContaining(remedy)
                .matches(RunException::isRetryable);
    }

    @ParameterizedTest
    @CsvSource({
        "pg_cancel_backend, [57014], somebody cancelled it",
        "pg_terminate_backend, connection failed, its log says why"
    })
    void aReadThatAnAdministratorEndsIsTriedAgain(String function, String state, String remedy) {
        CompletableFuture<RunException> reading =
                CompletableFuture.supplyAsync(() -> readFails("postgres", ENDLESS, StageListener.NONE));
        await().atMost(Duration.ofSeconds(20)).until(() -> !ended(function).isEmpty());

        assertThat(reading.join())
                .hasMessageContaining(state)
                .hasMessageContaining(remedy)
                .matches(RunException::isRetryable);
    }

    private List<String> ended(String function) {
        return bench.database.rows(
                "SELECT " + function + "(pid) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND state = 'active' AND query LIKE 'COPY%endless%' AND pid <> pg_backend_pid()");
    }

    @Test
    void aLockThatIsNotGotInTimeIsWaitedForAgain() throws SQLException {
        Staged rows = bench.rows("SELECT 1::BIGINT AS id, 'a' AS v");
        try (Connection holder = bench.database.connect();
                Statement statement = holder.createStatement();
                Sink sink = bench.connector.sink(
                        bench.database.settings(Map.of("user", role("lock_timeout = '50ms'"))), bench.engine)) {
            holder.setAutoCommit(false);
            statement.execute("LOCK TABLE t");
            try (SinkTransaction transaction = sink.begin()) {
                RunException thrown = catchThrowableOfType(
                        RunException.class, () -> transaction.write(T, rows, new SinkWrite.Append()));
                assertThat(thrown)
                        .hasMessageContaining("[55P03]")
                        .hasMessageContaining("lock_timeout")
                        .matches(RunException::isRetryable);
            }
            holder.rollback();
            try (SinkTransaction transaction = sink.begin()) {
                assertThat(transaction.write(T, rows, new SinkWrite.Append()).rows())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void aTableThatSomebodyElseCreatesAtTheSameMomentIsFoundTheNextTime() throws SQLException {
        try (Connection other = bench.database.connect();
                Statement statement = other.createStatement();
                Sink sink = bench.connector.sink(bench.database.settings(), bench.engine)) {
            other.setAutoCommit(false);
            statement.execute("CREATE TABLE made_by_two (id bigint)");
            CompletableFuture<RunException> creating = CompletableFuture.supplyAsync(() -> {
                try (SinkTransaction transaction = sink.begin()) {
                    return catchThrowableOfType(
                            RunException.class,
                            () -> transaction.create(
                                    TableName.parse("made_by_two"), List.of(new Column("id", "BIGINT")), List.of()));
                }
            });
            await().atMost(Duration.ofSeconds(20)).until(() -> !bench.database
                    .rows("SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND application_name = 'weir' AND wait_event_type = 'Lock'")
                    .isEmpty());
            other.commit();

            assertThat(creating.join())
                    .hasMessageContaining("[23505]")
                    .hasMessageContaining("somebody else created it at the same moment: run it again")
                    .matches(RunException::isRetryable);
        }
    }

    @Test
    void aServerWithoutAFreeConnectionIsAskedAgain() throws SQLException {
        bench.database.execute("CREATE ROLE lonely LOGIN CONNECTION LIMIT 1", "GRANT SELECT ON t TO lonely");
        Map<String, String> lonely = Map.of("user", "lonely");
        try (Source one = bench.connector.source(bench.database.settings(lonely), bench.engine);
                Source two = bench.connector.source(bench.database.settings(lonely), bench.engine)) {
            one.describe(Bench.table("t"));
            RunException thrown = catchThrowableOfType(RunException.class, () -> two.describe(Bench.table("t")));
            assertThat(thrown)
                    .hasMessageContaining("[53300]")
                    .hasMessageContaining("lower max_concurrency of pg")
                    .matches(RunException::isRetryable);
        }
    }

    @Test
    void aSinkThatWasIdleForTooLongIsConnectedAgainWithoutAWord() {
        try (Sink sink = bench.connector.sink(
                bench.database.settings(Map.of("user", role("idle_session_timeout = '50ms'"))), bench.engine)) {
            sink.describe(T);
            await().atMost(Duration.ofSeconds(10)).until(() -> bench.database
                    .rows(
                            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'weir'")
                    .isEmpty());
            assertThat(sink.describe(T)).isPresent();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "40001, true, hot_standby_feedback",
        "40P01, true, the other way round",
        "57P01, true, run again when it is up",
        "57P02, true, run again when it is up",
        "57P03, true, run again when it is up",
        "57P05, true, raise idle_session_timeout for postgres",
        "25P03, true, raise idle_in_transaction_session_timeout for postgres",
        "25P04, true, raise transaction_timeout for postgres",
        "72000, true, reachable",
        "08006, true, reachable",
        "08P01, true, reachable",
        "08004, false, pg_hba.conf",
        "57P04, false, log",
        "53100, false, make room",
        "XX001, false, log",
        "22012, false, mend the value",
    })
    void whatMayPassIsToldApartFromWhatWillNot(String state, boolean passing, String remedy) {
        ReadRequest request = new ReadRequest(
                new Entity.Query("failing", "SELECT fail('" + state + "') AS id"),
                List.of(new Column("id", "BIGINT")),
                Optional.empty());

        assertThat(readFails("postgres", request, StageListener.NONE))
                .hasMessageContaining("as asked [" + state + "]")
                .hasMessageContaining(remedy)
                .matches(thrown -> thrown.isRetryable() == passing);
    }

    /** The rows of a COPY, cut off after each so many bytes. */
    @Test
    void aReadThatIsCutShortIsNeverTakenForAWholeOne() throws IOException {
        bench.database.execute(
                "CREATE TABLE few AS SELECT g::bigint AS id, repeat('x', g) AS v FROM generate_series(1, 12) g");
        ReadRequest request = new ReadRequest(Bench.table("few"), ENDLESS.columns(), Optional.empty());
        int whole = 0;
        for (int at = 0; whole == 0; at += 7) {
            try (FaultyWire wire = new FaultyWire(bench.database.port(), cutting(at));
                    Source source = bench.connector.source(
                            bench.database.settings(
                                    Map.of("port", Integer.toString(wire.port()), "sslmode", "disable")),
                            bench.engine);
                    Snapshot snapshot = source.open(request)) {
                try {
                    whole += bench.engine
                            .stage("rows", request, snapshot.read(Optional.empty()), StageListener.NONE)
                            .rows();
                } catch (RunException e) {
                    assertThat(e).as("cut at byte " + at).matches(RunException::isRetryable);
                }
            }
            assertThat(whole).as("cut at byte " + at).isIn(0, 12);
        }
    }

    /** Cuts what the server says from its answer to a COPY on: after so many bytes of it. */
    private static FaultyWire.Plan cutting(int at) {
        AtomicInteger left = new AtomicInteger(-1);
        return message -> {
            if (message.toServer()) {
                return Fate.PASSES;
            }
            if (message.type() == 'H') {
                left.set(at);
            }
            int before = left.get();
            if (before < 0) {
                return Fate.PASSES;
            }
            left.set(Math.max(0, before - message.bytes().length));
            return before < message.bytes().length ? new Fate.Cut(before) : Fate.PASSES;
        };
    }

    @Test
    void aPeerThatIsGoneWithoutAWordIsMissedWithinAMinuteOrSo() throws IOException {
        try (Socket socket = KeepAlive.on(new Socket())) {
            assertThat(socket.getKeepAlive()).isTrue();
            assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(30);
            assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL)).isEqualTo(10);
            assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT)).isEqualTo(3);
        }
    }

    /** The kernel's own table of sockets tells: timer 2 is keep-alive, its time in hundredths of a second. */
    @Test
    void theConnectionOfASourceIsWatched() throws IOException {
        Path table = Path.of("/proc/net/tcp6");
        Assumptions.assumeTrue(Files.exists(table), "only Linux shows a socket's timers");
        try (Source source = bench.source()) {
            source.describe(Bench.table("t"));
            String port = bench.database.value("SELECT upper(lpad(to_hex(client_port), 4, '0')) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND application_name = 'weir reader'");
            List<String> timers = Files.readAllLines(table).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields.length > 5 && fields[1].endsWith(":" + port))
                    // Others may have had the port on their way to other servers.
                    .filter(fields -> fields[2].endsWith(":%04X".formatted(bench.database.port())))
                    .map(fields -> fields[5])
                    .toList();
            assertThat(timers).hasSize(1).first().asString().startsWith("02:");
            assertThat(Integer.parseInt(timers.get(0).substring(3), 16)).isLessThanOrEqualTo(3_000);
        }
    }
}
