package dev.weir.connector.jdbc;

/** Cuts values for messages. */
public final class Excerpt {

    private static final int LONGEST = 100;

    private Excerpt() {}

    /** The text, or the beginning of a long one. */
    public static String of(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
