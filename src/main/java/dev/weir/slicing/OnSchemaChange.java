package dev.weir.slicing;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What is done when a sink's table has not the columns that are to be written, as {@code on_schema_change} says. */
public enum OnSchemaChange {
    /** It is refused: the table stays as it is, and nothing is written. */
    FAIL,
    /** The table stays as it is: a column it lacks is not written, one that is no longer produced keeps its values. */
    IGNORE,
    /** The table grows: a column it lacks is added, a type that does not hold every value is widened. */
    ADD;

    /** The one users write so; empty: there is none. */
    public static Optional<OnSchemaChange> named(String name) {
        return Arrays.stream(values())
                .filter(value -> value.toString().equals(name))
                .findFirst();
    }

    /** As users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
