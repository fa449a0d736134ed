package dev.weir.state;

import java.util.Set;

/**
 * The runs of the history, by their ids.
 *
 * @param kept those that are kept, or live
 * @param released those that may be forgotten
 */
public record Retained(Set<String> kept, Set<String> released) {

    public Retained {
        kept = Set.copyOf(kept);
        released = Set.copyOf(released);
    }
}
