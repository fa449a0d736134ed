package dev.weir.connector.postgres;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Random values of every Postgres type, as SQL; the ends of each type come often, and so does NULL. */
final class RandomValues {

    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private static final String LETTERS = "ab\"'\\\\{}[](),; \t\n\u0001NULüß日👍";

    private static final Map<String, Function<Random, String>> TYPES = new LinkedHashMap<>();

    static {
        TYPES.put("boolean", random -> Boolean.toString(random.nextBoolean()));
        TYPES.put("smallint", random -> quoted(Short.toString((short) random.nextInt())));
        TYPES.put("integer", random -> quoted(Integer.toString(random.nextInt())));
        TYPES.put("bigint", random -> quoted(Long.toString(random.nextLong())));
        TYPES.put("oid", random -> quoted(Integer.toUnsignedString(random.nextInt())));
        TYPES.put("real", random -> quoted(Float.toString(Float.intBitsToFloat(random.nextInt()))));
        TYPES.put("double precision", random -> quoted(Double.toString(Double.longBitsToDouble(random.nextLong()))));
        TYPES.put("numeric(12,2)", random -> decimal(random, 10, 2));
        TYPES.put("numeric(38,10)", random -> decimal(random, 28, 10));
        TYPES.put("numeric", random -> random.nextInt(9) == 0 ? "'NaN'" : decimal(random, 60, random.nextInt(60)));
        TYPES.put("money", random -> "(" + random.nextLong() / 2 + "::numeric / 100)");
        TYPES.put("text", random -> quoted(text(random, 12)));
        TYPES.put("varchar(3)", random -> quoted(text(random, 3)));
        TYPES.put("bytea", random -> "decode(md5('" + random.nextInt() + "'), 'hex')");
        TYPES.put("date", random -> "date '2000-01-01' + " + (random.nextInt(1_000_000) - 500_000));
        TYPES.put("time", random -> "time '00:00' + " + micros(Math.floorMod(random.nextLong(), MICROS_PER_DAY)));
        TYPES.put("timetz", random -> quoted(clock(random) + (random.nextBoolean() ? "+" : "-") + zone(random)));
        TYPES.put("timestamp", RandomValues::timestamp);
        TYPES.put("timestamptz", random -> "(" + timestamp(random) + ") AT TIME ZONE 'UTC'");
        TYPES.put(
                "interval",
                random -> quoted(random.nextInt() + " mons " + random.nextInt() + " days "
                        + (random.nextLong() >> random.nextInt(60)) + " microseconds"));
        TYPES.put("uuid", random -> quoted(new UUID(random.nextLong(), random.nextLong()).toString()));
        TYPES.put(
                "json",
                random -> "json_build_object(" + quoted(text(random, 4)) + ", " + quoted(text(random, 9)) + ")");
        TYPES.put("jsonb", random -> "to_jsonb(" + decimal(random, 40, 10) + "::numeric)");
        TYPES.put("bit(9)", random -> random.nextInt(512) + "::bit(9)");
        TYPES.put(
                "bit varying",
                random -> quoted(Long.toBinaryString(random.nextLong()).substring(random.nextInt(2))));
        TYPES.put("inet", random -> quoted(random.nextInt(256) + ".1.2.3/" + random.nextInt(33)));
        TYPES.put("int8range", random -> "int8range(" + -random.nextInt(99) + ", " + random.nextInt(99) + ", '(]')");
        TYPES.put("pair", random -> "ROW(" + random.nextInt() + ", " + quoted(text(random, 9)) + ")");
        TYPES.put("integer[]", random -> list(random, "integer"));
        TYPES.put("text[]", random -> list(random, "text"));
        TYPES.put("real[]", random -> list(random, "real"));
        TYPES.put("numeric(38,10)[]", random -> list(random, "numeric(38,10)"));
        TYPES.put("timestamptz[]", random -> list(random, "timestamptz"));
        TYPES.put("interval[]", random -> list(random, "interval"));
        TYPES.put("bytea[]", random -> list(random, "bytea"));
        TYPES.put("pair[]", random -> list(random, "pair"));
    }

    private RandomValues() {}

    /** Columns {@code c0} and so on, one of each type. */
    static String columns() {
        List<String> columns = new ArrayList<>();
        TYPES.keySet().forEach(type -> columns.add("c" + columns.size() + " " + type));
        return String.join(", ", columns);
    }

    /** The values of one row. */
    static String row(Random random) {
        return TYPES.keySet().stream().map(type -> value(random, type)).collect(Collectors.joining(", "));
    }

    private static String value(Random random, String type) {
        String sql = random.nextInt(6) == 0 ? "NULL" : TYPES.get(type).apply(random);
        return "CAST(" + sql + " AS " + type + ")";
    }

    private static String list(Random random, String type) {
        List<String> values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.add(value(random, type));
        }
        return "ARRAY[" + String.join(", ", values) + "]::" + type + "[]";
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String text(Random random, int longest) {
        int[] letters = LETTERS.codePoints().toArray();
        return random.ints(random.nextInt(longest + 1), 0, letters.length)
                .mapToObj(i -> Character.toString(letters[i]))
                .collect(Collectors.joining());
    }

    private static String decimal(Random random, int whole, int scale) {
        String digits = random.ints(1 + random.nextInt(whole), 0, 10)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining());
        String fraction = random.ints(scale, 0, 10).mapToObj(Integer::toString).collect(Collectors.joining());
        return quoted((random.nextBoolean() ? "-" : "") + digits + (scale == 0 ? "" : "." + fraction));
    }

    private static String micros(long micros) {
        return "interval '" + micros + " microseconds'";
    }

    private static String timestamp(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> "timestamp 'infinity'";
            case 1 -> "timestamp '-infinity'";
            default -> "timestamp '2000-01-01' + " + micros(random.nextLong() >> 6 + random.nextInt(50));
        };
    }

    private static String clock(Random random) {
        return random.nextInt(24) + ":" + random.nextInt(60) + ":" + random.nextInt(60) + "."
                + random.nextInt(1_000_000);
    }

    private static String zone(Random random) {
        return random.nextInt(16) + ":" + String.format("%02d:%02d", random.nextInt(60), random.nextInt(60));
    }
}
