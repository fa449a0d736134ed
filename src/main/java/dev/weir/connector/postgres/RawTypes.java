package dev.weir.connector.postgres;

import dev.weir.connector.SourceColumn;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.postgres.PgType.Element;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the bytes of a column are those of the same value in another column, which takes every one of them as it is: neither
 * a label of an enum that the other may lack, nor a number that it would round, nor a text that it would cut.
 */
final class RawTypes {

    /** The first type that somebody has made; the numbers below are the same in every database. */
    private static final long FIRST_OWN = 16_384;

    /** The types {@link #pass} knows, as the catalog writes them, without digits and brackets. */
    private static final Set<String> KNOWN = Set.of(
            "boolean",
            "smallint",
            "integer",
            "bigint",
            "real",
            "double precision",
            "numeric",
            "bytea",
            "date",
            "time without time zone",
            "time with time zone",
            "timestamp without time zone",
            "timestamp with time zone",
            "interval",
            "uuid",
            "json",
            "jsonb",
            "text",
            "character varying");

    /** What weir writes shorter than the catalog does. */
    private static final Map<String, String> CATALOGS = Map.of(
            "time", "time without time zone",
            "timetz", "time with time zone",
            "timestamp", "timestamp without time zone",
            "timestamptz", "timestamp with time zone");

    private RawTypes() {}

    static boolean pass(PgType from, PgType to) {
        if (from.family() != to.family()) {
            return false;
        }
        return switch (from.family()) {
            case BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, BYTEA, UUID, DATE, JSON, JSONB -> true;
            case TEXT -> to.modifier() < 0;
            case NUMERIC, TIME, TIMETZ, TIMESTAMP, TIMESTAMPTZ, INTERVAL ->
                to.modifier() < 0 || to.modifier() == from.modifier();
            case ARRAY -> passElements(from.elements(), to.elements());
            default -> false;
        };
    }

    private static boolean passElements(Element from, Element to) {
        return from.oid() == to.oid() && from.oid() < FIRST_OWN && pass(from.type(), to.type());
    }

    /**
     * Whether {@link #pass} is to be expected.
     *
     * @param to the type of the other column as the catalog writes it; empty: weir will make it
     */
    static boolean likely(SourceColumn from, Optional<String> to) {
        String name = from.sourceType();
        if (!KNOWN.contains(plain(name))) {
            return false;
        }
        String other = to.orElseGet(() -> made(from));
        boolean text = plain(name).equals("character varying") && !name.endsWith("[]");
        return other.equals(name) && !text || other.equals(text ? "text" : plain(name));
    }

    private static String made(SourceColumn from) {
        String type = from.type()
                .flatMap(weir -> SinkTypes.created(DuckType.named(weir)))
                .orElse("");
        return CATALOGS.getOrDefault(type, type);
    }

    private static String plain(String written) {
        return written.replaceAll("\\(.*?\\)|\\[]", "");
    }
}
