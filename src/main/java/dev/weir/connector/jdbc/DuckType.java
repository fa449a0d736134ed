package dev.weir.connector.jdbc;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A DuckDB type as far as other systems have something like it.
 *
 * @param kind the family
 * @param precision digits of a decimal in all; 0 for every other kind
 * @param scale digits of a decimal after the point; 0 for every other kind
 * @param written the type as it was given
 */
public record DuckType(Kind kind, int precision, int scale, String written) {

    /** The families, integers with the bits of their range. */
    public enum Kind {
        BOOLEAN("BOOLEAN"),
        TINYINT("TINYINT", 7, true),
        SMALLINT("SMALLINT", 15, true),
        INTEGER("INTEGER", 31, true),
        BIGINT("BIGINT", 63, true),
        HUGEINT("HUGEINT", 127, true),
        UTINYINT("UTINYINT", 8, false),
        USMALLINT("USMALLINT", 16, false),
        UINTEGER("UINTEGER", 32, false),
        UBIGINT("UBIGINT", 64, false),
        UHUGEINT("UHUGEINT", 128, false),
        /** A whole number of any size. */
        BIGNUM("BIGNUM"),
        DECIMAL("DECIMAL"),
        FLOAT("FLOAT"),
        DOUBLE("DOUBLE"),
        VARCHAR("VARCHAR"),
        ENUM("ENUM"),
        JSON("JSON"),
        BLOB("BLOB"),
        UUID("UUID"),
        DATE("DATE"),
        TIME("TIME"),
        TIMETZ("TIME WITH TIME ZONE"),
        INTERVAL("INTERVAL"),
        TIMESTAMP_S("TIMESTAMP_S"),
        TIMESTAMP_MS("TIMESTAMP_MS"),
        TIMESTAMP("TIMESTAMP"),
        TIMESTAMP_NS("TIMESTAMP_NS"),
        TIMESTAMPTZ("TIMESTAMP WITH TIME ZONE"),
        BIT("BIT"),
        /** Any number of values of one type, see {@link DuckType#element()}. */
        LIST("[]"),
        OTHER("");

        private final String sql;
        private final int bits;
        private final boolean signed;

        Kind(String sql) {
            this(sql, 0, false);
        }

        Kind(String sql, int bits, boolean signed) {
            this.sql = sql;
            this.bits = bits;
            this.signed = signed;
        }

        public boolean isInteger() {
            return bits > 0;
        }

        /** The least integer, inclusive. */
        public BigInteger least() {
            return signed ? BigInteger.TWO.pow(bits).negate() : BigInteger.ZERO;
        }

        /** The greatest integer, inclusive. */
        public BigInteger greatest() {
            return BigInteger.TWO.pow(bits).subtract(BigInteger.ONE);
        }

        /** How many decimal digits the greatest integer has. */
        public int integerDigits() {
            return greatest().toString().length();
        }
    }

    private static final Pattern DECIMAL = Pattern.compile("(?:DECIMAL|NUMERIC)\\((\\d+)(?:\\s*,\\s*(\\d+))?\\)");

    public static DuckType of(Kind kind) {
        return new DuckType(kind, 0, 0, kind.sql);
    }

    public static DuckType decimal(int precision, int scale) {
        return new DuckType(Kind.DECIMAL, precision, scale, "DECIMAL(" + precision + "," + scale + ")");
    }

    /** Reads a type name as DuckDB prints it, and its common aliases; {@link Kind#OTHER} where there is nothing like it. */
    public static DuckType named(String name) {
        String upper = name.strip().toUpperCase(Locale.ROOT);
        Matcher decimal = DECIMAL.matcher(upper);
        if (decimal.matches()) {
            return decimal(
                    Integer.parseInt(decimal.group(1)),
                    decimal.group(2) == null ? 0 : Integer.parseInt(decimal.group(2)));
        }
        if (upper.startsWith("ENUM(") && upper.endsWith(")")) {
            return new DuckType(Kind.ENUM, 0, 0, name);
        }
        if (upper.endsWith(Kind.LIST.sql)) {
            return new DuckType(Kind.LIST, 0, 0, name);
        }
        Kind kind =
                switch (upper) {
                    case "INT", "INT4" -> Kind.INTEGER;
                    case "INT8", "LONG" -> Kind.BIGINT;
                    case "INT2", "SHORT" -> Kind.SMALLINT;
                    case "INT1" -> Kind.TINYINT;
                    case "BOOL" -> Kind.BOOLEAN;
                    case "FLOAT4", "REAL" -> Kind.FLOAT;
                    case "FLOAT8" -> Kind.DOUBLE;
                    case "TEXT", "STRING" -> Kind.VARCHAR;
                    case "BYTEA", "VARBINARY" -> Kind.BLOB;
                    case "DATETIME" -> Kind.TIMESTAMP;
                    case "TIMESTAMPTZ" -> Kind.TIMESTAMPTZ;
                    case "TIMETZ" -> Kind.TIMETZ;
                    default -> printed(upper);
                };
        return kind == Kind.OTHER ? new DuckType(kind, 0, 0, name) : of(kind);
    }

    private static Kind printed(String upper) {
        for (Kind kind : Kind.values()) {
            if (kind != Kind.DECIMAL && kind != Kind.LIST && kind.sql.equals(upper)) {
                return kind;
            }
        }
        return Kind.OTHER;
    }

    /**
     * What a list is made of.
     *
     * @throws IllegalStateException for every other kind
     */
    public DuckType element() {
        if (kind != Kind.LIST) {
            throw new IllegalStateException(written + " is no list");
        }
        return named(written.substring(0, written.length() - Kind.LIST.sql.length()));
    }

    /** The type as DuckDB prints it. */
    public String sql() {
        return written;
    }

    /**
     * SQL over {@code %s}, a BIGINT of whole units, that gives the decimal, of at most 18 digits and with a scale: whole
     * units times the unit is exact, and much faster than reading digits.
     */
    public String fromUnits() {
        String unit = "0." + "0".repeat(scale - 1) + "1";
        return "CAST(CAST(%s AS DECIMAL(18,0)) * CAST(" + unit + " AS DECIMAL(" + scale + "," + scale + ")) AS " + sql()
                + ")";
    }
}
