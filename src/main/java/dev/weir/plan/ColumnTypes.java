package dev.weir.plan;

import java.util.HashMap;
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

    private static final Map<String, String> NAMES = new HashMap<>();

    static {
        names("BOOLEAN", "bool", "logical");
        names("TINYINT", "int1");
        names("SMALLINT", "int2", "short", "int16");
        names("INTEGER", "int4", "int", "signed", "int32");
        names("BIGINT", "int8", "long", "int64");
        names("HUGEINT", "int128");
        names("UTINYINT", "uint8");
        names("USMALLINT", "uint16");
        names("UINTEGER", "uint32");
        names("UBIGINT", "uint64");
        names("UHUGEINT", "uint128");
        names("FLOAT", "float4", "real");
        names("DOUBLE", "float8", "double precision");
        names("VARCHAR", "char", "bpchar", "nvarchar", "text", "string");
        names("BLOB", "bytea", "binary", "varbinary");
        names("DATE");
        names("TIME", "time without time zone");
        names("TIME WITH TIME ZONE", "timetz");
        names("TIMESTAMP", "datetime", "timestamp_us", "timestamp without time zone");
        names("TIMESTAMP_S");
        names("TIMESTAMP_MS");
        names("TIMESTAMP_NS");
        names("TIMESTAMP WITH TIME ZONE", "timestamptz");
        names("INTERVAL");
        names("UUID", "guid");
        names("JSON");
        names("BIT", "bitstring");
    }

    private ColumnTypes() {}

    private static void names(String canonical, String... others) {
        NAMES.put(canonical.toLowerCase(Locale.ROOT), canonical);
        for (String other : others) {
            NAMES.put(other, canonical);
        }
    }

    /** The type as DuckDB prints it; empty when it is no type a column can be declared as. */
    static Optional<String> canonical(String written) {
        String name = written.strip().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
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
