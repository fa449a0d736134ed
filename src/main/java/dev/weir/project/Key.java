package dev.weir.project;

import java.util.Optional;

/**
 * One key of connections.yml or weir.yml.
 *
 * @param required whether what it belongs to is incomplete without it
 * @param usual what holds where it is not given, as one would write it; empty: nothing, or no one value
 * @param description one sentence for people
 */
public record Key(String name, Shape shape, boolean required, Optional<String> usual, String description) {

    static Key of(String name, Shape shape, String description) {
        return new Key(name, shape, false, Optional.empty(), description);
    }

    Key isRequired() {
        return new Key(name, shape, true, usual, description);
    }

    Key usually(Object value) {
        return new Key(name, shape, required, Optional.of(value.toString()), description);
    }
}
