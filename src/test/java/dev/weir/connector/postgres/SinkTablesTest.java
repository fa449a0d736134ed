package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.Column;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.fault.RunException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tables a sink creates, takes and refuses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SinkTablesTest {

    private static final TableName T = TableName.parse("public.t");
    private static final SinkWrite MERGE = new SinkWrite.Merge(List.of("id"), Optional.empty(), false);

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    private Sink sink() {
        return bench.connector.sink(bench.database.settings(), bench.engine);
    }

    private void table(String columns) {
        bench.database.execute("DROP TABLE IF EXISTS t CASCADE", "CREATE TABLE t (" + columns + ")");
    }

    private void check(Column column) {
        try (Sink sink = sink()) {
            sink.fit(T, List.of(column), new SinkWrite.Append(), OnSchemaChange.FAIL);
        }
    }

    private List<String> rows() {
        return bench.database.rows("SELECT * FROM t ORDER BY 1");
    }

    @Test
    void aTableIsCreatedWithTheExactTypesAndItsKeysInTheRowsTransaction() {
        bench.database.execute("DROP TABLE IF EXISTS t CASCADE");
        Staged rows = bench.rows("SELECT 1::BIGINT AS id, 2::HUGEINT AS h, 3::UBIGINT AS ub, 4::UINTEGER AS ui,"
                + " 5::USMALLINT AS us, 6::UTINYINT AS ut, 7::TINYINT AS ti, 8::DECIMAL(10,3) AS de, 1.5::DOUBLE AS d,"
                + " 1.5::FLOAT AS f, 'x' AS v, 'ab'::BLOB AS b, true AS bo, DATE '2026-01-01' AS da,"
                + " TIME '24:00:00' AS tm, TIMESTAMP '2026-01-01' AS ts, TIMESTAMPTZ '2026-01-01 00:00+00' AS tz,"
                + " '00112233-4455-6677-8899-aabbccddeeff'::UUID AS u, '{\"a\":  1}'::JSON AS j,"
                + " TIMESTAMP_S '2026-01-01' AS s, TIMESTAMP_MS '2026-01-01' AS ms, 'x'::ENUM('x', 'y') AS en");
        try (Sink sink = sink();
                SinkTransaction transaction = sink.begin()) {
            transaction.create(T, rows.columns(), List.of("id"));
            assertThat(transaction.isEmpty(T)).isTrue();
            transaction.write(T, rows, MERGE);
            assertThat(bench.database.rows("SELECT to_regclass('t')")).containsExactly("null");
            transaction.commit();
        }
        assertThat(bench.database.rows("SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum)"
                        + " FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0"))
                .containsExactly(
                        "bigint numeric(39,0) numeric(20,0) bigint integer smallint smallint numeric(10,3)"
                                + " double precision real text bytea boolean date time without time zone timestamp without time zone"
                                + " timestamp with time zone uuid json timestamp without time zone timestamp without time zone text");
        assertThat(rows())
                .containsExactly("1|2|3|4|5|6|7|8.000|1.5|1.5|x|\\x6162|t|2026-01-01|24:00:00|2026-01-01 00:00:00"
                        + "|2026-01-01 00:00:00+00|00112233-4455-6677-8899-aabbccddeeff|{\"a\":  1}|2026-01-01 00:00:00"
                        + "|2026-01-01 00:00:00|x");
        assertThat(bench.database.rows("SELECT indisprimary FROM pg_index WHERE indrelid = 't'::regclass"))
                .containsExactly("t");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1::BIGNUM",
                "{'a': 1}",
                "[{'a': 1}]",
                "MAP {'a': 1}",
                "union_value(a := 1)",
                "[1]::INTEGER[1]",
                "[[[[[[[1]]]]]]]",
                "TIMESTAMP_NS '2026-01-01'",
                "TIME_NS '01:00:00'"
            })
    void aTypePostgresCannotHoldIsRefusedByName(String value) {
        bench.database.execute("DROP TABLE IF EXISTS t CASCADE");
        Staged rows = bench.rows("SELECT " + value + " AS odd");
        try (Sink sink = sink();
                SinkTransaction transaction = sink.begin()) {
            assertThatThrownBy(() -> transaction.create(T, rows.columns(), List.of()))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0523 pg.public.t")
                    .hasMessageContaining(
                            "the column odd, a " + rows.columns().get(0).type())
                    .hasMessageContaining("write CAST(\"odd\" AS VARCHAR) AS \"odd\" in the pipeline");
        }
    }

    @Test
    void aNamePostgresWouldCutOffIsRefused() {
        try (Sink sink = sink();
                SinkTransaction transaction = sink.begin()) {
            assertThatThrownBy(() -> transaction.create(
                            TableName.parse("public.x"), List.of(new Column("ä".repeat(32), "BIGINT")), List.of()))
                    .hasMessageContaining("more than the 63 bytes Postgres keeps");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bigint; INTEGER; true",
                "integer; BIGINT; false",
                "smallint; UTINYINT; true",
                "smallint; USMALLINT; false",
                "bigint; UBIGINT; false",
                "numeric(20,0); UBIGINT; true",
                "numeric; HUGEINT; true",
                "numeric(38,0); HUGEINT; false",
                "numeric(10,2); DECIMAL(10,2); true",
                "numeric(10,2); DECIMAL(10,3); false",
                "numeric(12,4); DECIMAL(10,2); true",
                "numeric(10,2); DECIMAL(11,2); false",
                "numeric; DECIMAL(38,10); true",
                "bigint; DECIMAL(18,0); true",
                "bigint; DECIMAL(19,0); false",
                "real; DOUBLE; false",
                "double precision; FLOAT; true",
                "double precision; INTEGER; true",
                "double precision; BIGINT; false",
                "date; TIMESTAMP; false",
                "timestamp; DATE; true",
                "timestamp(0); DATE; true",
                "timestamptz; DATE; false",
                "timestamp(3); TIMESTAMP; false",
                "timestamp(6); TIMESTAMP; true",
                "timestamp; TIMESTAMP_NS; false",
                "timestamp(3); TIMESTAMP_MS; true",
                "timestamptz; TIMESTAMP; false",
                "timestamp; TIMESTAMP WITH TIME ZONE; false",
                "varchar(3); VARCHAR; true",
                "char(3); VARCHAR; true",
                "integer; VARCHAR; false",
                "text; JSON; true",
                "jsonb; JSON; true",
                "text; BIGINT; false",
                "boolean; INTEGER; false",
                "bytea; VARCHAR; false",
                "time(0); TIME; false",
                "uuid; UUID; true",
                "numeric(5,-2); INTEGER; false",
                "numeric(5,-2); VARCHAR; true",
                "numeric; VARCHAR; true",
                "inet; VARCHAR; true",
                "inet; BIGINT; false",
                "inet; JSON; false",
                "date; VARCHAR; false",
                "time; VARCHAR; false",
                "uuid; VARCHAR; false",
                "jsonb; VARCHAR; false",
                "interval; VARCHAR; true",
                "interval; INTERVAL; true",
                "interval(6); INTERVAL; true",
                "interval(0); INTERVAL; false",
                "interval day to second; INTERVAL; false",
                "timetz; TIME WITH TIME ZONE; true",
                "timetz(0); TIME WITH TIME ZONE; false",
                "bit(3); BIT; true",
                "bit varying; BIT; true",
                "bytea; BIT; false",
                "integer[]; INTEGER[]; true",
                "integer[]; INTEGER[][][]; true",
                "integer[]; INTEGER[][][][][][][]; false",
                "integer[]; INTEGER; false",
                "integer[]; VARCHAR; true",
                "integer[]; VARCHAR[]; false",
                "integer[]; BIGINT[]; false",
                "bigint[]; INTEGER[]; true",
                "numeric(5,2)[]; DECIMAL(6,2)[]; false",
                "inet[]; VARCHAR[][]; true",
                "interval[]; INTERVAL[]; true",
                "interval(0)[]; INTERVAL[]; false",
                "integer; INTEGER[]; false",
            })
    void aColumnThatWouldLoseSomethingIsRefused(String column, String produced, boolean taken) {
        table("v " + column);
        try (Sink sink = sink()) {
            var check = org.assertj.core.api.Assertions.assertThatCode(
                    () -> sink.fit(T, List.of(new Column("v", produced)), new SinkWrite.Append(), OnSchemaChange.FAIL));
            if (taken) {
                check.doesNotThrowAnyException();
            } else {
                check.hasMessageContaining("WR0523 pg.public.t: the pipeline's column v is " + produced);
            }
        }
    }

    @Test
    void aMissingColumnIsToldWithTheRealOnes() {
        table("\"Id\" bigint");

        assertThatThrownBy(() -> check(new Column("id", "BIGINT")))
                .hasMessageContaining("WR0503 pg.public.t: the table has no column id")
                .hasMessageContaining("its columns are Id; names are case-sensitive");
    }

    @Test
    void aViewIsNoSink() {
        bench.database.execute(
                "DROP TABLE IF EXISTS t CASCADE", "CREATE OR REPLACE VIEW seen AS SELECT 1::bigint AS id");
        try (Sink sink = sink()) {
            assertThatThrownBy(() -> sink.fit(
                            TableName.parse("seen"), List.of(new Column("id", "BIGINT")), new SinkWrite.Append(), OnSchemaChange.FAIL))
                    .hasMessageContaining("is no ordinary table");
        }
    }

    @Test
    void describesWhatIsThere() {
        table("id bigint, v numeric(5,2), odd interval");
        try (Sink sink = sink()) {
            assertThat(sink.describe(T))
                    .contains(List.of(
                            new Column("id", "BIGINT"),
                            new Column("v", "DECIMAL(5,2)"),
                            new Column("odd", "INTERVAL")));
            assertThat(sink.describe(TableName.parse("no.such"))).isEmpty();
        }
    }
}
