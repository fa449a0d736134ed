package dev.weir.project;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What may be written under a key, as far as that can be told without what else is written. Immutable. */
public sealed interface Shape {

    /** Any single value, which is read by its text. */
    record Text() implements Shape {}

    /**
     * One of some words.
     *
     * @param words in the order to tell them in
     */
    record Word(List<String> words) implements Shape {
        public Word {
            words = List.copyOf(words);
        }

        static Word of(String... words) {
            return new Word(List.of(words));
        }

        boolean takes(String text) {
            return words.contains(text);
        }

        String remedy() {
            return "write " + String.join(" or ", words);
        }
    }

    /** A whole number, both ends included. */
    record Count(int least, int most) implements Shape {

        private static final Pattern DIGITS = Pattern.compile("[0-9]{1,1000}");

        boolean takes(String text) {
            if (!DIGITS.matcher(text).matches()) {
                return false;
            }
            BigInteger value = new BigInteger(text);
            return value.compareTo(BigInteger.valueOf(least)) >= 0 && value.compareTo(BigInteger.valueOf(most)) <= 0;
        }

        String remedy() {
            return "write a whole number from " + least + " to " + most;
        }
    }

    /**
     * A text of a certain spelling.
     *
     * @param pattern of the whole text, in words that every dialect of regular expressions has
     * @param numbers whether a number above zero alone is one
     * @param remedy what to write
     */
    record Spelled(Pattern pattern, boolean numbers, String remedy) implements Shape {

        boolean takes(String text) {
            return pattern.matcher(text).matches();
        }
    }

    /**
     * A list of single values, or one alone.
     *
     * @param mayBeAbsent whether the key may stand there without any
     */
    record Texts(boolean mayBeAbsent) implements Shape {}

    /** Keys with values, each of a meaning of its own. */
    record Block(List<Key> keys) implements Shape {
        public Block {
            keys = List.copyOf(keys);
        }

        static Block of(Key... keys) {
            return new Block(List.of(keys));
        }

        public List<String> names() {
            return keys.stream().map(Key::name).toList();
        }

        Optional<Key> key(String name) {
            return keys.stream().filter(key -> key.name().equals(name)).findFirst();
        }
    }

    /**
     * Names of the author's own with values of one shape.
     *
     * @param names what a name is; empty: anything
     * @param needed whether there must be one
     */
    record Named(Optional<Pattern> names, Shape each, boolean needed) implements Shape {}
}
