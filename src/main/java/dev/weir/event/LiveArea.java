package dev.weir.event;

import java.util.List;

/**
 * Lines at the end of a terminal's output that are drawn again in place, and lines that are printed above them.
 *
 * <p>Between two calls the cursor is visible and stands at the start of the first of these lines. Terminals that lay their
 * text out anew when they are resized keep the cursor with its text, so that erasing from the cursor on leaves nothing
 * behind, whatever the lines have become. Every call is one write. Used under its owner's lock.
 */
final class LiveArea implements Lines {

    private static final String ERASE_BELOW = "\r\u001b[J";
    /** A line that is wider than it was counted is cut by the terminal, not wrapped. */
    private static final String BEGIN = "\u001b[?25l\u001b[?7l";

    private static final String END = "\u001b[?7h\u001b[?25h";

    private final LineOutput output;
    private List<String> lines = List.of();

    LiveArea(LineOutput output) {
        this.output = output;
    }

    /** Prints above the live lines. */
    @Override
    public void line(String line) {
        if (lines.isEmpty()) {
            output.line(line);
        } else {
            output.write(ERASE_BELOW + line + "\n" + drawn());
        }
    }

    @Override
    public boolean isBroken() {
        return output.isBroken();
    }

    /**
     * Shows these lines in place of those before; fewer than the screen has rows.
     *
     * @param changed whether the screen has changed under the lines, so that the same ones are drawn anew too
     */
    void show(List<String> live, boolean changed) {
        if (live.equals(lines) && !changed) {
            return;
        }
        String erase = lines.isEmpty() ? "" : ERASE_BELOW;
        lines = List.copyOf(live);
        if (!erase.isEmpty() || !lines.isEmpty()) {
            output.write(erase + drawn());
        }
    }

    /** Leaves the lines where they are; what follows is printed below them. */
    void leave() {
        if (!lines.isEmpty()) {
            output.write((lines.size() > 1 ? "\u001b[" + (lines.size() - 1) + "B" : "") + "\r\n");
            lines = List.of();
        }
    }

    private String drawn() {
        if (lines.isEmpty()) {
            return "";
        }
        String back = lines.size() > 1 ? "\u001b[" + (lines.size() - 1) + "A" : "";
        return BEGIN + String.join("\r\n", lines) + back + "\r" + END;
    }
}
