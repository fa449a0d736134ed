package dev.weir.connector;

import java.sql.Connection;
import java.util.List;

/** How the rows of a slice come into DuckDB. */
public sealed interface SliceRead {

    /**
     * The connector fills columns itself, and DuckDB pulls them.
     *
     * <p>Columns travel as wire types and are restored in SQL, since the driver's vectors cannot hold every value.
     */
    non-sealed interface Vectors extends SliceRead {

        /** One column on its way: what fills the vector, and the SQL that restores its value. */
        List<WireColumn> columns();

        /**
         * Fills up to {@link ColumnWriter#capacity()} rows.
         *
         * @return how many rows were filled; 0: there are no more
         * @throws dev.weir.fault.RunException when the source fails or a value cannot be represented, naming the row
         */
        int fill(ColumnWriter writer);
    }

    /**
     * Reads that together have the slice's rows, each row once. Several threads fill at once, each read by one at a time.
     *
     * @param each at least one; all have the same columns. When one fails, a fill of another under way ends soon, with the
     *     same failure
     */
    record Streams(List<? extends Vectors> each) implements SliceRead {

        public Streams {
            each = List.copyOf(each);
        }
    }

    /**
     * DuckDB reads the rows itself.
     *
     * <p>The staged table is part of the snapshot's transaction: other connections see it once the snapshot is closed.
     *
     * @param connection the connection that holds the snapshot; the staged table is created on it
     * @param select a SELECT that yields the wanted columns, by name and type
     */
    record DuckScan(Connection connection, String select) implements SliceRead {}

    /**
     * One column on its way into DuckDB.
     *
     * @param name its name in the staged table
     * @param wire what fills its vector
     * @param restored an SQL expression over {@code %s}, the quoted wire column, that gives the wanted value and type
     */
    record WireColumn(String name, Wire wire, String restored) {}

    /** What a vector on its way can hold. */
    enum Wire {
        BOOLEAN,
        TINYINT,
        SMALLINT,
        INTEGER,
        BIGINT,
        FLOAT,
        DOUBLE,
        /** UTF-8 bytes; everything else travels as text or hexadecimal. */
        VARCHAR
    }
}
