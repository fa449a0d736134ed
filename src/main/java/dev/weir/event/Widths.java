package dev.weir.event;

import org.jline.utils.WCWidth;

/** Text by the cells it takes on a terminal: most characters take one, wide ones two, combining ones none. */
final class Widths {

    private Widths() {}

    static int of(String text) {
        return text.codePoints().map(Widths::of).sum();
    }

    private static int of(int codePoint) {
        return Math.max(0, WCWidth.wcwidth(codePoint));
    }

    /** The text with its middle left out, so that it takes at most that many cells. */
    static String ellipsized(String text, int cells, String ellipsis) {
        if (of(text) <= cells) {
            return text;
        }
        int kept = cells - of(ellipsis);
        if (kept < 2) {
            return start(text, cells);
        }
        return start(text, (kept + 1) / 2) + ellipsis + end(text, kept / 2);
    }

    /** As much of the text's start as those cells take. */
    static String start(String text, int cells) {
        int end = 0;
        int width = 0;
        while (end < text.length()) {
            int codePoint = text.codePointAt(end);
            width += of(codePoint);
            if (width > cells) {
                break;
            }
            end += Character.charCount(codePoint);
        }
        return text.substring(0, end);
    }

    private static String end(String text, int cells) {
        int start = text.length();
        int width = 0;
        while (start > 0) {
            int codePoint = text.codePointBefore(start);
            width += of(codePoint);
            if (width > cells) {
                break;
            }
            start -= Character.charCount(codePoint);
        }
        return text.substring(start);
    }

    static String leftAligned(String text, int cells) {
        return text + " ".repeat(Math.max(0, cells - of(text)));
    }

    static String rightAligned(String text, int cells) {
        return " ".repeat(Math.max(0, cells - of(text))) + text;
    }
}
