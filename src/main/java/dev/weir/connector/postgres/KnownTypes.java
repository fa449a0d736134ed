package dev.weir.connector.postgres;

import dev.weir.connector.TypeMapping;
import java.util.List;
import java.util.Optional;

/** One type of each family as the catalog tells it, for the page of types. */
final class KnownTypes {

    private static final int NONE = -1;
    private static final List<PgType> ALL = List.of(
            base(16, "boolean"),
            base(21, "smallint"),
            base(23, "integer"),
            base(20, "bigint"),
            base(26, "oid"),
            base(700, "real"),
            base(701, "double precision"),
            numeric(12, 2),
            numeric(60, 2),
            numeric(5, -2),
            base(1700, "numeric"),
            base(25, "text"),
            base(1043, "character varying"),
            base(1042, "character"),
            base(19, "name"),
            base(17, "bytea"),
            base(1082, "date"),
            base(1083, "time without time zone"),
            base(1114, "timestamp without time zone"),
            base(1184, "timestamp with time zone"),
            base(2950, "uuid"),
            base(114, "json"),
            base(3802, "jsonb"),
            PgType.of(0, NONE, "e", "", "an enum"),
            PgType.of(0, NONE, "b", "citext", "citext"),
            PgType.of(0, NONE, "b", "", "any other"));

    private KnownTypes() {}

    private static PgType base(long oid, String written) {
        return PgType.of(oid, NONE, "b", "", written);
    }

    private static PgType numeric(int precision, int scale) {
        return PgType.of(
                1700,
                (precision << 16 | scale & 0x7ff) + 4,
                "b",
                "numeric",
                "numeric(" + precision + "," + scale + ")");
    }

    static List<TypeMapping> mappings() {
        return ALL.stream().map(KnownTypes::mapping).toList();
    }

    private static TypeMapping mapping(PgType type) {
        String notice = type.notice();
        return new TypeMapping(type.written(), Optional.of(type.natural().sql()), notice == null ? "" : notice);
    }
}
