package dev.weir.connector.postgres;

import dev.weir.connector.postgres.PgType.Family;
import dev.weir.slicing.Bound;
import dev.weir.slicing.Bound.Operator;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorType.Kind;
import dev.weir.slicing.CursorValue;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes what a range of cursor values means for a column, in literals of the column's own type.
 *
 * <p>COPY takes no parameters, so this is the one place where values become SQL. A literal has the column's type, so that no
 * cast is put on the column and its index stays usable; a value beyond what Postgres can hold becomes an infinity that is
 * not part of the range. Source of the rules: contract, section 3; PostgreSQL manual, "Date/Time Types".
 */
final class CursorSql {

    /** The first day Postgres knows, 4714-11-24 BC. */
    private static final long FIRST_DAY = LocalDate.of(-4713, 11, 24).toEpochDay();

    /** The last day a date can be, 5874897-12-31. */
    private static final long LAST_DATE = LocalDate.of(5_874_897, 12, 31).toEpochDay();

    /** The last day a timestamp can be, 294276-12-31. */
    private static final long LAST_TIMESTAMP_DAY = LocalDate.of(294_276, 12, 31).toEpochDay();

    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private CursorSql() {}

    /** Whether values of the column can be compared with a cursor of the type exactly. */
    static boolean fits(Family column, CursorType cursor) {
        return switch (column) {
            case INT2, INT4, INT8, NUMERIC -> cursor.isOfNumbers();
            case DATE -> cursor.kind() == Kind.DATE;
            case TIMESTAMP, TIMESTAMPTZ -> cursor.isInstant() && !cursor.isEpoch();
            default -> false;
        };
    }

    /** A condition that holds for exactly the rows whose finite cursor lies in the range. */
    static String within(String quotedColumn, Family column, CursorRange range) {
        if (range.isEmpty()) {
            return "false";
        }
        return range.bounds().stream()
                .map(bound -> condition(quotedColumn, column, bound))
                .collect(Collectors.joining(" AND "));
    }

    /** A condition that holds for finite numbers outside the type's range: rows that no window would ever hold. */
    static String beyond(String quotedColumn, Family column, CursorType type) {
        return outside(quotedColumn, column, type) + " AND " + quotedColumn
                + "::text NOT IN ('NaN', 'Infinity', '-Infinity')";
    }

    private static String outside(String quotedColumn, Family column, CursorType type) {
        String below = condition(quotedColumn, column, new Bound(Operator.BELOW, type.least()));
        String above = condition(quotedColumn, column, new Bound(Operator.ABOVE, type.greatest()));
        return "(" + below + " OR " + above + ")";
    }

    /** A condition that holds for cursors that are no finite value of the type, numbers that are no time included. */
    static String infinite(String quotedColumn, Family column, CursorType type, boolean infiniteNumerics) {
        if (type.isEpoch()) {
            boolean all = column != Family.NUMERIC && type.spans(integers(column));
            return all ? "false" : outside(quotedColumn, column, type);
        }
        return switch (column) {
            case NUMERIC ->
                quotedColumn + " IN (numeric 'NaN'"
                        + (infiniteNumerics ? ", numeric 'Infinity', numeric '-Infinity')" : ")");
            case DATE -> quotedColumn + " IN (date 'infinity', date '-infinity')";
            // Postgres' last years lie above DuckDB's range, and so in no window: they are counted here.
            case TIMESTAMP ->
                "(" + condition(quotedColumn, column, last(Kind.TIMESTAMP)) + " OR " + quotedColumn
                        + " = timestamp '-infinity')";
            case TIMESTAMPTZ ->
                "(" + condition(quotedColumn, column, last(Kind.TIMESTAMPTZ)) + " OR " + quotedColumn
                        + " = timestamptz '-infinity')";
            default -> "false";
        };
    }

    private static Bound last(Kind kind) {
        return new Bound(Operator.ABOVE, CursorType.of(kind).greatest());
    }

    private static String condition(String quotedColumn, Family column, Bound bound) {
        CursorValue value = bound.value();
        return switch (column) {
            case NUMERIC ->
                quotedColumn + " " + bound.operator().sql() + " numeric '"
                        + value.toBigDecimal().toPlainString() + "'";
            case DATE -> time(quotedColumn, column, bound, value.units(), BigInteger.valueOf(LAST_DATE));
            case TIMESTAMP, TIMESTAMPTZ ->
                time(
                        quotedColumn,
                        column,
                        bound,
                        floorDiv(value.units(), MICROS_PER_DAY),
                        BigInteger.valueOf(LAST_TIMESTAMP_DAY));
            case OID, FLOAT8 ->
                quotedColumn + "::text::numeric " + bound.operator().sql() + " numeric '"
                        + value.toBigDecimal().toPlainString() + "'";
            default -> integer(quotedColumn, column, bound);
        };
    }

    private static BigInteger floorDiv(BigInteger value, long divisor) {
        BigInteger[] parts = value.divideAndRemainder(BigInteger.valueOf(divisor));
        return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    private static String integer(String quotedColumn, Family column, Bound bound) {
        Bound own = bound.among(integers(column));
        return quotedColumn + " " + own.operator().sql() + " " + column.sql() + " '" + own.value() + "'";
    }

    private static CursorType integers(Family column) {
        return CursorType.of(
                switch (column) {
                    case INT2 -> Kind.SMALLINT;
                    case INT4 -> Kind.INTEGER;
                    case INT8 -> Kind.BIGINT;
                    default -> throw new IllegalArgumentException("no cursor: " + column);
                });
    }

    private static String time(String quotedColumn, Family column, Bound bound, BigInteger day, BigInteger lastDay) {
        boolean lower = bound.operator() == Operator.AT_LEAST || bound.operator() == Operator.ABOVE;
        if (day.compareTo(BigInteger.valueOf(FIRST_DAY)) < 0) {
            return lower ? quotedColumn + " > " + column.sql() + " '-infinity'" : "false";
        }
        if (day.compareTo(lastDay) > 0) {
            return lower ? "false" : quotedColumn + " < " + column.sql() + " 'infinity'";
        }
        return quotedColumn + " " + bound.operator().sql() + " " + column.sql() + " '" + written(bound.value()) + "'";
    }

    private static String written(CursorValue value) {
        LocalDateTime time = value.toLocalDateTime();
        String date = String.format(
                Locale.ROOT,
                "%04d-%02d-%02d",
                time.get(ChronoField.YEAR_OF_ERA),
                time.getMonthValue(),
                time.getDayOfMonth());
        String era = time.getYear() < 1 ? " BC" : "";
        if (value.type().kind() == Kind.DATE) {
            return date + era;
        }
        String clock = String.format(
                Locale.ROOT,
                " %02d:%02d:%02d.%06d",
                time.getHour(),
                time.getMinute(),
                time.getSecond(),
                time.getNano() / 1_000);
        // The offset is read for timestamptz; a timestamp literal ignores it.
        return date + clock + "+00" + era;
    }
}
