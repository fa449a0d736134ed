package dev.weir.slicing;

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
    }
}
