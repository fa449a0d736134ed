package dev.weir.project;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.UsageException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Collects everything that is wrong, so that all of it is reported at once.
 *
 * <p>Reported in the order of the files, whatever the order they were found in; the same fault found twice is reported
 * once. Used by one thread.
 */
public final class Problems {

    private final TreeMap<Place, Set<Fault>> found = new TreeMap<>();

    public void add(Code code, Place place, String what, String remedy) {
        found.computeIfAbsent(place, at -> new LinkedHashSet<>()).add(new Fault(code, place.toString(), what, remedy));
    }

    /** Adds what was found by others, at the place it names. */
    public void add(Fault fault) {
        found.computeIfAbsent(Place.parse(fault.place()), at -> new LinkedHashSet<>())
                .add(fault);
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** How many problems there are so far. */
    public int count() {
        return found.values().stream().mapToInt(Set::size).sum();
    }

    /** Everything found so far, sorted by file, line and column. */
    public List<Fault> faults() {
        return found.values().stream().flatMap(Set::stream).toList();
    }

    /** @throws UsageException with everything found, when there is anything */
    public void throwIfAny() {
        if (!isEmpty()) {
            throw new UsageException(faults());
        }
    }
}
