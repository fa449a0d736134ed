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
            base(1266, "time with time zone"),
            base(1114, "timestamp without time zone"),
            base(1184, "timestamp with time zone"),
            base(1186, "interval"),
            base(2950, "uuid"),
            base(114, "json"),
            base(3802, "jsonb"),
            base(790, "money"),
            base(1560, "bit"),
            base(1562, "bit varying"),
            PgType.of(0, NONE, "e", "", "an enum"),
            PgType.of(0, NONE, "b", "citext", "citext"),
            PgType.of(0, NONE, "b", "", "any other"),
            array(23, "integer"),
            array(25, "text"),
            array(1700, "numeric"),
            array(0, "any other"));

    private KnownTypes() {}

    private static PgType base(long oid, String written) {
        return PgType.of(oid, NONE, "b", "", written);
    }

    private static PgType array(long oid, String element) {
        return PgType.array(new PgType.Element(oid, base(oid, element)), NONE, element + "[]");
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
        String remark = type.remark();
        return new TypeMapping(type.written(), Optional.of(type.natural().sql()), remark == null ? "" : remark);
    }
}
