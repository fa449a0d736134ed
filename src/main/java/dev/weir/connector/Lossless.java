package dev.weir.connector;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether every value of one DuckDB type is held by another exactly, with its meaning.
 *
 * <p>Everything not listed is refused: DuckDB itself rounds, cuts and reinterprets on INSERT without a word. The finite
 * dates and coarse timestamps beyond the range of {@code TIMESTAMP} are the exception: there DuckDB fails loudly.
 */
public final class Lossless {

    /** The whole numbers: how many decimal digits and bits their greatest value has. */
    private record Whole(boolean signed, int bits, int digits) {}

    private static final Map<String, Whole> WHOLES = Map.of(
            "TINYINT", new Whole(true, 8, 3),
            "SMALLINT", new Whole(true, 16, 5),
            "INTEGER", new Whole(true, 32, 10),
            "BIGINT", new Whole(true, 64, 19),
            "HUGEINT", new Whole(true, 128, 39),
            "UTINYINT", new Whole(false, 8, 3),
            "USMALLINT", new Whole(false, 16, 5),
            "UINTEGER", new Whole(false, 32, 10),
            "UBIGINT", new Whole(false, 64, 20),
            "UHUGEINT", new Whole(false, 128, 39));

    private static final Pattern DECIMAL = Pattern.compile("DECIMAL\\((\\d+),(\\d+)\\)");

    /** Types that are text underneath, or print as one text each. */
    private static final Set<String> TEXTS = Set.of("JSON", "UUID");

    private static final Map<String, Set<String>> TIMES = Map.of(
            "DATE", Set.of("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS"),
            "TIMESTAMP_S", Set.of("TIMESTAMP_MS", "TIMESTAMP"),
            "TIMESTAMP_MS", Set.of("TIMESTAMP"));

    private Lossless() {}

    /**
     * @param from a type as DuckDB prints it
     * @param to a type as DuckDB prints it
     */
    public static boolean holds(String from, String to) {
        if (from.equals(to)) {
            return true;
        }
        if (from.endsWith("[]") && to.endsWith("[]")) {
            return holds(from.substring(0, from.length() - 2), to.substring(0, to.length() - 2));
        }
        if (WHOLES.containsKey(from)) {
            return wholeHolds(WHOLES.get(from), to);
        }
        Matcher decimal = DECIMAL.matcher(from);
        if (decimal.matches()) {
            return decimalHolds(number(decimal, 1), number(decimal, 2), to);
        }
        if (to.equals("VARCHAR")) {
            return TEXTS.contains(from) || from.startsWith("ENUM(") && from.endsWith(")");
        }
        if (from.equals("FLOAT")) {
            return to.equals("DOUBLE");
        }
        return TIMES.getOrDefault(from, Set.of()).contains(to);
    }

    private static boolean wholeHolds(Whole from, String to) {
        Whole whole = WHOLES.get(to);
        if (whole != null) {
            boolean wider = whole.bits > from.bits;
            return from.signed == whole.signed ? whole.bits >= from.bits : !from.signed && wider;
        }
        Matcher decimal = DECIMAL.matcher(to);
        if (decimal.matches()) {
            return number(decimal, 1) - number(decimal, 2) >= from.digits;
        }
        return to.equals("DOUBLE") && from.bits <= 32 || to.equals("FLOAT") && from.bits <= 16;
    }

    private static boolean decimalHolds(int precision, int scale, String to) {
        Matcher decimal = DECIMAL.matcher(to);
        if (decimal.matches()) {
            int toScale = number(decimal, 2);
            return toScale >= scale && number(decimal, 1) - toScale >= precision - scale;
        }
        Whole whole = WHOLES.get(to);
        return whole != null && whole.signed && scale == 0 && precision < whole.digits;
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }
}
