package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Column;
import dev.weir.connector.Entity;
import dev.weir.connector.Source;
import dev.weir.connector.SourceColumn;
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

/** Values to the ends of their types, from Postgres into DuckDB. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ValuesTest {

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "boolean; BOOLEAN; true false; true false",
                "smallint; SMALLINT; -32768 32767 0; -32768 32767 0",
                "integer; INTEGER; -2147483648 2147483647; -2147483648 2147483647",
                "bigint; BIGINT; -9223372036854775808 9223372036854775807; -9223372036854775808 9223372036854775807",
                "oid; UINTEGER; 0 4294967295; 0 4294967295",
                "real; FLOAT; 1.5 -0 NaN Infinity -Infinity 1e-45 3.4028235e38; 1.5 -0.0 nan inf -inf 1e-45 3.4028235e+38",
                "double precision; DOUBLE; 0.1 NaN Infinity -Infinity 5e-324 1.7976931348623157e308;"
                        + " 0.1 nan inf -inf 5e-324 1.7976931348623157e+308",
                "numeric(12,2); DECIMAL(12,2); 0 0.01 -0.01 9999999999.99 -9999999999.99 100 12345678.9;"
                        + " 0.00 0.01 -0.01 9999999999.99 -9999999999.99 100.00 12345678.90",
                "numeric(18,18); DECIMAL(18,18); 0.000000000000000001 -0.999999999999999999;"
                        + " .000000000000000001 -.999999999999999999",
                "numeric(18,0); DECIMAL(18,0); 999999999999999999 -999999999999999999 10000; 999999999999999999"
                        + " -999999999999999999 10000",
                "numeric(18,9); DECIMAL(18,9); 999999999.999999999 123456789.5 0.000000001;"
                        + " 999999999.999999999 123456789.500000000 0.000000001",
                "numeric(38,10); DECIMAL(38,10); 9999999999999999999999999999.9999999999 -0.0000000001;"
                        + " 9999999999999999999999999999.9999999999 -0.0000000001",
                "numeric(19,4); DECIMAL(19,4); 202109171437040.0001 0; 202109171437040.0001 0.0000",
                "numeric(3,-2); DECIMAL(5,0); 99900 -100; 99900 -100",
                "numeric(2,4); DECIMAL(4,4); 0.0099 -0.0001; .0099 -.0001",
                "numeric; VARCHAR; 0.1234567890123456789 123456789012345678901234567890.5 NaN Infinity -Infinity 1.10;"
                        + " 0.1234567890123456789 123456789012345678901234567890.5 NaN Infinity -Infinity 1.10",
                "numeric(50,3); VARCHAR; 99999999999999999999999999999999999999999999999.999;"
                        + " 99999999999999999999999999999999999999999999999.999",
                "name; VARCHAR; abc; abc",
                "uuid; UUID; ffffffff-ffff-ffff-ffff-ffffffffffff 00112233-4455-6677-8899-aabbccddeeff;"
                        + " ffffffff-ffff-ffff-ffff-ffffffffffff 00112233-4455-6677-8899-aabbccddeeff",
                "bytea; BLOB; \\x00ff61 \\x; \\x00\\xFFa ``",
                "date; DATE; infinity -infinity 0001-01-01 1500-02-28 1969-12-31 10000-01-01 5874897-12-31;"
                        + " infinity -infinity 0001-01-01 1500-02-28 1969-12-31 10000-01-01 5874897-12-31",
                "time; TIME; 00:00:00 23:59:59.999999 24:00:00; 00:00:00 23:59:59.999999 24:00:00",
            })
    void everyValueComesThrough(String type, String duckType, String values, String expected) {
        String list = String.join(
                ", ",
                List.of(values.split(" ")).stream()
                        .map(value -> "('" + value + "'::" + type + ")")
                        .toList());
        bench.database.execute(
                "DROP TABLE IF EXISTS t",
                "CREATE TABLE t (v " + type + ")",
                "INSERT INTO t VALUES " + list,
                "INSERT INTO t VALUES (NULL)");

        assertThat(bench.stage(Bench.table("t")).columns()).containsExactly(new Column("v", duckType));
        List<String> found = bench.duck("SELECT v FROM staging.rows");
        assertThat(found.get(found.size() - 1)).isEqualTo("null");
        assertThat(String.join(" ", found.subList(0, found.size() - 1)).strip())
                .isEqualTo(expected.replace("`", "").strip());
    }

    @ParameterizedTest
    @CsvSource({
        "timestamp, TIMESTAMP, 0044-03-15 00:00:00 BC, 0044-03-15 (BC) 00:00:00",
        "timestamp, TIMESTAMP, 4713-01-01 00:00:00 BC, 4713-01-01 (BC) 00:00:00",
        "timestamp, TIMESTAMP, 1969-12-31 23:59:59.999999, 1969-12-31 23:59:59.999999",
        "timestamp, TIMESTAMP, 294247-01-10 04:00:54.775806, 294247-01-10 04:00:54.775806",
        "timestamp, TIMESTAMP, infinity, infinity",
        "timestamp, TIMESTAMP, -infinity, -infinity",
        "timestamp, TIMESTAMP, 2026-03-29 02:30:00, 2026-03-29 02:30:00",
        "timestamp(0), TIMESTAMP, 2026-03-29 02:30:00, 2026-03-29 02:30:00",
        "timestamptz, TIMESTAMP WITH TIME ZONE, 2026-10-25 02:30:00+02, 2026-10-25 00:30:00+00",
        "timestamptz, TIMESTAMP WITH TIME ZONE, 2026-10-25 02:30:00+01, 2026-10-25 01:30:00+00",
        "timestamptz, TIMESTAMP WITH TIME ZONE, infinity, infinity",
        "timestamptz, TIMESTAMP WITH TIME ZONE, -infinity, -infinity",
        "timestamptz, TIMESTAMP WITH TIME ZONE, 0044-03-15 00:00:00+00 BC, 0044-03-15 (BC) 00:00:00+00",
        "date, DATE, 4713-01-01 BC, 4713-01-01 (BC)",
        "date, DATE, 0044-03-15 BC, 0044-03-15 (BC)",
        "text, VARCHAR, 'l1\nl2 \"q\" ''x'' 日本 👍', 'l1\nl2 \"q\" ''x'' 日本 👍'",
        "varchar(5), VARCHAR, 007, 007",
        "char(5), VARCHAR, ab, ab",
        "json, JSON, '{\"b\": 1,  \"a\": 1, \"a\": 2}', '{\"b\": 1,  \"a\": 1, \"a\": 2}'",
        "jsonb, JSON, '{\"b\": 1}', '{\"b\": 1}'",
        "jsonb, JSON, '123456789012345678901234567890.123', '123456789012345678901234567890.123'",
    })
    void everyTextAndTimeComesThrough(String type, String duckType, String value, String expected) {
        bench.database.execute(
                "DROP TABLE IF EXISTS t",
                "CREATE TABLE t (v " + type + ")",
                "INSERT INTO t VALUES ('" + value.replace("'", "''") + "')");

        assertThat(bench.stage(Bench.table("t")).columns()).containsExactly(new Column("v", duckType));
        assertThat(bench.duck("SELECT v FROM staging.rows")).containsExactly(expected);
    }

    @Test
    void enumsDomainsAndEmptyTextsComeThrough() {
        bench.database.execute(
                "CREATE TYPE mood AS ENUM ('sad', 'über ok')",
                "CREATE DOMAIN cents AS numeric(9,2) CHECK (value >= 0)",
                "CREATE DOMAIN small_cents AS cents",
                "CREATE TABLE kinds (m mood, c small_cents, t text)",
                "INSERT INTO kinds VALUES ('über ok', 1.5, ''), (NULL, NULL, NULL)");

        assertThat(bench.stage(Bench.table("kinds")).columns())
                .containsExactly(
                        new Column("m", "VARCHAR"), new Column("c", "DECIMAL(9,2)"), new Column("t", "VARCHAR"));
        assertThat(bench.duck("SELECT * FROM staging.rows")).containsExactly("über ok|1.50|", "null|null|null");
    }

    @Test
    void infinitiesKeepTheirOrder() {
        bench.database.execute(
                "CREATE TABLE ends (v timestamptz)",
                "INSERT INTO ends VALUES ('infinity'), ('2026-01-01+00'), ('-infinity')");
        bench.stage(Bench.table("ends"));

        assertThat(bench.duck("SELECT v, isfinite(v) FROM staging.rows ORDER BY v"))
                .containsExactly("-infinity|false", "2026-01-01 00:00:00+00|true", "infinity|false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bigint; 3000000000; INTEGER; 3000000000, which does not fit INTEGER",
                "bigint; -1; UBIGINT; -1, which does not fit UBIGINT",
                "bigint; 100; DECIMAL(4,2); 100, which does not fit DECIMAL(4,2)",
                "smallint; 256; UTINYINT; 256, which does not fit UTINYINT",
                "numeric; 1.005; DECIMAL(10,2); 1.005, which has more than the 2 digits after the point",
                "numeric; 100000000; DECIMAL(10,2); 100000000, which does not fit DECIMAL(10,2)",
                "numeric; 1.5; BIGINT; 1.5, which does not fit BIGINT",
                "numeric; 18446744073709551616; UBIGINT; 18446744073709551616, which does not fit UBIGINT",
                "numeric; 1e400; DOUBLE; is beyond the range of DOUBLE",
                "numeric(10,2); NaN; DECIMAL(10,2); NaN, which is no finite number",
                "numeric; Infinity; DECIMAL(38,2); Infinity, which is no finite number",
                "numeric; -Infinity; BIGINT; -Infinity, which is no finite number",
                "double precision; 1e300; FLOAT; 1.0E300, which is beyond the range of FLOAT",
                "timestamp; 294276-12-31 00:00:00; TIMESTAMP; is later than 294247-01-10",
                "timestamp; 2026-01-01 00:00:00.5; TIMESTAMP_S; has digits of a second",
                "timestamp; 2026-01-01 00:00:01; DATE; is no midnight",
                "timestamp; 3000-01-01 00:00:01; TIMESTAMP_NS; is beyond the range of TIMESTAMP_NS",
                "date; 294248-01-01; TIMESTAMP; is beyond the range of TIMESTAMP",
                "money; 1.25; DECIMAL(5,1); 1.25, which has more than the 1 digits after the point",
                "bit varying; ; BIT; an empty bit string, which DuckDB's BIT does not have",
                "integer[]; {1,300}; UTINYINT[]; 300, which does not fit UTINYINT",
                "integer[]; {1}; INTEGER[][]; an array of 1 dimensions, which does not fit INTEGER[][]",
            })
    void aValueThatDoesNotFitNamesRowColumnAndValue(String type, String value, String wanted, String message) {
        bench.database.execute(
                "DROP TABLE IF EXISTS t",
                "CREATE TABLE t (id bigint, v " + type + ")",
                "INSERT INTO t VALUES (6, NULL), (7, '" + (value == null ? "" : value) + "')");

        assertThatThrownBy(() -> {
                    try (Source source = bench.source()) {
                        var request = new dev.weir.connector.ReadRequest(
                                Bench.table("t"),
                                List.of(new Column("id", "BIGINT"), new Column("v", wanted)),
                                Optional.of(Bench.cursor("id", "bigint")));
                        bench.stage(source, request, Optional.of(Bench.all(Bench.cursor("id", "bigint"))));
                    }
                })
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0524 pg.t: in the row with id = 7 (row 2 of the slice), column v holds")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "bigint; 9223372036854775807; DECIMAL(38,2); 9223372036854775807.00",
                "bigint; 9223372036854775807; HUGEINT; 9223372036854775807",
                "bigint; 9223372036854775807; UBIGINT; 9223372036854775807",
                "bigint; 9007199254740993; DOUBLE; 9007199254740992.0",
                "integer; 255; UTINYINT; 255",
                "integer; 5; BIGINT; 5",
                "numeric(20,0); 18446744073709551615; UBIGINT; 18446744073709551615",
                "numeric; 12.000; INTEGER; 12",
                "numeric; 0.1234567890123456789; DOUBLE; 0.12345678901234568",
                "numeric; NaN; DOUBLE; nan",
                "numeric; -Infinity; FLOAT; -inf",
                "numeric; NaN; VARCHAR; NaN",
                "numeric; 1.10; DECIMAL(5,1); 1.1",
                "double precision; 0.1; FLOAT; 0.1",
                "real; 0.5; DOUBLE; 0.5",
                "timestamp; infinity; TIMESTAMP_S; infinity",
                "timestamp; -infinity; TIMESTAMP_NS; -infinity",
                "timestamp; 2026-01-01 00:00:00.123456; TIMESTAMP_NS; 2026-01-01 00:00:00.123456",
                "timestamp; 2026-01-01 00:00:00.123; TIMESTAMP_MS; 2026-01-01 00:00:00.123",
                "timestamp; 2026-01-01; TIMESTAMP WITH TIME ZONE; 2026-01-01 00:00:00+00",
                "timestamptz; 2026-01-01 01:00+01; TIMESTAMP; 2026-01-01 00:00:00",
                "timestamptz; 2026-01-01 01:00+01; VARCHAR; 2026-01-01 00:00:00+00",
                "timestamp; 2026-01-02; DATE; 2026-01-02",
                "timestamp; infinity; DATE; infinity",
                "date; -infinity; TIMESTAMP; -infinity",
                "date; 2026-01-02; TIMESTAMP WITH TIME ZONE; 2026-01-02 00:00:00+00",
                "interval; 1 day 02:03:04.5; VARCHAR; 1 day 02:03:04.5",
                "int[]; {{1},{2}}; VARCHAR; {{1},{2}}",
                "inet; 10.0.0.0/8; VARCHAR; 10.0.0.0/8",
                "bytea; \\x00ff; VARCHAR; \\x00ff",
                "money; 1.5; VARCHAR; $1.50",
                "money; -92233720368547758.08; DECIMAL(19,2); -92233720368547758.08",
                "money[]; {1.5,NULL}; DECIMAL(5,2)[]; [1.50, NULL]",
                "bit varying; 0101; BIT; 0101",
                "bit(9)[]; {101010101}; BIT[]; [101010101]",
                "integer[]; {{1,NULL},{3,4}}; INTEGER[][]; [[1, NULL], [3, 4]]",
                "integer[]; {}; BIGINT[][][]; []",
                "text[]; {{{a},{NULL}}}; VARCHAR[][][]; [[[a], [NULL]]]",
                "inet[]; {{10.0.0.1}}; VARCHAR[][]; [[10.0.0.1/32]]",
                "integer[]; [0:1]={1,2}; VARCHAR; [0:1]={1,2}",
                "numeric[]; {1,2.50}; DECIMAL(5,1)[]; [1.0, 2.5]",
                "timestamp[]; {2026-01-02}; DATE[]; [2026-01-02]",
                "interval; infinity; VARCHAR; infinity",
                "double precision; 0.1; VARCHAR; 0.1",
            })
    void aDeclaredTypeThatFitsIsExact(String type, String value, String wanted, String expected) {
        bench.database.execute(
                "DROP TABLE IF EXISTS t", "CREATE TABLE t (v " + type + ")", "INSERT INTO t VALUES ('" + value + "')");

        assertThat(bench.stage(Bench.table("t"), new Column("v", wanted)).columns())
                .containsExactly(new Column("v", wanted));
        assertThat(bench.duck("SELECT v FROM staging.rows")).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "text, BIGINT",
        "double precision, 'DECIMAL(5,2)'",
        "boolean, INTEGER",
        "inet, BIGINT",
        "interval, BIGINT",
        "integer[], INTEGER",
        "integer, INTEGER[]",
        "text[], BIGINT[]",
        "integer[], 'STRUCT(a INTEGER)[]'",
        "json, BLOB"
    })
    void whatIsNoExactCastIsRefusedByName(String type, String wanted) {
        bench.database.execute("DROP TABLE IF EXISTS t", "CREATE TABLE t (v " + type + ")");

        assertThatThrownBy(() -> bench.stage(Bench.table("t"), new Column("v", wanted)))
                .isInstanceOf(RunException.class)
                .hasMessageContaining("WR0501 pg.t: the column v, a " + type + ", cannot be read as " + wanted);
    }

    @Test
    void whatIsReadAsTextIsTold() {
        bench.database.execute("CREATE TYPE two AS (a int, b int)");
        bench.database.execute(
                "CREATE TABLE odd (n numeric, p numeric(5,2), s timestamp(3), d date, i interval, a int[],"
                        + " m money, b bit(3), c two, l money[], x inet[], z timetz(2))");
        try (Source source = bench.source()) {
            assertThat(source.describe(Bench.table("odd")))
                    .extracting(column -> column.sourceType() + ": "
                            + column.type().orElse("") + " " + column.fractionDigits() + "; " + column.notice())
                    .containsExactly(
                            "numeric: VARCHAR null; is read as VARCHAR: numeric has more digits than a DECIMAL can hold;"
                                    + " declare it as decimal(p,s), or as double where rounding does no harm",
                            "numeric(5,2): DECIMAL(5,2) null; null",
                            "timestamp(3) without time zone: TIMESTAMP 3; null",
                            "date: DATE null; null",
                            "interval: INTERVAL null; null",
                            "integer[]: INTEGER[] null; null",
                            "money: VARCHAR null; is read as VARCHAR: the server's own text of money; declare it as"
                                    + " decimal(p,s) for its number",
                            "bit(3): VARCHAR null; is read as VARCHAR: the server's own text of bit(3); declare it as bit"
                                    + " where none is empty",
                            "two: VARCHAR null; is read as VARCHAR: the server's own text of two; declare it as"
                                    + " varchar if that is what you want",
                            "money[]: VARCHAR[] null; is read as VARCHAR[]: the server's own text of money; declare it"
                                    + " as decimal(p,s)[] for its number",
                            "inet[]: VARCHAR[] null; is read as VARCHAR[]: the server's own text of inet; declare it as"
                                    + " varchar[] if that is what you want",
                            "time(2) with time zone: TIME WITH TIME ZONE 2; null");
        }
    }

    @Test
    void aQueryIsDescribedLikeATable() {
        bench.database.execute("CREATE TABLE base (id bigint, amount numeric(9,2), at timestamp(3), \"Mixed\" text)");
        Entity query = new Entity.Query("q", "SELECT *, id::numeric AS n, now() AS t FROM base -- all of it");
        try (Source source = bench.source()) {
            assertThat(source.describe(query))
                    .extracting(SourceColumn::name, column -> column.type().orElse(""), SourceColumn::fractionDigits)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("id", "BIGINT", null),
                            org.assertj.core.groups.Tuple.tuple("amount", "DECIMAL(9,2)", null),
                            org.assertj.core.groups.Tuple.tuple("at", "TIMESTAMP", 3),
                            org.assertj.core.groups.Tuple.tuple("Mixed", "VARCHAR", null),
                            org.assertj.core.groups.Tuple.tuple("n", "VARCHAR", null),
                            org.assertj.core.groups.Tuple.tuple("t", "TIMESTAMP WITH TIME ZONE", null));
        }
    }
}
