package dev.weir.connector.postgres;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads lists of strings, NULLs and lists, as DuckDB writes them in JSON. */
final class JsonLists {

    private final String json;
    private int at;

    private JsonLists(String json) {
        this.json = json;
    }

    /** @return elements that are strings, null, or lists of the same */
    static List<?> read(String json) {
        return new JsonLists(json).list();
    }

    private List<?> list() {
        List<@Nullable Object> list = new ArrayList<>();
        at++;
        while (json.charAt(at) != ']') {
            if (json.charAt(at) == ',') {
                at++;
            }
            list.add(value());
        }
        at++;
        return list;
    }

    private @Nullable Object value() {
        return switch (json.charAt(at)) {
            case '[' -> list();
            case '"' -> string();
            case 'n' -> {
                at += "null".length();
                yield null;
            }
            default -> throw new IllegalStateException("no list of strings: " + json.substring(at));
        };
    }

    private String string() {
        StringBuilder text = new StringBuilder();
        at++;
        while (json.charAt(at) != '"') {
            text.append(json.charAt(at) == '\\' ? escaped() : json.charAt(at));
            at++;
        }
        at++;
        return text.toString();
    }

    /** Leaves the place at the last letter of the escape. */
    private char escaped() {
        at++;
        return switch (json.charAt(at)) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(json, at - 3, at + 1, 16);
            }
            default -> json.charAt(at);
        };
    }
}
