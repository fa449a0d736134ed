package dev.weir.connector.postgres;

import dev.weir.connector.ColumnWriter;
import dev.weir.connector.SliceRead;
import dev.weir.connector.jdbc.Excerpt;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

/**
 * The rows of a binary COPY, decoded as they come.
 *
 * <p>Holds one message at a time, so that memory does not grow with the slice. The read is over when the end mark of the
 * format was seen and the server's own count is the count of rows decoded; anything else fails it. Source of the format:
 * PostgreSQL manual, "COPY", "Binary Format".
 */
final class CopyRead implements SliceRead.Vectors {

    private static final int HEADER = 19;
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0
    };
    private static final int NULL = -1;
    private static final short END = -1;

    /** A row of so many bytes is let go of as soon as it is decoded. */
    private static final int BIG_ROW = 1 << 20;

    /** What one array of bytes holds in any machine. */
    private static final int LONGEST_ROW = Integer.MAX_VALUE - 8;

    private static final byte[] EMPTY = new byte[0];

    private final Session session;
    private final String place;
    private final List<ReadColumn> columns;
    private final Decoder[] decoders;
    private final Form[] forms;
    private final int[] widths;
    private final int cursorColumn;
    private final String what;
    private final CopyOut copy;

    private byte[] data = EMPTY;
    private int at;
    private int filled;
    private final int[] starts;
    private final int[] lengths;
    private boolean headerRead;
    private boolean ended;
    private long rows;

    /**
     * @param cursorColumn which column a failure tells to name the row; negative: there is none
     * @param what a failure counts the rows of: the slice, or a part of it
     */
    CopyRead(Session session, String place, List<ReadColumn> columns, int cursorColumn, String what, CopyOut copy) {
        this.session = session;
        this.place = place;
        this.columns = List.copyOf(columns);
        this.decoders =
                columns.stream().map(column -> column.reading().decoder()).toArray(Decoder[]::new);
        this.forms = columns.stream().map(column -> column.reading().form()).toArray(Form[]::new);
        this.widths = Arrays.stream(forms).mapToInt(Form::width).toArray();
        this.cursorColumn = cursorColumn;
        this.what = what;
        this.copy = copy;
        this.starts = new int[decoders.length];
        this.lengths = new int[decoders.length];
    }

    /** Begins to read the rows of a range, or all of them; {@code what} is as for the constructor. */
    static CopyRead start(Session session, String place, ReadPlan plan, Optional<CursorRange> range, String what) {
        int cursorColumn = plan.cursor() == null ? -1 : plan.needCursor().place();
        CopyOut copy = copy(session, place, plan, range);
        return new CopyRead(session, place, plan.columns(), cursorColumn, what, copy);
    }

    /** The rows as they come. */
    static CopyOut copy(Session session, String place, ReadPlan plan, Optional<CursorRange> range) {
        String sql = "COPY (" + plan.select(range) + ") TO STDOUT (FORMAT binary)";
        return session.run(place, connection -> connection.getCopyAPI().copyOut(sql));
    }

    @Override
    public List<WireColumn> columns() {
        return columns.stream().map(ReadColumn::wired).toList();
    }

    @Override
    public int fill(ColumnWriter writer) {
        try {
            int row = 0;
            while (row < writer.capacity() && nextRow()) {
                decode(writer, row);
                row++;
            }
            return row;
        } catch (SQLException e) {
            throw session.failure(place, e);
        }
    }

    /** Whether everything was read, so that the connection can be used for something else. */
    boolean isComplete() {
        return ended;
    }

    private void decode(ColumnWriter writer, int row) {
        for (int i = 0; i < decoders.length; i++) {
            int length = lengths[i];
            if (length == NULL) {
                writer.setNull(i, row);
                continue;
            }
            // The one place that keeps decoders within their field; a width alone is the fast way.
            if (length != widths[i] && !forms[i].holds(data, starts[i], length)) {
                throw broken("column " + columns.get(i).name() + " came with " + length + " bytes that are no "
                        + columns.get(i).type().written());
            }
            try {
                decoders[i].decode(data, starts[i], length, writer, i, row);
            } catch (Unrepresentable e) {
                throw unrepresentable(columns.get(i), e);
            } catch (Malformed e) {
                throw broken("column " + columns.get(i).name() + " came with " + e.getMessage());
            }
        }
        rows++;
        // What was decoded is copied; the message too would double a big row while DuckDB takes it over.
        if (at == filled && at >= BIG_ROW) {
            forget();
        }
    }

    private void forget() {
        data = EMPTY;
        at = 0;
        filled = 0;
    }

    private RunException unrepresentable(ReadColumn column, Unrepresentable found) {
        String which = "row " + (rows + 1) + " of " + what;
        if (cursorColumn >= 0 && lengths[cursorColumn] != NULL) {
            ReadColumn cursor = columns.get(cursorColumn);
            which = "the row with " + cursor.name() + " = " + shown(cursor) + " (" + which + ")";
        }
        return new RunException(
                Code.UNREPRESENTABLE,
                place,
                "in " + which + ", column " + column.name() + " holds " + Excerpt.of(found.value()) + ", which "
                        + found.reason(),
                "declare the column with a type that holds it under columns: (varchar takes any value), or mend the row");
    }

    private String shown(ReadColumn cursor) {
        try {
            return cursor.shown(data, starts[cursorColumn], lengths[cursorColumn]);
        } catch (Malformed e) {
            throw broken("column " + cursor.name() + " came with " + e.getMessage());
        }
    }

    /** Finds the fields of the next row; false: the end mark was read, and the counts agree. */
    private boolean nextRow() throws SQLException {
        if (ended) {
            return false;
        }
        if (!headerRead) {
            readHeader();
        }
        require(2);
        int fields = Binary.getShort(data, at);
        if (fields == END) {
            end();
            return false;
        }
        if (fields != decoders.length) {
            throw broken("a row of " + fields + " fields came where " + decoders.length + " were asked for");
        }
        int next = at + 2;
        for (int i = 0; i < fields; i++) {
            next = requireFrom(next, 4);
            int length = Binary.getInt(data, next);
            next += 4;
            if (length < NULL) {
                throw broken("a field of " + length + " bytes came");
            }
            if (length > 0) {
                next = requireFrom(next, length);
            }
            starts[i] = next - at;
            lengths[i] = length;
            next += Math.max(length, 0);
        }
        for (int i = 0; i < fields; i++) {
            starts[i] += at;
        }
        at = next;
        return true;
    }

    private void readHeader() throws SQLException {
        require(HEADER);
        int extension = Binary.getInt(data, at + HEADER - 4);
        if (!Arrays.equals(data, at, at + SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length) || extension < 0) {
            throw broken("no binary COPY came");
        }
        at += HEADER;
        require(extension);
        at += extension;
        headerRead = true;
    }

    private void end() throws SQLException {
        if (filled - at > 2 || copy.readFromCopy() != null) {
            throw broken("something came after the end mark");
        }
        if (copy.getHandledRowCount() != rows) {
            throw broken("the server sent " + copy.getHandledRowCount() + " rows and " + rows + " came");
        }
        forget();
        ended = true;
    }

    private void require(int bytes) throws SQLException {
        requireFrom(at, bytes);
    }

    /**
     * Makes that many bytes available from a place at or after the row's beginning.
     *
     * @return the same place, which moves when another message is joined
     */
    private int requireFrom(int from, int bytes) throws SQLException {
        int place = from;
        while (filled - place < bytes) {
            int ahead = place - at;
            join();
            place = at + ahead;
        }
        return place;
    }

    /**
     * A server sends a row a message; what stands between may cut them otherwise. The room for a row that comes in pieces
     * grows by half of what is there, so that each byte is moved a few times at most.
     */
    private void join() throws SQLException {
        int left = filled - at;
        if (left == 0) {
            forget();
        }
        byte @Nullable [] message = copy.readFromCopy();
        if (message == null) {
            throw broken("the rows ended without their end mark");
        }
        if (left == 0) {
            data = message;
            filled = message.length;
            return;
        }
        long needed = (long) left + message.length;
        if (needed > LONGEST_ROW) {
            throw broken("a row of more than " + LONGEST_ROW + " bytes came");
        }
        if (needed > data.length - at) {
            byte[] room = new byte[(int) Math.min(LONGEST_ROW, Math.max(needed, left + left / 2L))];
            System.arraycopy(data, at, room, 0, left);
            data = room;
            at = 0;
        }
        System.arraycopy(message, 0, data, at + left, message.length);
        filled = at + left + message.length;
    }

    private RunException broken(String what) {
        return session.failures()
                .of(place, "the COPY of the slice is broken: " + what, "run again; nothing of it was kept");
    }
}
