package dev.weir.connector.duckdb;

import dev.weir.connector.DuckCursor;
import dev.weir.slicing.Bound;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigInteger;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The condition that selects exactly a range, compared in the column's own type so that DuckDB converts no row.
 *
 * <p>With {@link DuckCursor}, which compares numbers, the one place that writes a cursor value as SQL: what DuckDB scans takes
 * no parameters.
 */
final class CursorFilter {

    /** What DuckDB can make of microseconds, which ends above the type's own end. */
    private static final BigInteger LEAST_MICROS = BigInteger.valueOf(-9_223_372_022_400_000_000L);

    private static final BigInteger NANOS_PER_MICRO = BigInteger.valueOf(1_000);
    private static final String NONE = "false";

    private final String expression;
    private final String columnType;
    private final CursorType type;

    /**
     * @param expression the cursor, as SQL
     * @param columnType its DuckDB type, as DuckDB prints it
     */
    CursorFilter(String expression, String columnType, CursorType type) {
        this.expression = expression;
        this.columnType = columnType;
        this.type = type;
    }

    String in(CursorRange range) {
        Optional<String> finite = type.isOfNumbers() ? Optional.empty() : finite();
        return Stream.concat(range.bounds().stream().map(this::comparison), finite.stream())
                .collect(Collectors.joining(" AND ", "(", ")"));
    }

    String isNull() {
        return expression + " IS NULL";
    }

    /** Empty: the type has no infinite values. */
    Optional<String> isInfinite() {
        return finite().map(condition -> "NOT " + condition);
    }

    private Optional<String> finite() {
        return DuckCursor.finite(expression, columnType, type);
    }

    private String comparison(Bound bound) {
        if (type.isOfNumbers()) {
            return DuckCursor.compared(expression, columnType, bound);
        }
        return switch (columnType) {
            case "TIMESTAMP_NS" -> nanoseconds(bound);
            case "TIMESTAMP_MS" -> coarse(bound, BigInteger.valueOf(1_000));
            case "TIMESTAMP_S" -> coarse(bound, BigInteger.valueOf(1_000_000));
            default -> compare(bound.operator(), literal(bound.value()));
        };
    }

    private String compare(Bound.Operator operator, String literal) {
        return expression + " " + operator.sql() + " " + literal;
    }

    private static String literal(CursorValue value) {
        BigInteger units = value.units();
        return switch (value.type().kind()) {
            case DATE -> "make_date(" + units + ")";
            case TIMESTAMP -> "make_timestamp(" + units.max(LEAST_MICROS) + ")";
            case TIMESTAMPTZ -> "make_timestamptz(" + units.max(LEAST_MICROS) + ")";
            default -> throw new IllegalArgumentException("no time: " + value);
        };
    }

    /** The bound lies beyond what nanoseconds reach: every row satisfies it, or none. */
    private String nanoseconds(Bound bound) {
        BigInteger nanos = bound.value().units().multiply(NANOS_PER_MICRO);
        BigInteger greatest = BigInteger.valueOf(Long.MAX_VALUE - 1);
        boolean lower = isLower(bound.operator());
        if (nanos.compareTo(greatest) > 0) {
            return lower ? NONE : "true";
        }
        if (nanos.compareTo(greatest.negate()) < 0) {
            return lower ? "true" : NONE;
        }
        return compare(bound.operator(), "make_timestamp_ns(" + nanos + ")");
    }

    /** A column of whole milliseconds or seconds: the bound moves to the next whole one that means the same. */
    private String coarse(Bound bound, BigInteger micros) {
        boolean upwards = bound.operator() == Bound.Operator.AT_LEAST || bound.operator() == Bound.Operator.BELOW;
        BigInteger whole = floor(
                upwards
                        ? bound.value().units().add(micros).subtract(BigInteger.ONE)
                        : bound.value().units(),
                micros);
        if (whole.compareTo(type.greatest().units()) > 0) {
            return isLower(bound.operator()) ? NONE : "true";
        }
        return compare(bound.operator(), "CAST(make_timestamp(" + whole.max(LEAST_MICROS) + ") AS " + columnType + ")");
    }

    private static BigInteger floor(BigInteger value, BigInteger step) {
        return value.subtract(value.mod(step));
    }

    private static boolean isLower(Bound.Operator operator) {
        return operator == Bound.Operator.AT_LEAST || operator == Bound.Operator.ABOVE;
    }
}
