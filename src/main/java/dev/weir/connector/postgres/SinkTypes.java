package dev.weir.connector.postgres;

import static dev.weir.connector.DuckSession.quoted;

import dev.weir.connector.Column;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.postgres.PgType.Digits;
import dev.weir.connector.postgres.PgType.Family;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which Postgres types hold every value of a DuckDB type, and which one a new table gets. */
final class SinkTypes {

    private static final int MICROS = 6;
    private static final int MILLIS = 3;
    private static final int ALL_FIELDS = 0x7fff;
    private static final int ALL_DIGITS = 0xffff;
    private static final int MOST_DIMENSIONS = 6;
    private static final long TEXT_OID = 25;

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
                    case TIMETZ -> "timetz";
                    case INTERVAL -> "interval";
                    case BIT -> "bit varying";
                    case LIST -> createdArray(type);
                    case BIGNUM, TIMESTAMP_NS, OTHER -> null;
                });
    }

    private static @Nullable String createdArray(DuckType list) {
        int dimensions = ArrayEncoder.dimensions(list);
        return dimensions > MOST_DIMENSIONS
                ? null
                : created(ArrayEncoder.innermost(list))
                        .map(element -> element + "[]".repeat(dimensions))
                        .orElse(null);
    }

    /** The type of a column weir creates; one that Postgres cannot hold is refused. */
    static String created(String place, Column column) {
        return created(DuckType.named(column.type()))
                .orElseThrow(() -> new RunException(
                        Code.LOSSY_SINK,
                        place,
                        "Postgres has no type that holds every value of the column " + column.name() + ", a "
                                + column.type(),
                        instead(column.name())));
    }

    /** What to write in the SELECT for a column that Postgres has no type for. */
    static String instead(String name) {
        return "write CAST(" + quoted(name) + " AS VARCHAR) AS " + quoted(name)
                + " in the pipeline, or cast it to a type that Postgres has";
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
     * <p>A text longer than {@code varchar(n)}, a label an enum does not have, a time before 4714 BC, lists of different
     * lengths in a list: refused when they come, never changed.
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
            case VARCHAR ->
                switch (column.family()) {
                    case TEXT, CHAR, ENUM, NUMERIC -> true;
                    default -> isCast(column, type);
                };
            case ENUM ->
                switch (column.family()) {
                    case TEXT, CHAR, ENUM -> true;
                    default -> isCast(column, type);
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
            case TIMETZ -> column.family() == Family.TIMETZ && fraction(column) >= MICROS;
            case INTERVAL -> column.family() == Family.INTERVAL && holdsEveryInterval(column.modifier());
            case BIT -> column.family() == Family.BIT || column.family() == Family.VARBIT;
            case LIST ->
                column.family() == Family.ARRAY
                        && ArrayEncoder.dimensions(type) <= MOST_DIMENSIONS
                        && (isCast(column, type) || takes(column.elements().type(), ArrayEncoder.innermost(type)));
            default -> false;
        };
    }

    /**
     * Whether a text, or a list of texts, becomes a value of the column by the server's own cast: of types that weir knows by
     * their text alone, or that hold more than DuckDB's. The server is then asked whether the value reads as the text did.
     */
    static boolean isCast(PgType column, DuckType type) {
        return switch (type.kind()) {
            case VARCHAR, ENUM ->
                switch (column.family()) {
                    case NAME, MONEY, INTERVAL, TIMETZ, BIT, VARBIT, ARRAY, OTHER -> true;
                    default -> false;
                };
            case LIST ->
                column.family() == Family.ARRAY && isCast(column.elements().type(), ArrayEncoder.innermost(type));
            default -> false;
        };
    }

    /** The type a value has before it is {@linkplain #isCast cast}. */
    static PgType beforeCast(DuckType type) {
        return type.kind() == Kind.LIST
                ? PgType.array(new PgType.Element(TEXT_OID, PgType.text()), -1, "text[]")
                : PgType.text();
    }

    /** Whether the server puts the column's values into the order in which DuckDB puts what is produced. */
    static boolean ordersAlike(PgType column, DuckType type) {
        return switch (type.kind()) {
            case VARCHAR, JSON -> column.family() == Family.TEXT || column.family() == Family.CHAR;
            case TIMETZ, INTERVAL, BIT, LIST -> false;
            default -> true;
        };
    }

    /** Not {@code interval(0)}, which rounds, nor {@code interval day}, which cuts. */
    private static boolean holdsEveryInterval(int modifier) {
        int digits = modifier & 0xffff;
        return modifier < 0 || (modifier >> 16 & 0x7fff) == ALL_FIELDS && (digits == MICROS || digits == ALL_DIGITS);
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
                yield digits.isEmpty()
                        || digits.get().scale() >= scale
                                && digits.get().decimal().whole() >= whole;
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
