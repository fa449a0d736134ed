package dev.weir.slicing;

import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * One comparison of the cursor column with a literal, as every source can ask it.
 *
 * @param operator how the column is compared
 * @param value what it is compared with
 */
public record Bound(Operator operator, CursorValue value) {

    /** The comparisons, with their SQL spelling, which all systems share. */
    public enum Operator {
        AT_LEAST(">="),
        ABOVE(">"),
        BELOW("<"),
        AT_MOST("<=");

        private final String sql;

        Operator(String sql) {
            this.sql = sql;
        }

        public String sql() {
            return sql;
        }

        private boolean isLower() {
            return this == AT_LEAST || this == ABOVE;
        }
    }

    /**
     * The comparison that the same numbers of a column meet, its value one of the column's own type. Between two of them it
     * moves to the next one inwards; beyond the column's ends all of them meet it, or none.
     *
     * @param numbers the column's type
     */
    public Bound among(CursorType numbers) {
        boolean up = operator == Operator.AT_LEAST || operator == Operator.BELOW;
        BigInteger units = value.toBigDecimal()
                .setScale(numbers.scale(), up ? RoundingMode.CEILING : RoundingMode.FLOOR)
                .unscaledValue();
        if (units.compareTo(numbers.greatest().units()) > 0) {
            return new Bound(operator.isLower() ? Operator.ABOVE : Operator.AT_MOST, numbers.greatest());
        }
        if (units.compareTo(numbers.least().units()) < 0) {
            return new Bound(operator.isLower() ? Operator.AT_LEAST : Operator.BELOW, numbers.least());
        }
        return new Bound(operator, numbers.units(units));
    }
}
