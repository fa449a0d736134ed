package dev.weir.project;

/** One piece of a pipeline's text; all pieces together are the whole text. */
public sealed interface Piece {

    Place place();

    /** The text of the piece as its author wrote it. */
    String text();

    /** What SQL text is, as far as cutting a statement apart needs to know. */
    enum Kind {
        /** Blanks, line breaks and comments. */
        BLANK,
        /** A keyword, a name or a number. */
        WORD,
        /** A string or a quoted name, quotes included. */
        QUOTED,
        /** One other character. */
        SYMBOL
    }

    record Sql(Place place, Kind kind, String text) implements Piece {

        public boolean isBlank() {
            return kind == Kind.BLANK;
        }

        public boolean isWord(String word) {
            return kind == Kind.WORD && text.equalsIgnoreCase(word);
        }

        public boolean isSymbol(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }
    }

    /** @param text from the opening to the closing braces */
    record Called(Place place, Call call, String text) implements Piece {}
}
