package dev.weir.connector;

import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a cursor out of DuckDB in whole units, exact to the ends of its type; a nanosecond is floored, below 1970 too.
 *
 * <p>For finite values only. Source of the rule: contract, section 3.
 */
public final class DuckCursor {

    private static final String NANOSECONDS = "TIMESTAMP_NS";

    private DuckCursor() {}

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
        } else if (type.isInstant()) {
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
        return Optional.of(
                type.units(new BigDecimal(text).setScale(type.scale()).unscaledValue()));
    }
}
