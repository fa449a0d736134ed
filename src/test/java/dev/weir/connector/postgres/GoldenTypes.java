package dev.weir.connector.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The golden table of types.txt, which tells how to read it.
 *
 * @param name the Postgres type
 * @param weirType the DuckDB type it is read as
 * @param goesBack whether a table of the same type takes what was read
 * @param values what is in a column of it
 */
record GoldenTypes(String name, String weirType, boolean goesBack, List<Value> values) {

    private static final Pattern REPEATED = Pattern.compile("\\{(.+)\\*(\\d+)}", Pattern.DOTALL);

    /**
     * One value.
     *
     * @param sql an expression of the type
     * @param printed how DuckDB prints it; of a refused one, what the refusal says
     */
    record Value(String written, String sql, String printed, boolean refused) {}

    static List<GoldenTypes> all() {
        List<GoldenTypes> types = new ArrayList<>();
        for (String line : lines()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("  ")) {
                GoldenTypes type = types.get(types.size() - 1);
                type.values.add(value(line.substring(2), type.name));
            } else {
                String[] parts = line.split(" -> ");
                boolean oneWay = parts[1].endsWith(" one way");
                types.add(new GoldenTypes(parts[0], parts[1].replace(" one way", ""), !oneWay, new ArrayList<>()));
            }
        }
        return types;
    }

    private static List<String> lines() {
        try (InputStream file = GoldenTypes.class.getResourceAsStream("types.txt")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Value value(String line, String type) {
        int arrow = line.indexOf(" ->");
        String written = arrow < 0 ? line : line.substring(0, arrow);
        String right = arrow < 0 ? line : line.substring(arrow + 3).strip();
        String sql = written.startsWith("= ")
                ? "CAST(" + written.substring(2) + " AS " + type + ")"
                : "'" + written.replace("'", "''") + "'::" + type;
        boolean refused = right.startsWith("! ");
        String printed = arrow < 0 ? right : refused ? right.substring(2) : printed(right);
        return new Value(written, sql, printed, refused);
    }

    private static String printed(String right) {
        Matcher repeated = REPEATED.matcher(right.translateEscapes());
        StringBuilder text = new StringBuilder();
        while (repeated.find()) {
            String many = repeated.group(1).repeat(Integer.parseInt(repeated.group(2)));
            repeated.appendReplacement(text, Matcher.quoteReplacement(many));
        }
        return repeated.appendTail(text).toString();
    }
}
