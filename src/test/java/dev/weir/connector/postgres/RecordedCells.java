package dev.weir.connector.postgres;

import dev.weir.connector.ColumnWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes every chunk of a read, and makes sure that each cell is set once. */
final class RecordedCells implements ColumnWriter {

    private static final int CAPACITY = 3;

    private final int columns;
    private final List<List<String>> rows = new ArrayList<>();
    private @Nullable String[][] chunk = new String[0][];

    RecordedCells(int columns) {
        this.columns = columns;
    }

    /** Everything the read holds. */
    List<List<String>> all(CopyRead read) {
        int filled;
        do {
            chunk = new String[CAPACITY][columns];
            filled = read.fill(this);
            for (String[] row : Arrays.copyOf(chunk, filled)) {
                if (Arrays.asList(row).contains(null)) {
                    throw new AssertionError("a cell was not set in " + Arrays.toString(row));
                }
                rows.add(List.of(row));
            }
        } while (filled > 0);
        return rows;
    }

    private void set(int column, int row, String value) {
        if (chunk[row][column] != null) {
            throw new AssertionError("cell " + column + " of row " + row + " was set twice");
        }
        chunk[row][column] = value;
    }

    @Override
    public int capacity() {
        return CAPACITY;
    }

    @Override
    public void setNull(int column, int row) {
        set(column, row, "NULL");
    }

    @Override
    public void setBoolean(int column, int row, boolean value) {
        set(column, row, Boolean.toString(value));
    }

    @Override
    public void setByte(int column, int row, byte value) {
        set(column, row, Byte.toString(value));
    }

    @Override
    public void setShort(int column, int row, short value) {
        set(column, row, Short.toString(value));
    }

    @Override
    public void setInt(int column, int row, int value) {
        set(column, row, Integer.toString(value));
    }

    @Override
    public void setLong(int column, int row, long value) {
        set(column, row, Long.toString(value));
    }

    @Override
    public void setFloat(int column, int row, float value) {
        set(column, row, Float.toString(value));
    }

    @Override
    public void setDouble(int column, int row, double value) {
        set(column, row, Double.toString(value));
    }

    @Override
    public void setUtf8(int column, int row, byte[] utf8) {
        set(column, row, "'" + new String(utf8, StandardCharsets.UTF_8) + "'");
    }
}
