package dev.weir.slicing;

import java.time.Instant;

/**
 * A chunk as its sink keeps it, committed together with the rows: the truth about what was loaded.
 *
 * <p>Source of the rule: contract, section 6.
 *
 * @param key which chunk; a sink holds each once
 * @param source {@code connection.entity}; several with a comma and a blank between them
 * @param cursor what scoped the source; of {@link Cursor#TOKENS no column} where tokens in its query did
 * @param from the chunk's lower end, inclusive
 * @param to its upper end, exclusive
 * @param fingerprint of all that the rows depend on
 * @param rows how many were delivered
 * @param runId the run of the attempt that committed it
 * @param committedAt when, by the runner's clock
 */
public record ChunkMark(
        ChunkKey key,
        String source,
        Cursor cursor,
        CursorValue from,
        CursorValue to,
        String fingerprint,
        long rows,
        String runId,
        Instant committedAt) {}
