package dev.weir.connector.postgres;

import dev.weir.connector.RawRows;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.fault.RunException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

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
    RawRows all(CopyFrames.Pieces sent, LongConsumer progress) {
        boolean complete = false;
        try {
            RawRows rows = take(sent, progress);
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

    private RawRows take(CopyFrames.Pieces sent, LongConsumer progress) throws SQLException {
        CopyFrames frames = new CopyFrames(nulls.length, keeping(sent));
        while (frames.next()) {
            look(frames);
            if (frames.rows() % TOLD == 0) {
                progress.accept(frames.rows());
            }
        }
        progress.accept(frames.rows());
        keep(spool::end);
        return new RawSlice(session, place, plan, spool, frames.rows(), nulls, any ? cursor.value(greatest) : null);
    }

    /** The same pieces, each of which is kept on its way. */
    private CopyFrames.Pieces keeping(CopyFrames.Pieces sent) {
        return new CopyFrames.Pieces() {
            @Override
            public byte @Nullable [] next() throws SQLException {
                byte[] piece = sent.next();
                if (piece != null) {
                    keep(() -> spool.write(piece));
                }
                return piece;
            }

            @Override
            public long rows() {
                return sent.rows();
            }
        };
    }

    private interface Keeping {
        void keep() throws IOException;
    }

    private void keep(Keeping keeping) {
        try {
            keeping.keep();
        } catch (IOException e) {
            throw RawSlice.notKept(place, e);
        }
    }

    private void look(CopyFrames row) {
        for (int i = 0; i < nulls.length; i++) {
            if (row.length(i) == CopyFrames.NULL) {
                nulls[i]++;
            }
        }
        int length = row.length(cursor.place());
        if (length == CopyFrames.NULL) {
            return;
        }
        if (length != cursor.width()) {
            throw new Malformed("a cursor came with " + length + " bytes");
        }
        long value = value(row.data(), row.start(cursor.place()));
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
