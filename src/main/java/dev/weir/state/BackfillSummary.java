package dev.weir.state;

import dev.weir.slicing.ChunkStatus;
import java.util.Map;

/**
 * A plan and how far it is.
 *
 * @param plan the plan
 * @param counts how many of its chunks stand how, by state alone; a status no chunk has is absent
 * @param recordsLoaded the rows that its completed chunks loaded
 */
public record BackfillSummary(BackfillRecord plan, Map<ChunkStatus, Integer> counts, long recordsLoaded) {

    public BackfillSummary {
        counts = Map.copyOf(counts);
    }

    /** How many chunks stand so. */
    public int count(ChunkStatus status) {
        return counts.getOrDefault(status, 0);
    }
}
