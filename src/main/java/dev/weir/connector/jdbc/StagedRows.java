package dev.weir.connector.jdbc;

import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Staged;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/**
 * Staged rows on their way out of DuckDB, a chunk of vectors at a time, so that memory does not grow with the slice.
 *
 * <p>Every failure of DuckDB's is a {@link RunException} {@code WR0502}; failures of whoever takes the rows pass through.
 * Used by one thread.
 */
public final class StagedRows {

    private final DuckSession duck;
    private final String place;
    private final Staged rows;
    private final List<String> wires;

    /** Takes one row. */
    @FunctionalInterface
    public interface Taker {

        /**
         * @param vectors one a column, in the order of the staged rows
         * @param row which row of them
         */
        void take(DuckDBReadableVector[] vectors, int row);
    }

    /**
     * @param place what failures name
     * @param wires for each staged column, SQL over {@code %s} that makes its value readable from a vector
     */
    public StagedRows(DuckSession duck, String place, Staged rows, List<String> wires) {
        this.duck = duck;
        this.place = place;
        this.rows = rows;
        this.wires = List.copyOf(wires);
    }

    /** Hands over every row. */
    public void forEach(Taker taker) {
        try (Connection connection = duck.connect();
                PreparedStatement statement = connection.prepareStatement(select());
                DuckDBChunkedResult result =
                        statement.unwrap(DuckDBPreparedStatement.class).query()) {
            long taken = 0;
            while (result.nextChunk()) {
                taken += each(result.chunk(), taker);
            }
            // DuckDB's chunks end without a word when reading them fails.
            if (taken != rows.rows()) {
                throw unreadable("only " + taken + " of " + rows.rows() + " rows came", null);
            }
        } catch (SQLException | DuckDBFunctions.FunctionException e) {
            throw unreadable(String.valueOf(e.getMessage()), e);
        }
    }

    private long each(DuckDBDataChunkReader chunk, Taker taker) throws SQLException {
        DuckDBReadableVector[] vectors = new DuckDBReadableVector[wires.size()];
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = chunk.vector(i);
        }
        int count = Math.toIntExact(chunk.rowCount());
        for (int row = 0; row < count; row++) {
            taker.take(vectors, row);
        }
        return count;
    }

    private String select() {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < wires.size(); i++) {
            String quoted = DuckSession.quoted(rows.columns().get(i).name());
            list.add(wires.get(i).replace("%s", quoted) + " AS c" + i);
        }
        return "SELECT " + String.join(", ", list) + " FROM " + rows.relation();
    }

    /**
     * The keys of a row and their values, for messages.
     *
     * @param row which one of those handed over, from 1
     * @param named the columns whose values tell which row it is
     * @return {@code id = 7, line = 2}; empty where there are no such columns
     */
    public String shown(long row, List<String> named) {
        List<String> keys = named.stream().filter(names()::contains).toList();
        if (keys.isEmpty()) {
            return "";
        }
        String list = keys.stream().map(DuckSession::quoted).collect(Collectors.joining(", "));
        try (Connection connection = duck.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT " + list + " FROM " + rows.relation() + " LIMIT 1 OFFSET " + (row - 1))) {
            if (!result.next()) {
                throw unreadable("there is no row " + row, null);
            }
            List<String> shown = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                shown.add(keys.get(i) + " = " + Excerpt.of(String.valueOf(result.getString(i + 1))));
            }
            return String.join(", ", shown);
        } catch (SQLException e) {
            throw unreadable(String.valueOf(e.getMessage()), e);
        }
    }

    private List<String> names() {
        return rows.columns().stream().map(Column::name).toList();
    }

    private RunException unreadable(String why, @Nullable Exception cause) {
        Fault fault = new Fault(
                Code.SQL,
                place,
                "the staged rows cannot be read: " + why.strip(),
                "this is DuckDB's own failure; is there room for its memory and its temporary files?");
        return cause == null ? new RunException(fault) : RunException.lasting(fault, cause);
    }

    /**
     * The failure that names a row whose value the sink cannot hold.
     *
     * @param column which column it is
     * @param named the columns whose values tell which row it is
     */
    public RunException unrepresentable(
            DuckDBReadableVector[] vectors, int row, int column, List<String> named, Unrepresentable found) {
        List<String> names = names();
        String which = named.stream()
                .filter(names::contains)
                .map(name -> name + " = " + shown(vectors[names.indexOf(name)], row))
                .collect(Collectors.joining(", "));
        return new RunException(
                Code.UNREPRESENTABLE,
                place,
                "in " + (which.isEmpty() ? "a row" : "the row with " + which) + ", column " + names.get(column)
                        + " holds " + found.value() + ", which " + found.reason(),
                "mend the value in the pipeline, or widen the column");
    }

    private static String shown(DuckDBReadableVector vector, int row) {
        if (vector.isNull(row)) {
            return "NULL";
        }
        return switch (vector.getType()) {
            case BOOLEAN -> Boolean.toString(vector.getBoolean(row));
            case BIGINT -> Long.toString(vector.getLong(row));
            case DECIMAL -> vector.getBigDecimal(row).toPlainString();
            case DOUBLE -> Double.toString(vector.getDouble(row));
            case FLOAT -> Float.toString(vector.getFloat(row));
            default -> Excerpt.of(vector.getString(row));
        };
    }
}
