package dev.weir.engine;

import dev.weir.connector.Staged;
import java.util.Optional;

/**
 * Rows parted by a condition.
 *
 * @param kept those it is not true for
 * @param gone of those it is true for the columns that are needed; empty: there are none
 */
public record Parted(Staged kept, Optional<Staged> gone) {}
