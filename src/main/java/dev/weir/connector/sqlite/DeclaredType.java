package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The type a column is declared with, which SQLite itself hardly looks at.
 *
 * @param written as the schema has it; empty: none, as for an expression
 */
record DeclaredType(String written) {

    /** What SQLite does to values on their way into a column. Source: SQLite manual, "Determination Of Column Affinity". */
    enum Affinity {
        INTEGER,
        TEXT,
        BLOB,
        REAL,
        NUMERIC
    }

    /** Where weir's own name says how texts are kept: SQLite would round such a value to a REAL if it could. */
    static final String DECIMAL_TEXT = "DECIMAL_TEXT";

    private static final Pattern SIZE = Pattern.compile(" ?\\([0-9, ]*\\)");
    private static final Pattern DECIMAL =
            Pattern.compile("(?:DECIMAL|NUMERIC|" + DECIMAL_TEXT + ") ?\\( ?(\\d{1,9}) ?(?:, ?(\\d{1,9}) ?)?\\)");
    private static final int GREATEST_PRECISION = 38;

    /**
     * Names with a meaning of their own; the others go by their affinity. Weir's own for types SQLite has no name for:
     * in none of them is an INT, of which SQLite would make numbers.
     */
    private static final Map<String, Kind> NAMED = Map.ofEntries(
            Map.entry("BOOLEAN", Kind.BOOLEAN),
            Map.entry("BOOL", Kind.BOOLEAN),
            Map.entry("INT1", Kind.TINYINT),
            Map.entry("INT2", Kind.SMALLINT),
            Map.entry("INT4", Kind.INTEGER),
            Map.entry("UTINYINT", Kind.UTINYINT),
            Map.entry("USMALLINT", Kind.USMALLINT),
            Map.entry("UINTEGER", Kind.UINTEGER),
            Map.entry("UBIG_TEXT", Kind.UBIGINT),
            Map.entry("HUGE_TEXT", Kind.HUGEINT),
            Map.entry("UHUGE_TEXT", Kind.UHUGEINT),
            Map.entry("BIGNUM_TEXT", Kind.BIGNUM),
            Map.entry("FLOAT4", Kind.FLOAT),
            Map.entry("STRING", Kind.VARCHAR),
            Map.entry("JSON", Kind.JSON),
            Map.entry("JSON_TEXT", Kind.JSON),
            Map.entry("BITS_TEXT", Kind.BIT),
            Map.entry("BYTEA", Kind.BLOB),
            Map.entry("BINARY", Kind.BLOB),
            Map.entry("VARBINARY", Kind.BLOB),
            Map.entry("UUID", Kind.UUID),
            Map.entry("DATE", Kind.DATE),
            Map.entry("TIME", Kind.TIME),
            Map.entry("TIMETZ_TEXT", Kind.TIMETZ),
            Map.entry("SPAN_TEXT", Kind.INTERVAL),
            Map.entry("DATETIME", Kind.TIMESTAMP),
            Map.entry("TIMESTAMP", Kind.TIMESTAMP),
            Map.entry("TIMESTAMP WITHOUT TIME ZONE", Kind.TIMESTAMP),
            Map.entry("TIMESTAMP_S", Kind.TIMESTAMP_S),
            Map.entry("TIMESTAMP_MS", Kind.TIMESTAMP_MS),
            Map.entry("TIMESTAMP_NS", Kind.TIMESTAMP_NS),
            Map.entry("TIMESTAMPTZ", Kind.TIMESTAMPTZ),
            Map.entry("TIMESTAMP WITH TIME ZONE", Kind.TIMESTAMPTZ));

    /** The names with a meaning of their own. */
    static Stream<String> names() {
        return NAMED.keySet().stream();
    }

    private String upper() {
        return written.strip().toUpperCase(Locale.ROOT).replaceAll("\\s+", " ");
    }

    Affinity affinity() {
        String upper = upper();
        if (upper.contains("INT")) {
            return Affinity.INTEGER;
        }
        if (upper.contains("CHAR") || upper.contains("CLOB") || upper.contains("TEXT")) {
            return Affinity.TEXT;
        }
        if (upper.contains("BLOB") || upper.isEmpty()) {
            return Affinity.BLOB;
        }
        boolean real = upper.contains("REAL") || upper.contains("FLOA") || upper.contains("DOUB");
        return real ? Affinity.REAL : Affinity.NUMERIC;
    }

    /** The type the column is read as where nothing else is asked for; empty: it says nothing. */
    Optional<DuckType> natural() {
        String upper = upper();
        String name = SIZE.matcher(upper).replaceAll("");
        Matcher decimal = DECIMAL.matcher(upper);
        if (decimal.matches()) {
            return decimal(decimal);
        }
        Kind named = NAMED.get(name);
        return named == null ? byAffinity(name) : Optional.of(DuckType.of(named));
    }

    private static boolean isDecimal(String name) {
        return name.equals("DECIMAL") || name.equals("NUMERIC") || name.equals(DECIMAL_TEXT);
    }

    private static Optional<DuckType> decimal(Matcher sized) {
        int precision = Integer.parseInt(sized.group(1));
        int scale = sized.group(2) == null ? 0 : Integer.parseInt(sized.group(2));
        boolean valid = precision >= 1 && precision <= GREATEST_PRECISION && scale <= precision;
        return Optional.of(valid ? DuckType.decimal(precision, scale) : DuckType.of(Kind.VARCHAR));
    }

    private Optional<DuckType> byAffinity(String name) {
        return switch (affinity()) {
            case INTEGER -> Optional.of(DuckType.of(Kind.BIGINT));
            case TEXT -> Optional.of(DuckType.of(Kind.VARCHAR));
            case REAL -> Optional.of(DuckType.of(Kind.DOUBLE));
            case BLOB -> written.isBlank() ? Optional.empty() : Optional.of(DuckType.of(Kind.BLOB));
            case NUMERIC -> isDecimal(name) ? Optional.of(DuckType.of(Kind.VARCHAR)) : Optional.empty();
        };
    }

    /** What whoever reads the column must know. */
    @Nullable
    String notice() {
        boolean number = affinity() == Affinity.NUMERIC
                && natural().filter(type -> type.kind() == Kind.VARCHAR).isPresent()
                && !upper().startsWith("STRING");
        return number
                ? "is " + written
                        + " without a precision weir can hold, and is read as text; give its type under columns:"
                : null;
    }

    /** For messages. */
    @Override
    public String toString() {
        return written.isBlank() ? "column without a declared type" : written;
    }
}
