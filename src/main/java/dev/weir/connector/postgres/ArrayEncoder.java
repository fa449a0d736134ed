package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.jdbc.Unrepresentable;
import java.io.ByteArrayOutputStream;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a list as an array of Postgres, a list of lists as one of so many dimensions.
 *
 * <p>Postgres' arrays are boxes: lists within a list must be equally long and not NULL, and only the whole of it can be
 * empty. Keeps the array it is at, so it is used by one thread. Source of the format: PostgreSQL, {@code array_recv}.
 */
final class ArrayEncoder implements Encoding.Encoder {

    private static final int UNKNOWN = -1;

    private final Encoding element;
    private final long elementOid;
    private final int dimensions;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CopySink elements = new CopySink(bytes::write);
    private final int[] sizes;
    private boolean holdsNull;

    private ArrayEncoder(Encoding element, long elementOid, int dimensions) {
        this.element = element;
        this.elementOid = elementOid;
        this.dimensions = dimensions;
        this.sizes = new int[dimensions];
    }

    /**
     * @param from a list
     * @param column an array
     */
    static Encoding of(DuckType from, PgType column) {
        int dimensions = dimensions(from);
        Encoding element = Encoding.of(innermost(from), column.elements().type());
        String wire = "CAST(" + element.wire().replace("%s", "e" + dimensions) + " AS VARCHAR)";
        for (int level = dimensions; level > 1; level--) {
            wire = "list_transform(e" + (level - 1) + ", lambda e" + level + ": " + wire + ")";
        }
        return new Encoding(
                "CAST(to_json(list_transform(%s, lambda e1: " + wire + ")) AS VARCHAR)",
                new ArrayEncoder(element, column.elements().oid(), dimensions));
    }

    static int dimensions(DuckType list) {
        return list.kind() == Kind.LIST ? 1 + dimensions(list.element()) : 0;
    }

    static DuckType innermost(DuckType list) {
        return list.kind() == Kind.LIST ? innermost(list.element()) : list;
    }

    @Override
    public void encode(Cell cell, CopySink out) throws SQLException {
        List<?> list = JsonLists.read(cell.getString());
        bytes.reset();
        Arrays.fill(sizes, UNKNOWN);
        holdsNull = false;
        putElements(list, 0);
        elements.flush();
        int filled = list.isEmpty() ? 0 : dimensions;
        out.putInt(ArrayDecoder.HEADER + 8 * filled + bytes.size());
        out.putInt(filled);
        out.putInt(holdsNull ? 1 : 0);
        out.putInt((int) elementOid);
        for (int i = 0; i < filled; i++) {
            out.putInt(sizes[i]);
            out.putInt(1);
        }
        out.put(bytes.toByteArray());
    }

    private void putElements(List<?> list, int dimension) throws SQLException {
        if (sizes[dimension] != UNKNOWN && sizes[dimension] != list.size()) {
            throw noBox("lists of different lengths");
        }
        if (dimension > 0 && list.isEmpty()) {
            throw noBox("an empty list");
        }
        sizes[dimension] = list.size();
        for (Object one : list) {
            if (dimension == dimensions - 1) {
                putElement((String) one);
            } else if (one == null) {
                throw noBox("a NULL in the place of a list");
            } else {
                putElements((List<?>) one, dimension + 1);
            }
        }
    }

    private static Unrepresentable noBox(String what) {
        return new Unrepresentable(what + " within a list", "an array of Postgres cannot hold");
    }

    private void putElement(@Nullable String text) throws SQLException {
        if (text == null) {
            holdsNull = true;
            elements.putNull();
        } else {
            element.encoder().encode(new TextCell(text), elements);
        }
    }
}
