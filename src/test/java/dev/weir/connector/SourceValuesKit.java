package dev.weir.connector;

import static dev.weir.connector.DuckSession.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.fault.RunException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How every connector's source gives values: exactly, or not at all. */
public abstract class SourceValuesKit extends SourceKit {

    /** Whether a column of one type can be declared as the other; where not, opening the snapshot refuses it. */
    protected boolean canBeDeclaredAs(String from, String to) {
        return true;
    }

    private void assertRefused(ReadRequest request, String to) {
        assertThatThrownBy(() -> source.open(request))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0501 sys.t")
                .hasMessageContaining("column c")
                .hasMessageContaining(to);
    }

    @ParameterizedTest
    @MethodSource("allTypes")
    void valuesArriveExactly(Samples samples) {
        assumeTrue(typeName(samples.type()).isPresent(), "the system has no " + samples.type());
        createTable("t", "n", "BIGINT", "c", samples.type());
        List<String> values = held(samples);
        for (int i = 0; i < values.size(); i++) {
            execute("INSERT INTO t (n, c) VALUES (" + i + ", " + value(samples.type(), values.get(i)) + ")");
        }
        execute("INSERT INTO t (n, c) VALUES (99, NULL)");

        Read read =
                read(source, new ReadRequest(table("t"), all(source, table("t")), Optional.empty()), Optional.empty());

        assertThat(read.staged().columns()).containsExactly(new Column("n", "BIGINT"), new Column("c", samples.type()));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            expected.add(i + "|" + values.get(i));
        }
        expected.add("99|null");
        assertThat(ask("SELECT n, c FROM " + read.staged().relation() + " ORDER BY n"))
                .isEqualTo(expected);
    }

    /** What no window holds and a full read must not change. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DATE                     | 4713-01-01 (BC)",
                "TIMESTAMP                | 0044-03-15 (BC) 12:30:00.000001",
                "TIMESTAMP WITH TIME ZONE | 0044-03-15 (BC) 12:30:00+00",
            })
    void infinitiesAndTimesBeforeOurEraArriveInAFullRead(String type, String old) {
        assumeTrue(hasInfinity(type), "the system has no infinite " + type);
        createTable("t", "c", type);
        insert("t", type, "infinity", old, "-infinity");

        assertThat(read(source, request(table("t"), Optional.empty(), "c", type), Optional.empty())
                        .rows())
                .containsExactlyInAnyOrder("-infinity", old, "infinity");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BIGINT        | 7                          | INTEGER       | 7",
                "BIGINT        | 7                          | VARCHAR       | 7",
                "INTEGER       | 7                          | DECIMAL(5,2)  | 7.00",
                "DECIMAL(12,2) | 1.50                       | DECIMAL(5,1)  | 1.5",
                "DECIMAL(12,2) | 3.00                       | BIGINT        | 3",
                "DECIMAL(12,2) | 0.10                       | DOUBLE        | 0.1",
                "DOUBLE        | 0.1                        | FLOAT         | 0.1",
                "TIMESTAMP     | 2026-01-01 00:00:00        | DATE          | 2026-01-01",
                "DATE          | 2026-01-01                 | TIMESTAMP     | 2026-01-01 00:00:00",
                "VARCHAR       | 007                        | BIGINT        | 7",
                "VARCHAR       | 1.50                       | DECIMAL(5,2)  | 1.50",
                "VARCHAR       | 2026-01-01                 | DATE          | 2026-01-01",
            })
    void aDeclaredTypeIsAnExactCast(String from, String value, String to, String read) {
        createTable("t", "id", "BIGINT", "c", from);
        execute("INSERT INTO t (id, c) VALUES (4711, " + value(from, value) + "), (1, NULL)");
        ReadRequest request = request(table("t"), Optional.empty(), "c", to);

        if (canBeDeclaredAs(from, to)) {
            assertThat(read(source, request, Optional.empty()).rows()).containsExactly(read, "null");
        } else {
            assertRefused(request, to);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BIGINT        | 3000000000                 | INTEGER",
                "BIGINT        | -1                         | UINTEGER",
                "DECIMAL(12,2) | 1.25                       | DECIMAL(5,1)",
                "DECIMAL(12,2) | 2.50                       | BIGINT",
                "DECIMAL(12,2) | 123456.00                  | DECIMAL(5,2)",
                "DOUBLE        | 2.7                        | INTEGER",
                "DOUBLE        | nan                        | DECIMAL(5,2)",
                "TIMESTAMP     | 2026-01-01 10:00:00        | DATE",
                "VARCHAR       | x7                         | BIGINT",
                "VARCHAR       | 1.7                        | BIGINT",
                "VARCHAR       | 1.239                      | DECIMAL(5,2)",
                "VARCHAR       | 2026-01-01 10:00:00        | DATE",
            })
    void aCastThatWouldLoseSomethingFailsNamingValueColumnAndRow(String from, String value, String to) {
        assumeTrue(holds(from, value), "the system has no " + value);
        createTable("t", "id", "BIGINT", "c", from);
        execute("INSERT INTO t (id, c) VALUES (4711, " + value(from, value) + ")");
        ReadRequest request = request(table("t"), cursor("id", "BIGINT"), "id", "BIGINT", "c", to);
        if (!canBeDeclaredAs(from, to)) {
            assertRefused(request, to);
            return;
        }

        assertThatThrownBy(() -> read(source, request, Optional.of(everything("BIGINT"))))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0524 ")
                .hasMessageContaining("column c")
                .hasMessageContaining(value.replaceAll("[.]?0+$", ""))
                .hasMessageContaining("4711");
    }

    @Test
    void aTypeThatIsNoneIsRefused() {
        createTable("t", "id", "BIGINT");

        assertThatThrownBy(() -> source.open(request(table("t"), Optional.empty(), "id", "FROBNICATE")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("FROBNICATE");
    }

    @Test
    void aQueryIsReadLikeATable() {
        createTable("t", "id", "BIGINT");
        insert("t", "BIGINT", "1", "2", "3", "4");
        for (String end : List.of("", ";", " -- all of them", "\n")) {
            Entity query = new Entity.Query("evens", "SELECT id * 2 AS \"Twice\" FROM t WHERE id <> 2" + end);

            assertThat(source.describe(query)).extracting(SourceColumn::name).containsExactly("Twice");
            assertThat(read(
                                    source,
                                    request(query, cursor("Twice", "BIGINT"), "Twice", "BIGINT"),
                                    Optional.of(CursorRange.above(bigint(2), bigint(6))))
                            .rows())
                    .containsExactly("6");
        }
        assertThatThrownBy(() -> source.describe(new Entity.Query("broken", "SELECT FROM FROM")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0501 sys.broken");
    }

    @Test
    void namesArriveAsTheyAreSpelled() {
        List<String> names = List.of("Id", "createdAt", "select", "a.b", "日本", "q\"q", "1st", "two words");
        createTable(
                "\"odd.Ta\"\"ble\"",
                names.stream().flatMap(name -> Stream.of(name, "BIGINT")).toArray(String[]::new));
        execute("INSERT INTO \"odd.Ta\"\"ble\" VALUES (1, 2, 3, 4, 5, 6, 7, 8)");
        Entity odd = table("\"odd.Ta\"\"ble\"");

        assertThat(all(source, odd)).extracting(Column::name).containsExactlyElementsOf(names);
        for (String name : names) {
            ReadRequest request = new ReadRequest(odd, all(source, odd), cursor(name, "BIGINT"));
            assertThat(read(source, request, Optional.of(everything("BIGINT"))).rows())
                    .containsExactly("1|2|3|4|5|6|7|8");
        }
    }

    @Test
    void wideTablesAndLongValuesPass() {
        String[] columns = IntStream.range(0, 200)
                .boxed()
                .flatMap(i -> Stream.of("c" + i, i % 2 == 0 ? "BIGINT" : "VARCHAR"))
                .toArray(String[]::new);
        createTable("t", columns);
        String longText = "long ä ".repeat(300_000);
        execute("INSERT INTO t (" + quoted("c0") + ", c1) VALUES (7, '" + longText + "')");

        Read read =
                read(source, new ReadRequest(table("t"), all(source, table("t")), Optional.empty()), Optional.empty());

        assertThat(read.staged().columns()).hasSize(200);
        assertThat(read.rows().get(0)).startsWith("7|" + longText + "|null");
    }

    @Test
    void manyRowsPass() {
        createTable("t", "id", "BIGINT");
        for (int i = 0; i < 10; i++) {
            int from = i * 1_000;
            execute("INSERT INTO t (id) VALUES "
                    + IntStream.range(from, from + 1_000)
                            .mapToObj(id -> "(" + id + ")")
                            .collect(Collectors.joining(", ")));
        }
        ReadRequest request = request(table("t"), cursor("id", "BIGINT"), "id", "BIGINT");

        Read read = read(source, request, Optional.of(CursorRange.above(bigint(99), bigint(9_999))));

        assertThat(read.staged().rows()).isEqualTo(9_900);
        assertThat(read.staged().max()).contains(bigint(9_999));
    }

    @ParameterizedTest
    @MethodSource("epochs")
    void numbersThatCountTimeAreReadAsTimes(EpochSamples samples) {
        assumeTrue(typeName(samples.column()).isPresent(), "the system has no " + samples.column());
        createTable("t", "c", samples.column(), "v", "INTEGER");
        for (String value : samples.values()) {
            execute("INSERT INTO t (c) VALUES (" + value(samples.column(), value) + ")");
        }
        execute("INSERT INTO t (c) VALUES (NULL)");
        Optional<Cursor> cursor = Optional.of(new Cursor("c", samples.unit()));
        ReadRequest request = request(table("t"), cursor, "c", samples.column());
        CursorRange everything = samples.ranges().get(0);

        try (Snapshot snapshot = source.open(request)) {
            for (CursorRange range : samples.ranges()) {
                List<String> expected = samples.in(range);
                assertThat(snapshot.count(range, 100)).as("count of %s", range).isEqualTo(expected.size());
                assertThat(snapshot.lowest(range))
                        .as("lowest of %s", range)
                        .isEqualTo(expected.stream().map(samples::time).findFirst());
            }
            assertThat(snapshot.countInfinite(100))
                    .isEqualTo(samples.values().size() - samples.finite().size());
            assertThat(snapshot.countNull(100)).isEqualTo(1);
        }
        Optional<CursorValue> max = samples.finite().stream().map(samples::time).reduce((a, b) -> b);
        Read read = read(source, request, Optional.of(everything));
        assertThat(read.rows()).containsExactlyInAnyOrderElementsOf(samples.finite());
        assertThat(read.staged().max()).isEqualTo(max);
        assertThat(read(source, request, Optional.empty()).staged().max()).isEqualTo(max);
        Read hidden = read(source, request(table("t"), cursor, "v", "INTEGER"), Optional.of(everything));
        assertThat(hidden.rows()).hasSize(samples.finite().size());
        assertThat(hidden.staged().max()).isEqualTo(max);
    }

    static List<EpochSamples> epochs() {
        return EpochSamples.all();
    }
}
