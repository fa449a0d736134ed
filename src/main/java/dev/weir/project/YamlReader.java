package dev.weir.project;

import dev.weir.fault.Code;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Reads one YAML document into {@link Value}s, from the parser's events, so that no type is guessed.
 *
 * <p>Anchors, aliases, tags, merge keys and further documents are refused: they have no use in a project, and without
 * them a file cannot grow while it is read. Messages never quote a value, which may be a secret.
 */
final class YamlReader {

    private static final int DEEPEST = 32;

    private final SourceText source;
    private final Problems problems;
    private final Iterator<Event> events;

    private YamlReader(SourceText source, Problems problems) {
        this.source = source;
        this.problems = problems;
        this.events = new Yaml(new SafeConstructor(new LoaderOptions()))
                .parse(new StringReader(source.text()))
                .iterator();
    }

    /** The document's root mapping, empty for an empty file; nothing, and a problem, when it cannot be read. */
    static Optional<Value.Mapping> read(SourceText source, Problems problems) {
        try {
            return new YamlReader(source, problems).document();
        } catch (Refused e) {
            problems.add(Code.MALFORMED_FILE, e.place, e.what, e.remedy);
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
            Place place = mark == null ? Place.of(source.file()) : place(source.file(), mark);
            problems.add(Code.MALFORMED_FILE, place, "this is no YAML: " + oneLine(e.getProblem()), fixIt(e));
        } catch (ReaderException e) {
            int index = source.text().indexOf(e.getCodePoint());
            problems.add(
                    Code.MALFORMED_FILE,
                    source.place(Math.max(0, index)),
                    String.format("the character U+%04X is not allowed in YAML", e.getCodePoint()),
                    "take it out, or write it as an escape in double quotes");
        } catch (YAMLException e) {
            problems.add(
                    Code.MALFORMED_FILE,
                    Place.of(source.file()),
                    "this is no YAML",
                    "check the file with any YAML checker");
        }
        return Optional.empty();
    }

    private static String fixIt(MarkedYAMLException e) {
        String problem = String.valueOf(e.getProblem());
        if (problem.contains("TAB")) {
            return "indent with spaces";
        }
        return problem.contains("cannot start any token")
                ? "put the value in quotes"
                : "check indentation, colons, quotes and brackets here and just above";
    }

    private static String oneLine(@Nullable String problem) {
        return problem == null
                ? "it cannot be parsed"
                : problem.replaceAll("\\s+", " ").strip();
    }

    private Optional<Value.Mapping> document() {
        next();
        Event event = next();
        if (!(event instanceof DocumentStartEvent)) {
            return Optional.of(new Value.Mapping(new Place(source.file(), 1, 1), List.of()));
        }
        Value root = value(next(), 0);
        next();
        Event end = next();
        if (end instanceof DocumentStartEvent) {
            throw refused(end, "a second document starts here", "keep one document a file");
        }
        if (root instanceof Value.Mapping mapping) {
            return Optional.of(mapping);
        }
        if (root instanceof Value.Scalar scalar && scalar.isAbsent()) {
            return Optional.of(new Value.Mapping(scalar.place(), List.of()));
        }
        throw new Refused(root.place(), "keys are expected at the top of the file", "write 'key: value' lines");
    }

    private Value value(Event event, int depth) {
        refuseExtras(event);
        if (depth > DEEPEST) {
            throw refused(event, "nested more than " + DEEPEST + " levels deep", "nothing in a project is that deep");
        }
        if (event instanceof ScalarEvent scalar) {
            return new Value.Scalar(place(event), scalar.getValue(), !scalar.isPlain());
        }
        if (event instanceof SequenceStartEvent) {
            List<Value> items = new ArrayList<>();
            for (Event item = next(); !(item instanceof SequenceEndEvent); item = next()) {
                items.add(value(item, depth + 1));
            }
            return new Value.Sequence(place(event), items);
        }
        return mapping((MappingStartEvent) event, depth);
    }

    private Value.Mapping mapping(MappingStartEvent start, int depth) {
        Entries entries = new Entries(problems);
        for (Event key = next(); !(key instanceof MappingEndEvent); key = next()) {
            refuseExtras(key);
            if (!(key instanceof ScalarEvent scalar)) {
                throw refused(key, "a key is text, not a list or a mapping", "write 'key: value'");
            }
            if (scalar.isPlain() && scalar.getValue().equals("<<")) {
                throw refused(key, "merge keys are not supported", "write the keys out");
            }
            if (scalar.getValue().isEmpty()) {
                throw refused(key, "a key is missing before the ':'", "write 'key: value'");
            }
            Value.Scalar name = new Value.Scalar(place(key), scalar.getValue(), !scalar.isPlain());
            entries.add(name, value(next(), depth + 1));
        }
        return entries.mapping(place(start));
    }

    private void refuseExtras(Event event) {
        if (event instanceof AliasEvent) {
            throw refused(event, "aliases ('*name') are not supported", "write the value out; quote it if it is text");
        }
        if (event instanceof NodeEvent node && node.getAnchor() != null) {
            throw refused(event, "anchors ('&name') are not supported", "take it out; quote the value if it is text");
        }
        String tag = null;
        if (event instanceof ScalarEvent scalar) {
            tag = scalar.getTag();
        } else if (event instanceof CollectionStartEvent collection) {
            tag = collection.getTag();
        }
        if (tag != null) {
            throw refused(event, "tags ('!name') are not supported", "take it out; quote the value if it is text");
        }
    }

    private Event next() {
        return events.next();
    }

    private Place place(Event event) {
        return place(source.file(), event.getStartMark());
    }

    private static Place place(String file, Mark mark) {
        return new Place(file, mark.getLine() + 1, mark.getColumn() + 1);
    }

    private Refused refused(Event event, String what, String remedy) {
        return new Refused(place(event), what, remedy);
    }

    /** Ends the reading of one file; never leaves this class. */
    private static final class Refused extends RuntimeException {
        private final transient Place place;
        private final String what;
        private final String remedy;

        Refused(Place place, String what, String remedy) {
            super(what);
            this.place = place;
            this.what = what;
            this.remedy = remedy;
        }
    }
}
