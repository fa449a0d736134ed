package dev.weir.slicing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A position as state remembers it: a cache of the sink's mark, and what operators decided.
 *
 * @param cursor the cursor the values belong to
 * @param generation which generation it is of; 0: none was ever started
 * @param generationStart where that generation starts, exclusive; null: from {@code initial}, inclusive
 * @param value where the sink stands; null: nowhere
 * @param stood where the sink stood when the generation began; null: nowhere, or not known
 * @param runId the run, or the edit, that put it there
 * @param at when that was
 */
public record Position(
        Cursor cursor,
        long generation,
        @Nullable CursorValue generationStart,
        @Nullable CursorValue value,
        @Nullable CursorValue stood,
        String runId,
        Instant at) {}
