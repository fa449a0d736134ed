package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.ChunkKit;
import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.fault.RunException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PostgresSinkKitTest extends ChunkKit {

    private final PostgresSystem system = new PostgresSystem();

    @Override
    protected Connector connector() {
        return new PostgresConnector();
    }

    @Override
    protected ConnectionSettings settings() {
        return system.settings();
    }

    @Override
    protected void execute(String sql) {
        system.execute(sql);
    }

    @Override
    protected List<String> query(String sql) {
        return system.query(sql);
    }

    @Override
    protected Optional<String> typeName(String duckType) {
        return PostgresSystem.typeName(duckType);
    }

    @Override
    protected String value(String duckType, String text) {
        return PostgresSystem.value(duckType, text);
    }

    @Test
    void datesArriveInATimestampAsTheirMidnights() {
        execute("CREATE TABLE t (id integer, c timestamp)");

        write(
                T,
                values(
                        "id, c",
                        "(1, DATE '2026-03-29'), (2, DATE '4713-01-01 (BC)'), (3, DATE '294276-12-31'),"
                                + " (4, DATE 'infinity'), (5, DATE '-infinity'), (6, NULL)"),
                APPEND);

        assertThat(query("SELECT c::text FROM t ORDER BY id"))
                .containsExactly(
                        "2026-03-29 00:00:00",
                        "4713-01-01 00:00:00 BC",
                        "294276-12-31 00:00:00",
                        "infinity",
                        "-infinity",
                        "null");
    }

    @Test
    void aDateThatNoTimestampReachesIsNamed() {
        execute("CREATE TABLE t (id integer, c timestamp)");

        assertThatThrownBy(() -> write(T, values("id, c", "(4711, DATE '294277-01-01')"), merge("id")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0524 sys.t")
                .hasMessageContaining("column c holds +294277-01-01")
                .hasMessageContaining("4711");
        assertThat(t()).isEmpty();
    }
}
