package dev.weir.connector.postgres;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.weir.connector.jdbc.Excerpt;
import dev.weir.connector.jdbc.Unrepresentable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Documents on their way into a {@code jsonb}, which of several values of one key keeps the last without a word. */
final class JsonbTexts {

    private static final int VERSION = 1;

    /** How large a document may be is for the server to say. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonbTexts() {}

    static void put(Cell cell, CopySink out) throws SQLException {
        String document = cell.getString();
        refuseRepeatedKeys(document);
        out.putText(document, VERSION);
    }

    private static void refuseRepeatedKeys(String document) {
        Deque<Set<String>> keys = new ArrayDeque<>();
        try (JsonParser parser = JSON.createParser(document)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    keys.push(new HashSet<>());
                } else if (token == JsonToken.END_OBJECT) {
                    keys.pop();
                } else if (token == JsonToken.FIELD_NAME && !keys.element().add(parser.currentName())) {
                    throw new Unrepresentable(
                            Excerpt.of(document),
                            "has the key '" + Excerpt.of(parser.currentName())
                                    + "' twice, of which a jsonb keeps one: a json column keeps both");
                }
            }
        } catch (JsonProcessingException e) {
            // The server says what is wrong with it, in its own words.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
