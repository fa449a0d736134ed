package dev.weir.connector;

import java.util.ArrayList;
import java.util.List;

/**
 * A table as its system spells it: one to three parts, each exact, none folded or normalised.
 *
 * @param parts catalog, schema and table as far as they are given; at least one, none empty
 */
public record TableName(List<String> parts) {

    public TableName {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > 3 || parts.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException("no table name: " + parts);
        }
    }

    /**
     * Reads {@code orders}, {@code public.orders}, {@code public."odd.name"}. A quoted part may hold dots, and a doubled
     * quote stands for one.
     *
     * @throws IllegalArgumentException when the text is no table name
     */
    public static TableName parse(String text) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                part.append('"');
                i++;
            } else if (c == '"' && (quoted || part.isEmpty())) {
                quoted = !quoted;
            } else if (c == '.' && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        if (quoted) {
            throw new IllegalArgumentException("the quote in " + text + " is not closed");
        }
        parts.add(part.toString());
        return new TableName(parts);
    }

    /** The last part: the table itself. */
    public String table() {
        return parts.get(parts.size() - 1);
    }

    /** Whether this name's last parts are those of the other: {@code public.orders} ends in {@code orders}. */
    public boolean endsIn(TableName other) {
        int more = parts.size() - other.parts.size();
        return more >= 0 && parts.subList(more, parts.size()).equals(other.parts);
    }

    /** The name as {@link #parse} reads it back. */
    @Override
    public String toString() {
        return String.join(".", parts.stream().map(TableName::written).toList());
    }

    private static String written(String part) {
        boolean plain = part.indexOf('.') < 0 && part.indexOf('"') < 0;
        return plain ? part : '"' + part.replace("\"", "\"\"") + '"';
    }
}
