package dev.weir.connector.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connector.Lossless;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LosslessTest {

    /** The values of each type that are hardest to hold. */
    private static final Map<String, List<String>> HARD = new LinkedHashMap<>();

    static {
        HARD.put("TINYINT", List.of("-128", "127"));
        HARD.put("SMALLINT", List.of("-32768", "32767"));
        HARD.put("INTEGER", List.of("-2147483648", "2147483647"));
        HARD.put("BIGINT", List.of("-9223372036854775808", "9223372036854775807"));
        HARD.put(
                "HUGEINT",
                List.of("-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"));
        HARD.put("UTINYINT", List.of("0", "255"));
        HARD.put("USMALLINT", List.of("0", "65535"));
        HARD.put("UINTEGER", List.of("0", "4294967295"));
        HARD.put("UBIGINT", List.of("0", "18446744073709551615"));
        HARD.put("UHUGEINT", List.of("0", "340282366920938463463374607431768211455"));
        HARD.put("DECIMAL(4,0)", List.of("-9999", "9999"));
        HARD.put("DECIMAL(5,2)", List.of("-999.99", "999.99"));
        HARD.put("DECIMAL(7,2)", List.of("-99999.99", "99999.99"));
        HARD.put("DECIMAL(18,0)", List.of("-999999999999999999", "999999999999999999"));
        HARD.put("DECIMAL(20,0)", List.of("-99999999999999999999", "99999999999999999999"));
        HARD.put("DECIMAL(38,0)", List.of("99999999999999999999999999999999999999"));
        HARD.put("DECIMAL(38,10)", List.of("9999999999999999999999999999.9999999999"));
        HARD.put("FLOAT", List.of("16777217", "3.4028235e38", "0.1", "inf"));
        HARD.put("DOUBLE", List.of("9007199254740993", "1.7976931348623157e308", "0.1", "-inf"));
        HARD.put("BOOLEAN", List.of("true"));
        HARD.put("DATE", List.of("2026-01-01", "0001-01-01", "infinity"));
        HARD.put("TIMESTAMP", List.of("2026-01-01 10:00:00.123456", "infinity"));
        HARD.put("TIMESTAMP_S", List.of("2026-01-01 10:00:01", "1969-12-31 23:59:59", "infinity"));
        HARD.put("TIMESTAMP_MS", List.of("2026-01-01 10:00:00.123", "1969-12-31 23:59:59.999"));
        HARD.put("TIMESTAMP_NS", List.of("2026-01-01 10:00:00.123456789"));
        HARD.put("TIMESTAMP WITH TIME ZONE", List.of("2026-01-01 10:00:00.123456+00"));
        HARD.put("TIME", List.of("10:00:00.123456"));
        HARD.put("INTERVAL", List.of("1 month 1 day 00:00:00.000001"));
        HARD.put("VARCHAR", List.of("007", "x", "1.239"));
        HARD.put("BLOB", List.of("\\x00\\xFF"));
        HARD.put("UUID", List.of("ffffffff-ffff-ffff-ffff-ffffffffffff"));
        HARD.put("JSON", List.of("{\"a\": 1}"));
        HARD.put("BIT", List.of("0101"));
    }

    /** Whatever the matrix allows, DuckDB brings back as it was. */
    @Test
    void everyPairThatIsAllowedHoldsTheHardestValues() throws SQLException {
        int allowed = 0;
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
            connection.createStatement().execute("SET TimeZone = 'UTC'");
            for (String from : HARD.keySet()) {
                for (String to : HARD.keySet()) {
                    if (Lossless.holds(from, to)) {
                        allowed++;
                        for (String value : HARD.get(from)) {
                            assertThat(comesBack(connection, from, to, value))
                                    .as("%s as %s and back: %s", from, to, value)
                                    .isTrue();
                        }
                    }
                }
            }
        }
        assertThat(allowed).isGreaterThan(HARD.size() + 50);
    }

    private static boolean comesBack(Connection connection, String from, String to, String value) throws SQLException {
        String literal = "CAST('" + value + "' AS " + from + ")";
        try (ResultSet result = connection
                .createStatement()
                .executeQuery("SELECT CAST(TRY_CAST(" + literal + " AS " + to + ") AS " + from + ") = " + literal)) {
            result.next();
            return result.getBoolean(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INTEGER[]              | BIGINT[]",
                "DECIMAL(5,2)[]         | DECIMAL(7,3)[]",
                "ENUM('a', 'b')         | VARCHAR",
                "STRUCT(a INTEGER)      | STRUCT(a INTEGER)",
                "MAP(VARCHAR, INTEGER)  | MAP(VARCHAR, INTEGER)",
            })
    void nestedTypesAreHeldByThemselvesAndListsByWiderLists(String from, String to) {
        assertThat(Lossless.holds(from, to)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BIGINT[]               | INTEGER[]",
                "INTEGER[]              | INTEGER",
                "INTEGER[3]             | INTEGER[]",
                "ENUM('a', 'b')         | ENUM('a')",
                "VARCHAR                | ENUM('a')",
                "STRUCT(a INTEGER)      | STRUCT(b INTEGER)",
                "VARCHAR                | JSON",
                "TIME                   | TIME WITH TIME ZONE",
                "TIMESTAMP              | TIMESTAMP_NS",
                "SOMETHING NEW          | SOMETHING ELSE",
            })
    void whatIsNotListedIsRefused(String from, String to) {
        assertThat(Lossless.holds(from, to)).isFalse();
    }
}
