package dev.weir.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two texts told apart for a person. */
final class TextDifference {

    private static final int SHOWN = 120;

    private TextDifference() {}

    /**
     * {@code name: X before, Y now}; for longer texts the first line that differs of each.
     *
     * @param before null: it was not there, as for {@code now}
     */
    static String of(String name, @Nullable String before, @Nullable String now) {
        List<String> old = before == null ? List.of() : before.lines().toList();
        List<String> fresh = now == null ? List.of() : now.lines().toList();
        if (old.size() <= 1 && fresh.size() <= 1) {
            return name + ": " + shown(before) + " before, " + shown(now) + " now";
        }
        int line = 0;
        while (line < old.size() && line < fresh.size() && old.get(line).equals(fresh.get(line))) {
            line++;
        }
        return name + ", line " + (line + 1) + ":\n- " + at(old, line) + "\n+ " + at(fresh, line);
    }

    private static String shown(@Nullable String text) {
        return text == null ? "not there" : cut(text);
    }

    private static String at(List<String> lines, int line) {
        return line < lines.size() ? cut(lines.get(line)) : "(no more)";
    }

    private static String cut(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
