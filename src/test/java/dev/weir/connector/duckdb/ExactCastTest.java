package dev.weir.connector.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A declared type is an exact cast or a refusal that names column, value and row. */
class ExactCastTest {

    private static Connection connection;

    @BeforeAll
    static void connect() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
        connection.createStatement().execute("SET TimeZone = 'UTC'");
    }

    @AfterAll
    static void disconnect() throws SQLException {
        connection.close();
    }

    /** @param given the value as SQL, or a text that is cast to the type */
    private static String cast(String from, String given, String to) throws SQLException {
        String value = given.startsWith("=") ? given.substring(1) : "'" + given.replace("'", "''") + "'";
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE OR REPLACE TABLE t AS SELECT 7 AS id, CAST(" + value + " AS " + from + ") AS c");
            try (ResultSet result = statement.executeQuery("SELECT CAST("
                    + new ExactCast("c", "c", from, to).sql(Optional.of("'id = ' || CAST(id AS VARCHAR)"))
                    + " AS VARCHAR) FROM t")) {
                result.next();
                return String.valueOf(result.getString(1));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "DOUBLE        | -9223372036854775808       | BIGINT                   | -9223372036854775808",
                "DOUBLE        | 0.1                        | DECIMAL(12,2)            | 0.10",
                "DOUBLE        | -0.0                       | FLOAT                    | -0.0",
                "DOUBLE        | inf                        | FLOAT                    | inf",
                "DOUBLE        | nan                        | VARCHAR                  | nan",
                "HUGEINT       | 170141183460469231731687303715884105727 | VARCHAR     | 170141183460469231731687303715884105727",
                "BIGNUM        | 12                         | BIGINT                   | 12",
                "BIGNUM        | 12                         | DECIMAL(5,2)             | 12.00",
                "UHUGEINT      | 340282366920938463463374607431768211455 | BIGNUM      | 340282366920938463463374607431768211455",
                "VARCHAR       | 007                        | HUGEINT                  | 7",
                "VARCHAR       | 1e3                        | DOUBLE                   | 1000.0",
                "VARCHAR       | -Infinity                  | DOUBLE                   | -inf",
                "VARCHAR       | 1.50000                    | DECIMAL(5,2)             | 1.50",
                "VARCHAR       | true                       | BOOLEAN                  | true",
                "VARCHAR       | 00000000-0000-0000-0000-00000000000A | UUID           | 00000000-0000-0000-0000-00000000000a",
                "VARCHAR       | ` {\"a\": 1.000000000000000000000000001} ` | JSON       | ` {\"a\": 1.000000000000000000000000001} `",
                "VARCHAR       | 101                        | BIT                      | 101",
                "VARCHAR       | 24:00:00                   | TIME                     | 24:00:00",
                "VARCHAR       | 10:00:00.123456000         | TIME                     | 10:00:00.123456",
                "VARCHAR       | 10:00:00-15:59:59          | TIME WITH TIME ZONE      | 10:00:00-15:59:59",
                "VARCHAR       | 10:00:00.123456789         | TIME_NS                  | 10:00:00.123456789",
                "VARCHAR       | 1 year 2 mons -3 days -04:05:06.789 | INTERVAL        | 1 year 2 months -3 days -04:05:06.789",
                "VARCHAR       | 0044-03-15 (BC)            | DATE                     | 0044-03-15 (BC)",
                "VARCHAR       | 0044-03-15 (BC) 10:00:00   | TIMESTAMP                | 0044-03-15 (BC) 10:00:00",
                "VARCHAR       | 294247-01-10 04:00:54.775806 | TIMESTAMP              | 294247-01-10 04:00:54.775806",
                "VARCHAR       | -infinity                  | TIMESTAMP_NS             | -infinity",
                "VARCHAR       | 2026-03-29T02:30:00+02     | TIMESTAMP WITH TIME ZONE | 2026-03-29 00:30:00+00",
                "VARCHAR       | [1, 2]                     | INTEGER[]                | [1, 2]",
                "VARCHAR       | b                          | ENUM('a', 'b')           | b",
                "TIMESTAMP     | 2026-03-29 02:30:00        | TIMESTAMP WITH TIME ZONE | 2026-03-29 02:30:00+00",
                "TIMESTAMP     | infinity                   | TIMESTAMP_NS             | infinity",
                "TIMESTAMP_NS  | 2026-01-01 00:00:00.123456 | TIMESTAMP                | 2026-01-01 00:00:00.123456",
                "DATE          | -infinity                  | TIMESTAMP                | -infinity",
                "TIME WITH TIME ZONE | 10:00:00+00          | TIME                     | 10:00:00",
                "ENUM('a', 'b') | a                         | ENUM('b', 'a')           | a",
                "INTEGER[]     | [1, NULL]                  | TINYINT[]                | [1, NULL]",
                "INTEGER[3]    | [1, 2, 3]                  | BIGINT[]                 | [1, 2, 3]",
                "STRUCT(a INTEGER, b VARCHAR) | {'a': 1, 'b': x} | STRUCT(b VARCHAR, a BIGINT) | {'b': x, 'a': 1}",
                "STRUCT(a INTEGER, b VARCHAR) | {'a': 1, 'b': x} | VARCHAR             | {'a': 1, 'b': x}",
                "BLOB          | \\x00\\x27a                | VARCHAR                  | \\x00\\x27a",
                "JSON          | 12                         | BIGINT                   | 12",
            })
    void whatTheTypeHoldsIsTaken(String from, String value, String to, String expected) throws SQLException {
        assertThat(cast(from, value, to)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "DOUBLE        | 9223372036854775808        | BIGINT",
                "DOUBLE        | 18446744073709551616       | UBIGINT",
                "DOUBLE        | 2.5                        | HUGEINT",
                "DOUBLE        | -0.0                       | BIGINT",
                "DOUBLE        | -0.0                       | DECIMAL(5,2)",
                "DOUBLE        | 1.239                      | DECIMAL(5,2)",
                "DOUBLE        | inf                        | DECIMAL(5,2)",
                "DOUBLE        | 1e300                      | FLOAT",
                "UHUGEINT      | 340282366920938463463374607431768211455 | FLOAT",
                "BIGNUM        | 170141183460469231731687303715884105728 | HUGEINT",
                "BIGNUM        | =repeat('9', 400)          | DOUBLE",
                "BIGNUM[]      | [300]                      | TINYINT[]",
                "VARCHAR       | 1e400                      | DOUBLE",
                "VARCHAR       | 1e39                       | FLOAT",
                "VARCHAR       | 1_000                      | DOUBLE",
                "VARCHAR       | ` 1`                       | DOUBLE",
                "VARCHAR       | ``                         | DOUBLE",
                "VARCHAR       | ``                         | BIGINT",
                "VARCHAR       | 1.239                      | DECIMAL(5,2)",
                "VARCHAR       | 1.5                        | BIGNUM",
                "VARCHAR       | yes                        | BOOLEAN",
                "VARCHAR       | 1                          | BOOLEAN",
                "VARCHAR       | {00000000-0000-0000-0000-000000000001} | UUID",
                "VARCHAR       | 00000000000000000000000000000001 | UUID",
                "VARCHAR       | abc                        | JSON",
                "VARCHAR       | ``                         | BIT",
                "VARCHAR       | 10:00                      | TIME",
                "VARCHAR       | 10:00:00.1234567           | TIME",
                "VARCHAR       | 2026-01-01 10:00:00        | TIME",
                "VARCHAR       | 10:00:00+02                | TIME",
                "VARCHAR       | 10:00:00.1234567+00        | TIME WITH TIME ZONE",
                "VARCHAR       | 1.5 months                 | INTERVAL",
                "VARCHAR       | 00:00:00.1234567           | INTERVAL",
                "VARCHAR       | 1 day ago                  | INTERVAL",
                "VARCHAR       | ``                         | INTERVAL",
                "VARCHAR       | 2026-01-01 00:00:00+02     | TIMESTAMP",
                "VARCHAR       | 2026-01-01 00:00:00.1234567 | TIMESTAMP",
                "VARCHAR       | 2300-01-01 00:00:00        | TIMESTAMP_NS",
                "VARCHAR       | epoch                      | DATE",
                "VARCHAR       | [1, 2.7]                   | INTEGER[]",
                "VARCHAR       | c                          | ENUM('a', 'b')",
                "VARCHAR       | \\xff                      | BLOB",
                "TIMESTAMP     | 2026-01-01 10:00:00        | DATE",
                "TIMESTAMP     | 2026-01-01 10:00:00        | TIME",
                "TIMESTAMP     | 2300-01-01 00:00:00        | TIMESTAMP_NS",
                "TIMESTAMP_NS  | 2026-01-01 00:00:00.123456789 | TIMESTAMP",
                "TIMESTAMPTZ_NS | 2026-01-01 00:00:00.123456789+00 | TIMESTAMP WITH TIME ZONE",
                "TIME_NS       | 10:00:00.123456789         | TIME",
                "DATE          | 5881580-07-10              | TIMESTAMP",
                "TIME WITH TIME ZONE | 10:00:00+02          | TIME",
                "TIME          | 24:00:00                   | INTERVAL",
                "INTERVAL      | 1 day 01:00:00             | TIME",
                "ENUM('a', 'b') | a                         | ENUM('b')",
                "DOUBLE[]      | [1.5]                      | INTEGER[]",
                "DOUBLE[]      | [-0.0]                     | DECIMAL(5,2)[]",
                "INTEGER[]     | [1, 300]                   | TINYINT[]",
                "STRUCT(a INTEGER, b VARCHAR) | {'a': 1, 'b': x} | STRUCT(a INTEGER)",
                "UNION(n INTEGER, s VARCHAR) | =union_value(n := 1) | VARCHAR",
                "VARIANT       | =5                         | VARCHAR",
                "JSON          | 1.5                        | BIGINT",
                "JSON          | 1e400                      | DOUBLE",
                "JSON          | null                       | BIGINT",
                "INTEGER       | 2                          | BOOLEAN",
            })
    void whatTheTypeDoesNotHoldIsRefusedAndNamed(String from, String value, String to) {
        assertThatThrownBy(() -> cast(from, value, to))
                .hasMessageContaining("column c: ")
                .hasMessageContaining(" is no exact " + to)
                .hasMessageContaining("(row with id = 7)");
    }
}
