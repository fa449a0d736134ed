package dev.weir.slicing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A position as its sink keeps it, committed together with the rows: the truth about what was loaded.
 *
 * <p>Source of the rule: contract, section 2.4.
 *
 * @param cursor the cursor the values belong to
 * @param generation which generation it is of; 0: none was ever started
 * @param generationStart where that generation starts, exclusive; null: from {@code initial}, inclusive
 * @param seq how many times the mark has moved in its generation, from 1; compared and set with each move
 * @param value where the sink stands; null: nowhere
 * @param rowsDelivered how many rows were delivered in this generation
 * @param tableEmpty whether the table held no row at this commit
 * @param runId the run that committed it
 * @param committedAt when, by the runner's clock
 */
public record Mark(
        Cursor cursor,
        long generation,
        @Nullable CursorValue generationStart,
        long seq,
        @Nullable CursorValue value,
        long rowsDelivered,
        boolean tableEmpty,
        String runId,
        Instant committedAt) {}
