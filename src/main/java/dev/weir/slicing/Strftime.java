package dev.weir.slicing;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A format of strftime, its names in English.
 *
 * @param parts in order; each a text, or a code without its percent sign
 */
record Strftime(List<Part> parts) {

    private static final String EPOCH_SECONDS = "s";

    /** What each code is to a {@link DateTimeFormatter}. */
    private static final Map<String, String> PATTERNS = Map.ofEntries(
            Map.entry("Y", "uuuu"),
            Map.entry("y", "uu"),
            Map.entry("m", "MM"),
            Map.entry("-m", "M"),
            Map.entry("d", "dd"),
            Map.entry("-d", "d"),
            Map.entry("j", "DDD"),
            Map.entry("-j", "D"),
            Map.entry("b", "MMM"),
            Map.entry("B", "MMMM"),
            Map.entry("a", "EEE"),
            Map.entry("A", "EEEE"),
            Map.entry("F", "uuuu-MM-dd"),
            Map.entry("H", "HH"),
            Map.entry("-H", "H"),
            Map.entry("I", "hh"),
            Map.entry("-I", "h"),
            Map.entry("M", "mm"),
            Map.entry("-M", "m"),
            Map.entry("S", "ss"),
            Map.entry("-S", "s"),
            Map.entry("T", "HH:mm:ss"),
            Map.entry("f", "SSSSSS"),
            Map.entry("p", "a"),
            Map.entry("z", "xx"),
            Map.entry("Z", "zzz"));

    private static final Set<String> OF_DAYS =
            Set.of("Y", "y", "m", "-m", "d", "-d", "j", "-j", "b", "B", "a", "A", "F");

    /** @param isCode whether it is a code and no text */
    record Part(String text, boolean isCode) {}

    Strftime {
        parts = List.copyOf(parts);
    }

    /** @throws LiteralException when the format is empty or has a code that is not known */
    static Strftime parse(String format) {
        if (format.isEmpty()) {
            throw new LiteralException("the format is empty: write one as in %Y/%m/%d");
        }
        List<Part> parts = new ArrayList<>();
        int at = 0;
        for (int percent = format.indexOf('%'); percent >= 0; percent = format.indexOf('%', at)) {
            parts.add(new Part(format.substring(at, percent), false));
            int end = percent + (format.startsWith("%-", percent) ? 3 : 2);
            String code = format.substring(percent + 1, Math.min(end, format.length()));
            if (code.equals("%")) {
                parts.add(new Part("%", false));
            } else if (code.equals(EPOCH_SECONDS) || PATTERNS.containsKey(code)) {
                parts.add(new Part(code, true));
            } else {
                throw new LiteralException("'%" + code + "' is no code of strftime here; known: " + known());
            }
            at = end;
        }
        parts.add(new Part(format.substring(at), false));
        return new Strftime(parts);
    }

    private static String known() {
        Set<String> codes = new TreeSet<>(PATTERNS.keySet());
        codes.add(EPOCH_SECONDS);
        codes.add("%");
        return String.join(" ", codes.stream().map(code -> "%" + code).toList());
    }

    /** Whether it tells of days and of nothing finer. */
    boolean isOfDays() {
        return parts.stream().filter(Part::isCode).allMatch(part -> OF_DAYS.contains(part.text()));
    }

    String of(ZonedDateTime time) {
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            out.append(part.isCode() ? value(part.text(), time) : part.text());
        }
        return out.toString();
    }

    private static String value(String code, ZonedDateTime time) {
        return code.equals(EPOCH_SECONDS)
                ? Long.toString(time.toEpochSecond())
                : DateTimeFormatter.ofPattern(PATTERNS.get(code), Locale.ENGLISH)
                        .format(time);
    }
}
