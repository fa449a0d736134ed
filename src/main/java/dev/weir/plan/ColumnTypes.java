package dev.weir.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The DuckDB types a user may declare, by all their names. */
final class ColumnTypes {

    private static final Pattern DECIMAL =
            Pattern.compile("(?:decimal|numeric|dec)\\s*\\(\\s*(\\d{1,2})\\s*(?:,\\s*(\\d{1,2})\\s*)?\\)");
    private static final Pattern LENGTH =
            Pattern.compile("(varchar|char|bpchar|nvarchar|text|string)\\s*\\(\\s*\\d{1,9}\\s*\\)");
    private static final int GREATEST_PRECISION = 38;
    private static final int LONGEST = 100;

    /** The canonical name first, then the others. */
    private static final Map<String, String> NAMES = byName(List.of(
            List.of("BOOLEAN", "bool", "logical"),
            List.of("TINYINT", "int1"),
            List.of("SMALLINT", "int2", "short", "int16"),
            List.of("INTEGER", "int4", "int", "signed", "int32"),
            List.of("BIGINT", "int8", "long", "int64"),
            List.of("HUGEINT", "int128"),
            List.of("UTINYINT", "uint8"),
            List.of("USMALLINT", "uint16"),
            List.of("UINTEGER", "uint32"),
            List.of("UBIGINT", "uint64"),
            List.of("UHUGEINT", "uint128"),
            List.of("FLOAT", "float4", "real"),
            List.of("DOUBLE", "float8", "double precision"),
            List.of("VARCHAR", "char", "bpchar", "nvarchar", "text", "string"),
            List.of("BLOB", "bytea", "binary", "varbinary"),
            List.of("DATE"),
            List.of("TIME", "time without time zone"),
            List.of("TIME WITH TIME ZONE", "timetz"),
            List.of("TIMESTAMP", "datetime", "timestamp_us", "timestamp without time zone"),
            List.of("TIMESTAMP_S"),
            List.of("TIMESTAMP_MS"),
            List.of("TIMESTAMP_NS"),
            List.of("TIMESTAMP WITH TIME ZONE", "timestamptz"),
            List.of("INTERVAL"),
            List.of("UUID", "guid"),
            List.of("JSON"),
            List.of("BIT", "bitstring")));

    private ColumnTypes() {}

    private static Map<String, String> byName(List<List<String>> types) {
        Map<String, String> names = new HashMap<>();
        types.forEach(type -> type.forEach(name -> names.put(name.toLowerCase(Locale.ROOT), type.get(0))));
        return Map.copyOf(names);
    }

    /** The type as DuckDB prints it; empty when it is no type a column can be declared as. */
    static Optional<String> canonical(String written) {
        String name = written.strip().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        if (name.length() > LONGEST) {
            return Optional.empty();
        }
        if (name.endsWith("[]")) {
            return canonical(name.substring(0, name.length() - 2)).map(element -> element + "[]");
        }
        Matcher decimal = DECIMAL.matcher(name);
        if (decimal.matches()) {
            int precision = Integer.parseInt(decimal.group(1));
            int scale = decimal.group(2) == null ? 0 : Integer.parseInt(decimal.group(2));
            boolean valid = precision >= 1 && precision <= GREATEST_PRECISION && scale <= precision;
            return valid ? Optional.of("DECIMAL(" + precision + "," + scale + ")") : Optional.empty();
        }
        return Optional.ofNullable(NAMES.get(LENGTH.matcher(name).matches() ? "varchar" : name));
    }

    /** The names a misspelled one may have meant. */
    static Set<String> known() {
        return new TreeSet<>(NAMES.keySet());
    }
}
