package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Postgres;
import dev.weir.testing.WeirProject;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code state adopt} is the way out of a table without a mark. */
class AdoptTest {

    @TempDir
    Path folder;

    private final Postgres.Database database = Postgres.fresh();
    private WeirProject project;

    @BeforeEach
    void loaded() {
        database.execute("CREATE TABLE orders AS SELECT i AS id, 1.5 AS amount FROM generate_series(1, 3000) AS i");
        project = new WeirProject(folder)
                .file("connections.yml", """
                        pg:
                          connector: postgres
                          host: localhost
                          port: %d
                          database: %s
                          user: postgres
                          entities:
                            orders:
                              read:
                                sync: { mode: incremental, cursor: id, max_window: 1000, initial: 0, until: 1000000 }
                        """.formatted(database.port(), database.name()))
                .file("pipelines/log.sql", """
                        INSERT INTO {{ sink('pg', 'orders_log', strategy: 'append', delivery: 'exactly_once') }}
                        SELECT id FROM {{ source('pg', 'orders') }}
                        """);
        assertThat(project.run("run", "--until-caught-up").exitCode()).isZero();
    }

    @Test
    void tableRestoredWithoutItsMarkMayStandBelowWhatStateRemembers() {
        database.execute("DELETE FROM orders_log WHERE id > 2500", "DROP TABLE _weir_positions");
        assertThat(project.run("run").out()).contains("WR0528").contains("weir state adopt");

        WeirProject.Said said = adopt("2500");

        assertThat(said.exitCode()).as(said.all()).isZero();
        assertThat(project.run("run", "--until-caught-up").exitCode()).isZero();
        assertThat(database.value("SELECT count(*) || '/' || count(DISTINCT id) FROM orders_log"))
                .isEqualTo("3000/3000");
    }

    @Test
    void markThatSaysMoreIsNotAdoptedDownwards() {
        WeirProject.Said said = adopt("2500");

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.err()).contains("WR0529").contains("3000").contains("2500");
    }

    @Test
    void columnReadAsTextIsNamedInItsNotice() {
        database.execute("ALTER TABLE orders ALTER COLUMN amount TYPE numeric");

        assertThat(project.run("run").out()).contains("note: pg.orders: the column amount is read as VARCHAR");
    }

    private WeirProject.Said adopt(String value) {
        return project.run(
                "state", "adopt", "pg.orders", "--sink", "pg.orders_log", "--value", value, "--reason", "restored");
    }
}
