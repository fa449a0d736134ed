package dev.weir.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
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

/** Which values a column takes that takes their type, and what is said of the others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SinkValuesTest {

    private static final TableName T = TableName.parse("public.t");
    private static final SinkWrite MERGE = new SinkWrite.Merge(List.of("id"), Optional.empty(), false);

    private Bench bench;

    @BeforeAll
    void start(@TempDir Path folder) {
        bench = new Bench(folder);
        bench.database.execute(
                "CREATE TYPE mood AS ENUM ('sad', 'ok')",
                "CREATE DOMAIN cents AS numeric(9,2) CHECK (value >= 0)",
                "CREATE DOMAIN host AS inet CHECK (masklen(value) = 32)");
    }

    @AfterAll
    void stop() {
        bench.close();
    }

    private void table(String columns) {
        bench.database.execute("DROP TABLE IF EXISTS t CASCADE", "CREATE TABLE t (" + columns + ")");
    }

    private SinkTransaction.Written write(String select, SinkWrite how) {
        Staged rows = bench.rows(select);
        try (Sink sink = bench.connector.sink(bench.database.settings(), bench.engine);
                SinkTransaction transaction = sink.begin()) {
            SinkTransaction.Written written = transaction.write(T, rows, how);
            transaction.commit();
            return written;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "inet; '10.0.0.1'; holds '10.0.0.1', which reads '10.0.0.1/32' as inet",
                "inet; 'x'; holds 'x', which is no value of inet: invalid input syntax for type inet",
                "host; '10.0.0.0/8'; holds '10.0.0.0/8', which is no value of host: value for domain host violates check",
                "inet[]; ['1.1.1.1/8', '10.0.0.1']; holds '{1.1.1.1/8,10.0.0.1}', which reads '{1.1.1.1/8,10.0.0.1/32}'",
                "inet[]; ['x']; holds '{x}', which is no value of inet[]",
                "bit(3); '10'; holds '10', which reads '100' as bit(3)",
                "bit(3); '10'::BIT; holds 10, which has not the length of bit(3)",
                "bit varying(3); '1010'::BIT; holds 1010, which has not the length of bit varying(3)",
                "interval(0); '00:00:01.5'; holds '00:00:01.5', which reads '00:00:02' as interval(0)",
                "interval; '24 hours'; holds '24 hours', which reads '24:00:00' as interval",
                "interval; to_months(2147483647) + to_days(2147483647) + to_microseconds(9223372036854775807);"
                        + " Postgres 17 would take for infinite",
                "name; repeat('x', 64); as name",
                "\"char\"; 'ab'; holds 'ab', which reads 'a' as \"char\"",
                "int4range; '[1,4]'; holds '[1,4]', which reads '[1,5)' as int4range",
                "money; '1.5'; holds '1.5', which reads '$1.50' as money",
                "integer[]; '{1, 2}'; holds '{1, 2}', which reads '{1,2}' as integer[]",
                "integer[]; [[1], [2, 3]]; lists of different lengths within a list, which an array of Postgres cannot hold",
                "integer[]; [[1], NULL]; a NULL in the place of a list within a list",
                "integer[]; [[]::INTEGER[]]; an empty list within a list",
                "varchar(2)[]; ['abc']; holds 'abc', which is longer than character varying(2)",
                "mood[]; ['sad', 'glad']; row with id = 7, column v: invalid input value for enum mood: \"glad\"",
                "mood; 'glad'; row with id = 7, column v: invalid input value for enum mood: \"glad\"",
                "cents; -1::DECIMAL(9,2); row with id = 7, column v: value for domain cents violates check constraint",
                "jsonb; '\"\\u0000\"'::JSON; row with id = 7, column v: unsupported Unicode escape sequence",
                "char(5); 'ab '; holds 'ab ', which ends with blanks",
                "numeric(5,2); '1.005'; holds 1.005, which does not fit numeric(5,2)",
                "numeric(5,2); '1000'; holds 1000, which does not fit numeric(5,2)",
                "numeric(5,2); 'Infinity'; holds Infinity, which a numeric(5,2) does not hold",
                "numeric(3,-2); '150'; holds 150, which does not fit numeric(3,-2)",
                "numeric(2,4); '0.01'; holds 0.01, which does not fit numeric(2,4)",
                "numeric; 'abc'; holds 'abc', which is no number",
                "numeric; ' 1'; holds ' 1', which is no number",
                "numeric; ''; holds '', which is no number",
                "numeric; '1e131072'; which is longer than any numeric of Postgres",
                "numeric; '1e-16384'; which is longer than any numeric of Postgres",
            })
    void aValueTheColumnWouldChangeIsRefusedWithItsRow(String type, String value, String message) {
        table("id bigint, v " + type);
        String rows = "SELECT id, CASE id WHEN 7 THEN " + value + " END AS v FROM range(5, 20) r(id)";

        assertThatThrownBy(() -> write(rows, MERGE))
                .isInstanceOf(RunException.class)
                .hasMessageMatching("(?s)WR05(24|03) pg\\.public\\.t: in the row with id = 7, column v.*")
                .hasMessageContaining(message);
        assertThatThrownBy(() -> write(rows, new SinkWrite.Append()))
                .hasMessageContaining(message.replace("row with id = 7", "row 3 of those written"));
        assertThat(bench.database.rows("SELECT 1 FROM t")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "integer[]; [[1, NULL], [3, 4]]; {{1,NULL},{3,4}}",
                "integer[]; []::INTEGER[][]; {}",
                "bigint[]; [1::UTINYINT, NULL]; {1,NULL}",
                "text[]; ['a\"b', 'NULL', NULL, 'c\\d']; {\"a\\\"b\",\"NULL\",NULL,\"c\\\\d\"}",
                "inet[]; [['10.0.0.1/32', NULL]]; {{10.0.0.1,NULL}}",
                "interval; '1 mon'; 1 mon",
                "integer[]; '[0:1]={1,2}'; [0:1]={1,2}",
                "numeric(5,2); '1.5'; 1.50",
                "numeric(3,-2); '99900.0'; 99900",
                "numeric(5,2); 'NaN'; NaN",
                "numeric; '1e3'; 1000",
                "numeric; '-.50'; -0.50",
                "bit(3); '101'::BIT; 101",
                "mood[]; ['ok'::ENUM('ok')]; {ok}",
                "\"char\"; ''; ``",
            })
    void aValueTheColumnHoldsIsWritten(String type, String value, String expected) {
        table("id bigint PRIMARY KEY, v " + type);
        String rows = "SELECT 1::BIGINT AS id, " + value + " AS v UNION ALL SELECT 2, NULL";
        for (SinkWrite how : List.of(new SinkWrite.Replace(), MERGE)) {
            write(rows, how);
            assertThat(bench.database.rows("SELECT * FROM t ORDER BY id")).containsExactly("1|" + expected, "2|null");
        }
    }

    @Test
    void aNewTableGetsTheTypesOfListsAndSpans() {
        bench.database.execute("DROP TABLE IF EXISTS t CASCADE");
        Staged rows = bench.rows("SELECT [1::UTINYINT] AS a, [[1.5::DECIMAL(5,2)]] AS b, INTERVAL '1 day' AS i,"
                + " TIMETZ '24:00:00-15:59:59' AS z, '0101'::BIT AS bi, ['x'] AS v, [TIMESTAMP 'infinity'] AS ts,"
                + " ['{}'::JSON] AS j");
        try (Sink sink = bench.connector.sink(bench.database.settings(), bench.engine);
                SinkTransaction transaction = sink.begin()) {
            transaction.create(T, rows.columns(), List.of());
            transaction.write(T, rows, new SinkWrite.Append());
            transaction.commit();
        }
        assertThat(bench.database.rows("SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum)"
                        + " FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0"))
                .containsExactly("smallint[] numeric(5,2)[] interval time with time zone bit varying text[]"
                        + " timestamp without time zone[] json[]");
        assertThat(bench.database.rows("SELECT * FROM t"))
                .containsExactly("{1}|{{1.50}}|1 day|24:00:00-15:59:59|0101|{x}|{infinity}|{\"{}\"}");
    }

    @Test
    void settingsOfTheDatabaseChangeNoText() {
        table("id int PRIMARY KEY, i interval, b bytea[], f float8[], d date[], x xml, c text[]");
        bench.database.execute(
                "INSERT INTO t VALUES (1, '-1 mon 1 day', ARRAY['\\x00ff'::bytea], '{0.1}', '{2026-02-01}', 'a<b/>',"
                        + " '{NULL}')");
        for (String setting : List.of(
                "IntervalStyle = 'iso_8601'",
                "bytea_output = 'escape'",
                "extra_float_digits = -15",
                "DateStyle = 'SQL, DMY'",
                "TimeZone = 'Asia/Kolkata'",
                "xmloption = 'document'",
                "array_nulls = off")) {
            bench.database.execute("ALTER DATABASE " + bench.database.name() + " SET " + setting);
        }
        try {
            assertTextsAreTheirOwn();
        } finally {
            bench.database.execute("ALTER DATABASE " + bench.database.name() + " RESET ALL");
        }
    }

    private void assertTextsAreTheirOwn() {
        String texts = bench.stage(Bench.table("t"), textual("b", "f", "d", "x", "i", "c"))
                .relation();
        assertThat(bench.duck("SELECT id, i, b, f, d, x, c FROM " + texts))
                .containsExactly("1|-1 mons +1 day|{\"\\\\x00ff\"}|{0.1}|{2026-02-01}|a<b/>|{NULL}");
        write(
                "SELECT id, '-1 mons +1 day' AS i, x, c FROM " + texts,
                new SinkWrite.Merge(List.of("id"), Optional.empty(), true));
        assertThat(bench.database.rows(
                        "SELECT i = '-1 mon 1 day', x::text, c[1] IS NULL, count(*) OVER () FROM t ORDER BY 1"))
                .containsOnly("t|a<b/>|t|1");
    }

    private static dev.weir.connector.Column[] textual(String... names) {
        List<dev.weir.connector.Column> columns = new java.util.ArrayList<>();
        columns.add(new dev.weir.connector.Column("id", "INTEGER"));
        for (String name : names) {
            columns.add(new dev.weir.connector.Column(name, "VARCHAR"));
        }
        return columns.toArray(dev.weir.connector.Column[]::new);
    }

    @Test
    void keysAreCastBeforeTheyAreCompared() {
        table("h inet, v text");
        bench.database.execute("INSERT INTO t VALUES ('10.0.0.1', 'old')");
        SinkWrite merge = new SinkWrite.Merge(List.of("h"), Optional.empty(), false);

        assertThat(write("SELECT '10.0.0.1/32' AS h, 'new' AS v UNION ALL SELECT '::1/128', 'more'", merge)
                        .rows())
                .isEqualTo(2);
        assertThat(bench.database.rows("SELECT * FROM t ORDER BY v")).containsExactly("::1|more", "10.0.0.1|new");
    }

    @ParameterizedTest
    @CsvSource({"'', 'make them one in the pipeline'", "PRIMARY KEY, 'make them one in the pipeline'"})
    void keysThatAreEqualOnlyToTheServerAreNoTwoRows(String index, String remedy) {
        table("k numeric " + index + ", v text");
        SinkWrite merge = new SinkWrite.Merge(List.of("k"), Optional.empty(), false);

        assertThatThrownBy(() -> write("SELECT '1.0' AS k, 'a' AS v UNION ALL SELECT '1.00', 'b'", merge))
                .hasMessageContaining("WR0503 pg.public.t")
                .hasMessageContaining(remedy);
    }

    @ParameterizedTest
    @CsvSource({
        "numeric, '''1''', VARCHAR",
        "inet, '''::1/128''', VARCHAR",
        "integer[], [1], INTEGER[]",
        "mood, '''ok''', VARCHAR"
    })
    void anOrderThatBothSystemsSeeDifferentlyIsRefused(String type, String value, String produced) {
        table("id bigint, v " + type);

        assertThatThrownBy(() -> write(
                        "SELECT 1::BIGINT AS id, " + value + " AS v",
                        new SinkWrite.Merge(List.of("id"), Optional.of("v"), false)))
                .hasMessageContaining(
                        "WR0503 pg.public.t: order_by: v is a " + produced + " in the pipeline and a " + type);
    }

    @Test
    void identitiesAreWrittenAsTheyCameAndGeneratedColumnsAreTheTablesOwn() {
        table("id bigint GENERATED ALWAYS AS IDENTITY, h inet, d int GENERATED ALWAYS AS (masklen(h)) STORED");
        bench.database.execute("INSERT INTO t (h) VALUES ('10.0.0.0/8')");
        assertThat(bench.duck("SELECT * FROM " + bench.stage(Bench.table("t")).relation()))
                .containsExactly("1|10.0.0.0/8|8");

        write("SELECT 41::BIGINT AS id, '10.0.0.1/16' AS h", new SinkWrite.Append());
        assertThat(bench.database.rows("SELECT * FROM t ORDER BY id"))
                .containsExactly("1|10.0.0.0/8|8", "41|10.0.0.1/16|16");
        assertThatThrownBy(() -> write("SELECT 1::BIGINT AS id, '::1/128' AS h, 1 AS d", new SinkWrite.Append()))
                .hasMessageContaining("the column d is computed by the table itself");
    }
}
