package dev.weir.event;

import java.util.Map;

/** Puts colours on words, or none. */
record Paint(boolean colours) {

    static final Paint NONE = new Paint(false);

    private static final String GREEN = "32";
    private static final String RED = "31";
    private static final String YELLOW = "33";
    private static final String CYAN = "36";
    private static final String DIM = "2";
    private static final Map<String, String> WORDS = Map.of("ok", GREEN, "failed", RED, "skipped", YELLOW);

    static Paint of(TerminalLook look) {
        return new Paint(look.colours());
    }

    /** A line whose first word says how something came out. */
    String line(String line) {
        int end = line.indexOf(' ');
        String colour = end < 0 ? null : WORDS.get(line.substring(0, end));
        return colour == null ? line : in(colour, line.substring(0, end)) + line.substring(end);
    }

    String done(String text) {
        return in(GREEN, text);
    }

    String wrong(String text) {
        return in(RED, text);
    }

    String underWay(String text) {
        return in(CYAN, text);
    }

    String faint(String text) {
        return in(DIM, text);
    }

    private String in(String colour, String text) {
        return colours && !text.isEmpty() ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
    }
}
