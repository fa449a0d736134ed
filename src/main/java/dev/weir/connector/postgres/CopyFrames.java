package dev.weir.connector.postgres;

import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

/**
 * The rows of a binary COPY in the pieces it comes in, wherever those are cut: where each field is, not what it means.
 *
 * <p>Holds one piece at a time, so that memory does not grow with the COPY. It is over when the end mark of the format was
 * seen and the sender's own count is the count of rows found. Used by one thread. Source of the format: PostgreSQL manual,
 * "COPY", "Binary Format".
 */
final class CopyFrames {

    /** The length that stands for a NULL. */
    static final int NULL = -1;

    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0
    };
    private static final int HEADER = SIGNATURE.length + 4;
    private static final short END = -1;

    /** A row of so many bytes is let go of as soon as it was used. */
    private static final int BIG_ROW = 1 << 20;

    /** What one array of bytes holds in any machine. */
    private static final int LONGEST_ROW = Integer.MAX_VALUE - 8;

    private static final byte[] EMPTY = new byte[0];

    private final Pieces pieces;
    private final int[] starts;
    private final int[] lengths;
    private byte[] data = EMPTY;
    private int at;
    private int filled;
    private boolean headerRead;
    private boolean ended;
    private long rows;

    /** Where the COPY comes from. */
    interface Pieces {

        /** The next piece, which is not changed; null: there are no more. */
        byte @Nullable [] next() throws SQLException;

        /** How many rows were sent, once there are no more. */
        long rows();

        /** Those that a server sends. */
        static Pieces of(CopyOut copy) {
            return new Pieces() {
                @Override
                public byte @Nullable [] next() throws SQLException {
                    return copy.readFromCopy();
                }

                @Override
                public long rows() {
                    return copy.getHandledRowCount();
                }
            };
        }
    }

    /** @param fields how many each row has */
    CopyFrames(int fields, Pieces pieces) {
        this.pieces = pieces;
        this.starts = new int[fields];
        this.lengths = new int[fields];
    }

    /**
     * Finds the fields of the next row.
     *
     * @return false: the end mark was read, and the counts agree
     * @throws Malformed when it is no binary COPY of so many fields, or not all of it
     */
    boolean next() throws SQLException {
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
        if (fields != starts.length) {
            throw new Malformed("a row of " + fields + " fields came where " + starts.length + " were asked for");
        }
        int next = at + 2;
        for (int i = 0; i < fields; i++) {
            next = requireFrom(next, 4);
            int length = Binary.getInt(data, next);
            next += 4;
            if (length < NULL) {
                throw new Malformed("a field of " + length + " bytes came");
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
        rows++;
        return true;
    }

    /** Where the fields of the row are, until the next one is asked for. */
    byte[] data() {
        return data;
    }

    int start(int field) {
        return starts[field];
    }

    /** {@link #NULL} for a NULL. */
    int length(int field) {
        return lengths[field];
    }

    /** How many rows were found so far. */
    long rows() {
        return rows;
    }

    /** Whether everything was read, so that whoever sent it can be used for something else. */
    boolean isOver() {
        return ended;
    }

    /** The row was used: a big one does not wait in memory for the next. */
    void letGo() {
        if (at == filled && at >= BIG_ROW) {
            forget();
        }
    }

    private void forget() {
        data = EMPTY;
        at = 0;
        filled = 0;
    }

    private void readHeader() throws SQLException {
        require(HEADER);
        int extension = Binary.getInt(data, at + SIGNATURE.length);
        if (!Arrays.equals(data, at, at + SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length) || extension < 0) {
            throw new Malformed("no binary COPY came");
        }
        at += HEADER;
        require(extension);
        at += extension;
        headerRead = true;
    }

    private void end() throws SQLException {
        if (filled - at > 2 || pieces.next() != null) {
            throw new Malformed("something came after the end mark");
        }
        if (pieces.rows() != rows) {
            throw new Malformed("the server sent " + pieces.rows() + " rows and " + rows + " came");
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
     * @return the same place, which moves when another piece is joined
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
     * A server sends a row a piece; what stands between may cut them otherwise. The room for a row that comes in several
     * grows by half of what is there, so that each byte is moved a few times at most.
     */
    private void join() throws SQLException {
        int left = filled - at;
        if (left == 0) {
            forget();
        }
        byte @Nullable [] piece = pieces.next();
        if (piece == null) {
            throw new Malformed("the rows ended without their end mark");
        }
        if (left == 0) {
            data = piece;
            filled = piece.length;
            return;
        }
        long needed = (long) left + piece.length;
        if (needed > LONGEST_ROW) {
            throw new Malformed("a row of more than " + LONGEST_ROW + " bytes came");
        }
        if (needed > data.length - at) {
            byte[] room = new byte[(int) Math.min(LONGEST_ROW, Math.max(needed, left + left / 2L))];
            System.arraycopy(data, at, room, 0, left);
            data = room;
            at = 0;
        }
        System.arraycopy(piece, 0, data, at + left, piece.length);
        filled = at + left + piece.length;
    }
}
