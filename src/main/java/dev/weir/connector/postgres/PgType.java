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
 */
record PgType(Family family, int modifier, String written) {

    /** Types whose binary form is the same, or that are treated as if it were. */
    enum Family {
        BOOL("boolean"),
        INT2("smallint"),
        INT4("integer"),
        INT8("bigint"),
        FLOAT4("real"),
        FLOAT8("double precision"),
        NUMERIC("numeric"),
        /** Its binary form is its text. */
        TEXT("text"),
        /** {@code char(n)}, which drops its padding when it becomes text. */
        CHAR("text"),
        /** {@code name} and the one-byte {@code "char"}: the server's own. */
        NAME("text"),
        ENUM("text"),
        BYTEA("bytea"),
        DATE("date"),
        TIME("time"),
        TIMESTAMP("timestamp"),
        TIMESTAMPTZ("timestamptz"),
        UUID("uuid"),
        JSON("json"),
        JSONB("jsonb"),
        OID("oid"),
        OTHER("text");

        private final String sql;

        Family(String sql) {
            this.sql = sql;
        }

        /** The type's plain name, for literals. */
        String sql() {
            return sql;
        }
    }

    private static final int NUMERIC_HEADER = 4;
    private static final int MAX_DECIMAL = 38;

    /** The digits of a decimal: in all, and after the point. */
    record Digits(int precision, int scale) {}

    /**
     * @param oid the type's number, no domain
     * @param kind {@code pg_type.typtype}
     * @param name {@code pg_type.typname}
     */
    static PgType of(long oid, int modifier, String kind, String name, String written) {
        return new PgType(family((int) oid, kind, name), modifier, written);
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
            case 1042 -> Family.CHAR;
            case 1082 -> Family.DATE;
            case 1083 -> Family.TIME;
            case 1114 -> Family.TIMESTAMP;
            case 1184 -> Family.TIMESTAMPTZ;
            case 1700 -> Family.NUMERIC;
            case 2950 -> Family.UUID;
            case 3802 -> Family.JSONB;
            default -> kind.equals("e") ? Family.ENUM : name.equals("citext") ? Family.TEXT : Family.OTHER;
        };
    }

    /** The digits a numeric holds, empty when it is not bounded; a negative scale is given as whole digits. */
    Optional<Digits> digits() {
        if (family != Family.NUMERIC || modifier < NUMERIC_HEADER) {
            return Optional.empty();
        }
        int precision = (modifier - NUMERIC_HEADER) >> 16 & 0xffff;
        int scale = ((modifier - NUMERIC_HEADER & 0x7ff) ^ 0x400) - 0x400;
        return Optional.of(
                scale < 0 ? new Digits(precision - scale, 0) : new Digits(Math.max(precision, scale), scale));
    }

    /** How many characters a {@code varchar(n)} or {@code char(n)} holds; empty: any number. */
    Optional<Integer> length() {
        boolean bounded = (family == Family.TEXT || family == Family.CHAR) && modifier >= NUMERIC_HEADER;
        return bounded ? Optional.of(modifier - NUMERIC_HEADER) : Optional.empty();
    }

    /** How many digits of a second a time type holds; null: six, the finest, or it is no time type. */
    @Nullable
    Integer fractionDigits() {
        return switch (family) {
            case TIME, TIMESTAMP, TIMESTAMPTZ -> modifier < 0 ? null : modifier;
            default -> null;
        };
    }

    /** The DuckDB type the values are read as, exactly; empty: weir cannot read them yet. */
    Optional<DuckType> natural() {
        return switch (family) {
            case BOOL -> Optional.of(DuckType.of(DuckType.Kind.BOOLEAN));
            case INT2 -> Optional.of(DuckType.of(DuckType.Kind.SMALLINT));
            case INT4 -> Optional.of(DuckType.of(DuckType.Kind.INTEGER));
            case INT8 -> Optional.of(DuckType.of(DuckType.Kind.BIGINT));
            case OID -> Optional.of(DuckType.of(DuckType.Kind.UINTEGER));
            case FLOAT4 -> Optional.of(DuckType.of(DuckType.Kind.FLOAT));
            case FLOAT8 -> Optional.of(DuckType.of(DuckType.Kind.DOUBLE));
            case NUMERIC -> Optional.of(decimal().orElse(DuckType.of(DuckType.Kind.VARCHAR)));
            case TEXT, CHAR, NAME, ENUM -> Optional.of(DuckType.of(DuckType.Kind.VARCHAR));
            case BYTEA -> Optional.of(DuckType.of(DuckType.Kind.BLOB));
            case DATE -> Optional.of(DuckType.of(DuckType.Kind.DATE));
            case TIME -> Optional.of(DuckType.of(DuckType.Kind.TIME));
            case TIMESTAMP -> Optional.of(DuckType.of(DuckType.Kind.TIMESTAMP));
            case TIMESTAMPTZ -> Optional.of(DuckType.of(DuckType.Kind.TIMESTAMPTZ));
            case UUID -> Optional.of(DuckType.of(DuckType.Kind.UUID));
            case JSON, JSONB -> Optional.of(DuckType.of(DuckType.Kind.JSON));
            case OTHER -> Optional.empty();
        };
    }

    private Optional<DuckType> decimal() {
        return digits().filter(digits -> digits.precision() <= MAX_DECIMAL)
                .map(digits -> DuckType.decimal(digits.precision(), digits.scale()));
    }

    /** Whether its numbers may have more digits than a DECIMAL can hold. */
    boolean isUnbounded() {
        return family == Family.NUMERIC && decimal().isEmpty();
    }

    /** What the reader of a run must know of the mapping; null: nothing. */
    @Nullable
    String notice() {
        return isUnbounded()
                ? "is read as VARCHAR: " + written + " has more digits than a DECIMAL can hold; declare it as"
                        + " decimal(p,s), or as double where rounding does no harm"
                : null;
    }
}
