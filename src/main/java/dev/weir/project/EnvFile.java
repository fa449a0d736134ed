package dev.weir.project;

import dev.weir.fault.Code;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code .env}: lines of {@code KEY=VALUE}, an optional {@code export} before them, comments with {@code #}.
 *
 * <p>A value in single quotes is taken as it is; in double quotes {@code \"}, {@code \\} and {@code \n} are escapes and
 * other backslashes stay; without quotes it ends at a blank and {@code #}, and blanks around it do not count. A {@code
 * $} is never expanded. Problems never quote a line, which may hold a secret.
 */
final class EnvFile {

    private static final Pattern LINE = Pattern.compile("\\s*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)\\s*=\\s*(.*)");
    private static final Pattern SINGLE = Pattern.compile("'([^']*)'\\s*(?:#.*)?");
    private static final Pattern DOUBLE = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*+)\"\\s*(?:#.*)?");
    private static final Pattern COMMENT = Pattern.compile("(?:^|\\s)#.*");

    private EnvFile() {}

    static Map<String, String> read(SourceText source, Problems problems) {
        Map<String, String> values = new HashMap<>();
        String[] lines = source.text().split("\r\n|\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i];
            if (!line.isBlank() && !line.strip().startsWith("#")) {
                line(line, i + 1, source.file(), values, problems);
            }
        }
        return values;
    }

    private static void line(String line, int number, String file, Map<String, String> values, Problems problems) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            problems.add(
                    Code.MALFORMED_FILE,
                    new Place(file, number, 1),
                    "this line is no KEY=VALUE",
                    "write a name of letters, digits and _, then = and the value, or start the line with #");
            return;
        }
        String name = matcher.group(1);
        String written = matcher.group(2);
        String value = value(written);
        if (value == null) {
            problems.add(
                    Code.MALFORMED_FILE,
                    new Place(file, number, matcher.start(2) + 1),
                    "the value of " + name + " has a quote that is not closed, or text behind its closing quote",
                    "close the quote at the end of the line; a value with both kinds of quotes needs \\\" in double ones");
        } else if (values.putIfAbsent(name, value) != null) {
            problems.add(
                    Code.DUPLICATE_KEY,
                    new Place(file, number, matcher.start(1) + 1),
                    name + " is given twice",
                    "keep one of the two");
        }
    }

    private static @Nullable String value(String written) {
        if (written.startsWith("'")) {
            Matcher single = SINGLE.matcher(written);
            return single.matches() ? single.group(1) : null;
        }
        if (written.startsWith("\"")) {
            Matcher quoted = DOUBLE.matcher(written);
            return quoted.matches() ? unescaped(quoted.group(1)) : null;
        }
        return COMMENT.matcher(written).replaceFirst("").strip();
    }

    private static String unescaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char next = c == '\\' ? text.charAt(i + 1) : ' ';
            if (next == '"' || next == '\\' || next == 'n') {
                out.append(next == 'n' ? '\n' : next);
                i++;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
