package dev.weir.state;

import dev.weir.slicing.ChunkStatus;
import dev.weir.slicing.CursorValue;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One chunk of a plan as state keeps it: a cache of what the sinks say, and the history of its attempts.
 *
 * <p>Source of the rule: contract, section 6.
 *
 * @param chunkId its place in the plan, six digits from {@code 000000}
 * @param from the lower end, inclusive
 * @param to the upper end, exclusive
 * @param status how it stands; {@code claimed} and {@code running} say nothing of whether that process still lives
 * @param claimedBy who claimed it last; null: nobody since it is pending
 * @param claimedAt when that was
 * @param attempts how often it began to run since the plan was last started over
 * @param startedAt when it last began to run; null: not since it is pending
 * @param completedAt when it became completed; null: it is not
 * @param recordsLoaded how many rows it loaded; null: it is not completed
 * @param runId the chunk's identity, 16 hex digits, the same in each attempt
 * @param error why its last attempt failed; null: it did not
 */
public record ChunkRecord(
        String chunkId,
        CursorValue from,
        CursorValue to,
        ChunkStatus status,
        @Nullable String claimedBy,
        @Nullable Instant claimedAt,
        int attempts,
        @Nullable Instant startedAt,
        @Nullable Instant completedAt,
        @Nullable Long recordsLoaded,
        String runId,
        @Nullable String error) {

    /** A chunk that nobody has touched yet. */
    public static ChunkRecord pending(String chunkId, CursorValue from, CursorValue to, String runId) {
        return new ChunkRecord(chunkId, from, to, ChunkStatus.PENDING, null, null, 0, null, null, null, runId, null);
    }
}
