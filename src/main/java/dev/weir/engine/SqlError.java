package dev.weir.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What DuckDB says is wrong with a statement.
 *
 * @param position where, in bytes of UTF-8 from 0; empty: it does not say
 */
record SqlError(String message, OptionalInt position) {

    /** DuckDB's excerpt of the statement: it may cut through a secret, so that nobody can recognize it. */
    private static final Pattern EXCERPT = Pattern.compile("\\s+LINE \\d+: .*", Pattern.DOTALL);

    /** From now on failures on the connection carry their position; the line DuckDB prints is wrong behind blanks. */
    static void withPositions(Connection connection, Statements statements) throws SQLException {
        statements.execute(connection, "SET SESSION errors_as_json = true");
    }

    /** A failure; without a position where the connection was not told to give them. */
    static SqlError of(SQLException failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        String plain = EXCERPT.matcher(message).replaceFirst("").strip();
        int json = message.indexOf('{');
        if (json < 0) {
            return new SqlError(plain, OptionalInt.empty());
        }
        try {
            JsonNode error = new ObjectMapper().readTree(message.substring(json));
            if (!error.hasNonNull("exception_message")) {
                return new SqlError(plain, OptionalInt.empty());
            }
            int position = error.path("position").asInt(-1);
            return new SqlError(
                    kind(message.substring(0, json), error)
                            + error.get("exception_message").asText().strip(),
                    position < 0 ? OptionalInt.empty() : OptionalInt.of(position));
        } catch (JsonProcessingException e) {
            return new SqlError(plain, OptionalInt.empty());
        }
    }

    /** {@code Binder Error: }; an interrupt comes without it. */
    private static String kind(String written, JsonNode error) {
        return written.isBlank() ? error.path("exception_type").asText() + " Error: " : written;
    }

    /** The same in the part of the statement that follows some words. */
    SqlError behind(String words) {
        int length = words.getBytes(StandardCharsets.UTF_8).length;
        return position.isEmpty() || position.getAsInt() < length
                ? new SqlError(message, OptionalInt.empty())
                : new SqlError(message, OptionalInt.of(position.getAsInt() - length));
    }

    /**
     * {@code file:line:column} in a statement whose lines are those of its file.
     *
     * @param file the file
     */
    String place(String file, String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        if (position.isEmpty() || position.getAsInt() > bytes.length) {
            return file;
        }
        String before = new String(bytes, 0, position.getAsInt(), StandardCharsets.UTF_8);
        long line = 1 + before.chars().filter(c -> c == '\n').count();
        int column = 1 + before.codePointCount(before.lastIndexOf('\n') + 1, before.length());
        return file + ":" + line + ":" + column;
    }
}
