package dev.weir.slicing;

import java.util.Locale;
import java.util.Optional;

/** How a sink takes the rows of a slice. Source of the rules: contract, section 2.2. */
public enum Strategy {
    /** Replaces whole rows by their keys. */
    MERGE,
    /** Adds rows. */
    APPEND,
    /** Swaps the whole table. */
    REPLACE,
    /** Deletes the slice's cursor range in the sink and inserts the slice. */
    WINDOW;

    /** The strategy users write as {@code merge}, {@code append}, {@code replace}, {@code window}. */
    public static Optional<Strategy> named(String text) {
        for (Strategy strategy : values()) {
            if (strategy.toString().equals(text)) {
                return Optional.of(strategy);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
