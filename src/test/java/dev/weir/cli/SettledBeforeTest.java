package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CaseProject.Into;
import dev.weir.testing.WeirProject;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What settled once is no reason to read a table that is not what it was. Rule: contract, section 3.2. */
class SettledBeforeTest extends SettlingCase {

    @Test
    void stateClearForgetsWhatSettled() throws SQLException {
        tables(Into.DUCKDB, TABLE, INSERT);
        runs(HASTY);
        writes(INSERT);
        copy.given(INSERT).succeeded("state", "clear", "pg.public.t", "--reason", "begin again");

        WeirProject.Said said = runs(HASTY);

        assertThat(said.all()).contains("held back altogether");
    }

    @Test
    void whatSettledBeforeTheTableBeganAgainIsNotTrusted() throws SQLException {
        tables(Into.DUCKDB, TABLE, "INSERT INTO t (v) SELECT g FROM generate_series(1, 5) g");
        runs(HASTY);
        copy.given("TRUNCATE t RESTART IDENTITY", INSERT);
        Connection writer = writes(INSERT);
        copy.given(INSERT)
                .project
                .file(
                        "pipelines/more.sql",
                        "INSERT INTO {{ sink('lake', 'more', strategy: 'merge', keys: ['id']) }}\n"
                                + "SELECT * FROM {{ source('pg', 'public.t') }}\n");

        WeirProject.Said held = copy.succeeded("run", "more", "--until-caught-up");

        assertThat(held.all()).contains("held back altogether");
        assertThat(copy.loaded("SELECT id FROM more")).isEmpty();

        writer.commit();
        copy.succeeded("run", "more", "--until-caught-up");
        assertThat(copy.loaded("SELECT id, v FROM more ORDER BY id")).isEqualTo(copy.source.rows(ALL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"clear pg.public.t", "set pg.public.t --value 0"})
    void afterTruncateRestartIdentityAndAnEditEveryNewRowIsLoaded(String edit) throws SQLException {
        tables(Into.DUCKDB, TABLE, "INSERT INTO t (v) SELECT g FROM generate_series(1, 5) g");
        runs(HASTY);
        copy.given("TRUNCATE t RESTART IDENTITY", INSERT);
        Connection writer = writes(INSERT);
        // More rows than before: what settled then lies below them, and above the writer's.
        copy.given("INSERT INTO t (v) SELECT 'new' FROM generate_series(1, 5) g");
        copy.succeeded(("state " + edit + " --reason truncated").split(" "));

        assertThat(runs(HASTY).all()).contains("held back altogether");
        writer.commit();
        runs(HASTY);

        copy.isExact(ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"strategy: 'merge', keys: ['id']", "strategy: 'window'"})
    void aFullRefreshOfATableThatBeganAgainLoadsEveryNewRow(String sink) throws SQLException {
        tables(Into.DUCKDB, TABLE, "INSERT INTO t (v) SELECT g FROM generate_series(1, 5) g");
        copy.pipeline("SELECT * FROM {{ source('pg', 'public.t') }}", sink);
        runs(HASTY);
        copy.given("TRUNCATE t RESTART IDENTITY", INSERT);
        Connection writer = writes(INSERT);
        copy.given("INSERT INTO t (v) SELECT 'new' FROM generate_series(1, 5) g");

        assertThat(copy.succeeded("run", "--all", "--until-caught-up", "--full-refresh")
                        .all())
                .contains("held back altogether");
        assertThat(copy.loaded("SELECT id FROM t ORDER BY id")).containsExactly("1", "2", "3", "4", "5");
        writer.commit();
        runs(HASTY);

        copy.isExact(ALL);
    }
}
