package dev.weir.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.connector.SinkTransaction.Written;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.OnSchemaChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tables every connector's sink takes rows into, and how values arrive there. */
public abstract class SinkTableKit extends SinkKit {

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

        assertThatThrownBy(() -> sink.fit(
                        T, List.of(new Column("id", "INTEGER"), new Column("c", from)), APPEND, OnSchemaChange.FAIL))
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

        assertThatThrownBy(() -> sink.fit(
                        T,
                        List.of(new Column("id", "BIGINT"), new Column("Extra", "VARCHAR")),
                        write,
                        OnSchemaChange.FAIL))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining("no column Extra")
                .hasMessageContaining("id, extra");
        if (keep) {
            sink.fit(T, List.of(new Column("id", "BIGINT")), write, OnSchemaChange.FAIL);
        } else {
            assertThatThrownBy(() -> sink.fit(T, List.of(new Column("id", "BIGINT")), write, OnSchemaChange.FAIL))
                    .hasMessageContaining("WR0503")
                    .hasMessageContaining("extra")
                    .hasMessageContaining("keep_columns");
        }
    }

    /** Two that need other types of one column have each looked before the other has altered. */
    @Test
    void aTypeThatHasBecomeWiderMeanwhileIsNotMadeNarrower() {
        assumeTrue(canWiden());
        createTable("t", "n", "SMALLINT");
        List<Column> few = List.of(new Column("n", "INTEGER"));
        List<Column> many = List.of(new Column("n", "DECIMAL(30,10)"));
        Fit narrow = sink.fit(T, few, APPEND, OnSchemaChange.ADD);

        sink.alter(T, sink.fit(T, many, APPEND, OnSchemaChange.ADD));
        write(T, rows("SELECT CAST('1.0123456789' AS DECIMAL(30,10)) AS n"), APPEND);
        sink.alter(T, narrow);

        assertThat(sink.describe(T)).contains(many);
        assertThat(query("SELECT n FROM t")).containsExactly("1.0123456789");
    }

    /** Whether the type of a column can be changed. */
    protected boolean canWiden() {
        return true;
    }

    @Test
    void aViewIsNoSink() {
        execute("CREATE VIEW t AS SELECT 1 AS id");

        assertThatThrownBy(() -> sink.fit(T, List.of(new Column("id", "INTEGER")), APPEND, OnSchemaChange.FAIL))
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

    /** Whether tables live in schemas that can be made. */
    protected boolean hasSchemas() {
        return true;
    }

    @Test
    void tablesLiveInSchemas() {
        assumeTrue(hasSchemas(), "the system has no schemas of its own");
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
        List<String> values = held(samples);
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

    @ParameterizedTest
    @ValueSource(strings = {", PRIMARY KEY (k, id)", ""})
    void deletesTheRowsOfKeysButThoseThatAreNewer(String index) {
        execute("CREATE TABLE t (id " + typeName("INTEGER").orElseThrow() + ", k " + text() + ", o "
                + typeName("INTEGER").orElseThrow() + ", v " + text() + index + ")");
        String stored = "INSERT INTO t VALUES (1, 'x', 5, 'older'), (1, 'X', 5, 'another key'), (2, 'x', 7, 'newer'),"
                + " (3, 'x', 6, 'equal'), (4, 'x', NULL, 'NULL'), (5, 'x', 1, 'NULL is lower')";
        Staged gone = values(
                "id, k, o", "(1, 'x', 6), (2, 'x', 6), (3, 'x', 6), (4, 'x', NULL), (5, 'x', NULL), (9, 'none', 6)");
        execute(stored);

        assertThat(delete(gone, mergeBy("o", "id", "k"))).isEqualTo(new Written(0, 2, 3));
        assertThat(t()).containsExactlyInAnyOrder("1|X|5|another key", "2|x|7|newer", "5|x|1|NULL is lower");
        assertThat(delete(gone, mergeBy("o", "id", "k"))).isEqualTo(new Written(0, 2, 0));

        execute("DELETE FROM t");
        execute(stored);
        assertThat(delete(gone, merge("id", "k"))).isEqualTo(new Written(0, 0, 5));
        assertThat(t()).containsExactly("1|X|5|another key");
    }

    /** As a run does: deleted and merged in one transaction, which may then be given up. */
    private Written delete(Staged gone, SinkWrite.Merge how) {
        List<String> before = t();
        try (SinkTransaction transaction = sink.begin()) {
            transaction.delete(T, gone, how);
        }
        assertThat(t()).isEqualTo(before);
        try (SinkTransaction transaction = sink.begin()) {
            Written written = transaction.delete(T, gone, how);
            transaction.commit();
            return written;
        }
    }

    @Test
    void aDeletedKeyMakesRoomForAnother() {
        execute("CREATE TABLE t (id " + typeName("INTEGER").orElseThrow() + " PRIMARY KEY, mail " + text() + ", note "
                + text() + ")");
        execute("INSERT INTO t VALUES (1, 'a', 'mine'), (2, 'b', 'mine')");
        SinkWrite.Merge keep = new SinkWrite.Merge(List.of("id"), Optional.empty(), true);
        Staged gone = engine.run("gone", "SELECT 1 AS id");
        Staged rows = values("id, mail", "(2, 'B'), (3, 'a')");
        try (SinkTransaction transaction = sink.begin()) {
            Written written = transaction.delete(T, gone, keep);
            assertThat(written.and(transaction.write(T, rows, keep))).isEqualTo(new Written(2, 0, 1));
            transaction.commit();
        }
        assertThat(t()).containsExactly("2|B|mine", "3|a|null");
    }

    @Test
    void largeSlicesAndLongValuesPass() {
        write(T, rows("SELECT range AS id, 'v' || range AS v FROM range(60000)"), merge("id"));
        write(T, rows("SELECT range * 2 AS id, repeat('ä', 20) AS v FROM range(40000)"), merge("id"));
        write(T, rows("SELECT -1::BIGINT AS id, repeat('ä', 2000000) AS v"), merge("id"));

        assertThat(query("SELECT count(*), count(DISTINCT id) FROM t")).containsExactly("70001|70001");
        assertThat(query("SELECT length(v) FROM t WHERE id = -1")).containsExactly("2000000");
    }
}
