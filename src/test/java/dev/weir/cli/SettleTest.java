package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A source is read no further than where nothing lower can still be committed. Rule: contract, section 3.2. */
class SettleTest {

    private static final String[] RUN = {"run", "--all", "--until-caught-up"};

    @TempDir
    Path folder;

    private final Postgres.Database source = Postgres.fresh();
    private WeirProject project;
    private Connection other;

    @BeforeEach
    void open() throws SQLException {
        project = new WeirProject(folder);
        source.execute(
                "CREATE TABLE t (id bigserial PRIMARY KEY, seen timestamptz NOT NULL DEFAULT now())",
                "INSERT INTO t (seen) SELECT now() - interval '1 hour' + g * interval '1 second'"
                        + " FROM generate_series(1, 10) g");
        project.file(
                "pipelines/t.sql",
                "INSERT INTO {{ sink('lake', 't', strategy: 'merge', keys: ['id']) }}\n"
                        + "SELECT id, seen FROM {{ source('pg', 't') }}\n");
        other = source.connect();
    }

    @AfterEach
    void endAll() throws SQLException {
        other.close();
        source.rows("SELECT gid FROM pg_prepared_xacts WHERE database = current_database()")
                .forEach(gid -> source.execute("ROLLBACK PREPARED '" + gid + "'"));
    }

    @Test
    void aRowOfALongTransactionIsNotPassedOver() throws SQLException {
        byTime("");
        inTransaction("INSERT INTO t DEFAULT VALUES");
        source.execute("SELECT pg_sleep(1.1)", "INSERT INTO t DEFAULT VALUES", "SELECT pg_sleep(1.1)");

        WeirProject.Said held = project.run(RUN);

        assertThat(held.exitCode()).as(held.all()).isZero();
        assertThat(loaded()).isEqualTo("10");
        assertThat(held.all())
                .contains("note: src_pg__t: held back at ", ": open transaction since ", ": pid " + pid());

        other.commit();
        source.execute("SELECT pg_sleep(1.1)");
        WeirProject.Said free = project.run(RUN);
        assertThat(free.exitCode()).as(free.all()).isZero();
        assertThat(free.all()).doesNotContain("held back");
        assertThat(loaded()).isEqualTo("12");
    }

    @Test
    void withoutSettlingThatRowIsLostForGood() throws SQLException {
        byTime(", settle: off");
        inTransaction("INSERT INTO t DEFAULT VALUES");
        source.execute("SELECT pg_sleep(0.01)", "INSERT INTO t DEFAULT VALUES", "SELECT pg_sleep(0.01)");
        project.run(RUN);
        other.commit();

        project.run(RUN);

        assertThat(loaded()).isEqualTo("11");
    }

    @Test
    void aReaderMayWriteYetAndHoldsBackToo() throws SQLException {
        byTime("");
        inTransaction("SELECT now()");
        source.execute("SELECT pg_sleep(1.1)", "INSERT INTO t DEFAULT VALUES", "SELECT pg_sleep(1.1)");
        project.run(RUN);
        execute("INSERT INTO t DEFAULT VALUES");
        other.commit();
        source.execute("SELECT pg_sleep(1.1)");

        project.run(RUN);

        assertThat(loaded()).isEqualTo("12");
    }

    @Test
    void eventsAndExitCodeTellThatItWasHeldBack() throws Exception {
        byTime("");
        inTransaction("SELECT now()");
        source.execute("SELECT pg_sleep(1.1)");

        WeirProject.Said said =
                project.run("run", "--all", "--until-caught-up", "--require-caught-up", "--log-format", "json");

        assertThat(said.exitCode()).as(said.all()).isEqualTo(4);
        JsonNode node = node(said, "SourceLoad");
        assertThat(node.path("caughtUp").booleanValue()).isTrue();
        assertThat(node.at("/heldBack/reason").textValue()).isEqualTo("open transaction");
        assertThat(node.at("/heldBack/since").textValue()).startsWith("20").endsWith("Z");
        assertThat(node.at("/heldBack/sessions/0").textValue())
                .startsWith("pid " + pid() + " (postgres")
                .contains("idle in transaction");
    }

    @Test
    void whatLiesWellBelowTheOpenTransactionIsNotHeldBack() throws SQLException {
        byTime(", until: 2020-01-01");
        inTransaction("SELECT now()");
        source.execute("SELECT pg_sleep(1.1)");

        WeirProject.Said said = project.run("run", "--all", "--until-caught-up", "--require-caught-up");

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(said.all()).doesNotContain("held back");
    }

    @Test
    void aPreparedTransactionKeepsTheCeilingWhereItSettledLast() throws SQLException {
        byTime("");
        project.run(RUN);
        inTransaction("INSERT INTO t DEFAULT VALUES", "PREPARE TRANSACTION 'payroll'");
        source.execute("SELECT pg_sleep(0.01)", "INSERT INTO t DEFAULT VALUES", "SELECT pg_sleep(1.1)");

        WeirProject.Said held = project.run(RUN);

        assertThat(held.exitCode()).as(held.all()).isZero();
        assertThat(held.all()).contains("prepared transaction since ", ": 'payroll' of postgres");
        assertThat(loaded()).isEqualTo("10");
        source.execute("COMMIT PREPARED 'payroll'", "SELECT pg_sleep(1.1)");
        project.run(RUN);
        assertThat(loaded()).isEqualTo("12");
    }

    @Test
    void nothingIsReadWhereNothingIsKnownToHaveSettled() throws SQLException {
        inTransaction("INSERT INTO t DEFAULT VALUES", "PREPARE TRANSACTION 'payroll'");
        for (String sync : List.of("cursor: seen, until: now", "cursor: id")) {
            by(sync);

            WeirProject.Said said = project.run("run", "--all");

            assertThat(said.exitCode()).as(said.all()).isZero();
            assertThat(said.all()).contains("held back altogether: prepared transaction since ");
            assertThat(loaded()).isEqualTo("0");
        }
    }

    @Test
    void planAndDoctorTellWhoHoldsBack() throws SQLException {
        byTime("");
        inTransaction("INSERT INTO t DEFAULT VALUES", "PREPARE TRANSACTION 'payroll'");

        WeirProject.Said plan = project.run("plan", "--all");
        WeirProject.Said json = project.run("plan", "--all", "--json");
        WeirProject.Said doctor = project.run("doctor");

        assertThat(plan.all()).contains("held back  prepared transaction since ", "'payroll' of postgres");
        assertThat(json.out()).contains("\"heldBack\":{\"reason\":\"prepared transaction\"");
        assertThat(doctor.all()).contains("held back by prepared transaction", "ROLLBACK PREPARED");
    }

    @Test
    void aRoleThatSeesNoStartsIsToldSoAndGoesOnUnlessItIsRequired() {
        source.execute("DROP ROLE IF EXISTS blind", "CREATE ROLE blind LOGIN", "GRANT SELECT ON t TO blind");
        try {
            connection("blind", "cursor: seen, max_window: 1d, until: now");
            WeirProject.Said auto = project.run(RUN);
            connection("blind", "cursor: seen, max_window: 1d, until: now, settle: required");
            WeirProject.Said required = project.run(RUN);
            WeirProject.Said doctor = project.run("doctor");

            assertThat(auto.exitCode()).as(auto.all()).isZero();
            assertThat(auto.all())
                    .containsOnlyOnce(
                            "note: pg.t: it is not known which transactions are still open, since blind does not"
                                    + " see when transactions of others began: GRANT pg_read_all_stats TO \"blind\"");
            assertThat(loaded()).isEqualTo("10");
            assertThat(required.exitCode()).isEqualTo(1);
            assertThat(required.all()).contains("WR0526 pg.t: settle: required", "GRANT pg_read_all_stats");
            assertThat(doctor.all()).contains("WR0526");
        } finally {
            source.execute("DROP OWNED BY blind", "DROP ROLE blind");
        }
    }

    @Test
    void numbersNeedNoPrivilege() {
        source.execute("DROP ROLE IF EXISTS blind", "CREATE ROLE blind LOGIN", "GRANT SELECT ON t TO blind");
        try {
            connection("blind", "cursor: id, max_window: 5, settle: required");

            WeirProject.Said said = project.run("run", "--all");

            assertThat(said.exitCode()).as(said.all()).isZero();
        } finally {
            source.execute("DROP OWNED BY blind", "DROP ROLE blind");
        }
    }

    @Test
    void aQueryAndAViewCannotTell() {
        source.execute("CREATE VIEW v AS SELECT * FROM t");
        by("cursor: seen, until: now, settle: required");
        project.file(
                "connections.yml",
                connection("postgres")
                        + "    t: { read: { query: SELECT * FROM v, sync: { mode: incremental, cursor: seen, until: now } } }\n"
                        + "    v: { read: { sync: { mode: incremental, cursor: id, settle: required } } }\n"
                        + "lake: { connector: duckdb, path: lake.duckdb }\n");
        project.file(
                "pipelines/v.sql",
                "INSERT INTO {{ sink('lake', 'v', strategy: 'merge', keys: ['id']) }}\n"
                        + "SELECT id, seen FROM {{ source('pg', 'v') }}\n");

        WeirProject.Said said = project.run("run", "--all");

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.all())
                .contains("pg.t: it is not known which transactions are still open, since rows of a query")
                .contains("WR0526 pg.v: settle: required", "public.v is no table of its own");
        assertThat(loaded()).isEqualTo("10");
    }

    @Test
    void whatWeirItselfReadsHoldsNothingBack() throws SQLException {
        byTime("");
        execute("SET application_name = 'weir reader'");
        inTransaction("SELECT now()");
        source.execute("SELECT pg_sleep(1.1)");

        WeirProject.Said said = project.run("run", "--all", "--until-caught-up", "--require-caught-up");

        assertThat(said.exitCode()).as(said.all()).isZero();
    }

    private void byTime(String more) {
        by("cursor: seen, max_window: 1d" + (more.contains("until") ? "" : ", until: now") + more);
    }

    private void by(String sync) {
        connection("postgres", sync);
    }

    private void connection(String user, String sync) {
        project.file(
                "connections.yml",
                connection(user) + "    t: { read: { sync: { mode: incremental, " + sync + " } } }\n"
                        + "lake: { connector: duckdb, path: lake.duckdb }\n");
    }

    private String connection(String user) {
        return "pg:\n  connector: postgres\n  host: localhost\n  port: " + source.port() + "\n  database: "
                + source.name() + "\n  user: " + user + "\n  entities:\n";
    }

    private void inTransaction(String... statements) throws SQLException {
        other.setAutoCommit(false);
        execute(statements);
    }

    private void execute(String... statements) throws SQLException {
        try (Statement statement = other.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private int pid() throws SQLException {
        return other.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    }

    private String loaded() {
        return project.duckRows("lake.duckdb", "SELECT count(*) FROM t").get(0);
    }

    private static JsonNode node(WeirProject.Said said, String kind) throws Exception {
        for (String line : said.out().lines().toList()) {
            JsonNode event = new ObjectMapper().readTree(line);
            if (event.path("event").asText().equals("node_completed")
                    && event.path("kind").asText().equals(kind)) {
                return event;
            }
        }
        throw new AssertionError("no " + kind + " in " + said.all());
    }
}
