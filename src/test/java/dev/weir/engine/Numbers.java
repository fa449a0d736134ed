package dev.weir.engine;

import dev.weir.connector.ColumnWriter;
import dev.weir.connector.SliceRead;
import dev.weir.connector.SliceRead.Wire;
import dev.weir.connector.SliceRead.WireColumn;
import java.util.List;

/** Rows 0, 1, 2, … of two columns. */
class Numbers implements SliceRead.Vectors {

    private final int rows;
    protected int next;

    Numbers(int rows) {
        this.rows = rows;
    }

    @Override
    public List<WireColumn> columns() {
        return List.of(
                new WireColumn("id", Wire.BIGINT, "%s"), new WireColumn("at", Wire.BIGINT, "make_timestamp(%s)"));
    }

    @Override
    public int fill(ColumnWriter writer) {
        int row = 0;
        while (row < writer.capacity() && next < rows) {
            writer.setLong(0, row, next);
            writer.setLong(1, row, next);
            row++;
            next++;
        }
        return row;
    }
}
