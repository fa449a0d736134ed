package dev.weir.connector.postgres;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * Finds the rows of a binary COPY in the pieces it comes in, wherever those are cut. Source of the format: PostgreSQL manual,
 * "COPY", "Binary Format".
 *
 * <p>Used by one thread.
 */
final class CopyFrames {

    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0
    };
    private static final int HEADER = SIGNATURE.length + 4;
    private static final short END = -1;

    /** The length that stands for a NULL. */
    static final int NULL = -1;

    /** What one array of bytes holds in any machine. */
    private static final int LONGEST_ROW = Integer.MAX_VALUE - 8;

    private static final byte[] EMPTY = new byte[0];

    private final int[] starts;
    private final int[] lengths;
    private byte[] data = EMPTY;
    private int at;
    private int filled;
    private boolean headerRead;
    private boolean ended;
    private long rows;

    /** Takes one row. */
    @FunctionalInterface
    interface Taker {

        /**
         * @param data where its fields are; only while this runs
         * @param starts where each begins
         * @param lengths how long each is; {@link #NULL} for a NULL
         */
        void take(byte[] data, int[] starts, int[] lengths) throws SQLException, IOException;
    }

    /** @param fields how many each row has */
    CopyFrames(int fields) {
        this.starts = new int[fields];
        this.lengths = new int[fields];
    }

    /**
     * Hands over the rows that end in a piece.
     *
     * @param piece which is not kept
     * @throws Malformed when it is no binary COPY of so many fields
     */
    void add(byte[] piece, Taker taker) throws SQLException, IOException {
        join(piece);
        while (nextRow()) {
            taker.take(data, starts, lengths);
        }
        if (ended && at < filled) {
            throw new Malformed("something came after the end mark");
        }
        keepRest(piece);
    }

    /** How many rows were handed over. */
    long rows() {
        return rows;
    }

    /** Sees to it that the end mark has come. */
    void end() {
        if (!ended) {
            throw new Malformed("the rows ended without their end mark");
        }
    }

    private void join(byte[] piece) {
        int left = filled - at;
        if (left == 0) {
            data = piece;
            at = 0;
            filled = piece.length;
            return;
        }
        long needed = (long) left + piece.length;
        if (needed > LONGEST_ROW) {
            throw new Malformed("a row of more than " + LONGEST_ROW + " bytes came");
        }
        if (needed > data.length - at) {
            // Room for more than this, so that each byte of a long row is moved a few times at most.
            byte[] room = new byte[(int) Math.min(LONGEST_ROW, Math.max(needed, left + left / 2L))];
            System.arraycopy(data, at, room, 0, left);
            data = room;
            at = 0;
            filled = left;
        }
        System.arraycopy(piece, 0, data, filled, piece.length);
        filled += piece.length;
    }

    private void keepRest(byte[] piece) {
        if (at == filled) {
            data = EMPTY;
            at = 0;
            filled = 0;
        } else if (data == piece) {
            data = Arrays.copyOfRange(data, at, filled);
            filled -= at;
            at = 0;
        }
    }

    private boolean nextRow() {
        if (ended || !headerRead && !readHeader() || filled - at < 2) {
            return false;
        }
        int fields = Binary.getShort(data, at);
        if (fields == END) {
            at += 2;
            ended = true;
            return false;
        }
        if (fields != starts.length) {
            throw new Malformed("a row of " + fields + " fields came where " + starts.length + " were asked for");
        }
        int next = at + 2;
        for (int i = 0; i < fields; i++) {
            if (filled - next < 4) {
                return false;
            }
            int length = Binary.getInt(data, next);
            next += 4;
            if (length < NULL) {
                throw new Malformed("a field of " + length + " bytes came");
            }
            if (length > filled - next) {
                return false;
            }
            starts[i] = next;
            lengths[i] = length;
            next += Math.max(length, 0);
        }
        at = next;
        rows++;
        return true;
    }

    private boolean readHeader() {
        if (filled - at < HEADER) {
            return false;
        }
        int extension = Binary.getInt(data, at + SIGNATURE.length);
        if (!Arrays.equals(data, at, at + SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length) || extension != 0) {
            throw new Malformed("no binary COPY that weir knows came");
        }
        at += HEADER;
        headerRead = true;
        return true;
    }
}
