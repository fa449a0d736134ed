package dev.weir.connector.postgres;

import dev.weir.connector.ColumnWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Lists of strings and NULLs in JSON, as UTF-8: each value that is set is the next element, as a string.
 *
 * <p>Numbers are written so that reading them gives the same bits again, NaN and the infinities as Java writes them.
 */
final class JsonText implements ColumnWriter {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[256];
    private int length;
    private boolean first;

    void clear() {
        length = 0;
        first = true;
    }

    /** Begins a list; one within another is preceded by {@link #next}. */
    void open() {
        put('[');
        first = true;
    }

    void close() {
        put(']');
        first = false;
    }

    /** Makes ready for the next element. */
    void next() {
        if (!first) {
            put(',');
        }
        first = false;
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    @Override
    public int capacity() {
        return 1;
    }

    @Override
    public void setNull(int column, int row) {
        next();
        for (byte letter : "null".getBytes(StandardCharsets.US_ASCII)) {
            put(letter);
        }
    }

    @Override
    public void setBoolean(int column, int row, boolean value) {
        string(Boolean.toString(value));
    }

    @Override
    public void setByte(int column, int row, byte value) {
        string(Byte.toString(value));
    }

    @Override
    public void setShort(int column, int row, short value) {
        string(Short.toString(value));
    }

    @Override
    public void setInt(int column, int row, int value) {
        string(Integer.toString(value));
    }

    @Override
    public void setLong(int column, int row, long value) {
        string(Long.toString(value));
    }

    @Override
    public void setFloat(int column, int row, float value) {
        string(Float.toString(value));
    }

    @Override
    public void setDouble(int column, int row, double value) {
        string(Double.toString(value));
    }

    @Override
    public void setUtf8(int column, int row, byte[] utf8) {
        string(utf8);
    }

    private void string(String ascii) {
        string(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    private void string(byte[] utf8) {
        next();
        put('"');
        for (byte letter : utf8) {
            if (letter == '"' || letter == '\\') {
                put('\\');
                put(letter);
            } else if (letter >= 0 && letter < ' ') {
                control(letter);
            } else {
                put(letter);
            }
        }
        put('"');
    }

    private void control(byte letter) {
        put('\\');
        put('u');
        put('0');
        put('0');
        put(HEX[letter >> 4]);
        put(HEX[letter & 15]);
    }

    private void put(int letter) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = (byte) letter;
    }
}
