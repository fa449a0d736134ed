package dev.weir.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.OptionalInt;

/**
 * What DuckDB says is wrong with a statement.
 *
 * @param position where, in bytes of UTF-8 from 0; empty: it does not say
 */
record SqlError(String message, OptionalInt position) {

    /** A failure on a connection whose {@code errors_as_json} is on; any other is taken as it is. */
    static SqlError of(SQLException failure) {
        String message = DuckErrors.message(failure);
        int json = message.indexOf('{');
        if (json < 0) {
            return new SqlError(message, OptionalInt.empty());
        }
        try {
            JsonNode error = new ObjectMapper().readTree(message.substring(json));
            if (!error.hasNonNull("exception_message")) {
                return new SqlError(message, OptionalInt.empty());
            }
            int position = error.path("position").asInt(-1);
            return new SqlError(
                    message.substring(0, json) + error.get("exception_message").asText(),
                    position < 0 ? OptionalInt.empty() : OptionalInt.of(position));
        } catch (JsonProcessingException e) {
            return new SqlError(message, OptionalInt.empty());
        }
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
