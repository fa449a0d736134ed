package dev.weir.connector.postgres;

import dev.weir.connector.ColumnWriter;
import dev.weir.connector.jdbc.Unrepresentable;

/** Puts one binary value that is not NULL into one cell. */
@FunctionalInterface
interface Decoder {

    /**
     * @param data holds the value
     * @param at where it begins
     * @param length how many bytes it has
     * @throws Unrepresentable when the cell's type cannot hold it
     */
    void decode(byte[] data, int at, int length, ColumnWriter writer, int column, int row);
}
