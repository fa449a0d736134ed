package dev.weir.connector.postgres;

import dev.weir.testing.Postgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.postgresql.jdbc.PgConnection;

/**
 * What a query yields in a binary COPY.
 *
 * @param rows the fields of each row as hexadecimal digits, or {@code NULL}
 */
record BinaryRows(List<List<String>> rows) {

    private static final int HEADER = 19;

    static BinaryRows of(Postgres.Database database, String query) {
        ByteBuffer bytes = ByteBuffer.wrap(stream(database, query)).position(HEADER);
        List<List<String>> rows = new ArrayList<>();
        for (int fields = bytes.getShort(); fields >= 0; fields = bytes.getShort()) {
            List<String> row = new ArrayList<>();
            for (int i = 0; i < fields; i++) {
                byte[] field = new byte[Math.max(0, bytes.getInt(bytes.position()))];
                boolean isNull = bytes.getInt() < 0;
                bytes.get(field);
                row.add(isNull ? "NULL" : HexFormat.of().formatHex(field));
            }
            rows.add(row);
        }
        return new BinaryRows(rows);
    }

    /** The whole of the COPY. */
    static byte[] stream(Postgres.Database database, String query) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Connection connection = database.connect()) {
            connection
                    .unwrap(PgConnection.class)
                    .getCopyAPI()
                    .copyOut("COPY (" + query + ") TO STDOUT (FORMAT binary)", out);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    String field(int row, int column) {
        return rows.get(row).get(column);
    }
}
