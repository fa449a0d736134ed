package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Staged;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;

/** Streams staged rows out of DuckDB into a table of Postgres by binary COPY, a chunk at a time. */
final class StagedCopy {

    private final DuckSession duck;
    private final Session session;
    private final String place;

    StagedCopy(DuckSession duck, Session session, String place) {
        this.duck = duck;
        this.session = session;
        this.place = place;
    }

    /**
     * Copies every staged row.
     *
     * @param into the table and its columns in parentheses, in SQL
     * @param types the table's types by column
     * @param named the columns whose values name a row in a failure
     */
    void copy(Staged rows, String into, Map<String, PgType> types, List<String> named) {
        List<Encoding> encodings = rows.columns().stream()
                .map(column -> Encoding.of(DuckType.named(column.type()), types.get(column.name())))
                .toList();
        try (Connection connection = duck.connect();
                PreparedStatement statement = connection.prepareStatement(select(rows, encodings));
                DuckDBChunkedResult result =
                        statement.unwrap(DuckDBPreparedStatement.class).query()) {
            CopyIn copy = session.run(
                    place, opened -> opened.getCopyAPI().copyIn("COPY " + into + " FROM STDIN (FORMAT binary)"));
            try {
                send(rows, encodings, result, copy, named);
            } finally {
                if (copy.isActive()) {
                    cancel(copy);
                }
            }
        } catch (SQLException e) {
            throw unreadable(String.valueOf(e.getMessage()), e);
        } catch (DuckDBFunctions.FunctionException e) {
            throw unreadable(String.valueOf(e.getMessage()), e);
        }
    }

    private RunException unreadable(String why, @Nullable Exception cause) {
        Fault fault = new Fault(
                Code.SQL,
                place,
                "the staged rows cannot be read: " + why.strip(),
                "this is DuckDB's own failure; is there room for its memory and its temporary files?");
        return cause == null ? new RunException(fault) : RunException.lasting(fault, cause);
    }

    private static void cancel(CopyIn copy) {
        try {
            copy.cancelCopy();
        } catch (SQLException e) {
            // The failure that brought us here is the one to tell.
        }
    }

    private static String select(Staged rows, List<Encoding> encodings) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < encodings.size(); i++) {
            String quoted = DuckSession.quoted(rows.columns().get(i).name());
            list.add(encodings.get(i).wire().replace("%s", quoted) + " AS c" + i);
        }
        return "SELECT " + String.join(", ", list) + " FROM " + rows.relation();
    }

    private void send(
            Staged rows, List<Encoding> encodings, DuckDBChunkedResult result, CopyIn copy, List<String> named) {
        session.run(place, connection -> {
            CopySink out = new CopySink(copy);
            long sent = 0;
            while (result.nextChunk()) {
                DuckDBDataChunkReader chunk = result.chunk();
                DuckDBReadableVector[] vectors = new DuckDBReadableVector[encodings.size()];
                for (int i = 0; i < vectors.length; i++) {
                    vectors[i] = chunk.vector(i);
                }
                int count = Math.toIntExact(chunk.rowCount());
                for (int row = 0; row < count; row++) {
                    send(rows, encodings, vectors, row, out, named);
                }
                sent += count;
            }
            out.end();
            long taken = copy.endCopy();
            // DuckDB's chunks end without a word when reading them fails.
            if (sent != rows.rows()) {
                throw unreadable("only " + sent + " of " + rows.rows() + " rows came", null);
            }
            if (taken != sent) {
                throw session.failures()
                        .of(
                                place,
                                sent + " rows were sent and " + taken + " taken by the table",
                                "a trigger that drops rows? weir cannot vouch for what it is not told");
            }
            return taken;
        });
    }

    private void send(
            Staged rows,
            List<Encoding> encodings,
            DuckDBReadableVector[] vectors,
            int row,
            CopySink out,
            List<String> named)
            throws SQLException {
        out.putShort(vectors.length);
        for (int i = 0; i < vectors.length; i++) {
            if (vectors[i].isNull(row)) {
                out.putNull();
                continue;
            }
            try {
                encodings.get(i).encoder().encode(vectors[i], row, out);
            } catch (Unrepresentable e) {
                throw unrepresentable(rows, vectors, row, i, named, e);
            }
        }
    }

    private RunException unrepresentable(
            Staged rows,
            DuckDBReadableVector[] vectors,
            int row,
            int column,
            List<String> named,
            Unrepresentable found) {
        List<String> names = rows.columns().stream().map(Column::name).toList();
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
            default -> Texts.shortened(vector.getString(row));
        };
    }
}
