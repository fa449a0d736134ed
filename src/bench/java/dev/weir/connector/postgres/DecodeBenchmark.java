package dev.weir.connector.postgres;

import dev.weir.connector.ColumnWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a row of {@code orders} costs from the server's message to the cells of a chunk, without the server and without
 * DuckDB. With {@code -prof gc} it also says how much garbage a row leaves.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecodeBenchmark {

    private static final int ROWS = 100_000;

    private final List<byte[]> messages = SentOrders.messages(ROWS);
    private final List<ReadColumn> columns = SentOrders.columns();
    private final Chunk chunk = new Chunk(columns.size());

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public Chunk row() {
        CopyRead read = new RecordedCopy(messages, ROWS).read(columns);
        int rows = 0;
        int filled;
        do {
            filled = read.fill(chunk);
            rows += filled;
        } while (filled > 0);
        if (rows != ROWS) {
            throw new IllegalStateException(rows + " rows");
        }
        return chunk;
    }

    /** Keeps every cell until the next chunk, in plain arrays. */
    static final class Chunk implements ColumnWriter {

        private static final int CAPACITY = 2_048;

        private final long[][] numbers;
        private final byte[][][] texts;

        Chunk(int columns) {
            numbers = new long[columns][CAPACITY];
            texts = new byte[columns][CAPACITY][];
        }

        @Override
        public int capacity() {
            return CAPACITY;
        }

        @Override
        public void setNull(int column, int row) {
            numbers[column][row] = 0;
        }

        @Override
        public void setBoolean(int column, int row, boolean value) {
            numbers[column][row] = value ? 1 : 0;
        }

        @Override
        public void setByte(int column, int row, byte value) {
            numbers[column][row] = value;
        }

        @Override
        public void setShort(int column, int row, short value) {
            numbers[column][row] = value;
        }

        @Override
        public void setInt(int column, int row, int value) {
            numbers[column][row] = value;
        }

        @Override
        public void setLong(int column, int row, long value) {
            numbers[column][row] = value;
        }

        @Override
        public void setFloat(int column, int row, float value) {
            numbers[column][row] = Float.floatToRawIntBits(value);
        }

        @Override
        public void setDouble(int column, int row, double value) {
            numbers[column][row] = Double.doubleToRawLongBits(value);
        }

        @Override
        public void setUtf8(int column, int row, byte[] utf8) {
            texts[column][row] = utf8;
        }
    }
}
