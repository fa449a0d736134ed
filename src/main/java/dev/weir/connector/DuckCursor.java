package dev.weir.connector;

import dev.weir.slicing.Bound;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks for cursors in DuckDB, and reads them in whole units, exact to the ends of their type; what is finer than a microsecond
 * is floored, below 1970 too.
 *
 * <p>Only finite values are read. Source of the rule: contract, section 3.
 */
public final class DuckCursor {

    private static final String NANOSECONDS = "TIMESTAMP_NS";

    private DuckCursor() {}

    /**
     * A condition that holds for finite cursors, and never for a NULL; empty: all are finite.
     *
     * <p>A number is no time of an epoch when it lies beyond all of them.
     *
     * @param expression a cursor
     * @param columnType its DuckDB type, as DuckDB prints it
     */
    public static Optional<String> finite(String expression, String columnType, CursorType type) {
        if (!type.isOfNumbers()) {
            return Optional.of("isfinite(" + expression + ")");
        }
        if (!type.isEpoch() || type.spans(numbers(columnType))) {
            return Optional.empty();
        }
        CursorRange all = CursorRange.startingAt(type.least(), type.greatest());
        return Optional.of(all.bounds().stream()
                .map(bound -> compared(expression, columnType, bound))
                .collect(Collectors.joining(" AND ", "(", ")")));
    }

    /** The comparison of a column of numbers with a bound, as SQL. */
    public static String compared(String expression, String columnType, Bound bound) {
        CursorType numbers = numbers(columnType);
        Bound own = bound.among(numbers);
        return expression + " " + own.operator().sql() + " CAST('" + own.value() + "' AS " + numbers + ")";
    }

    private static CursorType numbers(String columnType) {
        return CursorType.named(columnType)
                .filter(CursorType::isOfNumbers)
                .orElseThrow(() -> new IllegalArgumentException("no numbers: " + columnType));
    }

    /**
     * An SQL expression whose text {@link #value} reads.
     *
     * @param expression a cursor, or its least or greatest
     * @param columnType the DuckDB type of the expression, as DuckDB prints it
     */
    public static String units(String expression, String columnType, CursorType type) {
        String units;
        if (type.kind() == CursorType.Kind.DATE) {
            units = expression + " - DATE '1970-01-01'";
        } else if (columnType.equals(NANOSECONDS)) {
            units = "epoch_ns(" + expression + ")";
        } else if (!type.isOfNumbers()) {
            units = "epoch_us(" + expression + ")";
        } else {
            units = expression;
        }
        return "CAST(" + units + " AS VARCHAR)";
    }

    /** @param text what {@link #units} gave; null: there is none */
    public static Optional<CursorValue> value(@Nullable String text, String columnType, CursorType type) {
        if (text == null) {
            return Optional.empty();
        }
        if (columnType.equals(NANOSECONDS)) {
            return Optional.of(type.units(Math.floorDiv(Long.parseLong(text), 1_000)));
        }
        return Optional.of(type.number(new BigDecimal(text)));
    }
}
