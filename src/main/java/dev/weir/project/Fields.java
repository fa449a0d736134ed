package dev.weir.project;

import dev.weir.fault.Code;
import dev.weir.slicing.TokenText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Takes the keys of one mapping one by one, checks their shapes, and refuses what nobody took. */
final class Fields {

    private final Value.Mapping mapping;
    private final String path;
    private final Shape.Block block;
    private final Problems problems;
    private final Set<String> taken = new LinkedHashSet<>();
    private final Set<String> later = new LinkedHashSet<>();

    /**
     * @param path what messages call the mapping, as in {@code pg_prod.entities}; empty at the top of a file
     * @param block the keys that may be taken
     */
    Fields(Value.Mapping mapping, String path, Shape.Block block, Problems problems) {
        this.mapping = mapping;
        this.path = path;
        this.block = block;
        this.problems = problems;
    }

    /** The value's mapping; an absent value is an empty one; nothing, and a problem, for any other shape. */
    static Optional<Value.Mapping> mapping(Value value, String path, Problems problems) {
        if (value instanceof Value.Mapping mapping) {
            return Optional.of(mapping);
        }
        if (value instanceof Value.Scalar scalar && scalar.isAbsent()) {
            return Optional.of(new Value.Mapping(scalar.place(), List.of()));
        }
        wrongShape(value, path, "keys with values", "write 'key: value' pairs", problems);
        return Optional.empty();
    }

    /** The value's text; nothing, and a problem, for any other shape and for an absent value. */
    static Optional<Value.Scalar> scalar(Value value, String path, Problems problems) {
        if (value instanceof Value.Scalar scalar) {
            if (!scalar.isAbsent()) {
                return Optional.of(scalar);
            }
            problems.add(
                    Code.BAD_VALUE,
                    scalar.place(),
                    path + " has no value",
                    "write one, or take the key out; an empty text is written \"\"");
            return Optional.empty();
        }
        wrongShape(value, path, "a single value", "write 'key: value'", problems);
        return Optional.empty();
    }

    private static void wrongShape(Value value, String path, String expected, String remedy, Problems problems) {
        if (value instanceof Value.Unset) {
            return;
        }
        if (value instanceof Value.Tokens tokens) {
            problems.add(
                    Code.BAD_TOKEN,
                    value.place(),
                    path + ": " + tokens.text().tokens().get(0) + " has no value here",
                    "tokens may stand in the 'query:' of an entity; write '$$' for a '$'");
            return;
        }
        String found = value instanceof Value.Sequence
                ? "a list"
                : value instanceof Value.Mapping ? "keys with values" : "a single value";
        problems.add(Code.BAD_VALUE, value.place(), path + " takes " + expected + ", not " + found, remedy);
    }

    Optional<Value.Entry> entry(String key) {
        shape(key);
        taken.add(key);
        return mapping.entry(key);
    }

    private Shape shape(String key) {
        return block.key(key)
                .orElseThrow(() -> new IllegalArgumentException("the grammar has no key " + below(key)))
                .shape();
    }

    /** Passes over a key that has been refused already. */
    void passOver(String key) {
        taken.add(key);
    }

    Optional<Keyed<Value.Scalar>> scalar(String key) {
        return entry(key).flatMap(entry -> scalar(entry.value(), below(key), problems)
                .map(scalar -> new Keyed<>(entry.key().place(), scalar)));
    }

    /** The text of a key whose shape is a certain spelling; nothing, and a problem, for another one. */
    Optional<Keyed<Value.Scalar>> spelled(String key) {
        Shape.Spelled shape = (Shape.Spelled) shape(key);
        return scalar(key)
                .filter(keyed ->
                        check(key, keyed.value(), shape.takes(keyed.value().text()), shape.remedy()));
    }

    /** One of the words of a key's shape. */
    Optional<Keyed<Value.Scalar>> word(String key) {
        Shape.Word shape = (Shape.Word) shape(key);
        return scalar(key)
                .filter(keyed ->
                        check(key, keyed.value(), shape.takes(keyed.value().text()), shape.remedy()));
    }

    /** What to write under a key whose shape is a certain spelling. */
    String remedy(String key) {
        return ((Shape.Spelled) shape(key)).remedy();
    }

    OptionalInt count(String key) {
        Shape.Count shape = (Shape.Count) shape(key);
        return scalar(key)
                .map(Keyed::value)
                .filter(scalar -> check(key, scalar, shape.takes(scalar.text()), shape.remedy()))
                .map(scalar -> OptionalInt.of(Integer.parseInt(scalar.text())))
                .orElse(OptionalInt.empty());
    }

    /** Tells of a value that its key cannot take. */
    boolean check(String key, Value.Scalar value, boolean right, String remedy) {
        if (!right) {
            problems.add(Code.BAD_VALUE, value.place(), below(key) + " is '" + value.text() + "'", remedy);
        }
        return right;
    }

    /** A text in which tokens may stand. */
    Optional<Keyed<Value.Tokens>> tokens(String key) {
        return entry(key).flatMap(entry -> (entry.value() instanceof Value.Tokens tokens
                        ? Optional.of(tokens)
                        : scalar(entry.value(), below(key), problems)
                                .map(scalar -> new Value.Tokens(scalar.place(), TokenText.plain(scalar.text()))))
                .map(tokens -> new Keyed<>(entry.key().place(), tokens)));
    }

    Optional<Keyed<Value.Mapping>> mapping(String key) {
        return entry(key).flatMap(entry -> mapping(entry.value(), below(key), problems)
                .map(below -> new Keyed<>(entry.key().place(), below)));
    }

    /** A list of texts; a single text counts as a list of one. */
    Optional<Keyed<List<Value.Scalar>>> scalars(String key) {
        Optional<Value.Entry> entry = entry(key);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        Value value = entry.get().value();
        if (value instanceof Value.Mapping) {
            wrongShape(value, below(key), "a list", "write a list, as in ['id']", problems);
            return Optional.empty();
        }
        List<Value> items = value instanceof Value.Sequence sequence ? sequence.items() : List.of(value);
        List<Value.Scalar> scalars = new ArrayList<>();
        for (Value item : items) {
            scalar(item, below(key), problems).ifPresent(scalars::add);
        }
        return Optional.of(new Keyed<>(entry.get().key().place(), scalars));
    }

    /** Keys that belong here but that this version does not support. */
    void notYet(Set<String> keys) {
        later.addAll(keys);
        for (Value.Entry entry : mapping.entries()) {
            if (keys.contains(entry.key().text())) {
                problems.add(
                        Code.NOT_SUPPORTED,
                        entry.key().place(),
                        "'" + entry.key().text() + "' is not supported yet",
                        "take it out");
            }
        }
    }

    /** Refuses every key that was neither taken nor is for later. */
    void refuseOthers(Code code) {
        for (Value.Entry entry : others()) {
            String key = entry.key().text();
            problems.add(
                    code,
                    entry.key().place(),
                    "unknown key '" + key + "'" + (path.isEmpty() ? "" : " in " + path),
                    Nearest.hint(key, block.names()));
        }
    }

    List<Value.Entry> others() {
        return mapping.entries().stream()
                .filter(entry -> !taken.contains(entry.key().text()))
                .filter(entry -> !later.contains(entry.key().text()))
                .toList();
    }

    private String below(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
