package dev.weir.engine;

import dev.weir.connector.Staged;

/**
 * Rows that hold each key once and no NULL key.
 *
 * @param rows the rows to write
 * @param duplicateGroups how many keys came more than once
 * @param extraRows how many rows were left out
 */
public record Keyed(Staged rows, long duplicateGroups, long extraRows) {}
