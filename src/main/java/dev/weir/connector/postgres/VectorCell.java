package dev.weir.connector.postgres;

import java.math.BigDecimal;
import java.util.Objects;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/** The cell of a vector that it was last set to, so that a row makes no garbage. Used by one thread. */
final class VectorCell implements Cell {

    private @Nullable DuckDBReadableVector vector;
    private int row;

    VectorCell at(DuckDBReadableVector in, int which) {
        vector = in;
        row = which;
        return this;
    }

    private DuckDBReadableVector vector() {
        return Objects.requireNonNull(vector);
    }

    @Override
    public boolean getBoolean() {
        return vector().getBoolean(row);
    }

    @Override
    public long getLong() {
        return vector().getLong(row);
    }

    @Override
    public float getFloat() {
        return vector().getFloat(row);
    }

    @Override
    public double getDouble() {
        return vector().getDouble(row);
    }

    @Override
    public BigDecimal getBigDecimal() {
        return vector().getBigDecimal(row);
    }

    @Override
    public String getString() {
        return vector().getString(row);
    }
}
