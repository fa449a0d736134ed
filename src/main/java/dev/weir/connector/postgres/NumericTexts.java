package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.Excerpt;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.connector.postgres.PgType.Digits;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/** Numbers that DuckDB holds as text, since no DECIMAL of it is long enough, on their way into a numeric. */
final class NumericTexts {

    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,6})?");

    private NumericTexts() {}

    /** Never rounds: what the column's digits do not hold is refused, and what is no number at all. */
    static Encoding.Encoder into(PgType column) {
        Optional<Digits> digits = column.digits();
        return (cell, out) -> {
            String text = cell.getString();
            switch (text) {
                case "NaN" -> out.putSpecial(Numerics.NAN);
                case "Infinity", "-Infinity" -> {
                    if (digits.isPresent()) {
                        throw new Unrepresentable(text, "a " + column.written() + " does not hold");
                    }
                    out.putSpecial(text.startsWith("-") ? Numerics.MINUS_INFINITY : Numerics.PLUS_INFINITY);
                }
                default -> out.putNumeric(fitting(number(text), column, digits));
            }
        };
    }

    private static BigDecimal number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw new Unrepresentable("'" + Excerpt.of(text) + "'", "is no number");
        }
        return new BigDecimal(text);
    }

    private static BigDecimal fitting(BigDecimal value, PgType column, Optional<Digits> digits) {
        BigDecimal shortest = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        int whole = shortest.precision() - shortest.scale();
        if (value.scale() > Numerics.MAX_SCALE || whole > Numerics.MAX_WHOLE) {
            throw new Unrepresentable(Excerpt.of(value.toString()), "is longer than any numeric of Postgres");
        }
        if (digits.isPresent()
                && value.signum() != 0
                && (shortest.scale() > digits.get().scale()
                        || whole > digits.get().whole())) {
            throw new Unrepresentable(Excerpt.of(value.toPlainString()), "does not fit " + column.written());
        }
        return value;
    }
}
