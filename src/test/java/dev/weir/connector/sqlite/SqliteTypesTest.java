package dev.weir.connector.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.ReadRequest;
import dev.weir.connector.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Into a new SQLite table and back: the same type, the same value, kept in one way; what cannot be is refused elsewhere. */
class SqliteTypesTest extends SqliteSinkBench {

    /**
     * What becomes of a type.
     *
     * @param declared what the column is declared as
     * @param storage what SQLite keeps its values as
     * @param values as DuckDB prints them, or as SQL behind a {@code =}
     */
    private record Kept(String declared, String storage, List<String> values) {}

    private static final Map<String, Kept> GOLDEN = new LinkedHashMap<>();

    static {
        kept("BOOLEAN", "BOOLEAN", "integer", "true", "false");
        kept("TINYINT", "INT1", "integer", "-128", "127");
        kept("SMALLINT", "INT2", "integer", "-32768", "32767");
        kept("INTEGER", "INT4", "integer", "-2147483648", "2147483647");
        kept("BIGINT", "INTEGER", "integer", "-9223372036854775808", "9223372036854775807");
        kept("HUGEINT", "HUGE_TEXT", "text", "-170141183460469231731687303715884105728", "0");
        kept("UTINYINT", "UTINYINT", "integer", "0", "255");
        kept("USMALLINT", "USMALLINT", "integer", "65535");
        kept("UINTEGER", "UINTEGER", "integer", "4294967295");
        kept("UBIGINT", "UBIG_TEXT", "text", "0", "18446744073709551615");
        kept("UHUGEINT", "UHUGE_TEXT", "text", "340282366920938463463374607431768211455");
        kept("BIGNUM", "BIGNUM_TEXT", "text", "-" + "9".repeat(2000), "0", "7");
        kept("DECIMAL(4,4)", "DECIMAL_TEXT(4,4)", "text", "-.9999", ".0000", ".1000");
        kept("DECIMAL(12,2)", "DECIMAL_TEXT(12,2)", "text", "-9999999999.99", "0.10", "5.00");
        kept("DECIMAL(38,0)", "DECIMAL_TEXT(38,0)", "text", "-" + "9".repeat(38), "1");
        kept("DECIMAL(38,38)", "DECIMAL_TEXT(38,38)", "text", "-." + "9".repeat(38));
        kept("FLOAT", "FLOAT4", "real", "-inf", "-3.4028235e+38", "0.0", "1e-45", "0.1", "16777216.0", "inf");
        kept(
                "DOUBLE",
                "DOUBLE",
                "real",
                "-inf",
                "-1.7976931348623157e+308",
                "0.0",
                "5e-324",
                "0.30000000000000004",
                "9007199254740992.0",
                "1e+23",
                "inf");
        kept("VARCHAR", "TEXT", "text", "", " ", "NULL", "007", "1e5", "a\"b'c", "l1\r\nl2", "ä日本😀");
        kept("ENUM('a', '')", "TEXT", "text", "a", "");
        kept(
                "JSON",
                "JSON_TEXT",
                "text",
                "{\"a\": 1.00000000000000000000000000000000001}",
                "12",
                "null",
                "\"\\u0000\"");
        kept("BLOB", "BLOB", "blob", "", "\\x00\\xFF\\x5C", "abc");
        kept("UUID", "UUID", "text", "0000000e-0000-0000-0000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff");
        kept("DATE", "DATE", "text", "0001-01-01", "9999-12-31");
        kept("TIME", "TIME", "text", "00:00:00", "23:59:59.999999", "24:00:00");
        kept("TIME WITH TIME ZONE", "TIMETZ_TEXT", "text", "00:00:00+15:59:59", "24:00:00-15:59:59", "10:00:00.5+02");
        kept(
                "INTERVAL",
                "SPAN_TEXT",
                "text",
                "=to_months(-2147483648) + to_days(2147483647) + to_microseconds(-9223372036854775808)",
                "1 month",
                "30 days",
                "00:00:00",
                "-2 years -1 month 40 days -00:00:00.000001");
        kept("TIMESTAMP_S", "TIMESTAMP_S", "text", "1969-12-31 23:59:59", "9999-12-31 23:59:59");
        kept("TIMESTAMP_MS", "TIMESTAMP_MS", "text", "1969-12-31 23:59:59.999");
        kept("TIMESTAMP", "TIMESTAMP", "text", "0001-01-01 00:00:00", "2026-03-29 02:30:00.000001");
        kept("TIMESTAMP_NS", "TIMESTAMP_NS", "text", "1677-09-22 00:00:00", "2262-04-11 23:47:16.854775806");
        kept("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ", "text", "2026-10-25 00:30:00+00", "2026-10-25 01:30:00+00");
        kept("BIT", "BITS_TEXT", "text", "0", "1", "0101", "=repeat('10', 100)");
    }

    private static void kept(String type, String declared, String storage, String... values) {
        GOLDEN.put(type, new Kept(declared, storage, List.of(values)));
    }

    /** One table with a column of each type. */
    @TestFactory
    Stream<DynamicTest> everyCellComesBackAsItWas() {
        List<String> types = List.copyOf(GOLDEN.keySet());
        int most = GOLDEN.values().stream()
                .mapToInt(kept -> kept.values.size())
                .max()
                .orElseThrow();
        String select = IntStream.rangeClosed(0, most)
                .mapToObj(row -> "SELECT " + row + " AS n, "
                        + IntStream.range(0, types.size())
                                .mapToObj(i -> cell(types.get(i), row) + " AS c" + i)
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining(" UNION ALL "));
        write(rows(select), APPEND);
        List<String> declared = query("SELECT type FROM pragma_table_info('t')");
        Read back;
        try (Source source = connector().source(settings(), engine)) {
            ReadRequest request = new ReadRequest(table("t"), all(source, table("t")), Optional.empty());
            back = read(source, request, Optional.empty());
        }
        return IntStream.range(0, types.size())
                .boxed()
                .flatMap(i -> cells(
                        "c" + i,
                        types.get(i),
                        declared.get(i + 1),
                        back.staged().relation()));
    }

    private static String cell(String type, int row) {
        List<String> values = GOLDEN.get(type).values;
        String value = row < values.size() ? values.get(row) : "=NULL";
        String sql = value.startsWith("=") ? value.substring(1) : "'" + value.replace("'", "''") + "'";
        return "CAST(" + sql + " AS " + type + ")";
    }

    private Stream<DynamicTest> cells(String column, String type, String declared, String back) {
        Kept kept = GOLDEN.get(type);
        String storedAs = query(
                        "SELECT group_concat(DISTINCT typeof(" + column + ")) FROM t WHERE " + column + " IS NOT NULL")
                .get(0);
        List<String> found = ask("SELECT typeof(b." + column + ") || ' ' || CASE WHEN CAST(o." + column
                + " AS VARCHAR) IS NOT DISTINCT FROM CAST(b." + column + " AS VARCHAR) AND o." + column
                + " IS NOT DISTINCT FROM CAST(b." + column + " AS " + type + ") THEN coalesce(CAST(b." + column
                + " AS VARCHAR), 'NULL') ELSE 'another value' END FROM memory.staging.out AS o JOIN " + back
                + " AS b USING (n) ORDER BY n");
        String read = type.startsWith("ENUM") ? "VARCHAR" : type;
        return Stream.concat(
                Stream.of(DynamicTest.dynamicTest(type + " is kept as " + kept.declared, () -> {
                    assertThat(declared).isEqualTo(kept.declared);
                    assertThat(storedAs).isEqualTo(kept.storage);
                    assertThat(found.get(kept.values.size())).isEqualTo(read + " NULL");
                })),
                IntStream.range(0, kept.values.size()).mapToObj(i -> {
                    String value = kept.values.get(i);
                    return DynamicTest.dynamicTest(type + " " + value, () -> {
                        if (value.startsWith("=")) {
                            assertThat(found.get(i)).startsWith(read + " ").doesNotEndWith("another value");
                        } else {
                            assertThat(found.get(i)).isEqualTo(read + " " + value);
                        }
                    });
                }));
    }

    @Test
    void zeroCharactersAndSixteenMegabytesComeBack() {
        write(
                rows("SELECT concat('a', chr(0), 'b', chr(0)) AS z, repeat('ä😀..', 2 * 1024 * 1024) AS t,"
                        + " from_hex(repeat('00FF', 8 * 1024 * 1024)) AS b"),
                APPEND);
        try (Source source = connector().source(settings(), engine)) {
            read(source, new ReadRequest(table("t"), all(source, table("t")), Optional.empty()), Optional.empty());
        }

        assertThat(ask("SELECT s.z = o.z, s.t = o.t, s.b = o.b, strlen(s.z), strlen(s.t), octet_length(s.b)"
                        + " FROM memory.staging.src AS s, memory.staging.out AS o"))
                .containsExactly("true|true|true|4|16777216|16777216");
    }
}
