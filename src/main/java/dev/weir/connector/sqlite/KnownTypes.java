package dev.weir.connector.sqlite;

import dev.weir.connector.TypeMapping;
import dev.weir.connector.jdbc.DuckType;
import java.util.List;
import java.util.stream.Stream;

/** The declared types whose names mean something of their own, and some that go by their affinity, for the page of types. */
final class KnownTypes {

    private static final List<String> OTHERS = List.of(
            "INTEGER",
            "BIGINT",
            "INT",
            "TEXT",
            "VARCHAR(20)",
            "CLOB",
            "REAL",
            "DOUBLE",
            "FLOAT",
            "BLOB",
            "DECIMAL(12,2)",
            "NUMERIC(12,2)",
            DeclaredType.DECIMAL_TEXT + "(12,2)",
            "DECIMAL(60,2)",
            "NUMERIC",
            "",
            "MONEY");

    private KnownTypes() {}

    static List<TypeMapping> mappings() {
        return Stream.concat(OTHERS.stream(), DeclaredType.names().sorted())
                .map(DeclaredType::new)
                .map(KnownTypes::mapping)
                .toList();
    }

    private static TypeMapping mapping(DeclaredType type) {
        String notice = type.notice();
        return new TypeMapping(
                type.written().isEmpty() ? "none" : type.written(),
                type.natural().map(DuckType::sql),
                notice == null ? "" : notice);
    }
}
