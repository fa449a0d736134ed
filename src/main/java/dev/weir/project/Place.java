package dev.weir.project;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in a file of a project.
 *
 * <p>Ordered by file, line, column. Immutable.
 *
 * @param file the file relative to the project's folder, with {@code /}; or a flag of the command line
 * @param line from 1; 0: the file as a whole
 * @param column from 1, counted in characters; 0: the line as a whole
 */
public record Place(String file, int line, int column) implements Comparable<Place> {

    private static final Pattern EXACT = Pattern.compile("(.+):(\\d{1,9}):(\\d{1,9})");
    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::file).thenComparingInt(Place::line).thenComparingInt(Place::column);

    /** A file as a whole, or a flag of the command line. */
    public static Place of(String file) {
        return new Place(file, 0, 0);
    }

    /** The place that {@link #toString} wrote so. */
    public static Place parse(String text) {
        Matcher exact = EXACT.matcher(text);
        return exact.matches()
                ? new Place(exact.group(1), Integer.parseInt(exact.group(2)), Integer.parseInt(exact.group(3)))
                : of(text);
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    /** {@code connections.yml:12:9}, as editors and terminals understand it. */
    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line + ":" + column;
    }
}
