package dev.weir.project;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One connection of connections.yml, its variables expanded.
 *
 * @param place where its name is written
 * @param connector empty only when that is a problem already
 * @param limits how gently it is used
 * @param options every other key by name, in no order; may hold secrets
 */
public record ConnectionSpec(
        String name,
        Place place,
        Optional<Value.Scalar> connector,
        Map<String, Option> options,
        Limits limits,
        List<EntitySpec> entities) {

    public ConnectionSpec {
        options = Map.copyOf(options);
        entities = List.copyOf(entities);
    }

    /**
     * One option.
     *
     * @param place where its key is written
     * @param value empty when that is a problem already
     */
    public record Option(Place place, Optional<Value.Scalar> value) {}

    /** The name alone: options may hold secrets. */
    @Override
    public String toString() {
        return name;
    }
}
