package dev.weir.project;

import dev.weir.fault.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gathers the entries of a mapping and refuses a key that comes twice. */
final class Entries {

    private final Problems problems;
    private final List<Value.Entry> entries = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();

    Entries(Problems problems) {
        this.problems = problems;
    }

    void add(Value.Scalar key, Value value) {
        Place first = places.putIfAbsent(key.text(), key.place());
        if (first == null) {
            entries.add(new Value.Entry(key, value));
            return;
        }
        problems.add(
                Code.DUPLICATE_KEY,
                key.place(),
                "'" + key.text() + "' is given twice, first at " + first,
                "keep one of the two");
    }

    Value.Mapping mapping(Place place) {
        return new Value.Mapping(place, entries);
    }
}
