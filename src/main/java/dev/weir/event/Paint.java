package dev.weir.event;

import java.util.Map;

/**
 * Puts colours on words, or none.
 *
 * <p>Immutable and thread-safe. Each method returns the text with the codes of a terminal around it; an empty text, and
 * every text without colours, as it is.
 *
 * @param colours whether there are any
 */
public record Paint(boolean colours) {

    static final Paint NONE = new Paint(false);

    private static final String GREEN = "32";
    private static final String RED = "31";
    private static final String YELLOW = "33";
    private static final String CYAN = "36";
    private static final String DIM = "2";
    private static final Map<String, String> WORDS = Map.of("ok", GREEN, "failed", RED, "skipped", YELLOW);

    /** As a terminal can show it. */
    public static Paint of(TerminalLook look) {
        return new Paint(look.colours());
    }

    /** A line whose first word says how something came out. */
    String line(String line) {
        int end = line.indexOf(' ');
        String colour = end < 0 ? null : WORDS.get(line.substring(0, end));
        return colour == null ? line : in(colour, line.substring(0, end)) + line.substring(end);
    }

    /** What came out well. */
    public String done(String text) {
        return in(GREEN, text);
    }

    /** What failed. */
    public String wrong(String text) {
        return in(RED, text);
    }

    /** What was left undone. */
    public String leftUndone(String text) {
        return in(YELLOW, text);
    }

    /** What somebody works on. */
    public String underWay(String text) {
        return in(CYAN, text);
    }

    /** What hardly matters. */
    public String faint(String text) {
        return in(DIM, text);
    }

    private String in(String colour, String text) {
        return colours && !text.isEmpty() ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
    }
}
