package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
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
            sink.fit(T, rows.columns(), how, OnSchemaChange.FAIL);
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
                .hasMessageContaining("WR0503 pg.public.t: the table has columns that the pipeline does not produce: note")
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
}
