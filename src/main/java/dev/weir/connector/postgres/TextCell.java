package dev.weir.connector.postgres;

import java.math.BigDecimal;

/**
 * A value as DuckDB prints it: the element of a list.
 *
 * @param text what a cast to VARCHAR gave
 */
record TextCell(String text) implements Cell {

    @Override
    public boolean getBoolean() {
        return Boolean.parseBoolean(text);
    }

    @Override
    public long getLong() {
        return Long.parseLong(text);
    }

    @Override
    public float getFloat() {
        return isSpecial() ? (float) special() : Float.parseFloat(text);
    }

    @Override
    public double getDouble() {
        return isSpecial() ? special() : Double.parseDouble(text);
    }

    @Override
    public BigDecimal getBigDecimal() {
        return new BigDecimal(text);
    }

    @Override
    public String getString() {
        return text;
    }

    private boolean isSpecial() {
        return text.endsWith("n") || text.endsWith("f");
    }

    private double special() {
        if (text.endsWith("n")) {
            return Double.NaN;
        }
        return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
}
