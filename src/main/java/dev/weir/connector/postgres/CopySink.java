package dev.weir.connector.postgres;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Base64;
import org.postgresql.copy.CopyIn;

/** The bytes of a binary COPY on their way out, through a buffer of fixed size however long a value is. */
final class CopySink {

    private static final int BUFFER = 1 << 16;
    private static final int SHORT_TEXT = 4_096;

    /** Base64 of a whole number of quartets, so that pieces decode on their own. */
    private static final int BASE64_PIECE = 4 * 8_192;

    private static final byte[] HEADER = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
    };

    private final Outlet outlet;
    private final byte[] buffer = new byte[BUFFER];
    private int filled;

    /** Takes bytes that are done; they are not kept. */
    @FunctionalInterface
    interface Outlet {
        void write(byte[] bytes, int from, int length) throws SQLException;
    }

    /** @param outlet takes what is put, nothing before it */
    CopySink(Outlet outlet) {
        this.outlet = outlet;
    }

    /** One that has begun a COPY. */
    static CopySink of(CopyIn copy) throws SQLException {
        CopySink sink = new CopySink(copy::writeToCopy);
        sink.put(HEADER);
        return sink;
    }

    void putByte(int value) throws SQLException {
        room(1);
        buffer[filled++] = (byte) value;
    }

    void putShort(int value) throws SQLException {
        room(2);
        Binary.putShort(buffer, filled, value);
        filled += 2;
    }

    void putInt(int value) throws SQLException {
        room(4);
        Binary.putInt(buffer, filled, value);
        filled += 4;
    }

    void putLong(long value) throws SQLException {
        room(8);
        Binary.putLong(buffer, filled, value);
        filled += 8;
    }

    void putNull() throws SQLException {
        putInt(-1);
    }

    void put(byte[] bytes) throws SQLException {
        put(bytes, 0, bytes.length);
    }

    void put(byte[] bytes, int from, int length) throws SQLException {
        if (length > buffer.length - filled) {
            flush();
        }
        if (length > buffer.length) {
            outlet.write(bytes, from, length);
            return;
        }
        System.arraycopy(bytes, from, buffer, filled, length);
        filled += length;
    }

    /** A number with its length before it. */
    void putNumeric(BigDecimal value) throws SQLException {
        byte[] room = new byte[16 + 2 * (value.precision() + Math.abs(value.scale()))];
        int length = Numerics.encode(value, room, 0);
        putInt(length);
        put(room, 0, length);
    }

    /** What is no finite number, by its sign, with its length before it. */
    void putSpecial(int sign) throws SQLException {
        putInt(8);
        putInt(0);
        putShort(sign);
        putShort(0);
    }

    /**
     * Text with its length before it, a long one piece by piece.
     *
     * @param version a byte before the text; negative: none
     */
    void putText(String text, int version) throws SQLException {
        int more = version < 0 ? 0 : 1;
        if (text.length() <= SHORT_TEXT) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            putInt(bytes.length + more);
            putVersion(version);
            put(bytes);
            return;
        }
        putInt(Math.addExact(utf8Length(text), more));
        putVersion(version);
        CharsetEncoder encoder = StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        CharBuffer chars = CharBuffer.wrap(text);
        CoderResult result;
        do {
            flush();
            ByteBuffer bytes = ByteBuffer.wrap(buffer);
            result = encoder.encode(chars, bytes, true);
            filled = bytes.position();
        } while (result.isOverflow());
    }

    private void putVersion(int version) throws SQLException {
        if (version >= 0) {
            putByte(version);
        }
    }

    private static int utf8Length(String text) {
        long length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Each half of a pair counts two of its four bytes.
            length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return Math.toIntExact(length);
    }

    /** The bytes a Base64 text stands for, with their length before them. */
    void putBase64(String text) throws SQLException {
        int padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
        putInt(text.length() / 4 * 3 - padding);
        for (int from = 0; from < text.length(); from += BASE64_PIECE) {
            String piece = text.substring(from, Math.min(text.length(), from + BASE64_PIECE));
            put(Base64.getDecoder().decode(piece));
        }
    }

    /** Writes the end mark and everything that still waits. */
    void end() throws SQLException {
        putShort(-1);
        flush();
    }

    private void room(int bytes) throws SQLException {
        if (buffer.length - filled < bytes) {
            flush();
        }
    }

    /** Hands on everything that still waits. */
    void flush() throws SQLException {
        if (filled > 0) {
            outlet.write(buffer, 0, filled);
            filled = 0;
        }
    }
}
