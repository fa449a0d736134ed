package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.Unrepresentable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in network byte order, and the epochs of both systems. */
final class Binary {

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Days from 1970-01-01 to 2000-01-01, where Postgres counts from. */
    static final int EPOCH_DAYS = 10_957;

    /** 5874897-12-31, the last date of Postgres, in its own count. */
    static final int LAST_DAY = 2_145_031_948;

    static final long EPOCH_MICROS = EPOCH_DAYS * 86_400_000_000L;

    /** What stands for infinity on the wire to DuckDB; its negative is the other one. */
    static final long INFINITE_MICROS = Long.MAX_VALUE;

    /** What stands for infinity on the wire to DuckDB; its negative is the other one. */
    static final int INFINITE_DAYS = Integer.MAX_VALUE;

    private Binary() {}

    static short getShort(byte[] data, int at) {
        return (short) SHORT.get(data, at);
    }

    static int getInt(byte[] data, int at) {
        return (int) INT.get(data, at);
    }

    static long getLong(byte[] data, int at) {
        return (long) LONG.get(data, at);
    }

    static void putShort(byte[] data, int at, int value) {
        SHORT.set(data, at, (short) value);
    }

    static void putInt(byte[] data, int at, int value) {
        INT.set(data, at, value);
    }

    static void putLong(byte[] data, int at, long value) {
        LONG.set(data, at, value);
    }

    /**
     * Days since 1970 of a binary date, or an infinity.
     *
     * @throws Malformed for days that Postgres does not have
     */
    static int days(byte[] data, int at) {
        int days = getInt(data, at);
        if (days == Integer.MAX_VALUE) {
            return INFINITE_DAYS;
        }
        if (days == Integer.MIN_VALUE) {
            return -INFINITE_DAYS;
        }
        if (days > LAST_DAY) {
            throw new Malformed("a date " + days + " days after 2000");
        }
        return days + EPOCH_DAYS;
    }

    /**
     * Microseconds since 1970 of a binary timestamp, or an infinity.
     *
     * @throws Unrepresentable for the years above 294247, which DuckDB does not have
     */
    static long micros(byte[] data, int at) {
        long micros = getLong(data, at);
        if (micros == Long.MAX_VALUE) {
            return INFINITE_MICROS;
        }
        if (micros == Long.MIN_VALUE) {
            return -INFINITE_MICROS;
        }
        if (micros >= Long.MAX_VALUE - EPOCH_MICROS) {
            throw new Unrepresentable(
                    "a time " + micros + " microseconds after 2000",
                    "is later than 294247-01-10, where DuckDB's timestamps end");
        }
        return micros + EPOCH_MICROS;
    }
}
