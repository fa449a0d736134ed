package dev.weir.state;

import java.util.List;

/**
 * A plan and chunks of it.
 *
 * @param plan the plan
 * @param chunks some of its chunks, in their order
 */
public record BackfillChunks(BackfillRecord plan, List<ChunkRecord> chunks) {

    public BackfillChunks {
        chunks = List.copyOf(chunks);
    }
}
