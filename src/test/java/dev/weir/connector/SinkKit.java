package dev.weir.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.SinkTransaction.Written;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
            sink.fit(table, rows.columns(), how, OnSchemaChange.FAIL);
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

    protected final String text() {
        return typeName("VARCHAR").orElseThrow();
    }

    protected final List<String> t() {
        return query("SELECT * FROM t ORDER BY 1, 2");
    }

    @Test
    void lookingAtNothingFindsNothing() {
        assertThat(sink.describe(T)).isEmpty();
        assertThatThrownBy(() -> sink.fit(T, List.of(), APPEND, OnSchemaChange.FAIL)).isInstanceOf(RunException.class);
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
        sink.fit(T, columns, APPEND, OnSchemaChange.FAIL);
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
    @MethodSource("epochs")
    void windowCountsNumbersAsTheTimesTheyAre(EpochSamples samples) {
        assumeTrue(typeName(samples.column()).isPresent(), "the system has no " + samples.column());
        String all = samples.values().stream()
                .map(value -> "(CAST('" + value + "' AS " + samples.column() + "))")
                .collect(Collectors.joining(", "));
        write(T, values("c", all), APPEND);
        Staged none = rows("SELECT CAST(0 AS " + samples.column() + ") AS c WHERE false");
        List<String> left = new ArrayList<>(samples.values());

        for (CursorRange range : samples.moments()) {
            left.removeAll(samples.in(range));
            write(T, none, new SinkWrite.Window("c", range));

            assertThat(query("SELECT count(*) FROM t")).as("beside %s", range).containsExactly("" + left.size());
        }
    }

    static List<EpochSamples> epochs() {
        return EpochSamples.all();
    }

    /** Whoever hands rows on has counted them; a sink that comes to another number has lost some, or found too many. */
    @Test
    void asManyRowsAsWereStagedAreWrittenOrNone() {
        createTable("t", "id", "INTEGER", "v", "VARCHAR");
        createTable("more", "id", "INTEGER", "note", "VARCHAR", "v", "VARCHAR");
        execute("INSERT INTO t VALUES (1, 'old')");
        execute("INSERT INTO more VALUES (1, 'mine', 'old')");
        CursorType type = CursorType.of(CursorType.Kind.INTEGER);
        Staged two = values("id, v", "(1, 'new'), (2, 'new')");
        for (long counted : new long[] {1, 3}) {
            Staged other = new Staged(two.relation(), two.columns(), counted);
            for (SinkWrite how : List.of(
                    APPEND,
                    merge("id"),
                    mergeBy("v", "id"),
                    new SinkWrite.Replace(),
                    new SinkWrite.Window("id", CursorRange.startingAt(type.units(1), type.units(2))))) {
                assertThatThrownBy(() -> write(T, other, how))
                        .as(how.toString())
                        .isInstanceOf(RunException.class);
            }
            SinkWrite keep = new SinkWrite.Merge(List.of("id"), Optional.empty(), true);
            assertThatThrownBy(() -> write(TableName.parse("more"), other, keep))
                    .isInstanceOf(RunException.class);
        }
        assertThat(t()).containsExactly("1|old");
        assertThat(query("SELECT * FROM more")).containsExactly("1|mine|old");
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
