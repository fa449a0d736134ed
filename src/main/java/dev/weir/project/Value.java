package dev.weir.project;

import dev.weir.slicing.TokenText;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a user wrote, in YAML or in a template call, with the place of every part.
 *
 * <p>Scalars keep their source text: {@code 0123}, {@code no} and {@code 2026-01-01} are these texts, and the key they
 * belong to decides what they mean. Immutable.
 */
public sealed interface Value {

    Place place();

    /**
     * @param text the source text; of a quoted scalar what the quotes hold, unescaped
     * @param quoted whether it is text in any case: quoted, or made by expanding a variable
     */
    record Scalar(Place place, String text, boolean quoted) implements Value {

        private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

        /** Whether nothing is written here: no text, {@code ~} or {@code null} without quotes. */
        public boolean isAbsent() {
            return !quoted && NOTHING.contains(text);
        }
    }

    /**
     * A text with {@code ${backfill.…}} or {@code ${now.…}} in it, which is text in any case.
     *
     * @param text everything else in it expanded; may hold no token, for a text where tokens may stand
     */
    record Tokens(Place place, TokenText text) implements Value {}

    record Sequence(Place place, List<Value> items) implements Value {
        public Sequence {
            items = List.copyOf(items);
        }
    }

    /** @param entries in their order, no key twice */
    record Mapping(Place place, List<Entry> entries) implements Value {
        public Mapping {
            entries = List.copyOf(entries);
        }

        public Optional<Entry> entry(String key) {
            return entries.stream()
                    .filter(entry -> entry.key().text().equals(key))
                    .findFirst();
        }
    }

    record Entry(Scalar key, Value value) {}

    /** A scalar whose variable is not set or cannot be read. It is a problem already, and no cause of another one. */
    record Unset(Place place) implements Value {}

    /** Whether any part of this is unset. */
    default boolean hasUnset() {
        if (this instanceof Sequence sequence) {
            return sequence.items().stream().anyMatch(Value::hasUnset);
        }
        if (this instanceof Mapping mapping) {
            return mapping.entries().stream().anyMatch(entry -> entry.value().hasUnset());
        }
        return this instanceof Unset;
    }
}
