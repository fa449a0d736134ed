package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.RawPick;
import dev.weir.connector.RawRefusedException;
import dev.weir.connector.Staged;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;

/** Puts the rows of another server's COPY into a table as they came, or the picked fields of each. */
final class RawCopy {

    private final RawSlice slice;
    private final int[] fields;

    private RawCopy(RawSlice slice, int[] fields) {
        this.slice = slice;
        this.fields = fields;
    }

    /**
     * @param types the table's types by column
     * @throws RawRefusedException when a column does not take every value as it comes
     */
    static RawCopy of(Staged rows, RawPick pick, Map<String, PgType> types) {
        if (!(pick.rows() instanceof RawSlice slice)) {
            throw new RawRefusedException("the rows are another system's");
        }
        int[] fields = rows.columns().stream()
                .mapToInt(column -> slice.field(pick.names().get(column.name())))
                .toArray();
        for (int i = 0; i < fields.length; i++) {
            Column column = rows.columns().get(i);
            if (!RawTypes.pass(slice.type(fields[i]), types.get(column.name()))) {
                throw new RawRefusedException("the bytes of " + column.name() + " may not be what its column takes");
            }
        }
        return new RawCopy(slice, fields);
    }

    /** Sends every row and the end mark. */
    void send(CopyIn copy, String place) throws SQLException {
        try (Spool.Pieces pieces = slice.pieces()) {
            if (isWhole()) {
                sendWhole(pieces, copy);
            } else {
                sendPicked(slice.frames(pieces), CopySink.of(copy));
            }
        } catch (IOException e) {
            throw RawSlice.notKept(place, e);
        } catch (Malformed e) {
            // Somebody has touched the file: reading it for decoding tells.
            throw new RawRefusedException(e);
        }
    }

    private boolean isWhole() {
        return fields.length == slice.fields()
                && IntStream.range(0, fields.length).allMatch(i -> fields[i] == i);
    }

    private static void sendWhole(Spool.Pieces pieces, CopyIn copy) throws SQLException, IOException {
        for (byte @Nullable [] piece = pieces.next(); piece != null; piece = pieces.next()) {
            copy.writeToCopy(piece, 0, piece.length);
        }
    }

    private void sendPicked(CopyFrames rows, CopySink out) throws SQLException {
        while (rows.next()) {
            out.putShort(fields.length);
            for (int field : fields) {
                out.putInt(rows.length(field));
                out.put(rows.data(), rows.start(field), Math.max(rows.length(field), 0));
            }
        }
        out.end();
    }
}
