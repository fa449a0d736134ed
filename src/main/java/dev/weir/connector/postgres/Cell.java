package dev.weir.connector.postgres;

import java.math.BigDecimal;

/** One value that is not NULL on its way out of DuckDB; asked for as what its wire SQL made of it. */
interface Cell {

    boolean getBoolean();

    long getLong();

    float getFloat();

    double getDouble();

    BigDecimal getBigDecimal();

    String getString();
}
