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

/**
 * The rows of a binary COPY, decoded as they come.
 *
 * <p>The read is over when {@link CopyFrames} says so; anything else fails it.
 */
final class CopyRead implements SliceRead.Vectors {

    private final Session session;
    private final String place;
    private final List<ReadColumn> columns;
    private final Decoder[] decoders;
    private final Form[] forms;
    private final int[] widths;
    private final int cursorColumn;
    private final String what;
    private final CopyFrames frames;

    /**
     * @param cursorColumn which column a failure tells to name the row; negative: there is none
     * @param what a failure counts the rows of: the slice, or a part of it
     */
    CopyRead(
            Session session,
            String place,
            List<ReadColumn> columns,
            int cursorColumn,
            String what,
            CopyFrames.Pieces pieces) {
        this.session = session;
        this.place = place;
        this.columns = List.copyOf(columns);
        this.decoders =
                columns.stream().map(column -> column.reading().decoder()).toArray(Decoder[]::new);
        this.forms = columns.stream().map(column -> column.reading().form()).toArray(Form[]::new);
        this.widths = Arrays.stream(forms).mapToInt(Form::width).toArray();
        this.cursorColumn = cursorColumn;
        this.what = what;
        this.frames = new CopyFrames(decoders.length, pieces);
    }

    /** Begins to read the rows of a range, or all of them; {@code what} is as for the constructor. */
    static CopyRead start(Session session, String place, ReadPlan plan, Optional<CursorRange> range, String what) {
        int cursorColumn = plan.cursor() == null ? -1 : plan.needCursor().place();
        return new CopyRead(session, place, plan.columns(), cursorColumn, what, sent(session, place, plan, range));
    }

    /** The rows as the server sends them. */
    static CopyFrames.Pieces sent(Session session, String place, ReadPlan plan, Optional<CursorRange> range) {
        String sql = "COPY (" + plan.select(range) + ") TO STDOUT (FORMAT binary)";
        return CopyFrames.Pieces.of(
                session.run(place, connection -> connection.getCopyAPI().copyOut(sql)));
    }

    @Override
    public List<WireColumn> columns() {
        return columns.stream().map(ReadColumn::wired).toList();
    }

    @Override
    public int fill(ColumnWriter writer) {
        try {
            int row = 0;
            while (row < writer.capacity() && frames.next()) {
                decode(writer, row);
                row++;
            }
            return row;
        } catch (SQLException e) {
            throw session.failure(place, e);
        } catch (Malformed e) {
            throw broken(e.getMessage());
        }
    }

    /** Whether everything was read, so that the connection can be used for something else. */
    boolean isComplete() {
        return frames.isOver();
    }

    private void decode(ColumnWriter writer, int row) {
        byte[] data = frames.data();
        for (int i = 0; i < decoders.length; i++) {
            int start = frames.start(i);
            int length = frames.length(i);
            if (length == CopyFrames.NULL) {
                writer.setNull(i, row);
                continue;
            }
            // The one place that keeps decoders within their field; a width alone is the fast way.
            if (length != widths[i] && !forms[i].holds(data, start, length)) {
                throw broken("column " + columns.get(i).name() + " came with " + length + " bytes that are no "
                        + columns.get(i).type().written());
            }
            try {
                decoders[i].decode(data, start, length, writer, i, row);
            } catch (Unrepresentable e) {
                throw unrepresentable(columns.get(i), e);
            } catch (Malformed e) {
                throw broken("column " + columns.get(i).name() + " came with " + e.getMessage());
            }
        }
        // What was decoded is copied; the piece too would double a big row while DuckDB takes it over.
        frames.letGo();
    }

    private RunException unrepresentable(ReadColumn column, Unrepresentable found) {
        String which = "row " + frames.rows() + " of " + what;
        if (cursorColumn >= 0 && frames.length(cursorColumn) != CopyFrames.NULL) {
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
            return cursor.shown(frames.data(), frames.start(cursorColumn), frames.length(cursorColumn));
        } catch (Malformed e) {
            throw broken("column " + cursor.name() + " came with " + e.getMessage());
        }
    }

    private RunException broken(String what) {
        return session.failures()
                .of(place, "the COPY of the slice is broken: " + what, "run again; nothing of it was kept");
    }
}
