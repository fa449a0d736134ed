package dev.weir.connector.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.Column;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is SQLite's own about its sinks. */
class SqliteSinkTest extends SqliteSinkBench {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "9223372036854775807::BIGINT            | INTEGER            | integer | 9223372036854775807",
                "18446744073709551615::UBIGINT          | UBIG_TEXT          | text    | 18446744073709551615",
                "'-170141183460469231731687303715884105728'::HUGEINT | HUGE_TEXT | text   | -170141183460469231731687303715884105728",
                "340282366920938463463374607431768211455::UHUGEINT | UHUGE_TEXT | text  | 340282366920938463463374607431768211455",
                "1.10::DECIMAL(12,2)                    | DECIMAL_TEXT(12,2) | text    | 1.10",
                "0.1::FLOAT                             | FLOAT4             | real    | 0.1",
                "'inf'::DOUBLE                          | DOUBLE             | real    | inf",
                "true                                   | BOOLEAN            | integer | true",
                "DATE '2026-03-29'                      | DATE               | text    | 2026-03-29",
                "TIME '01:02:03.5'                      | TIME               | text    | 01:02:03.5",
                "TIME '24:00:00'                        | TIME               | text    | 24:00:00",
                "TIMESTAMP '0001-01-01'                 | TIMESTAMP          | text    | 0001-01-01 00:00:00",
                "TIMESTAMPTZ '2026-10-25 00:30:00.000001+00' | TIMESTAMPTZ   | text    | 2026-10-25 00:30:00.000001+00",
                "TIMESTAMP_S '2026-01-01 10:00:00'      | TIMESTAMP_S        | text    | 2026-01-01 10:00:00",
                "TIMESTAMP_MS '2026-01-01 10:00:00.123' | TIMESTAMP_MS       | text    | 2026-01-01 10:00:00.123",
                "make_timestamp_ns(1)                   | TIMESTAMP_NS       | text    | 1970-01-01 00:00:00.000000001",
                "concat('a', chr(0), 'b')                | TEXT               | text    | a\\0b",
                "'{\"a\":1.10}'::JSON                   | JSON_TEXT          | text    | {\"a\":1.10}",
                "'12'::JSON                             | JSON_TEXT          | text    | 12",
                "'x'::ENUM('x')                         | TEXT               | text    | x",
                "'1e5'::VARCHAR                         | TEXT               | text    | 1e5",
                "uuid '0000000e-0000-0000-0000-000000000001' | UUID          | text    | 0000000e-0000-0000-0000-000000000001",
                "'\\x00\\xFF'::BLOB                     | BLOB               | blob    | \\x00\\xFF",
            })
    void eachTypeHasOneWayToBeKeptAndComesBack(String value, String declared, String storage, String back) {
        write(rows("SELECT " + value + " AS c"), APPEND);

        assertThat(query("SELECT type FROM pragma_table_info('t')")).containsExactly(declared);
        assertThat(query("SELECT typeof(c) FROM t")).containsExactly(storage);
        assertThat(readBack()).containsExactly(back.replace("\\0b", "\0b"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'nan'::DOUBLE                | NaN",
                "'nan'::FLOAT                 | NaN",
                "'-0.0'::DOUBLE               | -0.0",
                "'-0.0'::FLOAT                | -0.0",
                "DATE 'infinity'              | infinity",
                "TIMESTAMP '-infinity'        | -infinity",
                "TIMESTAMPTZ 'infinity'       | infinity",
                "DATE '0044-03-15 (BC)'       | -0043-03-15",
                "TIMESTAMP '10000-01-01'      | +10000-01-01T00:00",
                "'infinity'::TIMESTAMP_NS     | infinity",
            })
    void aValueSqliteCannotKeepIsNamed(String value, String shown) {
        assertThatThrownBy(() -> write(rows("SELECT 4711 AS id, " + value + " AS c"), merge("id")))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0524 sys.t")
                .hasMessageContaining("id = 4711")
                .hasMessageContaining("column c holds " + shown);
        assertThat(sink.describe(T)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INTEGER[]         | to_json(\"c\") AS \"c\"",
                "INTEGER[3]        | to_json(\"c\") AS \"c\"",
                "STRUCT(a INTEGER) | to_json(\"c\") AS \"c\"",
                "TIME_NS           | CAST(\"c\" AS VARCHAR) AS \"c\"",
                "TIMESTAMPTZ_NS    | CAST(\"c\" AS VARCHAR) AS \"c\"",
                "UNION(n INTEGER)  | CAST(\"c\" AS VARCHAR) AS \"c\"",
            })
    void aTypeSqliteHasNothingForIsRefusedWithWhatToWriteInItsPlace(String type, String instead) {
        execute("CREATE TABLE other (c TEXT)");
        try (SinkTransaction transaction = sink.begin()) {
            assertThatThrownBy(() -> transaction.create(T, List.of(new Column("c", type)), List.of()))
                    .hasMessageContaining("WR0523 sys.t")
                    .hasMessageContaining("column c")
                    .hasMessageContaining(type)
                    .hasMessageContaining(instead);
        }
        assertThatThrownBy(() -> sink.fit(TableName.parse("other"), List.of(new Column("c", type)), APPEND, OnSchemaChange.FAIL))
                .hasMessageContaining("WR0523 sys.other")
                .hasMessageContaining(instead);
    }

    /** A month and thirty days are one key to DuckDB and two to SQLite. */
    @ParameterizedTest
    @ValueSource(strings = {"SPAN_TEXT", "TIMETZ_TEXT", "BITS_TEXT"})
    void rowsAreNotMergedByWhatSqliteComparesByItsLetters(String declared) {
        execute("CREATE TABLE t (id INT4, k " + declared + ")");
        List<Column> columns = List.of(
                new Column("id", "INTEGER"),
                new Column(
                        "k",
                        new DeclaredType(declared).natural().map(DuckType::sql).orElseThrow()));

        sink.fit(T, columns, merge("id"), OnSchemaChange.FAIL);
        for (SinkWrite how : List.of(merge("k"), mergeBy("k", "id"))) {
            assertThatThrownBy(() -> sink.fit(T, columns, how, OnSchemaChange.FAIL))
                    .hasMessageContaining("WR0503 sys.t")
                    .hasMessageContaining("merged by k");
        }
    }

    /** Case G11, and what SQLite's affinities would do to texts. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "DECIMAL(18,2) | DECIMAL(18,2)",
                "DECIMAL(12,2) | NUMERIC",
                "BIGINT        | DECIMAL(21,2)",
                "DECIMAL(18,0) | DECIMAL(21,2)",
                "BIGINT        | INT4",
                "UBIGINT       | BIGINT",
                "JSON          | JSON",
                "VARCHAR       | STRING",
                "VARCHAR       | NUMERIC",
                "TIMESTAMP     | TEXT",
                "BIGINT        | ``",
                "BIGINT        | ANYTHING",
                "DOUBLE        | FLOAT4",
            })
    void aColumnThatWouldRoundIsRefused(String type, String declared) {
        execute("CREATE TABLE t (c " + declared + ")");

        assertThatThrownBy(() -> sink.fit(T, List.of(new Column("c", type)), APPEND, OnSchemaChange.FAIL))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0523 sys.t")
                .hasMessageContaining("column c")
                .satisfies(e -> assertThat(((RunException) e).fault().code()).isEqualTo(Code.LOSSY_SINK));
    }

    /** A REAL keeps fifteen digits, so that such a column of another program's is as good as weir's own. */
    @Test
    void aNumericColumnTakesWhatComesBackFromAReal() {
        execute("CREATE TABLE t (c DECIMAL(15,2), n NUMERIC(18,0))");
        write(rows("SELECT 9999999999999.99::DECIMAL(15,2) AS c, 999999999999999999::DECIMAL(18,0) AS n"), APPEND);

        assertThat(readBack()).containsExactly("9999999999999.99|999999999999999999");
    }

    @Test
    void theKeysOfANewTableAreItsPrimaryKey() {
        write(rows("SELECT 1::BIGINT AS id, 'a' AS k, 'x' AS v"), merge("k", "id"));

        assertThat(query("SELECT name, pk, \"notnull\" FROM pragma_table_info('t') ORDER BY pk"))
                .containsExactly("v|0|0", "k|1|1", "id|2|1");
    }

    @Test
    void aSingleWholeKeyIsTheRowidItself() {
        write(rows("SELECT 9223372036854775807::BIGINT AS id"), merge("id"));

        assertThat(query("SELECT rowid FROM t")).containsExactly("9223372036854775807");
    }

    @Test
    void aNullThatSqliteWouldNumberIsRefused() {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)");

        assertThatThrownBy(() -> write(rows("SELECT NULL::BIGINT AS id, NULL::VARCHAR AS v"), APPEND))
                .hasMessageContaining("WR0524 sys.t")
                .hasMessageContaining("column id holds NULL");
        assertThat(query("SELECT * FROM t")).isEmpty();
    }

    /** Times as times, decimals as numbers: their letters say otherwise. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "TIMESTAMP          | '2026-07-27T15:29:00Z'  | TIMESTAMP '2026-07-27 15:29:01' | TIMESTAMP '2026-07-27 15:28:59'",
                "TIMESTAMPTZ        | '2026-07-27 15:29:00+10:00' | TIMESTAMPTZ '2026-07-27 05:29:01Z' | TIMESTAMPTZ '2026-07-27 05:28:59Z'",
                "DECIMAL_TEXT(5,2)  | '9.50'                  | 10.00::DECIMAL(5,2)             | 2.00::DECIMAL(5,2)",
                "UBIG_TEXT          | '9'                     | 10::UBIGINT                     | 8::UBIGINT",
                "DATE               | '2026-07-27'            | DATE '2026-07-28'               | DATE '2026-07-26'",
                "TIME               | '10:00:00'              | TIME '10:00:00.5'               | TIME '09:59:59'",
                "TEXT               | 'b'                     | 'c'                             | 'B'",
                "INTEGER            | 9                       | 10::BIGINT                      | 8::BIGINT",
            })
    void anOrderIsComparedAsWhatItIs(String declared, String stored, String newer, String older) {
        for (String key : List.of(" PRIMARY KEY", "")) {
            execute("DROP TABLE IF EXISTS t");
            execute("CREATE TABLE t (id INT4" + key + ", o " + declared + ", v TEXT)");
            execute("INSERT INTO t VALUES (1, " + stored + ", 'stored'), (2, " + stored + ", 'stored')");

            Written written = write(
                    rows("SELECT * FROM (VALUES (1, " + newer + ", 'newer'), (2, " + older + ", 'older')) v(id, o, v)"),
                    mergeBy("o", "id"));

            assertThat(written).as(declared + key).isEqualTo(new Written(1, 1));
            assertThat(query("SELECT id, v FROM t ORDER BY id")).containsExactly("1|newer", "2|stored");
        }
    }

    @Test
    void anOrderThatIsNoneIsSaid() {
        execute("CREATE TABLE t (id INT4 PRIMARY KEY, o TIMESTAMP)");
        execute("INSERT INTO t VALUES (1, 1785166187)");

        assertThatThrownBy(() -> write(rows("SELECT 1 AS id, TIMESTAMP '2026-01-01' AS o"), mergeBy("o", "id")))
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining("lake.sqlite: the order column of the table holds '1785166187'");
    }

    @Test
    void withoutAUniqueIndexATableIsMergedAllTheSame() {
        execute("CREATE TABLE t (id INT4, k TEXT COLLATE NOCASE, v TEXT)");
        execute("INSERT INTO t VALUES (1, 'a', 'old'), (1, 'A', 'other'), (NULL, 'a', 'null'), (2, 'b', 'stays')");

        Written written =
                write(rows("SELECT * FROM (VALUES (1, 'a', 'new'), (3, 'c', 'first')) v(id, k, v)"), merge("id", "k"));

        assertThat(written).isEqualTo(new Written(2, 0));
        assertThat(query("SELECT * FROM t ORDER BY id, v"))
                .containsExactly("null|a|null", "1|a|new", "1|A|other", "2|b|stays", "3|c|first");
    }

    /** By the table's rule the two are one key: the second would silently take the place of the first. */
    @Test
    void keysThatTheTableTakesForOneAreNotMadeOne() {
        execute("CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY, v TEXT)");

        assertThatThrownBy(() -> write(rows("SELECT * FROM (VALUES ('a', '1'), ('A', '2')) v(k, v)"), merge("k")))
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining("UNIQUE constraint failed");
        assertThat(query("SELECT * FROM t")).isEmpty();

        execute("DROP TABLE t");
        execute("CREATE TABLE t (k TEXT COLLATE NOCASE, v TEXT)");
        execute("CREATE UNIQUE INDEX exact ON t (k COLLATE BINARY)");
        execute("CREATE UNIQUE INDEX loose ON t (k)");
        write(rows("SELECT 'a' AS k, '1' AS v"), merge("k"));
        assertThatThrownBy(() -> write(rows("SELECT 'A' AS k, '2' AS v"), merge("k")))
                .hasMessageContaining("UNIQUE constraint failed");
        assertThat(query("SELECT * FROM t")).containsExactly("a|1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "TIMESTAMP         | '2026-01-01T00:00:00Z'                 | TIMESTAMP '2026-01-01'",
                "DECIMAL_TEXT(5,2) | '1.5'                                  | 1.5::DECIMAL(5,2)",
                "UUID              | '0000000E-0000-0000-0000-000000000001' | uuid '0000000e-0000-0000-0000-000000000001'",
                "UBIG_TEXT         | '007'                                  | 7::UBIGINT",
                "BOOLEAN           | 't'                                    | true",
            })
    void aStoredKeySpelledInAnotherWayIsNotDoubled(String declared, String stored, String key) {
        execute("CREATE TABLE t (k " + declared + " PRIMARY KEY, v TEXT)");
        execute("INSERT INTO t VALUES (" + stored + ", 'old')");

        assertThatThrownBy(() -> write(rows("SELECT " + key + " AS k, 'new' AS v"), merge("k")))
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining("key k")
                .hasMessageContaining(stored);
        assertThat(query("SELECT v FROM t")).containsExactly("old");
    }

    @Test
    void aConflictClauseOfTheTableDropsNothing() {
        execute("CREATE TABLE t (id INT4 PRIMARY KEY, u TEXT UNIQUE ON CONFLICT REPLACE,"
                + " n TEXT NOT NULL ON CONFLICT IGNORE)");
        execute("INSERT INTO t VALUES (1, 'a', 'n')");

        assertThatThrownBy(() -> write(rows("SELECT 2 AS id, 'a' AS u, 'n' AS n"), merge("id")))
                .hasMessageContaining("UNIQUE constraint failed");
        assertThatThrownBy(() -> write(rows("SELECT 3 AS id, 'b' AS u, NULL::VARCHAR AS n"), APPEND))
                .hasMessageContaining("NOT NULL constraint failed");
        assertThat(query("SELECT id FROM t")).containsExactly("1");
    }

    @Test
    void aWindowOfDecimalsOrTimesDeletesExactlyItsRange() {
        execute("CREATE TABLE t (c DECIMAL_TEXT(9,3), v TEXT)");
        execute("INSERT INTO t VALUES ('9.500', 'old'), ('10.000', 'old'), ('2.000', 'old'), (NULL, 'old')");
        CursorType type = CursorType.decimal(5, 2);
        write(
                rows("SELECT 1.00::DECIMAL(5,2) AS c, 'x' AS v WHERE false"),
                new SinkWrite.Window("c", CursorRange.above(type.parse("2"), type.parse("9.5"))));
        assertThat(query("SELECT c FROM t")).containsExactly("10.000", "2.000", "null");

        execute("DROP TABLE t");
        execute("CREATE TABLE t (c TIMESTAMP, v TEXT)");
        execute("INSERT INTO t VALUES ('2026-07-27T10:00:00Z', 'old'), ('2026-07-27 11:00:00', 'old')");
        CursorType time = CursorType.of(CursorType.Kind.TIMESTAMP);
        write(
                rows("SELECT TIMESTAMP '2026-01-01' AS c, 'x' AS v WHERE false"),
                new SinkWrite.Window(
                        "c", CursorRange.above(time.parse("2026-07-27T09:00:00"), time.parse("2026-07-27T10:30:00"))));
        assertThat(query("SELECT c FROM t")).containsExactly("2026-07-27 11:00:00");
    }

    @Test
    void aColumnTheTableComputesIsNotMissedAndNotWritten() {
        execute("CREATE TABLE t (id INT4, twice INT4 GENERATED ALWAYS AS (id * 2))");

        write(rows("SELECT 3 AS id"), APPEND);
        assertThat(query("SELECT id, twice FROM t")).containsExactly("3|6");
        assertThatThrownBy(() ->
                        sink.fit(T, List.of(new Column("id", "INTEGER"), new Column("twice", "INTEGER")), APPEND, OnSchemaChange.FAIL))
                .hasMessageContaining("computed by the table itself");
    }

    @Test
    void aTableWhoseNameDiffersInCaseIsNotTakenForIt() {
        execute("CREATE TABLE \"Orders\" (id INT4)");

        assertThatThrownBy(() -> sink.describe(TableName.parse("orders"))).hasMessageContaining("Orders");
    }

    @Test
    void namesThatSqliteTakesForOneAreRefused() {
        assertThatThrownBy(() -> write(oddNames(), APPEND))
                .hasMessageContaining("WR0503 sys.t")
                .hasMessageContaining("duplicate column name");
    }

    /** DuckDB itself has no two such names in one table: only the definition can hold them. */
    private Staged oddNames() {
        return new Staged(
                rows("SELECT 1 AS a").relation(), List.of(new Column("a", "INTEGER"), new Column("A", "INTEGER")), 1);
    }

    @Test
    void aMergeThatKeepsColumnsLeavesThemAlone() {
        execute("CREATE TABLE t (id INT4, note TEXT, v TEXT)");
        execute("INSERT INTO t VALUES (1, 'mine', 'old')");

        write(
                rows("SELECT * FROM (VALUES (1, 'new'), (2, 'first')) v(id, v)"),
                new SinkWrite.Merge(List.of("id"), Optional.empty(), true));

        assertThat(query("SELECT * FROM t ORDER BY id")).containsExactly("1|mine|new", "2|null|first");
    }
}
