package dev.weir.project;

import dev.weir.fault.Code;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The values of {@code var('name')}: {@code vars:} in weir.yml, and {@code --var name=value} above it. */
final class Vars {

    private final Map<String, Value> values = new LinkedHashMap<>();
    private final Set<String> declared;
    private final Map<String, String> flags;

    /**
     * A flag's value is read as if it stood in weir.yml without quotes, but where weir.yml holds text there, it is text.
     */
    Vars(List<Value.Entry> declared, Map<String, String> flags) {
        for (Value.Entry entry : declared) {
            values.put(entry.key().text(), entry.value());
        }
        this.declared = Set.copyOf(values.keySet());
        this.flags = Map.copyOf(flags);
        flags.forEach((name, text) -> {
            boolean isText = values.get(name) instanceof Value.Scalar scalar
                    && SqlLiterals.of(scalar).endsWith("'");
            values.put(name, new Value.Scalar(Place.of("--var"), text, isText));
        });
    }

    Optional<Value> get(String name) {
        return Optional.ofNullable(values.get(name));
    }

    Set<String> names() {
        return values.keySet();
    }

    /** Refuses a flag that sets nothing: a misspelled name would go unnoticed. */
    void refuseUnused(Set<String> used, Problems problems) {
        for (String name : flags.keySet()) {
            if (!declared.contains(name) && !used.contains(name)) {
                List<String> known = new ArrayList<>(declared);
                known.addAll(used);
                problems.add(
                        Code.UNKNOWN_KEY,
                        Place.of("--var"),
                        "no pipeline uses a variable '" + name + "', and weir.yml has none",
                        Nearest.hint(name, Set.copyOf(known)));
            }
        }
    }
}
