package dev.weir.engine;

import dev.weir.connector.ColumnWriter;
import dev.weir.connector.SliceRead.Wire;
import java.util.Arrays;
import java.util.List;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBWritableVector;

/**
 * Writes one chunk into DuckDB's vectors. Texts are kept until the chunk is done, since whole columns of them are fast;
 * the chunk ends early when they grow too large.
 */
final class ChunkWriter implements ColumnWriter {

    /** How many bytes of text a chunk may hold before it ends. */
    private static final long TEXT_BYTES = 8L << 20;

    private final int size;
    private final DuckDBWritableVector[] vectors;
    private final byte[][][] texts;
    private long textBytes;
    private int lastRow = -1;

    ChunkWriter(DuckDBDataChunkWriter chunk, List<Wire> wires) {
        this.size = Math.toIntExact(chunk.capacity());
        this.vectors = new DuckDBWritableVector[wires.size()];
        this.texts = new byte[wires.size()][][];
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = chunk.vector(i);
            texts[i] = wires.get(i) == Wire.VARCHAR ? new byte[size][] : new byte[0][];
        }
    }

    /** Hands the texts of the filled rows to DuckDB. */
    void finish(int rows) {
        for (int i = 0; i < vectors.length; i++) {
            if (texts[i].length > 0 && rows > 0) {
                vectors[i].setStringUtf8Batch(0, rows == size ? texts[i] : Arrays.copyOf(texts[i], rows));
                texts[i] = new byte[0][];
            }
        }
    }

    @Override
    public int capacity() {
        return textBytes < TEXT_BYTES ? size : Math.min(size, lastRow + 1);
    }

    @Override
    public void setNull(int column, int row) {
        lastRow = row;
        if (texts[column].length == 0) {
            vectors[column].setNull(row);
        }
    }

    @Override
    public void setBoolean(int column, int row, boolean value) {
        lastRow = row;
        vectors[column].setBoolean(row, value);
    }

    @Override
    public void setByte(int column, int row, byte value) {
        lastRow = row;
        vectors[column].setByte(row, value);
    }

    @Override
    public void setShort(int column, int row, short value) {
        lastRow = row;
        vectors[column].setShort(row, value);
    }

    @Override
    public void setInt(int column, int row, int value) {
        lastRow = row;
        vectors[column].setInt(row, value);
    }

    @Override
    public void setLong(int column, int row, long value) {
        lastRow = row;
        vectors[column].setLong(row, value);
    }

    @Override
    public void setFloat(int column, int row, float value) {
        lastRow = row;
        vectors[column].setFloat(row, value);
    }

    @Override
    public void setDouble(int column, int row, double value) {
        lastRow = row;
        vectors[column].setDouble(row, value);
    }

    @Override
    public void setUtf8(int column, int row, byte[] utf8) {
        lastRow = row;
        texts[column][row] = utf8;
        textBytes += utf8.length;
    }
}
