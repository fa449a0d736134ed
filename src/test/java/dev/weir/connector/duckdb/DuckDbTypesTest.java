package dev.weir.connector.duckdb;

import static dev.weir.connector.DuckSession.literal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.Column;
import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.ConnectorKit;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Source;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import java.time.Clock;
import java.util.ArrayList;
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

/** From a DuckDB table to a new one every type stays what it is, and every value. */
class DuckDbTypesTest extends ConnectorKit {

    /** Values as DuckDB prints them, or as SQL behind a {@code =}; NULL is tried with each type. */
    private static final Map<String, List<String>> GOLDEN = new LinkedHashMap<>();

    static {
        golden("BOOLEAN", "true", "false");
        golden("TINYINT", "-128", "127");
        golden("SMALLINT", "-32768", "32767");
        golden("INTEGER", "-2147483648", "2147483647");
        golden("BIGINT", "-9223372036854775808", "9223372036854775807");
        golden("HUGEINT", "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727");
        golden("UTINYINT", "0", "255");
        golden("USMALLINT", "0", "65535");
        golden("UINTEGER", "0", "4294967295");
        golden("UBIGINT", "0", "9223372036854775808", "18446744073709551615");
        golden("UHUGEINT", "0", "340282366920938463463374607431768211455");
        golden("BIGNUM", "-" + "9".repeat(200), "0", "9".repeat(200));
        golden("DECIMAL(4,4)", "-.9999", ".0000");
        golden("DECIMAL(12,2)", "-9999999999.99", "0.10");
        golden("DECIMAL(38,0)", "-" + "9".repeat(38), "9".repeat(38));
        golden("DECIMAL(38,38)", "." + "9".repeat(38));
        golden("FLOAT", "-inf", "-3.4028235e+38", "-0.0", "0.0", "1e-45", "0.1", "inf", "nan");
        golden(
                "DOUBLE",
                "-inf",
                "-1.7976931348623157e+308",
                "-0.0",
                "0.0",
                "5e-324",
                "0.30000000000000004",
                "9007199254740992.0",
                "inf",
                "nan");
        golden("VARCHAR", "", " ", "NULL", "007", "a\"b'c", "l1\r\nl2", "ä日本😀", "=concat('a', chr(0), 'b')");
        golden("VARCHAR", "=repeat('ä😀..', 2 * 1024 * 1024)");
        golden("ENUM('a', 'it''s', '')", "a", "it's", "");
        golden(
                "JSON",
                "{\"a\": 1.00000000000000000000000000000000001, \"a\": null}",
                "123456789012345678901",
                "\"\\u0000\"");
        golden("BLOB", "", "\\x00\\xFF\\x5C", "abc");
        golden("UUID", "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff");
        golden(
                "DATE",
                "-infinity",
                "5877642-06-25 (BC)",
                "0044-03-15 (BC)",
                "10000-01-01",
                "5881580-07-10",
                "infinity");
        golden("TIME", "00:00:00", "23:59:59.999999", "24:00:00");
        golden("TIME_NS", "00:00:00", "23:59:59.999999999", "24:00:00");
        golden("TIME WITH TIME ZONE", "00:00:00+15:59:59", "24:00:00-15:59:59", "10:00:00+02");
        golden(
                "INTERVAL",
                "=to_months(-2147483648) + to_days(2147483647) + to_microseconds(-9223372036854775808)",
                "1 month",
                "30 days",
                "-00:00:00.000001");
        golden("TIMESTAMP_S", "-infinity", "1969-12-31 23:59:59", "294247-01-10 04:00:54", "infinity");
        golden("TIMESTAMP_MS", "1969-12-31 23:59:59.999", "9999-12-31 23:59:59.999", "infinity");
        golden(
                "TIMESTAMP",
                "-infinity",
                "290309-12-22 (BC) 00:00:00",
                "0044-03-15 (BC) 12:30:00.000001",
                "2026-03-29 02:30:00",
                "294247-01-10 04:00:54.775806",
                "infinity");
        golden("TIMESTAMP_NS", "-infinity", "1677-09-22 00:00:00", "2262-04-11 23:47:16.854775806", "infinity");
        golden(
                "TIMESTAMP WITH TIME ZONE",
                "-infinity",
                "290309-12-22 (BC) 00:00:00+00",
                "2026-10-25 00:30:00+00",
                "294247-01-10 04:00:54.775806+00",
                "infinity");
        golden("TIMESTAMPTZ_NS", "2026-10-25 00:30:00.123456789+00");
        golden("BIT", "0", "1", "0101", "=repeat('10', 100)");
        golden("INTEGER[]", "[]", "[NULL]", "[1, NULL, -2147483648]");
        golden("DOUBLE[][]", "[[-0.0, nan], [], NULL]");
        golden("VARCHAR[]", "=['', NULL, 'NULL', 'a, b', ' x']");
        golden("INTEGER[3]", "[1, NULL, 3]");
        golden("STRUCT(\"a b\" INTEGER, c VARCHAR[])", "={'a b': NULL, 'c': ['x']}");
        golden("TUPLE(INTEGER, VARCHAR)", "=row(1, 'x')");
        golden("MAP(VARCHAR, INTEGER)", "=MAP {'': NULL, 'a=b': 1}", "{}");
        golden("UNION(n INTEGER, m INTEGER, s VARCHAR)", "=union_value(m := 1)", "=union_value(s := '1')");
        golden("VARIANT", "=5", "='5'", "={'a': [1.5, NULL]}");
        golden("GEOMETRY", "POINT (0.1 2)", "POLYGON ((0 0, 1 0, 1 1, 0 0))");
    }

    private static void golden(String type, String... values) {
        GOLDEN.computeIfAbsent(type, none -> new ArrayList<>()).addAll(List.of(values));
    }

    @Override
    protected Connector connector() {
        return new DuckDbConnector(Clock.systemUTC());
    }

    private DuckDbSystem system() {
        return new DuckDbSystem(folder, engine);
    }

    @Override
    protected ConnectionSettings settings() {
        return system().settings();
    }

    @Override
    protected void execute(String sql) {
        system().execute(sql);
    }

    @Override
    protected List<String> query(String sql) {
        return system().query(sql);
    }

    @Override
    protected Optional<String> typeName(String duckType) {
        return Optional.of(duckType);
    }

    /** One table with a column of each type: read, staged, taken through a pipeline, written to a table that weir makes. */
    @TestFactory
    Stream<DynamicTest> everyCellArrivesAsItLeft() {
        List<String> types = List.copyOf(GOLDEN.keySet());
        int rows = GOLDEN.values().stream().mapToInt(List::size).max().orElseThrow() + 1;
        execute("CREATE TABLE s (n INTEGER, " + columns(types, i -> "c" + i + " " + types.get(i)) + ")");
        for (int row = 0; row < rows; row++) {
            int n = row;
            execute("INSERT INTO s VALUES (" + n + ", "
                    + columns(types, i -> cell(GOLDEN.get(types.get(i)), n, types.get(i))) + ")");
        }
        copy();
        return IntStream.range(0, types.size()).boxed().flatMap(i -> cells("c" + i, types.get(i)));
    }

    private interface Spelled {
        String of(int column);
    }

    private static String columns(List<String> types, Spelled spelled) {
        return IntStream.range(0, types.size()).mapToObj(spelled::of).collect(Collectors.joining(", "));
    }

    private static String cell(List<String> values, int row, String type) {
        if (row >= values.size()) {
            return "NULL";
        }
        String value = values.get(row);
        return "CAST(" + (value.startsWith("=") ? value.substring(1) : literal(value)) + " AS " + type + ")";
    }

    private void copy() {
        try (Source source = connector().source(settings(), engine);
                Sink sink = connector().sink(settings(), engine)) {
            List<Column> columns = all(source, table("s"));
            assertThat(columns.stream().skip(1).map(Column::type)).containsExactlyElementsOf(GOLDEN.keySet());
            Read read = read(source, new ReadRequest(table("s"), columns, Optional.empty()), Optional.empty());
            Staged out = engine.run("out", "SELECT * FROM " + read.staged().relation());
            TableName t = TableName.parse("t");
            try (SinkTransaction transaction = sink.begin()) {
                transaction.create(t, out.columns(), List.of());
                transaction.write(t, out, new SinkWrite.Append());
                transaction.commit();
            }
            assertThat(sink.describe(t)).contains(columns);
        }
    }

    private Stream<DynamicTest> cells(String column, String type) {
        List<String> values = GOLDEN.get(type);
        List<String> found = query("SELECT CASE WHEN s." + column + " IS NOT DISTINCT FROM t." + column
                + " AND CAST(s." + column + " AS VARCHAR) IS NOT DISTINCT FROM CAST(t." + column
                + " AS VARCHAR) THEN coalesce(left(CAST(t." + column
                + " AS VARCHAR), 300), '') ELSE 'another value' END FROM s JOIN t USING (n) ORDER BY n LIMIT "
                + (values.size() + 1));
        return IntStream.rangeClosed(0, values.size()).mapToObj(i -> {
            String value = i < values.size() ? values.get(i) : "";
            return DynamicTest.dynamicTest(type + " " + (i < values.size() ? value : "NULL"), () -> {
                if (value.startsWith("=")) {
                    assertThat(found.get(i)).isNotEqualTo("another value");
                } else {
                    assertThat(found.get(i)).isEqualTo(value);
                }
            });
        });
    }

    /** The page of types, and these tests, leave out no type that this DuckDB has. */
    @Test
    void noTypeIsForgotten() {
        List<String> known =
                ask("SELECT DISTINCT logical_type FROM duckdb_types() WHERE logical_type NOT IN ('NULL', 'TYPE')");

        assertThat(DuckTypes.all().stream().map(DuckDbTypesTest::family))
                .containsAll(known)
                .containsAll(
                        GOLDEN.keySet().stream().map(DuckDbTypesTest::family).toList());
        assertThat(GOLDEN.keySet().stream().map(DuckDbTypesTest::family)).containsAll(known);
    }

    private static String family(String type) {
        if (type.endsWith("]")) {
            return type.endsWith("[]") ? "LIST" : "ARRAY";
        }
        return type.replaceAll("[(].*", "");
    }
}
