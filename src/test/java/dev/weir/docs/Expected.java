package dev.weir.docs;

import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a document says is printed.
 *
 * <p>A line {@code ...} stands for any lines. Run ids, instants, durations, process ids and who edited differ from run to
 * run and are not compared.
 */
final class Expected {

    private static final String[][] CHANGING = {
        {"\\d{8}T\\d{9}Z-[0-9a-f]{4}", "RUN"},
        {"\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z", "INSTANT"},
        {"INSTANT to INSTANT", "INSTANT"},
        {"\\b\\d+ms\\b", "DURATION"},
        {"\"durationMs\" ?: ?\\d+", "\"durationMs\":N"},
        {"\\bby \\S+: ", "by WHO: "},
        {"/\\S*/(?=[\\w.-]+\\.(db|duckdb)\\b)", "FOLDER/"},
    };

    private final List<String> lines;

    private Expected(List<String> lines) {
        this.lines = lines;
    }

    static Expected of(List<String> lines) {
        return new Expected(List.copyOf(lines));
    }

    void matches(String output) {
        String pattern = lines.stream()
                .map(line -> line.equals("...") ? "(?:.*\\n)*" : Pattern.quote(stable(line)) + "\\n")
                .collect(Collectors.joining());
        String actual = output.lines().map(line -> stable(line) + "\n").collect(Collectors.joining());
        if (!Pattern.matches(pattern, actual)) {
            fail("expected\n" + String.join("\n", lines) + "\n\nbut was\n" + output);
        }
    }

    private static String stable(String line) {
        String stable = line.stripTrailing();
        for (String[] change : CHANGING) {
            stable = stable.replaceAll(change[0], change[1]);
        }
        return stable;
    }
}
