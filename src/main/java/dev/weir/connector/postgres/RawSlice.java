package dev.weir.connector.postgres;

import dev.weir.connector.RawRows;
import dev.weir.connector.SliceRead;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorValue;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The bytes of one slice's binary COPY, from its header to its end mark. */
final class RawSlice implements RawRows {

    private final Session session;
    private final String place;
    private final ReadPlan plan;
    private final Spool spool;
    private final long rows;
    private final long[] nulls;
    private final @Nullable CursorValue max;

    /**
     * @param session what the source's failures are told by; it may serve others meanwhile
     * @param nulls how many there are in each column read
     */
    RawSlice(
            Session session,
            String place,
            ReadPlan plan,
            Spool spool,
            long rows,
            long[] nulls,
            @Nullable CursorValue max) {
        this.session = session;
        this.place = place;
        this.plan = plan;
        this.spool = spool;
        this.rows = rows;
        this.nulls = nulls;
        this.max = max;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public Optional<CursorValue> max() {
        return Optional.ofNullable(max);
    }

    @Override
    public long nulls(String column) {
        return nulls[field(column)];
    }

    /** Which field of a row a column is. */
    int field(String column) {
        for (int i = 0; i < plan.columns().size(); i++) {
            if (plan.columns().get(i).stagedName().equals(column)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no column " + column + " was read");
    }

    PgType type(int field) {
        return plan.columns().get(field).type();
    }

    /** How many fields a row has. */
    int fields() {
        return nulls.length;
    }

    /** The bytes, piece by piece. */
    Spool.Pieces pieces() {
        return spool.read();
    }

    /** The rows as the server has sent them, once more. */
    CopyFrames frames(Spool.Pieces pieces) {
        return new CopyFrames(fields(), sent(pieces));
    }

    private CopyFrames.Pieces sent(Spool.Pieces pieces) {
        return new CopyFrames.Pieces() {
            @Override
            public byte @Nullable [] next() {
                try {
                    return pieces.next();
                } catch (IOException e) {
                    throw notKept(place, e);
                }
            }

            @Override
            public long rows() {
                return rows;
            }
        };
    }

    @Override
    public SliceRead decoded() {
        return new CopyRead(session, place, plan.columns(), plan.needCursor().place(), "the slice", sent(pieces()));
    }

    @Override
    public void close() {
        spool.close();
    }

    /** The rows cannot be kept, or not be had again. */
    static RunException notKept(String place, IOException e) {
        return RunException.lasting(
                new Fault(
                        Code.SOURCE,
                        place,
                        "the rows of the slice could not be kept in the folder for temporary files: " + e.getMessage(),
                        "make room there, or make max_window smaller"),
                e);
    }
}
