package dev.weir.connector;

/**
 * The columns of one chunk, to be filled row by row.
 *
 * <p>Every cell of a filled row is set exactly once, by the setter of its column's {@link SliceRead.Wire} or by {@link
 * #setNull}. Rows count from 0. Used by one thread, only during the call it is given to.
 */
public interface ColumnWriter {

    /**
     * How many rows the chunk holds at most. Shrinks to the rows already filled when their texts have grown large, so
     * that memory stays bounded: ask again before each row.
     */
    int capacity();

    void setNull(int column, int row);

    void setBoolean(int column, int row, boolean value);

    void setByte(int column, int row, byte value);

    void setShort(int column, int row, short value);

    void setInt(int column, int row, int value);

    void setLong(int column, int row, long value);

    void setFloat(int column, int row, float value);

    void setDouble(int column, int row, double value);

    /** @param utf8 valid UTF-8; not changed, and not used after the chunk is done */
    void setUtf8(int column, int row, byte[] utf8);
}
