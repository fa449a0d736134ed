package dev.weir.project;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The variables {@code ${VAR}} and {@code env('VAR')} stand for: the environment, and {@code .env} below it.
 *
 * <p>Remembers which values were given out, defaults included, so that secrets among them can be hidden. Never printed.
 */
final class Variables {

    private final Map<String, String> values;
    private final Map<String, Set<String>> given = new HashMap<>();

    /** @param environment wins over the file */
    Variables(Map<String, String> file, Map<String, String> environment) {
        this.values = new HashMap<>(file);
        this.values.putAll(environment);
    }

    /** The value; empty when the variable is not set. */
    Optional<String> get(String name) {
        Optional<String> value = Optional.ofNullable(values.get(name));
        value.ifPresent(text -> give(name, text));
        return value;
    }

    /** The value, or the default when the variable is not set or has no text, as in a shell. */
    String get(String name, String otherwise) {
        String value = values.getOrDefault(name, "");
        return give(name, value.isEmpty() ? otherwise : value);
    }

    private String give(String name, String value) {
        given.computeIfAbsent(name, key -> new HashSet<>()).add(value);
        return value;
    }

    /** Every value the variable has or was taken to have. */
    Set<String> valuesOf(String name) {
        Set<String> all = new HashSet<>(given.getOrDefault(name, Set.of()));
        if (values.containsKey(name)) {
            all.add(values.get(name));
        }
        return all;
    }

    @Override
    public String toString() {
        return values.size() + " variables";
    }
}
