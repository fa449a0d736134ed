package dev.weir.event;

/**
 * The size of a terminal's screen, in character cells.
 *
 * @param columns at least 1
 * @param rows at least 1
 */
public record ScreenSize(int columns, int rows) {

    public ScreenSize {
        if (columns < 1 || rows < 1) {
            throw new IllegalArgumentException("a screen of " + columns + " by " + rows);
        }
    }
}
