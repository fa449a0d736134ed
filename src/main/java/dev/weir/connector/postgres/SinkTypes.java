package dev.weir.connector.postgres;

import dev.weir.connector.Column;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.postgres.PgType.Digits;
import dev.weir.connector.postgres.PgType.Family;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.util.Optional;

/** Which Postgres types hold every value of a DuckDB type, and which one a new table gets. */
final class SinkTypes {

    private static final int MICROS = 6;
    private static final int MILLIS = 3;

    private SinkTypes() {}

    /** The type of a column weir creates; empty: Postgres has none that holds every value. */
    static Optional<String> created(DuckType type) {
        return Optional.ofNullable(
                switch (type.kind()) {
                    case BOOLEAN -> "boolean";
                    case TINYINT, UTINYINT, SMALLINT -> "smallint";
                    case USMALLINT, INTEGER -> "integer";
                    case UINTEGER, BIGINT -> "bigint";
                    case UBIGINT, HUGEINT, UHUGEINT -> "numeric(" + type.kind().integerDigits() + ",0)";
                    case DECIMAL -> "numeric(" + type.precision() + "," + type.scale() + ")";
                    case FLOAT -> "real";
                    case DOUBLE -> "double precision";
                    case VARCHAR, ENUM -> "text";
                    case JSON -> "json";
                    case BLOB -> "bytea";
                    case UUID -> "uuid";
                    case DATE -> "date";
                    case TIME -> "time";
                    case TIMESTAMP_S, TIMESTAMP_MS, TIMESTAMP -> "timestamp";
                    case TIMESTAMPTZ -> "timestamptz";
                    case BIGNUM, TIMESTAMP_NS, TIMETZ, INTERVAL, BIT, LIST, OTHER -> null;
                });
    }

    /** The type of a column weir creates; one that Postgres cannot hold is refused. */
    static String created(String place, Column column) {
        return created(DuckType.named(column.type()))
                .orElseThrow(() -> new RunException(
                        Code.LOSSY_SINK,
                        place,
                        "Postgres has no type that holds every value of the column " + column.name() + ", a "
                                + column.type(),
                        "cast it in the pipeline, to varchar for one"));
    }

    /** The name of a table or column weir creates: Postgres would cut a longer one off, and two could become one. */
    static String fitting(Failures failures, String place, String name) {
        if (Sql.isTooLong(name)) {
            throw failures.of(
                    place,
                    "the name " + name + " has more than the " + Sql.NAME_BYTES + " bytes Postgres keeps",
                    "give it a shorter name in the pipeline");
        }
        return name;
    }

    /**
     * Whether a column takes every value without rounding, cutting or changing its meaning.
     *
     * <p>A text longer than {@code varchar(n)}, a label an enum does not have, a time before 4714 BC: refused when they
     * come, never changed.
     */
    static boolean takes(PgType column, DuckType type) {
        Kind kind = type.kind();
        if (kind.isInteger()) {
            return takesDigits(column, kind.integerDigits(), 0, kind);
        }
        return switch (kind) {
            case DECIMAL -> takesDigits(column, type.precision(), type.scale(), kind);
            case BOOLEAN -> column.family() == Family.BOOL;
            case FLOAT -> column.family() == Family.FLOAT4 || column.family() == Family.FLOAT8;
            case DOUBLE -> column.family() == Family.FLOAT8;
            case VARCHAR, ENUM ->
                switch (column.family()) {
                    case TEXT, CHAR, ENUM -> true;
                    default -> false;
                };
            case JSON ->
                switch (column.family()) {
                    case JSON, JSONB, TEXT -> true;
                    default -> false;
                };
            case BLOB -> column.family() == Family.BYTEA;
            case UUID -> column.family() == Family.UUID;
            case DATE -> column.family() == Family.DATE || column.family() == Family.TIMESTAMP;
            case TIME -> column.family() == Family.TIME && fraction(column) >= MICROS;
            case TIMESTAMP -> column.family() == Family.TIMESTAMP && fraction(column) >= MICROS;
            case TIMESTAMP_MS -> column.family() == Family.TIMESTAMP && fraction(column) >= MILLIS;
            case TIMESTAMP_S -> column.family() == Family.TIMESTAMP;
            case TIMESTAMPTZ -> column.family() == Family.TIMESTAMPTZ && fraction(column) >= MICROS;
            default -> false;
        };
    }

    private static int fraction(PgType column) {
        Integer digits = column.fractionDigits();
        return digits == null ? MICROS : digits;
    }

    private static boolean takesDigits(PgType column, int precision, int scale, Kind kind) {
        int whole = precision - scale;
        return switch (column.family()) {
            case INT2 -> scale == 0 && fitsInteger(kind, whole, Kind.SMALLINT);
            case INT4 -> scale == 0 && fitsInteger(kind, whole, Kind.INTEGER);
            case INT8 -> scale == 0 && fitsInteger(kind, whole, Kind.BIGINT);
            case OID -> kind == Kind.UINTEGER || kind == Kind.USMALLINT || kind == Kind.UTINYINT;
            case FLOAT8 -> kind.isInteger() && kind.greatest().bitLength() <= 32;
            case NUMERIC -> {
                Optional<Digits> digits = column.digits();
                boolean negativeScale = digits.isPresent() && column.written().contains(",-");
                yield digits.isEmpty()
                        || !negativeScale
                                && digits.get().scale() >= scale
                                && digits.get().precision() - digits.get().scale() >= whole;
            }
            default -> false;
        };
    }

    private static boolean fitsInteger(Kind kind, int digits, Kind column) {
        if (kind.isInteger()) {
            return kind.least().compareTo(column.least()) >= 0
                    && kind.greatest().compareTo(column.greatest()) <= 0;
        }
        return digits < column.integerDigits();
    }
}
