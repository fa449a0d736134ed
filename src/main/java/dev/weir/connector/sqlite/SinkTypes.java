package dev.weir.connector.sqlite;

import dev.weir.connector.Column;
import dev.weir.connector.DuckSession;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.connector.jdbc.DuckType.Kind;
import dev.weir.connector.sqlite.DeclaredType.Affinity;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.util.Optional;

/** Which declared types keep every value of a DuckDB type, and which one a new table gets. */
final class SinkTypes {

    /** A decimal number of so many digits comes back from a REAL as itself. */
    private static final int REAL_DIGITS = 15;

    private static final int LONG_BITS = 63;
    private static final int LONG_DIGITS = 18;

    private SinkTypes() {}

    /** The type of a column weir creates; empty: SQLite has no way to keep every value. */
    static Optional<String> created(DuckType type) {
        return Optional.ofNullable(
                switch (type.kind()) {
                    case BOOLEAN -> "BOOLEAN";
                    case TINYINT -> "INT1";
                    case SMALLINT -> "INT2";
                    case INTEGER -> "INT4";
                    case BIGINT -> "INTEGER";
                    case UTINYINT, USMALLINT, UINTEGER -> type.kind().name();
                    case UBIGINT -> "UBIG_TEXT";
                    case HUGEINT -> "HUGE_TEXT";
                    case UHUGEINT -> "UHUGE_TEXT";
                    case BIGNUM -> "BIGNUM_TEXT";
                    case DECIMAL -> DeclaredType.DECIMAL_TEXT + "(" + type.precision() + "," + type.scale() + ")";
                    case FLOAT -> "FLOAT4";
                    case DOUBLE -> "DOUBLE";
                    case VARCHAR, ENUM -> "TEXT";
                    case JSON -> "JSON_TEXT";
                    case BLOB -> "BLOB";
                    case UUID -> "UUID";
                    case DATE -> "DATE";
                    case TIME -> "TIME";
                    case TIMESTAMP_S, TIMESTAMP_MS, TIMESTAMP, TIMESTAMP_NS, TIMESTAMPTZ ->
                        type.kind().name();
                    case TIMETZ -> "TIMETZ_TEXT";
                    case INTERVAL -> "SPAN_TEXT";
                    case BIT -> "BITS_TEXT";
                    case LIST, OTHER -> null;
                });
    }

    /** The type of a column weir creates; one whose values SQLite cannot keep is refused. */
    static String created(String place, Column column) {
        return created(DuckType.named(column.type()))
                .orElseThrow(() -> new RunException(
                        Code.LOSSY_SINK,
                        place,
                        "SQLite has no way to keep every value of the column " + column.name() + ", a " + column.type(),
                        instead(column.name(), column.type())));
    }

    /** What to write in the SELECT for a column that no SQLite column keeps. */
    static String instead(String name, String type) {
        String quoted = DuckSession.quoted(name);
        boolean nested = type.endsWith("]") || type.startsWith("STRUCT(") || type.startsWith("MAP(");
        String text = "CAST(" + quoted + " AS VARCHAR) AS " + quoted;
        return "write " + (nested ? "to_json(" + quoted + ") AS " + quoted + ", or " : "") + text + ", in the SELECT";
    }

    /** Whether SQLite, which compares their texts, tells two values apart or orders them as DuckDB does. */
    static boolean isCompared(DuckType type) {
        return switch (type.kind()) {
            case INTERVAL, TIMETZ, BIT -> false;
            default -> true;
        };
    }

    /**
     * Whether a column takes every value without rounding, cutting or changing its meaning.
     *
     * <p>A NaN, an infinite time, a year that has not four digits: refused when they come, never changed.
     */
    static boolean takes(DeclaredType column, DuckType type) {
        Optional<DuckType> natural = column.natural();
        if (natural.isEmpty()) {
            return false;
        }
        Kind to = natural.get().kind();
        Kind kind = type.kind();
        if (kind.isInteger()) {
            return takesDigits(column, natural.get(), kind.integerDigits(), 0, kind);
        }
        return switch (kind) {
            case DECIMAL -> takesDigits(column, natural.get(), type.precision(), type.scale(), kind);
            case FLOAT -> to == Kind.FLOAT || to == Kind.DOUBLE;
            case VARCHAR, ENUM -> to == Kind.VARCHAR && column.affinity() == Affinity.TEXT;
            // In any other column SQLite makes a number of a document that is one.
            case JSON -> (to == Kind.VARCHAR || to == Kind.JSON) && column.affinity() == Affinity.TEXT;
            case DATE -> to == Kind.DATE || to == Kind.TIMESTAMP;
            case TIMESTAMP_S -> to == Kind.TIMESTAMP_S || to == Kind.TIMESTAMP_MS || to == Kind.TIMESTAMP;
            case TIMESTAMP_MS -> to == Kind.TIMESTAMP_MS || to == Kind.TIMESTAMP;
            case LIST, OTHER -> false;
            default -> to == kind;
        };
    }

    private static boolean takesDigits(DeclaredType column, DuckType to, int precision, int scale, Kind kind) {
        int whole = precision - scale;
        if (to.kind().isInteger()) {
            return scale == 0 && fitsInteger(kind, whole, to.kind());
        }
        if (to.kind() == Kind.DECIMAL) {
            boolean fits = to.scale() >= scale && to.precision() - to.scale() >= whole;
            boolean asText = column.affinity() == Affinity.TEXT;
            // SQLite makes an INTEGER of digits alone; with a point behind them they are a REAL to it.
            boolean asInteger = to.scale() == 0 && isWholeLong(kind, precision, scale);
            return fits && (asText || asInteger || precision <= REAL_DIGITS);
        }
        return to.kind() == Kind.DOUBLE && kind.isInteger() && kind.greatest().bitLength() <= 32;
    }

    private static boolean isWholeLong(Kind kind, int precision, int scale) {
        return kind.isInteger() ? kind.greatest().bitLength() <= LONG_BITS : scale == 0 && precision <= LONG_DIGITS;
    }

    private static boolean fitsInteger(Kind kind, int digits, Kind column) {
        if (kind.isInteger()) {
            return kind.least().compareTo(column.least()) >= 0
                    && kind.greatest().compareTo(column.greatest()) <= 0;
        }
        return column.least().signum() < 0 && digits < column.integerDigits();
    }
}
