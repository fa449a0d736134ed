package dev.weir.event;

/**
 * What one invocation of a backfill has come to; the numbers of chunks are those of the whole plan.
 *
 * @param chunks how many the plan has
 * @param completed by this invocation
 * @param skipped completed before, or by another process meanwhile
 * @param claimedElsewhere held by another process, and not known to be completed
 * @param failed by this invocation
 * @param rows delivered by this invocation
 */
public record ChunkTotals(int chunks, int completed, int skipped, int claimedElsewhere, int failed, long rows) {

    /** How many nobody has completed and nobody holds, those that failed left out. */
    public int pending() {
        return chunks - completed - skipped - claimedElsewhere - failed;
    }
}
