package dev.weir.project;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one {@code {{ name(arguments) }}} of a pipeline.
 *
 * <p>Arguments are strings in single or double quotes, a quote in them doubled; numbers, {@code true} and {@code false};
 * lists in {@code []}, maps in {@code {}}; named ones as {@code name: value}; over several lines. They are written out:
 * no call stands inside another.
 */
final class CallReader {

    private static final int DEEPEST = 16;
    private static final Pattern BLANK = Pattern.compile("\\s+");
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]*");
    private static final Pattern STRING = Pattern.compile("'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\"");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_.+-]+");
    private static final Pattern PLAIN = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false");

    private final SourceText source;
    private final Problems problems;
    private int at;

    /** @param start where the opening braces are */
    CallReader(SourceText source, int start, Problems problems) {
        this.source = source;
        this.problems = problems;
        this.at = start + 2;
    }

    /** What stands between the braces. */
    record Parsed(Value.Scalar name, boolean hasArguments, List<Value> positional, Value.Mapping named) {}

    /** Thrown for a call that cannot be read; never leaves this package. */
    static final class Refused extends RuntimeException {
        final transient Place place;
        final String remedy;

        Refused(Place place, String what, String remedy) {
            super(what);
            this.place = place;
            this.remedy = remedy;
        }
    }

    /** Where the reader stands: after {@link #read()}, behind the closing braces. */
    int end() {
        return at;
    }

    /** @throws Refused at the first character that does not fit */
    Parsed read() {
        skipBlanks();
        Value.Scalar name = new Value.Scalar(
                here(), expect(NAME, "the name of a call, as in {{ source('conn', 'table') }}"), false);
        skipBlanks();
        List<Value> positional = new ArrayList<>();
        Entries named = new Entries(problems);
        boolean arguments = accept("(");
        if (arguments) {
            arguments(positional, named);
        }
        skipBlanks();
        if (!accept("}}")) {
            throw refused("'}}' is expected here", "end the call with '}}'");
        }
        return new Parsed(name, arguments, positional, named.mapping(name.place()));
    }

    private void arguments(List<Value> positional, Entries named) {
        boolean anyNamed = false;
        skipBlanks();
        while (!accept(")")) {
            Place place = here();
            int start = at;
            Value argument = value(0);
            skipBlanks();
            if (argument instanceof Value.Scalar key
                    && NAME.matcher(source.text().substring(start, start + 1)).matches()
                    && accept(":")) {
                skipBlanks();
                Value given = value(0);
                refuseBareWord(given);
                named.add(key, given);
                anyNamed = true;
                skipBlanks();
            } else {
                refuseBareWord(argument);
                if (anyNamed) {
                    throw new Refused(place, "an argument without a name after one with a name", "write 'name: value'");
                }
                positional.add(argument);
            }
            separator(")");
        }
    }

    private Value value(int depth) {
        if (depth > DEEPEST) {
            throw refused("nested too deep", "no option is that deep");
        }
        Place place = here();
        if (accept("[")) {
            return list(place, depth);
        }
        if (accept("{")) {
            return map(place, depth);
        }
        Matcher string = match(STRING);
        if (string.lookingAt()) {
            at = string.end();
            String quote = string.group().substring(0, 1);
            String inside = string.group().substring(1, string.group().length() - 1);
            return new Value.Scalar(place, inside.replace(quote + quote, quote), true);
        }
        return new Value.Scalar(place, expect(WORD, "a string, a number, true, false, a list or a map"), false);
    }

    private Value list(Place place, int depth) {
        List<Value> items = new ArrayList<>();
        skipBlanks();
        while (!accept("]")) {
            Value item = value(depth + 1);
            refuseBareWord(item);
            items.add(item);
            separator("]");
        }
        return new Value.Sequence(place, items);
    }

    private Value map(Place place, int depth) {
        Entries entries = new Entries(problems);
        skipBlanks();
        while (!accept("}")) {
            if (!(value(depth + 1) instanceof Value.Scalar key)) {
                throw refused("a key is a name, not a list or a map", "write { name: value }");
            }
            skipBlanks();
            if (!accept(":")) {
                throw refused("':' is expected here", "write { name: value }");
            }
            skipBlanks();
            entries.add(key, mapValue(depth + 1));
            separator("}");
        }
        return entries.mapping(place);
    }

    /** In a map words need no quotes, so that a block of connections.yml reads the same here. */
    private Value mapValue(int depth) {
        Value value = value(depth);
        if (value instanceof Value.Scalar scalar && !scalar.quoted() && accept("(")) {
            Matcher rest = match(Pattern.compile("[0-9, ]*\\)"));
            if (!rest.lookingAt()) {
                throw refused("this is no type", "put it in quotes");
            }
            at = rest.end();
            return new Value.Scalar(scalar.place(), scalar.text() + "(" + rest.group(), false);
        }
        return value;
    }

    private void separator(String closing) {
        skipBlanks();
        if (accept(",")) {
            skipBlanks();
        } else if (!source.text().startsWith(closing, at)) {
            throw refused(
                    "',' or '" + closing + "' is expected here", "separate values with commas, and put text in quotes");
        }
    }

    private void refuseBareWord(Value value) {
        if (value instanceof Value.Scalar scalar
                && !scalar.quoted()
                && !PLAIN.matcher(scalar.text()).matches()) {
            throw new Refused(
                    scalar.place(),
                    "'" + scalar.text() + "' is neither text in quotes nor a number",
                    "put text in quotes: '" + scalar.text() + "'; a named argument is written 'name: value'");
        }
    }

    private String expect(Pattern pattern, String expected) {
        Matcher matcher = match(pattern);
        if (!matcher.lookingAt()) {
            char next = at < source.text().length() ? source.text().charAt(at) : ' ';
            String what = next == '\'' || next == '"' ? "this quote is not closed" : expected + " is expected here";
            throw refused(what, "close every quote, bracket and call");
        }
        at = matcher.end();
        return matcher.group();
    }

    private boolean accept(String text) {
        boolean found = source.text().startsWith(text, at);
        at += found ? text.length() : 0;
        return found;
    }

    private void skipBlanks() {
        Matcher blanks = match(BLANK);
        at = blanks.lookingAt() ? blanks.end() : at;
    }

    private Matcher match(Pattern pattern) {
        return pattern.matcher(source.text()).region(at, source.text().length());
    }

    private Place here() {
        return source.place(at);
    }

    private Refused refused(String what, String remedy) {
        return new Refused(here(), what, remedy);
    }
}
