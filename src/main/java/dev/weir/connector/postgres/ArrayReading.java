package dev.weir.connector.postgres;

import dev.weir.connector.SliceRead.Wire;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.postgres.PgType.Family;
import java.util.Optional;

/**
 * How an array is read as a list: each element as it is read on its own, as text on its way.
 *
 * <p>A list of lists holds the arrays of exactly so many dimensions. DuckDB's vectors take no lists from Java, so the
 * whole of it travels as JSON, whose strings keep every text and NULL apart.
 */
final class ArrayReading {

    private ArrayReading() {}

    /** As {@link Reading#of}, for a type that is an array. */
    static Optional<Reading> of(PgType source, DuckType wanted, boolean validated) {
        int dimensions = 0;
        DuckType inner = wanted;
        while (inner.kind() == Kind.LIST) {
            inner = inner.element();
            dimensions++;
        }
        if (dimensions == 0) {
            return Optional.empty();
        }
        int depth = dimensions;
        return element(source.elements().type(), inner, validated)
                .map(element -> new Reading(
                        element.asked().equals(Reading.PLAIN) ? Reading.PLAIN : element.asked() + "[]",
                        Form.ARRAY,
                        Wire.VARCHAR,
                        restored(element, depth),
                        new ArrayDecoder(element, depth, wanted.sql())));
    }

    /** An element that is an array of its own, which only a domain makes possible, is known by its text. */
    private static Optional<Reading> element(PgType type, DuckType wanted, boolean validated) {
        return type.family() == Family.ARRAY && wanted.kind() != Kind.VARCHAR
                ? Optional.empty()
                : Reading.of(type, wanted, validated);
    }

    private static String restored(Reading element, int depth) {
        String text = "e" + depth;
        String wire = element.wire() == Wire.VARCHAR ? text : "CAST(" + text + " AS " + element.wire() + ")";
        String restored = element.restored().replace("%s", wire);
        for (int level = depth; level > 1; level--) {
            restored = "list_transform(e" + (level - 1) + ", lambda e" + level + ": " + restored + ")";
        }
        String shape = "[".repeat(depth) + "\"VARCHAR\"" + "]".repeat(depth);
        return "list_transform(from_json(%s, '" + shape + "'), lambda e1: " + restored + ")";
    }
}
