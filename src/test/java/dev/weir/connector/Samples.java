package dev.weir.connector;

import java.util.List;

/**
 * Values of each plain type, ends and oddities included, as DuckDB prints them and ordered upwards.
 *
 * @param type a DuckDB type as DuckDB prints it
 */
public record Samples(String type, List<String> values) {

    private static Samples of(String type, String... values) {
        return new Samples(type, List.of(values));
    }

    /** Types a cursor can have. */
    public static List<Samples> cursors() {
        return List.of(
                of("SMALLINT", "-32768", "-1", "0", "32767"),
                of("INTEGER", "-2147483648", "-1", "7", "2147483647"),
                of("BIGINT", "-9223372036854775808", "-1", "9007199254740993", "9223372036854775807"),
                of("UBIGINT", "0", "9223372036854775807", "9223372036854775808", "18446744073709551615"),
                of("DECIMAL(12,2)", "-9999999999.99", "-0.01", "10.50", "9999999999.99"),
                of(
                        "DECIMAL(38,6)",
                        "-12345678901234567890123456789012.000001",
                        "0.000001",
                        "2.000000",
                        "20210917143704063398441100000000.000001"),
                of("DATE", "0001-01-01", "1969-12-31", "2026-03-29", "9999-12-31"),
                of(
                        "TIMESTAMP",
                        "0001-01-01 00:00:00",
                        "1969-12-31 23:59:59.999999",
                        "2026-03-29 02:30:00",
                        "9999-12-31 23:59:59.999999"),
                of(
                        "TIMESTAMP WITH TIME ZONE",
                        "1969-12-31 23:59:59.999999+00",
                        "2026-10-25 00:30:00+00",
                        "2026-10-25 01:30:00.000001+00",
                        "9999-12-31 23:59:59+00"));
    }

    /** Types no cursor can have. */
    public static List<Samples> others() {
        return List.of(
                of("BOOLEAN", "false", "true"),
                of("FLOAT", "-inf", "-0.0", "0.1", "3.4028235e+38", "inf", "nan"),
                of("DOUBLE", "-inf", "-0.0", "0.1", "1.7976931348623157e+308", "inf", "nan"),
                of("VARCHAR", "", " ", "007", "NULL", "\\N", "a\"b", "a,b", "l1\nl2", "l1\r\nl2", "tab\t", "ä日本😀"),
                of("BLOB", "", "\\x00\\xFF", "abc"),
                of("UUID", "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
                of("TIME", "00:00:00", "23:59:59.999999"));
    }

    @Override
    public String toString() {
        return type;
    }
}
