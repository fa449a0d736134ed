package dev.weir.connector.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.SourceColumn;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the values of a file become: the declared type decides, value by value. */
class SqliteValuesTest extends SqliteSourceBench {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "INTEGER            | BIGINT",
                "INT                | BIGINT",
                "BIGINT             | BIGINT",
                "SMALLINT           | BIGINT",
                "UNSIGNED BIG INT   | BIGINT",
                "INT4               | INTEGER",
                "BOOLEAN            | BOOLEAN",
                "bool               | BOOLEAN",
                "DATE               | DATE",
                "DATETIME           | TIMESTAMP",
                "DATETIME(6)        | TIMESTAMP",
                "timestamp          | TIMESTAMP",
                "TIMESTAMPTZ        | TIMESTAMP WITH TIME ZONE",
                "CHARACTER VARYING(20) | VARCHAR",
                "TIMESTAMP WITH TIME ZONE | TIMESTAMP WITH TIME ZONE",
                "DECIMAL(10, 2)     | DECIMAL(10,2)",
                "numeric(5)         | DECIMAL(5,0)",
                "DECIMAL_TEXT(38,6) | DECIMAL(38,6)",
                "NUMERIC            | VARCHAR",
                "DECIMAL(60,2)      | VARCHAR",
                "REAL               | DOUBLE",
                "DOUBLE PRECISION   | DOUBLE",
                "FLOAT              | DOUBLE",
                "TEXT               | VARCHAR",
                "VARCHAR(20)        | VARCHAR",
                "NCHAR(55)          | VARCHAR",
                "CLOB               | VARCHAR",
                "BLOB               | BLOB",
                "JSON               | JSON",
                "BIGNUM_TEXT        | BIGNUM",
                "BITS_TEXT          | BIT",
                "SPAN_TEXT          | INTERVAL",
                "TIMETZ_TEXT        | TIME WITH TIME ZONE",
                "UUID               | UUID",
                "``                 | none",
                "MONEY              | none",
            })
    void aDeclaredTypeIsReadAs(String declared, String type) {
        execute("CREATE TABLE t (c " + declared + ")");

        assertThat(source.describe(table("t")))
                .extracting(column -> column.type().orElse("none"))
                .containsExactly(type);
    }

    @Test
    void aNumberWithoutPrecisionIsReadAsTextAndThatIsSaid() {
        execute("CREATE TABLE t (c NUMERIC)");
        execute("INSERT INTO t VALUES (1), (2.5), (9223372036854775807), ('x')");

        assertThat(source.describe(table("t")))
                .extracting(SourceColumn::notice)
                .first()
                .asString()
                .contains("NUMERIC");
        assertThat(read("t", "c", "VARCHAR")).containsExactly("1", "2.5", "9223372036854775807", "x");
    }

    /** Cases N6 and D3: what other readers turn into something else without a word. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "INTEGER       | 'abc'                   | BIGINT                   | text    | 'abc'",
                "INTEGER       | 'inf'                   | BIGINT                   | text    | 'inf'",
                "INTEGER       | 9223372036854775808     | BIGINT                   | real    | 9.223372036854776E18",
                "INTEGER       | 9223372036854775807 + 1 | BIGINT                   | real    | 9.223372036854776E18",
                "INTEGER       | 1.5                     | BIGINT                   | real    | 1.5",
                "INTEGER       | 9e999                   | BIGINT                   | real    | inf",
                "INTEGER       | x'01'                   | BIGINT                   | blob    | 1 bytes",
                "INT4          | 2147483648              | INTEGER                  | integer | 2147483648",
                "BOOLEAN       | 2                       | BOOLEAN                  | integer | 2",
                "BOOLEAN       | 'true'                  | BOOLEAN                  | text    | 'true'",
                "TIMESTAMP     | 1785166187              | TIMESTAMP                | integer | 1785166187",
                "TIMESTAMP     | 2461249.5               | TIMESTAMP                | real    | 2461249.5",
                "TIMESTAMP     | 'now'                   | TIMESTAMP                | text    | 'now'",
                "TIMESTAMP     | '2026-02-30 10:00:00'   | TIMESTAMP                | text    | '2026-02-30 10:00:00'",
                "TIMESTAMP     | '2026-02-03 10:00'      | TIMESTAMP                | text    | '2026-02-03 10:00'",
                "TIMESTAMP     | '2026-02-03 10:00:00+02:00' | TIMESTAMP            | text    | '2026-02-03 10:00:00+02:00'",
                "TIMESTAMP     | '2026-02-03 10:00:00.1234567' | TIMESTAMP          | text    | '2026-02-03 10:00:00.1234567'",
                "TIMESTAMPTZ   | 'infinity'              | TIMESTAMP WITH TIME ZONE | text    | 'infinity'",
                "DATE          | '2026-1-5'              | DATE                     | text    | '2026-1-5'",
                "DATE          | 20260105                | DATE                     | integer | 20260105",
                "DECIMAL(12,2) | 0.1 + 0.2               | DECIMAL(12,2)            | real    | 0.30000000000000004",
                "DECIMAL(12,2) | '1.239'                 | DECIMAL(12,2)            | real    | 1.239",
                "DECIMAL(4,2)  | 100                     | DECIMAL(4,2)             | integer | 100",
                "DOUBLE        | 'inf'                   | DOUBLE                   | text    | 'inf'",
                "DOUBLE        | 'abc'                   | DOUBLE                   | text    | 'abc'",
                "TEXT          | x'00ff'                 | VARCHAR                  | blob    | 2 bytes",
                "TEXT          | CAST(x'ff61' AS TEXT)   | VARCHAR                  | text    | ff61",
                "BLOB          | 'abc'                   | BLOB                     | text    | 'abc'",
                "UUID          | 'not-a-uuid'            | UUID                     | text    | 'not-a-uuid'",
                "JSON          | '{\"a\":'               | JSON                     | text    | '{\"a\":'",
                "BIGNUM_TEXT   | '1.5'                   | BIGNUM                   | text    | '1.5'",
                "BITS_TEXT     | ''                      | BIT                      | text    | ''",
                "BITS_TEXT     | '012'                   | BIT                      | text    | '012'",
                "SPAN_TEXT     | ''                      | INTERVAL                 | text    | ''",
                "SPAN_TEXT     | '1.5 months'            | INTERVAL                 | text    | '1.5 months'",
                "SPAN_TEXT     | '1 day '                | INTERVAL                 | text    | '1 day '",
                "SPAN_TEXT     | '00:00:00.1234567'      | INTERVAL                 | text    | '00:00:00.1234567'",
                "TIMETZ_TEXT   | '10:00:00'              | TIME WITH TIME ZONE      | text    | '10:00:00'",
                "TIMETZ_TEXT   | '24:00:01+00'           | TIME WITH TIME ZONE      | text    | '24:00:01+00'",
                "TIMETZ_TEXT   | '10:00:00+16'           | TIME WITH TIME ZONE      | text    | '10:00:00+16'",
                "TEXT          | 7                       | INTERVAL                 | text    | '7'",
            })
    void aValueOfAnotherKindFailsTheSliceNamingItsRow(
            String declared, String value, String type, String storage, String shown) {
        execute("CREATE TABLE t (c " + declared + ")");
        execute("INSERT INTO t (rowid, c) VALUES (1, NULL), (4711, " + value + ")");

        assertThatThrownBy(() -> read("t", "c", type))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0524 sys.t")
                .hasMessageContaining("rowid = 4711")
                .hasMessageContaining("column c")
                .hasMessageContaining("typeof " + storage)
                .hasMessageContaining(shown)
                .satisfies(e -> assertThat(((RunException) e).fault().code()).isEqualTo(Code.UNREPRESENTABLE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "DECIMAL(12,2) | 1.1                            | DECIMAL(12,2) | 1.10",
                "DECIMAL(12,2) | '1.10'                         | DECIMAL(12,2) | 1.10",
                "DECIMAL(12,2) | 7                              | DECIMAL(12,2) | 7.00",
                "TEXT          | '2026-07-27T15:29:00Z'         | TIMESTAMP     | 2026-07-27 15:29:00",
                "TEXT          | '2026-07-27 15:29:00.123456789' | TIMESTAMP_NS | 2026-07-27 15:29:00.123456789",
                "TEXT          | '2026-07-27 15:29:00+02:00'    | TIMESTAMP WITH TIME ZONE | 2026-07-27 13:29:00+00",
                "DOUBLE        | 5                              | DOUBLE        | 5.0",
                "DOUBLE        | 9e999                          | DOUBLE        | inf",
                "``            | 5                              | VARCHAR       | 5",
                "``            | 'x'                            | VARCHAR       | x",
                "``            | x'00ff'                        | BLOB          | \\x00\\xFF",
                "JSON          | '{\"a\":1}'                    | JSON          | {\"a\":1}",
                "INTEGER       | -5                             | BIGNUM        | -5",
                "TEXT          | '1 year 2 mons -3 days -04:05:06.789' | INTERVAL | 1 year 2 months -3 days -04:05:06.789",
                "TEXT          | '10:00:00.5-15:59:59'          | TIME WITH TIME ZONE | 10:00:00.5-15:59:59",
                "TEXT          | '0101'                         | BIT           | 0101",
            })
    void aValueThatIsExactIsTaken(String declared, String value, String type, String read) {
        execute("CREATE TABLE t (c " + declared + ")");
        execute("INSERT INTO t VALUES (" + value + ")");

        assertThat(read("t", "c", type)).containsExactly(read);
    }

    @Test
    void aTextWithAZeroCharacterArrivesWhole() {
        execute("CREATE TABLE t (c TEXT)");
        execute("INSERT INTO t VALUES ('a' || char(0) || 'b')");

        read("t", "c", "VARCHAR");
        assertThat(ask("SELECT length(c), strpos(c, 'b') FROM memory.staging.src"))
                .containsExactly("3|3");
    }

    @Test
    void aFileInUtf16IsReadAsItIs() {
        execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (c TEXT)");
        execute("PRAGMA encoding = 'UTF-16le'");
        execute("CREATE TABLE IF NOT EXISTS t (c TEXT)");
        execute("INSERT INTO t VALUES ('ä日本😀\ufffd')");

        assertThat(read("t", "c", "VARCHAR")).containsExactly("ä日本😀\ufffd");
    }

    @Test
    void aRowWithoutARowidIsNamedByItsPrimaryKey() {
        execute("CREATE TABLE t (a TEXT, b INTEGER, c INTEGER, PRIMARY KEY (b, a)) WITHOUT ROWID");
        execute("INSERT INTO t VALUES ('x', 7, 'abc')");

        assertThatThrownBy(() -> read("t", "c", "BIGINT")).hasMessageContaining("b = 7, a = x");
    }

    @Test
    void strictTablesAndComputedColumnsAreRead() {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, a ANY, twice INTEGER AS (id * 2),"
                + " kept TEXT AS ('n' || id) STORED) STRICT");
        execute("INSERT INTO t (id, r, a) VALUES (1, 5, x'00')");

        assertThat(source.describe(table("t")))
                .extracting(column -> column.name() + " " + column.type().orElse("none"))
                .containsExactly("id BIGINT", "r DOUBLE", "a none", "twice BIGINT", "kept VARCHAR");
        assertThat(read("t", "r", "DOUBLE")).containsExactly("5.0");
        assertThat(read("t", "twice", "BIGINT")).containsExactly("2");
        assertThat(read("t", "kept", "VARCHAR")).containsExactly("n1");
    }

    @Test
    void aColumnCalledRowidDoesNotHideTheRow() {
        execute("CREATE TABLE t (rowid TEXT, c INTEGER)");
        execute("INSERT INTO t (_rowid_, rowid, c) VALUES (42, 'mine', 'abc')");

        assertThatThrownBy(() -> read("t", "c", "BIGINT")).hasMessageContaining("_rowid_ = 42");
    }

    @Test
    void aViewAndAQueryAreRead() {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY, price DECIMAL(10,2), v)");
        execute("INSERT INTO t VALUES (1, 2.5, 'a'), (2, 3, x'00')");
        execute("CREATE VIEW w AS SELECT id, price, price * 2 AS twice FROM t");

        assertThat(source.describe(table("w")))
                .extracting(column -> column.type().orElse("none"))
                .containsExactly("BIGINT", "DECIMAL(10,2)", "none");
        assertThat(read("w", "twice", "DECIMAL(10,2)")).containsExactly("5.00", "6.00");
        ReadRequest query = new ReadRequest(
                new Entity.Query("q", "WITH x AS (SELECT * FROM t) SELECT id, price FROM x -- all"),
                List.of(new Column("price", "DECIMAL(10,2)")),
                Optional.empty());
        assertThat(read(source, query, Optional.empty()).rows()).containsExactly("2.50", "3.00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1; SELECT 2", "DELETE FROM t", "SELECT * FROM nowhere", "SELECT id FROM t)"})
    void whatIsNotOneSelectIsRefused(String sql) {
        execute("CREATE TABLE t (id INTEGER)");
        execute("INSERT INTO t VALUES (1)");

        assertThatThrownBy(() -> source.describe(new Entity.Query("q", sql)))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0501 sys.q");
        assertThat(query("SELECT count(*) FROM t")).containsExactly("1");
    }
}
