package dev.weir.connector.sqlite;

import dev.weir.slicing.Bound;
import dev.weir.slicing.Bound.Operator;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes what a range of cursor values means for a column.
 *
 * <p>Integers are compared by SQLite itself. Times are texts, and each spelling begins with its day: the days are compared as
 * texts, so that an index on the column is of use, and within them the times by {@link CursorFunction#KEY}. Decimals and
 * unsigned 64-bit numbers are compared by their keys alone. Source of the rules: contract, section 3; SQLite manual,
 * "Comparison Expressions".
 */
final class CursorSql {

    /** An offset moves a time to another day than the one it is spelled with, by less than a day. */
    private static final int OFFSET_DAYS = 1;

    private static final String NONE = "0";

    private final String name;
    private final String column;
    private final CursorType type;
    private final CursorUnits units;

    CursorSql(String name, CursorUnits units) {
        this.name = name;
        this.column = Sql.quote(name);
        this.type = units.type();
        this.units = units;
    }

    /** As the file spells it. */
    String name() {
        return name;
    }

    /** In SQL. */
    String column() {
        return column;
    }

    CursorType type() {
        return type;
    }

    CursorUnits units() {
        return units;
    }

    /** The least cursor's value or key; see {@link #unitsOf}. */
    String least() {
        return "min(" + (isCompared() ? column : key()) + ")";
    }

    /** The units of what {@link #least()} gave. */
    BigInteger unitsOf(Object least) {
        return isCompared() ? units.of(least) : units.ofKey(least);
    }

    /** Whether SQLite's own order is that of the cursor: of integers, and of days once all are known to be days. */
    private boolean isCompared() {
        return units.areIntegers() || type.kind() == CursorType.Kind.DATE;
    }

    private String key() {
        return CursorFunction.KEY + "(" + column + ")";
    }

    /** A condition that holds for exactly the rows whose cursor lies in the range. */
    String within(CursorRange range) {
        if (range.isEmpty()) {
            return NONE;
        }
        if (units.areIntegers()) {
            return range.bounds().stream().map(this::integer).collect(Collectors.joining(" AND ", "(", ")"));
        }
        BigInteger from = range.fromInclusive()
                ? range.from().units()
                : range.from().units().add(BigInteger.ONE);
        BigInteger to = range.to().units();
        String exactly = key() + " BETWEEN " + units.literal(from) + " AND " + units.literal(to);
        if (type.isOfNumbers()) {
            return "(" + exactly + ")";
        }
        String days = spelledWithin(day(from).subtract(slack()), day(to).add(slack()));
        return type.kind() == CursorType.Kind.DATE ? days : "(" + days + " AND " + exactly + ")";
    }

    /** A condition by which it can be told how rows are found: any days are found as those of a range are. */
    String foundAs(CursorRange range) {
        return type.isOfNumbers() ? within(range) : spelledWithin(BigInteger.ZERO, BigInteger.ONE);
    }

    /** A condition that holds for numbers beyond all times; empty: there are none. */
    Optional<String> infinite() {
        if (!units.mayBeInfinite()) {
            return Optional.empty();
        }
        String below = integer(new Bound(Operator.BELOW, type.least()));
        String above = integer(new Bound(Operator.ABOVE, type.greatest()));
        return Optional.of(
                units.areIntegers()
                        ? "(" + below + " OR " + above + ")"
                        : "(" + column + " IS NOT NULL AND " + key() + " IS NULL)");
    }

    private String integer(Bound bound) {
        Bound own = bound.among(units.column());
        return column + " " + own.operator().sql() + " " + own.value().units();
    }

    /** How many days off its spelling a time may be. */
    BigInteger slack() {
        return type.kind() == CursorType.Kind.TIMESTAMPTZ ? BigInteger.valueOf(OFFSET_DAYS) : BigInteger.ZERO;
    }

    /** The day of a time, floored. */
    BigInteger day(BigInteger units) {
        if (type.kind() == CursorType.Kind.DATE) {
            return units;
        }
        BigInteger day = BigInteger.valueOf(TimeText.MICROS_PER_DAY);
        return units.subtract(units.mod(day)).divide(day);
    }

    /** A condition that holds for texts that begin with one of the days; what is no day is not hidden by an open end. */
    String spelledWithin(BigInteger first, BigInteger last) {
        List<String> conditions = new ArrayList<>();
        conditions.add(column + " IS NOT NULL");
        BigInteger after = last.add(BigInteger.ONE);
        if (isAfterTheLast(first) || isBeforeTheFirst(last)) {
            return NONE;
        }
        if (!isBeforeTheFirst(first)) {
            conditions.add(column + " >= " + spelled(first));
        }
        if (!isAfterTheLast(after)) {
            conditions.add(column + " < " + spelled(after));
        }
        return "(" + String.join(" AND ", conditions) + ")";
    }

    private static boolean isBeforeTheFirst(BigInteger day) {
        return day.signum() < 0 && (day.bitLength() > 31 || !TimeText.isWritable(day.longValueExact()));
    }

    private static boolean isAfterTheLast(BigInteger day) {
        return day.signum() > 0 && (day.bitLength() > 31 || !TimeText.isWritable(day.longValueExact()));
    }

    private static String spelled(BigInteger day) {
        return Sql.literal(TimeText.date(day.longValueExact()));
    }

    /** Conditions that no integer of the column's type meets, each found by an index; every other offender lies in a window. */
    List<String> outside() {
        return List.of(
                column + " > " + units.column().greatest().units(),
                column + " < " + units.column().least().units());
    }

    /** A condition that holds for cursors that are none of the type. */
    String offending() {
        return column + " IS NOT NULL AND NOT " + CursorFunction.IS + "(" + column + ")";
    }
}
