package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.weir.connector.Column;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.connector.postgres.GoldenTypes.Value;
import dev.weir.engine.StagedSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The golden table: each value of each type into DuckDB, and back into a table of the same types, where the server's own
 * text and the bytes of a binary COPY must be the same. All of them travel at once, as the columns of one table.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresTypesTest {

    private static final List<GoldenTypes> TYPES = GoldenTypes.all();

    private Bench bench;
    private StagedSource staged;
    private List<List<String>> printed;
    private List<String> sameTexts;
    private BinaryRows there;
    private BinaryRows back;

    @BeforeAll
    void travel(@TempDir Path folder) {
        bench = new Bench(folder);
        bench.database.execute(
                "CREATE EXTENSION citext",
                "CREATE TYPE mood AS ENUM ('sad', 'über ok')",
                "CREATE TYPE pair AS (a int, b text)",
                "CREATE DOMAIN cents AS numeric(9,2) CHECK (value >= 0)",
                "CREATE DOMAIN given AS text NOT NULL DEFAULT ''",
                "CREATE DOMAIN numbers AS int[]",
                "CREATE TABLE a (id int PRIMARY KEY, " + columns(type -> true) + ")",
                "CREATE TABLE b (id int PRIMARY KEY, " + columns(GoldenTypes::goesBack) + ")");
        int rows = 1 + TYPES.stream().mapToInt(type -> held(type).size()).max().orElseThrow();
        bench.database.execute(IntStream.range(0, rows)
                .mapToObj(row -> "INSERT INTO a VALUES (" + row + ", " + values(row) + ")")
                .toArray(String[]::new));
        staged = bench.stage(Bench.table("a"));
        printed = new ArrayList<>();
        for (int i = 0; i < TYPES.size(); i++) {
            printed.add(bench.duck("SELECT c" + i + " FROM " + staged.relation() + " ORDER BY id"));
        }
        write();
        String list = list();
        there = BinaryRows.of(bench.database, "SELECT " + list + " FROM a ORDER BY id");
        sameTexts = bench.database.rows("SELECT "
                + returning()
                        .mapToObj(i -> "a.c" + i + "::text IS NOT DISTINCT FROM b.c" + i + "::text")
                        .collect(Collectors.joining(", "))
                + " FROM a JOIN b USING (id) ORDER BY id");
        back = BinaryRows.of(bench.database, "SELECT " + list + " FROM b ORDER BY id");
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    private static String columns(java.util.function.Predicate<GoldenTypes> which) {
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < TYPES.size(); i++) {
            if (which.test(TYPES.get(i))) {
                columns.add("c" + i + " " + TYPES.get(i).name());
            }
        }
        return String.join(", ", columns);
    }

    /** The columns that go back. */
    private static String list() {
        return String.join(", ", returning().mapToObj(i -> "c" + i).toList());
    }

    private static IntStream returning() {
        return IntStream.range(0, TYPES.size()).filter(i -> TYPES.get(i).goesBack());
    }

    private static List<Value> held(GoldenTypes type) {
        return type.values().stream().filter(value -> !value.refused()).toList();
    }

    private static String values(int row) {
        List<String> values = new ArrayList<>();
        for (GoldenTypes type : TYPES) {
            List<Value> held = held(type);
            boolean never = type.name().equals("given");
            values.add(
                    row < held.size()
                            ? held.get(row).sql()
                            : never ? held.get(0).sql() : "NULL");
        }
        return String.join(", ", values);
    }

    private void write() {
        Staged rows = bench.rows("SELECT id, " + list() + " FROM " + staged.relation());
        write("b", rows, new SinkWrite.Merge(List.of("id"), Optional.empty(), false));
    }

    private void write(String table, Staged rows, SinkWrite how) {
        try (Sink sink = bench.connector.sink(bench.database.settings(), bench.engine);
                SinkTransaction transaction = sink.begin()) {
            transaction.write(TableName.parse(table), rows, how);
            transaction.commit();
        }
    }

    @TestFactory
    Stream<DynamicNode> everyValueArrivesAndGoesBackTheSame() {
        return IntStream.range(0, TYPES.size())
                .mapToObj(i -> dynamicContainer(TYPES.get(i).name(), cells(i)));
    }

    private Stream<DynamicNode> cells(int column) {
        GoldenTypes type = TYPES.get(column);
        List<DynamicNode> cells = new ArrayList<>();
        cells.add(dynamicTest("is read as " + type.weirType(), () -> assertThat(staged.columns())
                .contains(new Column("c" + column, type.weirType()))));
        List<Value> held = held(type);
        for (int row = 0; row < held.size(); row++) {
            int at = row;
            cells.add(dynamicTest(
                    shortened(held.get(row).written()),
                    () -> assertCell(column, at, held.get(at).printed())));
        }
        if (!type.name().equals("given")) {
            cells.add(dynamicTest(
                    "NULL", () -> assertCell(column, printed.get(column).size() - 1, "null")));
        }
        type.values().stream()
                .filter(Value::refused)
                .forEach(value ->
                        cells.add(dynamicTest(value.written() + " is refused", () -> assertRefused(type, value))));
        return cells.stream();
    }

    private static String shortened(String written) {
        return written.isBlank() ? "'" + written + "'" : written;
    }

    private void assertCell(int column, int row, String expected) {
        // Some are of many megabytes, which no message should hold.
        String found = printed.get(column).get(row);
        assertThat(found.equals(expected))
                .as(() -> "'" + dev.weir.connector.jdbc.Excerpt.of(found) + "' for '"
                        + dev.weir.connector.jdbc.Excerpt.of(expected) + "'")
                .isTrue();
        if (TYPES.get(column).goesBack()) {
            int place = (int) returning().filter(i -> i < column).count();
            assertThat(back.field(row, place)).isEqualTo(there.field(row, place));
            assertThat(sameTexts.get(row).split("\\|")[place]).isEqualTo("t");
        }
    }

    private void assertRefused(GoldenTypes type, Value value) {
        bench.database.execute(
                "DROP TABLE IF EXISTS refused",
                "CREATE TABLE refused (v " + type.name() + ")",
                "INSERT INTO refused VALUES (" + type.values().get(0).sql() + "), (" + value.sql() + ")");
        assertThat(catchThrowable(() -> bench.stage(Bench.table("refused"))))
                .hasMessageContaining("WR0524 pg.refused: in row 2 of the slice, column v holds")
                .hasMessageContaining(value.printed());
    }
}
