package dev.weir.connector.jdbc;

import dev.weir.connector.jdbc.DuckType.Kind;

/** SQL over {@code %s} that gives dates and times out of DuckDB as counts, infinities included. */
public final class StagedTimes {

    /** What stands for an infinite date, with its sign. */
    public static final int INFINITE_DAYS = Integer.MAX_VALUE;

    /** What stands for an infinite time, with its sign. */
    public static final long INFINITE_MICROS = Long.MAX_VALUE;

    /** Days since 1970-01-01. */
    public static final String DAYS = "CAST(%s - DATE '1970-01-01' AS BIGINT)";

    /** Nanoseconds since 1970, of a {@code TIMESTAMP_NS}. */
    public static final String NANOS = counted("epoch_ns(%s)", "CAST(%s AS TIMESTAMP)", "TIMESTAMP");

    private StagedTimes() {}

    /** Microseconds since 1970. */
    public static String micros(Kind kind) {
        return kind == Kind.TIMESTAMPTZ
                ? counted("epoch_us(%s)", "%s", "TIMESTAMPTZ")
                : counted("epoch_us(CAST(%s AS TIMESTAMP))", "CAST(%s AS TIMESTAMP)", "TIMESTAMP");
    }

    /** The count of an infinity is NULL in DuckDB. */
    private static String counted(String count, String value, String type) {
        return "CASE WHEN %s IS NULL THEN NULL WHEN isfinite(" + value + ") THEN " + count + " WHEN " + value + " > "
                + type + " '1970-01-01 00:00:00" + (type.equals("TIMESTAMPTZ") ? "+00" : "") + "' THEN "
                + INFINITE_MICROS + " ELSE " + -INFINITE_MICROS + " END";
    }
}
