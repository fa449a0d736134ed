package dev.weir.run;

import java.util.List;

/** Two texts told apart for a person: their first lines that differ. */
final class TextDifference {

    private static final int SHOWN = 120;

    private TextDifference() {}

    /** {@code name: before → now}, or for longer texts the first line that differs of each. */
    static String of(String name, String before, String now) {
        List<String> old = before.lines().toList();
        List<String> fresh = now.lines().toList();
        if (old.size() <= 1 && fresh.size() <= 1) {
            return name + ": " + cut(before) + " → " + cut(now);
        }
        int line = 0;
        while (line < old.size() && line < fresh.size() && old.get(line).equals(fresh.get(line))) {
            line++;
        }
        return name + ", line " + (line + 1) + ":\n- " + at(old, line) + "\n+ " + at(fresh, line);
    }

    private static String at(List<String> lines, int line) {
        return line < lines.size() ? cut(lines.get(line)) : "(no more)";
    }

    private static String cut(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
