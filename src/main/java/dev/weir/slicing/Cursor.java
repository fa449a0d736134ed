package dev.weir.slicing;

/**
 * Which column orders an entity's rows, and by what type: what a stored position must agree with.
 *
 * @param column the column as its own system spells it
 * @param type its type
 */
public record Cursor(String column, CursorType type) {

    /** In place of a column: the bounds go into the text of a query by tokens. */
    public static final String TOKENS = "";

    /** As users read it: {@code id (bigint)}. */
    @Override
    public String toString() {
        return column + " (" + type + ")";
    }
}
