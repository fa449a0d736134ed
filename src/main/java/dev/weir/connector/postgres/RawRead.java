package dev.weir.connector.postgres;

import dev.weir.connector.RawRows;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.fault.RunException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

/**
 * Takes the rows of a binary COPY as they come and looks at no more of them than is needed to vouch for them: that each has
 * all its fields, that the end mark came, that there are as many as the server has counted, and where the cursor stands.
 */
final class RawRead {

    /** After how many rows it is told how far it has come. */
    private static final int TOLD = 2_048;

    private final Session session;
    private final String place;
    private final ReadPlan plan;
    private final CursorDecoder cursor;
    private final Spool spool;
    private final long[] nulls;
    private long greatest;
    private boolean any;

    /** @param folder where the rows are kept when there are many */
    RawRead(Session session, String place, ReadPlan plan, CursorDecoder cursor, Path folder) {
        this.session = session;
        this.place = place;
        this.plan = plan;
        this.cursor = cursor;
        this.spool = new Spool(folder);
        this.nulls = new long[plan.columns().size()];
    }

    /** @param progress hears now and then how many rows have come so far */
    RawRows all(CopyOut copy, LongConsumer progress) {
        boolean complete = false;
        try {
            RawRows rows = take(copy, progress);
            complete = true;
            return rows;
        } catch (SQLException e) {
            throw session.failure(place, e);
        } catch (Malformed e) {
            throw broken(e.getMessage());
        } finally {
            if (!complete) {
                spool.close();
            }
        }
    }

    private RawRows take(CopyOut copy, LongConsumer progress) throws SQLException {
        CopyFrames frames = new CopyFrames(nulls.length);
        long told = 0;
        try {
            for (byte @Nullable [] piece = copy.readFromCopy(); piece != null; piece = copy.readFromCopy()) {
                spool.write(piece);
                frames.add(piece, this::look);
                if (frames.rows() - told >= TOLD) {
                    told = frames.rows();
                    progress.accept(told);
                }
            }
            frames.end();
            spool.end();
        } catch (IOException e) {
            throw RawSlice.notKept(place, e);
        }
        if (copy.getHandledRowCount() != frames.rows()) {
            throw new Malformed(
                    "the server sent " + copy.getHandledRowCount() + " rows and " + frames.rows() + " came");
        }
        progress.accept(frames.rows());
        return new RawSlice(session, place, plan, spool, frames.rows(), nulls, any ? cursor.value(greatest) : null);
    }

    private void look(byte[] data, int[] starts, int[] lengths) {
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] == CopyFrames.NULL) {
                nulls[i]++;
            }
        }
        int length = lengths[cursor.place()];
        if (length == CopyFrames.NULL) {
            return;
        }
        if (length != cursor.width()) {
            throw new Malformed("a cursor came with " + length + " bytes");
        }
        long value = value(data, starts[cursor.place()]);
        if (cursor.isFinite(value) && (!any || value > greatest)) {
            greatest = value;
            any = true;
        }
    }

    private long value(byte[] data, int at) {
        try {
            return cursor.number().of(data, at);
        } catch (Unrepresentable e) {
            throw new Malformed("a cursor came that lies in no window: " + e.value());
        }
    }

    private RunException broken(String what) {
        return session.failures()
                .of(place, "the COPY of the slice is broken: " + what, "run again; nothing of it was kept");
    }
}
