package dev.weir.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.connector.SinkTransaction.Written;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How every connector's sink writes rows. Its marks: {@link LedgerKit}. */
public abstract class SinkKit extends ConnectorKit {

    protected static final TableName T = TableName.parse("t");
    protected static final SinkWrite APPEND = new SinkWrite.Append();

    protected Sink sink;

    @BeforeEach
    final void openSink() {
        sink = connector().sink(settings(), engine);
    }

    @AfterEach
    final void closeSink() {
        sink.close();
    }

    static Stream<Samples> allTypes() {
        return Stream.concat(Samples.cursors().stream(), Samples.others().stream());
    }

    protected static SinkWrite.Merge merge(String... keys) {
        return new SinkWrite.Merge(List.of(keys), Optional.empty(), false);
    }

    protected static SinkWrite.Merge mergeBy(String orderBy, String... keys) {
        return new SinkWrite.Merge(List.of(keys), Optional.of(orderBy), false);
    }

    /** Rows as a pipeline hands them on: {@code VALUES} lists with column names and types. */
    protected final Staged rows(String select) {
        return engine.run("out", select);
    }

    protected final Staged values(String columns, String values) {
        return rows("SELECT * FROM (VALUES " + values + ") v(" + columns + ")");
    }

    /** Creates the table if it is missing, as a run does, writes and commits. */
    protected final Written write(TableName table, Staged rows, SinkWrite how) {
        Optional<List<Column>> existing = sink.describe(table);
        if (existing.isPresent()) {
            sink.check(table, rows.columns(), how);
        }
        try (SinkTransaction transaction = sink.begin()) {
            if (existing.isEmpty()) {
                transaction.create(
                        table, rows.columns(), how instanceof SinkWrite.Merge merge ? merge.keys() : List.of());
            }
            Written written = transaction.write(table, rows, how);
            transaction.commit();
            return written;
        }
    }

    private String text() {
        return typeName("VARCHAR").orElseThrow();
    }

    protected final List<String> t() {
        return query("SELECT * FROM t ORDER BY 1, 2");
    }

    @Test
    void lookingAtNothingFindsNothing() {
        assertThat(sink.describe(T)).isEmpty();
        assertThatThrownBy(() -> sink.check(T, List.of(), APPEND)).isInstanceOf(RunException.class);
    }

    @Test
    void createsTheTableFromThePipelinesTypes() {
        List<Column> columns = allTypes()
                .map(Samples::type)
                .filter(type -> typeName(type).isPresent())
                .map(type -> new Column("c " + type.toLowerCase(java.util.Locale.ROOT), type))
                .toList();
        try (SinkTransaction transaction = sink.begin()) {
            transaction.create(T, columns, List.of());
            transaction.commit();
        }

        assertThat(sink.describe(T)).contains(columns);
        sink.check(T, columns, APPEND);
    }

    @Test
    void anEmptyFirstSliceCreatesTheTable() {
        Written written = write(T, rows("SELECT 1::BIGINT AS id, 'x' AS v WHERE false"), merge("id"));

        assertThat(written).isEqualTo(new Written(0, 0));
        assertThat(sink.describe(T)).contains(List.of(new Column("id", "BIGINT"), new Column("v", "VARCHAR")));
        assertThat(sink.hasRows(T)).isFalse();
    }

    @Test
    void nothingIsVisibleBeforeTheCommit() {
        Staged rows = values("id, v", "(1, 'a')");
        try (SinkTransaction transaction = sink.begin()) {
            transaction.create(T, rows.columns(), List.of("id"));
            transaction.write(T, rows, merge("id"));
            assertThat(transaction.isEmpty(T)).isFalse();
            assertThat(sink.describe(T)).isEmpty();
            transaction.commit();
        }
        assertThat(sink.hasRows(T)).isTrue();
        assertThat(t()).containsExactly("1|a");
    }

    @Test
    void closingWithoutACommitLeavesNothing() {
        Staged rows = values("id, v", "(1, 'a')");
        try (SinkTransaction transaction = sink.begin()) {
            transaction.create(T, rows.columns(), List.of("id"));
            transaction.write(T, rows, merge("id"));
        }
        assertThat(sink.describe(T)).isEmpty();
    }

    @Test
    void aTransactionInWhichSomethingFailedCannotBeCommitted() {
        write(T, values("id, v", "(1, 'a')"), merge("id"));
        try (SinkTransaction transaction = sink.begin()) {
            transaction.write(T, values("id, v", "(2, 'b')"), merge("id"));
            assertThatThrownBy(() -> transaction.write(TableName.parse("gone"), values("id, v", "(2, 'b')"), APPEND))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("sys.gone");
            assertThatThrownBy(transaction::commit).isInstanceOf(RuntimeException.class);
        }
        assertThat(t()).containsExactly("1|a");
    }

    @Test
    void mergeReplacesWholeRowsByTheirKeys() {
        write(T, values("a, b, v", "(1, 'x', 'old'), (1, 'y', 'stays'), (2, 'x', 'stays too')"), merge("a", "b"));

        Written written = write(T, values("a, b, v", "(1, 'x', NULL), (3, 'x', 'new')"), merge("a", "b"));

        assertThat(written).isEqualTo(new Written(2, 0));
        assertThat(t()).containsExactly("1|x|null", "1|y|stays", "2|x|stays too", "3|x|new");
    }

    @Test
    void columnsAreMatchedByNameNotByPlace() {
        write(T, values("id, a, b", "(1, 'a', 'b')"), merge("id"));

        write(T, values("b, id, a", "('B', 1, 'A')"), merge("id"));

        assertThat(query("SELECT id, a, b FROM t")).containsExactly("1|A|B");
    }

    @Test
    void aNewerStoredRowIsKeptAndCounted() {
        write(T, values("id, o, v", "(1, 10, 'stored'), (2, 10, 'stored'), (3, 10, 'stored')"), mergeBy("o", "id"));

        Written written = write(
                T,
                values("id, o, v", "(1, 9, 'late'), (2, 10, 'equal'), (3, 11, 'newer'), (4, 1, 'first')"),
                mergeBy("o", "id"));

        assertThat(written).isEqualTo(new Written(3, 1));
        assertThat(t()).containsExactly("1|10|stored", "2|10|equal", "3|11|newer", "4|1|first");
    }

    @Test
    void aNullOrderIsLowerThanEveryValue() {
        write(T, values("id, o, v", "(1, NULL, 'stored'), (2, -5, 'stored'), (3, NULL, 'stored')"), mergeBy("o", "id"));

        Written written = write(
                T,
                values("id, o, v", "(1, -9, 'newer'), (2, NULL, 'late'), (3, NULL::INTEGER, 'equal')"),
                mergeBy("o", "id"));

        assertThat(written).isEqualTo(new Written(2, 1));
        assertThat(t()).containsExactly("1|-9|newer", "2|-5|stored", "3|null|equal");
    }

    @Test
    void keepColumnsKeepsWhatOnlyTheTableHas() {
        createTable("t", "id", "INTEGER", "o", "INTEGER", "note", "VARCHAR", "v", "VARCHAR");
        execute("INSERT INTO t VALUES (1, 1, 'mine', 'old'), (2, 9, 'mine', 'newer'), (3, 1, 'mine', 'alone')");
        SinkWrite keep = new SinkWrite.Merge(List.of("id"), Optional.of("o"), true);

        Written written = write(T, values("id, o, v", "(1, 2, 'new'), (2, 2, 'late'), (4, 2, 'first')"), keep);

        assertThat(written).isEqualTo(new Written(2, 1));
        assertThat(t()).containsExactly("1|2|mine|new", "2|9|mine|newer", "3|1|mine|alone", "4|2|null|first");
    }

    @Test
    void keepColumnsWithNothingButKeysInsertsTheMissing() {
        createTable("t", "id", "INTEGER", "note", "VARCHAR");
        execute("INSERT INTO t VALUES (1, 'mine')");

        write(T, values("id", "(1), (2)"), new SinkWrite.Merge(List.of("id"), Optional.empty(), true));

        assertThat(t()).containsExactly("1|mine", "2|null");
    }

    @Test
    void appendAddsTheRows() {
        write(T, values("id, v", "(1, 'a')"), APPEND);

        assertThat(write(T, values("id, v", "(1, 'a'), (2, 'b')"), APPEND)).isEqualTo(new Written(2, 0));

        assertThat(t()).containsExactly("1|a", "1|a", "2|b");
    }

    @Test
    void replaceSwapsTheRowsAndKeepsTheTable() {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v " + text() + " DEFAULT 'd')");
        execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')");

        assertThat(write(T, values("id, v", "(2, 'c'), (3, 'd')"), new SinkWrite.Replace()))
                .isEqualTo(new Written(2, 0));

        assertThat(t()).containsExactly("2|c", "3|d");
        execute("INSERT INTO t (id) VALUES (7)");
        assertThat(query("SELECT v FROM t WHERE id = 7")).containsExactly("d");
    }

    @Test
    void windowDeletesExactlyItsRangeAndInserts() {
        CursorType type = CursorType.of(CursorType.Kind.INTEGER);
        write(T, values("id, v", "(1, 'old'), (2, 'old'), (3, 'old'), (4, 'old'), (NULL, 'old')"), APPEND);

        Written written = write(
                T,
                values("id, v", "(2, 'new'), (9, 'outside too')"),
                new SinkWrite.Window("id", CursorRange.above(type.units(1), type.units(3))));
        assertThat(written).isEqualTo(new Written(2, 0));
        assertThat(query("SELECT id, v FROM t WHERE id IS NOT NULL ORDER BY 1, 2"))
                .containsExactly("1|old", "2|new", "4|old", "9|outside too");

        write(
                T,
                rows("SELECT 0 AS id, 'x' AS v WHERE false"),
                new SinkWrite.Window("id", CursorRange.startingAt(type.units(1), type.units(2))));
        assertThat(query("SELECT id, v FROM t ORDER BY 1"))
                .contains("4|old", "9|outside too")
                .hasSize(3);
    }

    @Test
    void windowCountsTimesInWholeMicroseconds() {
        CursorType type = CursorType.of(CursorType.Kind.TIMESTAMP);
        write(T, rows("SELECT make_timestamp(range) AS c, range AS n FROM range(-2, 3)"), APPEND);

        write(
                T,
                rows("SELECT make_timestamp(0) AS c, 0::BIGINT AS n WHERE false"),
                new SinkWrite.Window("c", CursorRange.above(type.units(-2), type.units(1))));

        assertThat(query("SELECT n FROM t ORDER BY 1")).containsExactly("-2", "2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BIGINT                   | INTEGER",
                "INTEGER                  | SMALLINT",
                "UINTEGER                 | INTEGER",
                "INTEGER                  | UINTEGER",
                "BIGINT                   | DOUBLE",
                "INTEGER                  | FLOAT",
                "BIGINT                   | DECIMAL(18,2)",
                "BIGINT                   | BOOLEAN",
                "BIGINT                   | VARCHAR",
                "DECIMAL(12,2)            | DECIMAL(12,1)",
                "DECIMAL(12,2)            | DECIMAL(11,2)",
                "DECIMAL(12,2)            | DECIMAL(13,4)",
                "DECIMAL(12,2)            | BIGINT",
                "DECIMAL(12,2)            | DOUBLE",
                "DOUBLE                   | FLOAT",
                "DOUBLE                   | BIGINT",
                "DOUBLE                   | DECIMAL(18,3)",
                "TIMESTAMP                | DATE",
                "TIMESTAMP                | TIMESTAMP WITH TIME ZONE",
                "TIMESTAMP WITH TIME ZONE | TIMESTAMP",
                "TIMESTAMP                | TIME",
                "TIMESTAMP_NS             | TIMESTAMP",
                "DATE                     | TIMESTAMP WITH TIME ZONE",
                "DATE                     | VARCHAR",
                "VARCHAR                  | BIGINT",
                "VARCHAR                  | DATE",
                "VARCHAR                  | UUID",
                "VARCHAR                  | BLOB",
                "BLOB                     | VARCHAR",
                "BOOLEAN                  | INTEGER",
            })
    void aTableThatWouldLoseSomethingIsRefused(String from, String to) {
        assumeTrue(typeName(to).isPresent(), "the system has no " + to);
        createTable("t", "id", "INTEGER", "c", to);

        assertThatThrownBy(() -> sink.check(T, List.of(new Column("id", "INTEGER"), new Column("c", from)), APPEND))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0523 sys.t")
                .hasMessageContaining("column c")
                .hasMessageContaining(from)
                .satisfies(e -> assertThat(((RunException) e).fault().code()).isEqualTo(Code.LOSSY_SINK));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INTEGER       | BIGINT        | 2147483647       | 2147483647",
                "SMALLINT      | DECIMAL(7,2)  | -32768           | -32768.00",
                "INTEGER       | DOUBLE        | 2147483647       | 2147483647",
                "DECIMAL(12,2) | DECIMAL(14,4) | 9999999999.99    | 9999999999.9900",
                "FLOAT         | DOUBLE        | 0.5              | 0.5",
                "DATE          | TIMESTAMP     | 2026-01-01       | 2026-01-01 00:00:00",
            })
    void aWiderTableTakesTheRowsAsTheyAre(String from, String to, String value, String stored) {
        createTable("t", "id", "INTEGER", "c", to);

        write(T, rows("SELECT 1 AS id, CAST('" + value + "' AS " + from + ") AS c"), merge("id"));
        write(T, rows("SELECT 1 AS id, CAST('" + value + "' AS " + from + ") AS c"), mergeBy("c", "id"));

        assertThat(query("SELECT count(*) FROM t WHERE c = " + value(to, stored)))
                .containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void missingAndExtraColumnsAreRefused(boolean keep) {
        createTable("t", "id", "BIGINT", "extra", "VARCHAR");
        SinkWrite write = new SinkWrite.Merge(List.of("id"), Optional.empty(), keep);

        assertThatThrownBy(
                        () -> sink.check(T, List.of(new Column("id", "BIGINT"), new Column("Extra", "VARCHAR")), write))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining("no column Extra")
                .hasMessageContaining("id, extra");
        if (keep) {
            sink.check(T, List.of(new Column("id", "BIGINT")), write);
        } else {
            assertThatThrownBy(() -> sink.check(T, List.of(new Column("id", "BIGINT")), write))
                    .hasMessageContaining("WR0503")
                    .hasMessageContaining("extra")
                    .hasMessageContaining("keep_columns");
        }
    }

    @Test
    void aViewIsNoSink() {
        execute("CREATE VIEW t AS SELECT 1 AS id");

        assertThatThrownBy(() -> sink.check(T, List.of(new Column("id", "INTEGER")), APPEND))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("view");
    }

    @Test
    void aSchemaThatDoesNotExistIsNamed() {
        try (SinkTransaction transaction = sink.begin()) {
            assertThatThrownBy(() -> transaction.create(
                            TableName.parse("nowhere.t"), List.of(new Column("id", "INTEGER")), List.of()))
                    .isInstanceOf(RunException.class)
                    .hasMessageContaining("WR0503 sys.nowhere.t")
                    .hasMessageContaining("nowhere");
        }
    }

    @Test
    void tablesLiveInSchemas() {
        execute("CREATE SCHEMA s");
        TableName table = TableName.parse("s.t");

        write(table, values("id, v", "(1, 'a')"), merge("id"));
        write(table, values("id, v", "(1, 'b')"), merge("id"));

        assertThat(query("SELECT id, v FROM s.t")).containsExactly("1|b");
        assertThat(sink.describe(T)).isEmpty();
    }

    @Test
    void aRowTheTableRefusesFailsTheWriteAndKeepsNothing() {
        execute("CREATE TABLE t (id INTEGER, v " + text() + " NOT NULL)");
        execute("INSERT INTO t VALUES (1, 'a')");

        assertThatThrownBy(() -> write(T, values("id, v", "(1, 'b'), (2, NULL)"), merge("id")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining("v");
        assertThat(t()).containsExactly("1|a");
    }

    @Test
    void tablesWithKeysAndIndexesWorkToo() {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v " + text() + " UNIQUE)");
        execute("CREATE INDEX i ON t (v)");
        for (int round = 0; round < 5; round++) {
            write(
                    T,
                    rows("SELECT range::INTEGER AS id, 'v' || range || '-" + round + "' AS v FROM range(3000)"),
                    merge("id"));
        }
        write(T, rows("SELECT range::INTEGER AS id, 'v' || range || '-4' AS v FROM range(3000)"), merge("id"));

        assertThat(query("SELECT count(*), count(DISTINCT id) FROM t WHERE v LIKE '%-4'"))
                .containsExactly("3000|3000");
    }

    @ParameterizedTest
    @MethodSource("allTypes")
    void valuesArriveExactly(Samples samples) {
        assumeTrue(typeName(samples.type()).isPresent(), "the system has no " + samples.type());
        List<String> values = samples.values();
        String list = IntStream.range(0, values.size())
                .mapToObj(
                        i -> "(" + i + ", CAST('" + values.get(i).replace("'", "''") + "' AS " + samples.type() + "))")
                .collect(Collectors.joining(", "));
        write(T, values("n, c", list + ", (99, NULL)"), merge("n"));
        write(T, values("n, c", list + ", (99, NULL)"), merge("n"));

        try (Source source = connector().source(settings(), engine)) {
            Read read = read(
                    source, new ReadRequest(table("t"), all(source, table("t")), Optional.empty()), Optional.empty());
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                expected.add(i + "|" + values.get(i));
            }
            expected.add("99|null");
            assertThat(ask("SELECT n, c FROM " + read.staged().relation() + " ORDER BY n"))
                    .isEqualTo(expected);
        }
    }

    @Test
    void namesArriveAsTheyAreSpelled() {
        TableName table = TableName.parse("\"odd.Ta\"\"ble\"");
        String select =
                "SELECT 1 AS \"Id\", 2 AS \"createdAt\", 3 AS \"select\", 4 AS \"a.b\", 5 AS \"日本\", 6 AS \"q\"\"q\"";

        write(table, rows(select), mergeBy("createdAt", "Id"));
        write(table, rows(select), mergeBy("q\"q", "日本", "select"));

        assertThat(query("SELECT * FROM \"odd.Ta\"\"ble\"")).containsExactly("1|2|3|4|5|6");
        assertThat(sink.describe(table).orElseThrow())
                .extracting(Column::name)
                .containsExactly("Id", "createdAt", "select", "a.b", "日本", "q\"q");
    }

    @Test
    void largeSlicesAndLongValuesPass() {
        write(T, rows("SELECT range AS id, 'v' || range AS v FROM range(60000)"), merge("id"));
        write(T, rows("SELECT range * 2 AS id, repeat('ä', 20) AS v FROM range(40000)"), merge("id"));
        write(T, rows("SELECT -1::BIGINT AS id, repeat('ä', 2000000) AS v"), merge("id"));

        assertThat(query("SELECT count(*), count(DISTINCT id) FROM t")).containsExactly("70001|70001");
        assertThat(query("SELECT length(v) FROM t WHERE id = -1")).containsExactly("2000000");
    }

    /** Any order of slices, some stale, some with NULL orders, ends as a row-by-row model says. */
    @Test
    void mergingAgreesWithARowByRowModel() {
        Random random = new Random(7);
        Map<Integer, Integer> orders = new HashMap<>();
        Map<Integer, String> stored = new TreeMap<>();
        write(T, rows("SELECT 1 AS id, 1 AS o, 'x' AS v WHERE false"), mergeBy("o", "id"));
        for (int slice = 0; slice < 15; slice++) {
            Map<Integer, String> staged = new TreeMap<>();
            long kept = 0;
            for (int i = 0; i < 6; i++) {
                int id = random.nextInt(8);
                int order = random.nextInt(6) - 1;
                String v = "s" + slice;
                if (staged.put(id, "(" + id + ", " + (order < 0 ? "NULL" : order) + "::INTEGER, '" + v + "')")
                        != null) {
                    staged.remove(id);
                    continue;
                }
            }
            for (Map.Entry<Integer, String> row : staged.entrySet()) {
                String text = row.getValue().split(", ")[1].replace("::INTEGER", "");
                int order = text.equals("NULL") ? -1 : Integer.parseInt(text);
                if (orders.getOrDefault(row.getKey(), -2) > order) {
                    kept++;
                } else {
                    orders.put(row.getKey(), order);
                    stored.put(row.getKey(), row.getKey() + "|" + (order < 0 ? "null" : order) + "|s" + slice);
                }
            }
            if (!staged.isEmpty()) {
                Written written = write(T, values("id, o, v", String.join(", ", staged.values())), mergeBy("o", "id"));
                assertThat(written).isEqualTo(new Written(staged.size() - kept, kept));
                assertThat(query("SELECT id, o, v FROM t ORDER BY id")).containsExactlyElementsOf(stored.values());
            }
        }
    }

    @Test
    void closingTwiceIsFineAndEndsAnOpenTransaction() {
        write(T, values("id, v", "(1, 'a')"), merge("id"));
        SinkTransaction transaction = sink.begin();
        transaction.write(T, values("id, v", "(2, 'b')"), merge("id"));
        transaction.close();
        transaction.close();
        sink.close();
        sink.close();

        assertThat(t()).containsExactly("1|a");
    }
}
