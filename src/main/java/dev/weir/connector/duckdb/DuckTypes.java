package dev.weir.connector.duckdb;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** One type of each family of DuckDB's, as DuckDB prints it. */
final class DuckTypes {

    /** Families that no other system has anything like. */
    private static final List<String> ITS_OWN = List.of(
            "TIME_NS",
            "TIMESTAMPTZ_NS",
            "INTEGER[3]",
            "STRUCT(a INTEGER, b VARCHAR)",
            "TUPLE(INTEGER, VARCHAR)",
            "MAP(VARCHAR, INTEGER)",
            "UNION(n INTEGER, s VARCHAR)",
            "VARIANT",
            "GEOMETRY");

    private DuckTypes() {}

    static List<String> all() {
        return Stream.concat(
                        Arrays.stream(Kind.values())
                                .filter(kind -> kind != Kind.OTHER)
                                .map(DuckTypes::example),
                        ITS_OWN.stream())
                .toList();
    }

    private static String example(Kind kind) {
        return switch (kind) {
            case DECIMAL -> DuckType.decimal(12, 2).sql();
            case ENUM -> "ENUM('a', 'b')";
            case LIST -> "INTEGER[]";
            default -> DuckType.of(kind).sql();
        };
    }
}
