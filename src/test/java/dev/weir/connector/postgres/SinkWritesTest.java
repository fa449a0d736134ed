package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Column;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
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

/** What each strategy leaves in a table of Postgres. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SinkWritesTest {

    private static final TableName T = TableName.parse("public.t");
    private static final SinkWrite MERGE = merge(Optional.empty(), false);
    private static final SinkWrite NEWEST = merge(Optional.of("at"), false);

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    private static SinkWrite merge(Optional<String> orderBy, boolean keepColumns) {
        return new SinkWrite.Merge(List.of("id"), orderBy, keepColumns);
    }

    private Sink sink() {
        return bench.connector.sink(bench.database.settings(), bench.engine);
    }

    private Written write(SinkWrite how, String select) {
        Staged rows = bench.rows(select);
        try (Sink sink = sink()) {
            sink.check(T, rows.columns(), how);
            try (SinkTransaction transaction = sink.begin()) {
                Written written = transaction.write(T, rows, how);
                transaction.commit();
                return written;
            }
        }
    }

    private void table(String columns) {
        bench.database.execute("DROP TABLE IF EXISTS t CASCADE", "CREATE TABLE t (" + columns + ")");
    }

    private List<String> rows() {
        return bench.database.rows("SELECT * FROM t ORDER BY 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"id bigint PRIMARY KEY, v text, at timestamp", "id bigint, v text, at timestamp"})
    void aMergeReplacesWholeRowsByTheirKeysWithAndWithoutAnIndex(String columns) {
        table(columns);
        bench.database.execute("INSERT INTO t VALUES (1, 'old', '2026-01-01'), (2, 'keep', '2026-01-01')");

        Written written = write(
                MERGE,
                "SELECT * FROM (VALUES (1::BIGINT, NULL, TIMESTAMP '2025-01-01'), (3, 'new', NULL)) v(id, v, \"at\")");

        assertThat(written).isEqualTo(new Written(2, 0));
        assertThat(rows()).containsExactly("1|null|2025-01-01 00:00:00", "2|keep|2026-01-01 00:00:00", "3|new|null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"id bigint PRIMARY KEY, v text, at timestamp", "id bigint, v text, at timestamp"})
    void aStoredRowThatIsNewerStaysAndIsCounted(String columns) {
        table(columns);
        bench.database.execute(
                "INSERT INTO t VALUES (1, 'newer', '2026-02-01'), (2, 'older', '2026-01-01'),"
                        + " (3, 'equal', '2026-01-15'), (4, 'null', NULL), (5, 'dated', '2026-01-01'), (6, 'ever', 'infinity')");

        Written written = write(
                NEWEST,
                "SELECT i::BIGINT AS id, 'in' AS v, CASE WHEN i IN (5, 6) THEN NULL ELSE TIMESTAMP '2026-01-15' END AS at"
                        + " FROM range(1, 8) r(i)");

        assertThat(written).isEqualTo(new Written(4, 3));
        assertThat(rows())
                .containsExactly(
                        "1|newer|2026-02-01 00:00:00",
                        "2|in|2026-01-15 00:00:00",
                        "3|in|2026-01-15 00:00:00",
                        "4|in|2026-01-15 00:00:00",
                        "5|dated|2026-01-01 00:00:00",
                        "6|ever|infinity",
                        "7|in|2026-01-15 00:00:00");
    }

    @Test
    void columnsThePipelineDoesNotProduceAreRefusedOrKept() {
        table("id bigint PRIMARY KEY, v text, note text DEFAULT 'fresh'");
        bench.database.execute("INSERT INTO t VALUES (1, 'a', 'mine')");
        String select = "SELECT i::BIGINT AS id, 'b' AS v FROM range(1, 3) r(i)";

        assertThatThrownBy(() -> write(MERGE, select))
                .hasMessageContaining("WR0503 pg.public.t: the table has the column note")
                .hasMessageContaining("keep_columns: true");
        write(merge(Optional.empty(), true), select);
        assertThat(rows()).containsExactly("1|b|mine", "2|b|fresh");
    }

    @Test
    void keysOfSeveralColumnsMeetAnIndexInAnyOrder() {
        table("a int, b text, v int, UNIQUE (b, a)");
        Staged rows = bench.rows("SELECT 1 AS a, 'x' AS b, 5 AS v");
        SinkWrite how = new SinkWrite.Merge(List.of("a", "b"), Optional.empty(), false);
        for (int i = 0; i < 2; i++) {
            try (Sink sink = sink();
                    SinkTransaction transaction = sink.begin()) {
                assertThat(transaction.write(T, rows, how)).isEqualTo(new Written(1, 0));
                transaction.commit();
            }
        }
        assertThat(rows()).containsExactly("1|x|5");
    }

    @Test
    void aTableOfKeysAloneIsMergedToo() {
        table("id bigint PRIMARY KEY");

        assertThat(write(MERGE, "SELECT i::BIGINT AS id FROM range(3) r(i)")).isEqualTo(new Written(3, 0));
        assertThat(write(MERGE, "SELECT i::BIGINT AS id FROM range(4) r(i)")).isEqualTo(new Written(4, 0));
        assertThat(rows()).containsExactly("0", "1", "2", "3");
    }

    @Test
    void aPartialIndexIsNoIndexOnTheKeys() {
        table("id bigint, v text");
        bench.database.execute("CREATE UNIQUE INDEX ON t (id) WHERE v <> 'gone'", "INSERT INTO t VALUES (1, 'gone')");

        assertThat(write(MERGE, "SELECT 1::BIGINT AS id, 'b' AS v")).isEqualTo(new Written(1, 0));
        assertThat(rows()).containsExactly("1|b");
    }

    @Test
    void computedColumnsAreLeftToTheTable() {
        table("id bigint PRIMARY KEY, v int, twice int GENERATED ALWAYS AS (v * 2) STORED");

        write(MERGE, "SELECT 1::BIGINT AS id, 4 AS v");

        assertThat(rows()).containsExactly("1|4|8");
        assertThatThrownBy(() -> write(MERGE, "SELECT 1::BIGINT AS id, 4 AS v, 9 AS twice"))
                .hasMessageContaining("the column twice is computed by the table itself");
    }

    @Test
    void identityColumnsTakeTheValuesGivenAsKeysOrAreRefused() {
        table("id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v int");
        write(MERGE, "SELECT 70::BIGINT AS id, 4 AS v");
        write(MERGE, "SELECT 70::BIGINT AS id, 5 AS v");
        write(new SinkWrite.Append(), "SELECT 71::BIGINT AS id, 6 AS v");
        assertThat(rows()).containsExactly("70|5", "71|6");

        table("id bigint PRIMARY KEY, v bigint GENERATED ALWAYS AS IDENTITY");
        assertThatThrownBy(() -> write(MERGE, "SELECT 70::BIGINT AS id, 4 AS v"))
                .hasMessageContaining("the column v is GENERATED ALWAYS AS IDENTITY");
    }

    @Test
    void twoWritesOfOneShapeInOneTransactionDoNotMix() {
        table("id bigint PRIMARY KEY, v text");
        Staged first = bench.engine.run("first", "SELECT 1::BIGINT AS id, 'a' AS v");
        Staged second = bench.engine.run("second", "SELECT 2::BIGINT AS id, 'b' AS v");
        try (Sink sink = sink()) {
            for (int i = 0; i < 2; i++) {
                try (SinkTransaction transaction = sink.begin()) {
                    assertThat(transaction.write(T, first, MERGE).rows()).isEqualTo(1);
                    assertThat(transaction.write(T, second, MERGE).rows()).isEqualTo(1);
                    transaction.commit();
                }
            }
        }
        assertThat(rows()).containsExactly("1|a", "2|b");
    }

    @Test
    void oneTempTableServesAllSlicesOfASession() {
        table("id bigint PRIMARY KEY, v text");
        long before = Long.parseLong(bench.database.value("SELECT count(*) FROM pg_class"));
        try (Sink sink = sink()) {
            for (int i = 0; i < 5; i++) {
                Staged rows = bench.rows("SELECT " + i + "::BIGINT AS id, 'a' AS v");
                try (SinkTransaction transaction = sink.begin()) {
                    transaction.write(T, rows, MERGE);
                    transaction.commit();
                }
            }
            assertThat(Long.parseLong(bench.database.value(
                            "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'weir_%'")))
                    .isEqualTo(1);
            assertThat(before).isPositive();
        }
    }

    @Test
    void appendAddsAndReplaceSwaps() {
        table("id bigint, v text");
        bench.database.execute("INSERT INTO t VALUES (1, 'a')", "CREATE VIEW kept AS SELECT * FROM t");

        assertThat(write(new SinkWrite.Append(), "SELECT 1::BIGINT AS id, 'b' AS v"))
                .isEqualTo(new Written(1, 0));
        assertThat(rows()).containsExactly("1|a", "1|b");
        assertThat(write(new SinkWrite.Replace(), "SELECT 9::BIGINT AS id, 'c' AS v"))
                .isEqualTo(new Written(1, 0));
        assertThat(bench.database.rows("SELECT * FROM kept")).containsExactly("9|c");
    }

    @Test
    void columnsAreMatchedByNameNeverByPlace() {
        table("id bigint, a text, b text");

        write(new SinkWrite.Append(), "SELECT 'b' AS b, 1::BIGINT AS id, 'a' AS a");

        assertThat(rows()).containsExactly("1|a|b");
    }

    @Test
    void aWindowReplacesItsRangeAndNothingElse() {
        table("id bigint, at timestamptz");
        bench.database.execute("INSERT INTO t VALUES (1, '2026-01-01+00'), (2, '2026-01-01 00:00:00.000001+00'),"
                + " (3, '2026-01-02+00'), (4, '2026-01-02 00:00:00.000001+00'), (5, NULL), (6, 'infinity')");
        Cursor cursor = Bench.cursor("at", "timestamptz");
        SinkWrite how = new SinkWrite.Window(
                "at",
                CursorRange.above(
                        cursor.type().parse("2026-01-01"), cursor.type().parse("2026-01-02")));

        assertThat(write(how, "SELECT 9::BIGINT AS id, TIMESTAMPTZ '2026-01-01 12:00+00' AS at"))
                .isEqualTo(new Written(1, 0));
        assertThat(rows())
                .containsExactly(
                        "1|2026-01-01 00:00:00+00",
                        "4|2026-01-02 00:00:00.000001+00",
                        "5|null",
                        "6|infinity",
                        "9|2026-01-01 12:00:00+00");
    }

    @Test
    void nothingIsVisibleBeforeTheCommitAndNothingStaysWithoutIt() {
        table("id bigint PRIMARY KEY, v text");
        Staged rows = bench.rows("SELECT 1::BIGINT AS id, 'a' AS v");
        try (Sink sink = sink()) {
            try (SinkTransaction transaction = sink.begin()) {
                transaction.write(T, rows, MERGE);
                assertThat(transaction.isEmpty(T)).isFalse();
                assertThat(rows()).isEmpty();
            }
            assertThat(sink.hasRows(T)).isFalse();
        }
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
    @ValueSource(strings = {"INTERVAL '1 day'", "[1]", "{'a': 1}", "TIMESTAMP_NS '2026-01-01'", "TIME_NS '01:00:00'"})
    void aTypePostgresCannotHoldIsRefusedByName(String value) {
        bench.database.execute("DROP TABLE IF EXISTS t CASCADE");
        Staged rows = bench.rows("SELECT " + value + " AS odd");
        try (Sink sink = sink();
                SinkTransaction transaction = sink.begin()) {
            assertThatThrownBy(() -> transaction.create(T, rows.columns(), List.of()))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0523 pg.public.t")
                    .hasMessageContaining(
                            "the column odd, a " + rows.columns().get(0).type());
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
            })
    void aColumnThatWouldLoseSomethingIsRefused(String column, String produced, boolean taken) {
        table("v " + column);
        try (Sink sink = sink()) {
            var check = org.assertj.core.api.Assertions.assertThatCode(
                    () -> sink.check(T, List.of(new Column("v", produced)), new SinkWrite.Append()));
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

        assertThatThrownBy(() -> write(new SinkWrite.Append(), "SELECT 1::BIGINT AS id"))
                .hasMessageContaining("WR0503 pg.public.t: the table has no column id")
                .hasMessageContaining("its columns are Id; names are case-sensitive");
    }

    @Test
    void aViewIsNoSink() {
        bench.database.execute(
                "DROP TABLE IF EXISTS t CASCADE", "CREATE OR REPLACE VIEW seen AS SELECT 1::bigint AS id");
        try (Sink sink = sink()) {
            assertThatThrownBy(() -> sink.check(
                            TableName.parse("seen"), List.of(new Column("id", "BIGINT")), new SinkWrite.Append()))
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
                            new Column("odd", "interval")));
            assertThat(sink.describe(TableName.parse("no.such"))).isEmpty();
        }
    }
}
