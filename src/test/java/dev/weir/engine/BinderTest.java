package dev.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.TableName;
import dev.weir.fault.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BinderTest {

    private static final Map<String, List<Column>> SOURCES = Map.of(
            "orders",
            List.of(
                    new Column("id", "BIGINT"),
                    new Column("amount", "DECIMAL(12,2)"),
                    new Column("a \"b\"", "TIMESTAMP WITH TIME ZONE")));

    @TempDir
    Path folder;

    private DuckEngine engine;

    @BeforeEach
    void start() {
        engine = DuckEngine.start(EngineSettings.spillingTo(folder.resolve("spill")));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void givesTheColumnsWithoutRunning() {
        assertThat(bind("SELECT *, amount * 2 AS twice, error('ran')::DATE AS e FROM staging.orders"))
                .containsExactly(
                        new Column("id", "BIGINT"),
                        new Column("amount", "DECIMAL(12,2)"),
                        new Column("a \"b\"", "TIMESTAMP WITH TIME ZONE"),
                        new Column("twice", "DECIMAL(18,2)"),
                        new Column("e", "DATE"));
    }

    @Test
    void givesTheTypesTheRealTableWillHave() {
        String select =
                "SELECT CAST(NULL AS DATE) AS n, [1, NULL] AS l, {'a': 1.5} AS s, 'x'::ENUM('x', 'y') AS e, MAP {'k': 1} AS m,"
                        + " 1::HUGEINT AS h, INTERVAL 1 DAY AS i, current_date AS d, uuid() AS u";

        assertThat(bind(select)).isEqualTo(engine.run("out", select).columns());
    }

    @Test
    void leavesNothingBehindAndTouchesNothingStaged() {
        engine.run("orders", "SELECT 7 AS seven");

        bind("SELECT id FROM staging.orders");

        assertThat(engine.run("out", "SELECT seven FROM staging.orders").rows()).isEqualTo(1);
        assertThat(engine.run("orders", "SELECT 8 AS eight").rows()).isEqualTo(1);
        engine.drop("orders");
        engine.drop("orders");
        assertThat(engine.run("orders", "SELECT 9 AS nine").rows()).isEqualTo(1);
    }

    @Test
    void bindsWhileRowsAreBeingStagedUnderTheSameId() {
        ReadRequest orders = new ReadRequest(
                new Entity.Table(TableName.parse("orders")),
                List.of(new Column("id", "BIGINT"), new Column("at", "TIMESTAMP")),
                Optional.empty());
        List<Column> bound = new ArrayList<>();

        StagedSource staged = engine.stage(
                "orders", orders, new Numbers(3), rows -> bound.addAll(bind("SELECT amount FROM staging.orders")));

        assertThat(bound).containsExactly(new Column("amount", "DECIMAL(12,2)"));
        assertThat(staged.rows()).isEqualTo(3);
        assertThat(engine.run("out", "SELECT id FROM staging.orders").rows()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM staging.orders;",
                "SELECT id FROM staging.orders -- the end",
                "SELECT id FROM staging.orders; -- the end",
                "-- first\nWITH o AS (FROM staging.orders) SELECT id FROM o",
                "FROM staging.orders SELECT id",
                "(SELECT id FROM staging.orders)",
                "SELECT id FROM staging.orders UNION ALL SELECT 1",
            })
    void takesEverySpellingOfASelectAndRunsItToo(String select) {
        assertThat(bind(select)).containsExactly(new Column("id", "BIGINT"));
        engine.run("orders", "SELECT 7::BIGINT AS id");
        assertThat(engine.run("out", select).columns()).containsExactly(new Column("id", "BIGINT"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT id FROM staging.orders x y z   | syntax error",
                "SELECT id,~ nope~FROM staging.orders | p.sql:2:2: Binder Error",
                "SELECT 1 frm~x y z                     | p.sql:2:1: syntax error",
                "SELECT * FROM staging.missing         | name missing does not exist",
                "CREATE TABLE x AS SELECT 1            | Only SELECT",
                "DELETE FROM staging.orders            | Only SELECT",
                "SELECT 1; SELECT 2                    | 2 statements",
                "''                                    | 0 statements",
                "-- nothing                            | 0 statements",
                "SELECT id, id FROM staging.orders     | two columns named id",
                "SELECT id, 1 AS ID FROM staging.orders| one name",
                "SELECT id, NULL AS n FROM staging.orders | the column n is a NULL without a type",
                "SELECT [NULL] AS n                   | CAST(NULL AS",
                "SELECT id + 'x'::DATE FROM staging.orders | ",
                "SELECT id FROM staging.orders WHERE id = ? | parameter",
            })
    void refusesWhatIsNoSelectThatBinds(String select, String says) {
        assertThatThrownBy(() -> bind(select.replace("~", "\n")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("WR0215 pipelines/p.sql")
                .hasMessageContaining(says == null ? "" : says);
        assertThat(bind("SELECT 1 AS still_works")).hasSize(1);
    }

    private List<Column> bind(String select) {
        return engine.bind("pipelines/p.sql", select, SOURCES);
    }
}
