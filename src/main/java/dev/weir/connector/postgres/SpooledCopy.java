package dev.weir.connector.postgres;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

/** A COPY that was kept, as if it came from the server once more. */
final class SpooledCopy implements CopyOut {

    private static final int BINARY = 1;

    private final String place;
    private final Spool.Pieces pieces;
    private final int fields;
    private final long rows;
    private boolean active = true;

    SpooledCopy(String place, Spool.Pieces pieces, int fields, long rows) {
        this.place = place;
        this.pieces = pieces;
        this.fields = fields;
        this.rows = rows;
    }

    @Override
    public byte @Nullable [] readFromCopy() {
        if (!active) {
            return null;
        }
        try {
            byte[] piece = pieces.next();
            if (piece == null) {
                cancelCopy();
            }
            return piece;
        } catch (IOException e) {
            throw RawSlice.notKept(place, e);
        }
    }

    @Override
    public byte @Nullable [] readFromCopy(boolean block) {
        return readFromCopy();
    }

    @Override
    public void cancelCopy() {
        active = false;
        try {
            pieces.close();
        } catch (IOException e) {
            throw RawSlice.notKept(place, e);
        }
    }

    @Override
    public int getFieldCount() {
        return fields;
    }

    @Override
    public int getFormat() {
        return BINARY;
    }

    @Override
    public int getFieldFormat(int field) {
        return BINARY;
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public long getHandledRowCount() {
        return rows;
    }
}
