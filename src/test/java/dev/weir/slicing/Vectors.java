package dev.weir.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/** Reads the vectors that lie beside the project: one dynamic test a case. */
final class Vectors {

    private static final Path FOLDER = Path.of("..", "shared", "vectors");

    private Vectors() {}

    /** One case of a vector file. */
    record Case(String name, JsonNode given, JsonNode expect) {

        CursorType type() {
            return CursorType.named(given.get("type").textValue()).orElseThrow();
        }

        Sync sync() {
            JsonNode sync = given.get("sync");
            return Sync.parse(
                    type(),
                    new Sync.Text(
                            null,
                            textOf(sync, "max_window"),
                            textOf(sync, "initial"),
                            textOf(sync, "until"),
                            textOf(sync, "delay"),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null));
        }

        Backfill backfill() {
            return Backfill.parse(
                    type(),
                    new Backfill.Text(
                            given.get("from").textValue(),
                            given.get("to").textValue(),
                            textOf(given, "window"),
                            textOf(given, "timezone")));
        }

        @Nullable
        Integer fractionDigits() {
            return given.hasNonNull("p") ? given.get("p").intValue() : null;
        }

        /** The earlier of the two clocks; numbers have none. */
        Instant now() {
            Instant runner = instant("now");
            Instant source = instant("source_now");
            if (runner == null) {
                return Instant.EPOCH;
            }
            return source == null || runner.isBefore(source) ? runner : source;
        }

        Ceiling.Measured measured() {
            return new Ceiling.Measured(
                    now(), instant("oldest_open"), instant("sample"), value(type(), given.get("settled")));
        }

        private @Nullable Instant instant(String key) {
            String text = textOf(given, key);
            return text == null ? null : Instant.parse(text);
        }

        SourceRows rows() {
            List<@Nullable String> texts = new ArrayList<>();
            given.get("rows").forEach(row -> texts.add(row.textValue()));
            return SourceRows.of(type(), texts);
        }

        /** Calls the check once for every key of {@code expect}, so that none is forgotten. */
        void forEachExpected(KeyCheck check) {
            Iterator<String> keys = expect.fieldNames();
            assertThat(keys).as("keys of expect").hasNext();
            while (keys.hasNext()) {
                String key = keys.next();
                check.check(key, expect.get(key));
            }
        }
    }

    /** Checks one key of {@code expect}; fails for a key it does not know. */
    interface KeyCheck {
        void check(String key, JsonNode expected);
    }

    static Stream<DynamicTest> cases(String file, Consumer<Case> test) {
        Path path = FOLDER.resolve(file);
        assumeTrue(Files.isRegularFile(path), () -> path + " is absent: the vectors lie beside the project");
        JsonNode cases = read(path);
        assertThat(cases.size()).as("cases in %s", file).isPositive();
        return Stream.iterate(0, i -> i < cases.size(), i -> i + 1)
                .map(cases::get)
                .map(node -> new Case(node.get("name").textValue(), node.get("given"), node.get("expect")))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> test.accept(vector)));
    }

    private static JsonNode read(Path path) {
        try {
            return new ObjectMapper().readTree(path.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The value a canonical text stands for; null for null and for an absent key. */
    static @Nullable CursorValue value(CursorType type, @Nullable JsonNode node) {
        return node == null || node.isNull() ? null : type.read(node.textValue());
    }

    static @Nullable String textOf(JsonNode parent, String key) {
        return parent.hasNonNull(key) ? parent.get(key).textValue() : null;
    }
}
