package dev.weir.connector.postgres;

import dev.weir.connector.ColumnWriter;
import dev.weir.connector.jdbc.Unrepresentable;

/**
 * Decodes an array of a fixed number of dimensions into JSON, its elements as strings.
 *
 * <p>Keeps the JSON of the array it is at, so it is used by one thread. Source of the format: PostgreSQL, {@code
 * array_send}: dimensions, whether there are NULLs, the elements' type, for each dimension its size and first index, and
 * the elements with their lengths.
 */
final class ArrayDecoder implements Decoder {

    /** What every array has, an empty one nothing else. */
    static final int HEADER = 12;

    private static final int NULL = -1;
    private static final int MOST_DIMENSIONS = 6;

    private final Reading element;
    private final int dimensions;
    private final String wanted;
    private final JsonText json = new JsonText();
    private final int[] sizes;
    private int at;

    /** @param wanted the list's type, for messages */
    ArrayDecoder(Reading element, int dimensions, String wanted) {
        this.element = element;
        this.dimensions = dimensions;
        this.wanted = wanted;
        this.sizes = new int[dimensions];
    }

    @Override
    public void decode(byte[] data, int start, int length, ColumnWriter writer, int column, int row) {
        int end = start + length;
        int found = Binary.getInt(data, start);
        json.clear();
        at = start + HEADER;
        if (found == 0) {
            json.open();
            json.close();
        } else {
            readSizes(data, end, found);
            list(data, end, 0);
        }
        if (at != end) {
            throw new Malformed("an array with " + (end - at) + " bytes too many");
        }
        writer.setUtf8(column, row, json.bytes());
    }

    private void readSizes(byte[] data, int end, int found) {
        if (found < 0 || found > MOST_DIMENSIONS || end - at < 8 * found) {
            throw new Malformed("an array of " + found + " dimensions");
        }
        if (found != dimensions) {
            throw new Unrepresentable("an array of " + found + " dimensions", "does not fit " + wanted);
        }
        long elements = 1;
        for (int i = 0; i < found; i++) {
            sizes[i] = Binary.getInt(data, at);
            int first = Binary.getInt(data, at + 4);
            at += 8;
            if (sizes[i] <= 0 || elements * sizes[i] > (end - at) / 4) {
                throw new Malformed("an array of more elements than bytes");
            }
            elements *= sizes[i];
            if (first != 1) {
                throw new Unrepresentable(
                        "an array whose first index is " + first, "a list, which counts from 1, does not keep");
            }
        }
    }

    private void list(byte[] data, int end, int dimension) {
        json.open();
        for (int i = 0; i < sizes[dimension]; i++) {
            if (dimension < dimensions - 1) {
                json.next();
                list(data, end, dimension + 1);
            } else {
                element(data, end);
            }
        }
        json.close();
    }

    private void element(byte[] data, int end) {
        if (end - at < 4) {
            throw new Malformed("an array that ends within its elements");
        }
        int length = Binary.getInt(data, at);
        at += 4;
        if (length == NULL) {
            json.setNull(0, 0);
            return;
        }
        if (length < 0 || length > end - at || !element.form().fits(data, at, length)) {
            throw new Malformed("an array's element of " + length + " bytes");
        }
        element.decoder().decode(data, at, length, json, 0, 0);
        at += length;
    }
}
