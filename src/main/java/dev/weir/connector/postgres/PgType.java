package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.DuckType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The type of a column as the catalog tells it, domains resolved to what they are made of.
 *
 * @param family how its values travel
 * @param modifier the type's modifier, as in {@code pg_attribute.atttypmod}; -1: none
 * @param written the type as Postgres prints it, a domain by its own name: {@code numeric(12,2)}
 * @param element what an array is made of; null for every other family
 */
record PgType(
        Family family,
        int modifier,
        String written,
        @Nullable Element element) {

    /**
     * The elements of an array.
     *
     * @param oid their type's number as the array's header tells it, a domain's own
     */
    record Element(long oid, PgType type) {}

    /** Types whose binary form is the same, or that are treated as if it were. */
    enum Family {
        BOOL("boolean", Form.ONE),
        INT2("smallint", Form.TWO),
        INT4("integer", Form.FOUR),
        INT8("bigint", Form.EIGHT),
        FLOAT4("real", Form.FOUR),
        FLOAT8("double precision", Form.EIGHT),
        NUMERIC("numeric", Form.NUMERIC),
        MONEY("money", Form.EIGHT),
        /** Its binary form is its text. */
        TEXT("text", Form.BYTES),
        /** {@code char(n)}, which drops its padding when it becomes text. */
        CHAR("text", Form.BYTES),
        /** {@code name} and the one-byte {@code "char"}: the server's own. */
        NAME("text", Form.BYTES),
        ENUM("text", Form.BYTES),
        BYTEA("bytea", Form.BYTES),
        DATE("date", Form.FOUR),
        TIME("time", Form.EIGHT),
        TIMETZ("timetz", Form.TWELVE),
        TIMESTAMP("timestamp", Form.EIGHT),
        TIMESTAMPTZ("timestamptz", Form.EIGHT),
        INTERVAL("interval", Form.SIXTEEN),
        UUID("uuid", Form.SIXTEEN),
        JSON("json", Form.BYTES),
        JSONB("jsonb", Form.VERSIONED),
        OID("oid", Form.FOUR),
        /** {@code bit(n)}: so many bits, neither more nor less. */
        BIT("bit", Form.BITS),
        VARBIT("bit varying", Form.BITS),
        ARRAY("text", Form.ARRAY),
        /** Everything else, known by its text alone. */
        OTHER("text", Form.BYTES);

        private final String sql;
        private final Form form;

        Family(String sql, Form form) {
            this.sql = sql;
            this.form = form;
        }

        /** The type's plain name, for literals. */
        String sql() {
            return sql;
        }

        /** What its binary values look like. */
        Form form() {
            return form;
        }
    }

    private static final int NUMERIC_HEADER = 4;
    private static final int MAX_DECIMAL = 38;

    /**
     * The digits of a numeric.
     *
     * @param precision how many there are in all
     * @param scale how many of them are behind the point; negative: so many before it are zero and not among them
     */
    record Digits(int precision, int scale) {

        /** How many digits before the point the longest number has; negative: so many behind it are zero. */
        int whole() {
            return precision - scale;
        }

        /** The decimal that holds all of them, and zeros where these must be. */
        Digits decimal() {
            return scale < 0 ? new Digits(whole(), 0) : new Digits(Math.max(precision, scale), scale);
        }
    }

    /**
     * @param oid the type's number, no domain
     * @param kind {@code pg_type.typtype}
     * @param name {@code pg_type.typname}
     */
    static PgType of(long oid, int modifier, String kind, String name, String written) {
        return new PgType(family((int) oid, kind, name), modifier, written, null);
    }

    /** @param written the array's own name */
    static PgType array(Element element, int modifier, String written) {
        return new PgType(Family.ARRAY, modifier, written, element);
    }

    /** A type of unbounded text, as {@code text} or a list of it. */
    static PgType text() {
        return new PgType(Family.TEXT, -1, "text", null);
    }

    private static Family family(int oid, String kind, String name) {
        return switch (oid) {
            case 16 -> Family.BOOL;
            case 17 -> Family.BYTEA;
            case 18, 19 -> Family.NAME;
            case 20 -> Family.INT8;
            case 21 -> Family.INT2;
            case 23 -> Family.INT4;
            case 25, 1043 -> Family.TEXT;
            case 26 -> Family.OID;
            case 114 -> Family.JSON;
            case 700 -> Family.FLOAT4;
            case 701 -> Family.FLOAT8;
            case 790 -> Family.MONEY;
            case 1042 -> Family.CHAR;
            case 1082 -> Family.DATE;
            case 1083 -> Family.TIME;
            case 1114 -> Family.TIMESTAMP;
            case 1184 -> Family.TIMESTAMPTZ;
            case 1186 -> Family.INTERVAL;
            case 1266 -> Family.TIMETZ;
            case 1560 -> Family.BIT;
            case 1562 -> Family.VARBIT;
            case 1700 -> Family.NUMERIC;
            case 2950 -> Family.UUID;
            case 3802 -> Family.JSONB;
            default -> kind.equals("e") ? Family.ENUM : name.equals("citext") ? Family.TEXT : Family.OTHER;
        };
    }

    /** The digits a numeric holds; empty when it is not bounded. */
    Optional<Digits> digits() {
        if (family != Family.NUMERIC || modifier < NUMERIC_HEADER) {
            return Optional.empty();
        }
        int precision = (modifier - NUMERIC_HEADER) >> 16 & 0xffff;
        int scale = ((modifier - NUMERIC_HEADER & 0x7ff) ^ 0x400) - 0x400;
        return Optional.of(new Digits(precision, scale));
    }

    /**
     * How many characters a {@code varchar(n)} or {@code char(n)} holds, or bits a {@code bit(n)} or {@code
     * varbit(n)}; empty: any number.
     */
    Optional<Integer> length() {
        return switch (family) {
            case TEXT, CHAR -> modifier < NUMERIC_HEADER ? Optional.empty() : Optional.of(modifier - NUMERIC_HEADER);
            case BIT, VARBIT -> modifier < 0 ? Optional.empty() : Optional.of(modifier);
            default -> Optional.empty();
        };
    }

    /** How many digits of a second a time type holds; null: six, the finest, or it is no time type. */
    @Nullable
    Integer fractionDigits() {
        return switch (family) {
            case TIME, TIMETZ, TIMESTAMP, TIMESTAMPTZ -> modifier < 0 ? null : modifier;
            default -> null;
        };
    }

    /** What an array is made of. */
    Element elements() {
        if (element == null) {
            throw new IllegalStateException(written + " is no array");
        }
        return element;
    }

    /** The DuckDB type the values are read as, exactly; a VARCHAR holds the server's own text. */
    DuckType natural() {
        return switch (family) {
            case BOOL -> DuckType.of(DuckType.Kind.BOOLEAN);
            case INT2 -> DuckType.of(DuckType.Kind.SMALLINT);
            case INT4 -> DuckType.of(DuckType.Kind.INTEGER);
            case INT8 -> DuckType.of(DuckType.Kind.BIGINT);
            case OID -> DuckType.of(DuckType.Kind.UINTEGER);
            case FLOAT4 -> DuckType.of(DuckType.Kind.FLOAT);
            case FLOAT8 -> DuckType.of(DuckType.Kind.DOUBLE);
            case NUMERIC -> decimal().orElse(DuckType.of(DuckType.Kind.VARCHAR));
            case BYTEA -> DuckType.of(DuckType.Kind.BLOB);
            case DATE -> DuckType.of(DuckType.Kind.DATE);
            case TIME -> DuckType.of(DuckType.Kind.TIME);
            case TIMETZ -> DuckType.of(DuckType.Kind.TIMETZ);
            case TIMESTAMP -> DuckType.of(DuckType.Kind.TIMESTAMP);
            case TIMESTAMPTZ -> DuckType.of(DuckType.Kind.TIMESTAMPTZ);
            case INTERVAL -> DuckType.of(DuckType.Kind.INTERVAL);
            case UUID -> DuckType.of(DuckType.Kind.UUID);
            case JSON, JSONB -> DuckType.of(DuckType.Kind.JSON);
            // DuckDB's BIT has no empty bit string.
            case TEXT, CHAR, NAME, ENUM, MONEY, BIT, VARBIT, OTHER -> DuckType.of(DuckType.Kind.VARCHAR);
            case ARRAY -> DuckType.named(naturalElement().sql() + "[]");
        };
    }

    /** Arrays of a domain that is itself an array are no longer of one shape: each is read as its text. */
    private DuckType naturalElement() {
        PgType inner = elements().type();
        return inner.family == Family.ARRAY ? DuckType.of(DuckType.Kind.VARCHAR) : inner.natural();
    }

    private Optional<DuckType> decimal() {
        return digits().map(Digits::decimal)
                .filter(digits -> digits.precision() <= MAX_DECIMAL)
                .map(digits -> DuckType.decimal(digits.precision(), digits.scale()));
    }

    /** Whether its numbers may have more digits than a DECIMAL can hold. */
    boolean isUnbounded() {
        return family == Family.NUMERIC && decimal().isEmpty();
    }

    /** What the reader of a run must know of the mapping; null: nothing. */
    @Nullable
    String notice() {
        boolean list = family == Family.ARRAY;
        String remark = (list ? elements().type() : this).remark(list ? "[]" : "");
        return remark == null ? null : "is read as " + natural().sql() + ": " + remark;
    }

    private @Nullable String remark(String suffix) {
        return switch (family) {
            case NUMERIC ->
                decimal().isPresent()
                        ? null
                        : written + " has more digits than a DECIMAL can hold; declare it as decimal(p,s)" + suffix
                                + ", or as double" + suffix + " where rounding does no harm";
            case MONEY ->
                "the server's own text of " + written + "; declare it as decimal(p,s)" + suffix + " for its number";
            case BIT, VARBIT ->
                "the server's own text of " + written + "; declare it as bit" + suffix + " where none is empty";
            case OTHER, ARRAY ->
                "the server's own text of " + written + "; declare it as varchar" + suffix
                        + " if that is what you want";
            default -> null;
        };
    }
}
