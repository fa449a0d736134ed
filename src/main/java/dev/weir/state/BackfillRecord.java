package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan as state keeps it.
 *
 * <p>Immutable. Source of the rule: contract, section 6.
 *
 * @param project the project's name
 * @param backfillId the plan's identity, 16 hex digits
 * @param pipeline the pipeline's name
 * @param from the lower end, inclusive, of the cursor's type
 * @param to the upper end, exclusive, of the cursor's type
 * @param chunk the canonical text of a chunk's size: {@code 1d}, {@code whole}
 * @param cursor what scopes it; the column is {@link Cursor#TOKENS} where only tokens do
 * @param zone the time zone of its calendar steps
 * @param into the connection it writes to instead of the pipeline's own; null: none
 * @param fingerprint of everything a chunk's outcome depends on
 * @param inputs the named parts the fingerprint was made of, in order, kept to show what differs
 * @param restart how often the plan was started over, from 0
 * @param chunks how many chunks it has
 * @param createdAt when it was first written
 * @param command the command line's words, without secrets
 */
public record BackfillRecord(
        String project,
        String backfillId,
        String pipeline,
        CursorValue from,
        CursorValue to,
        String chunk,
        Cursor cursor,
        String zone,
        @Nullable String into,
        String fingerprint,
        Map<String, String> inputs,
        long restart,
        int chunks,
        Instant createdAt,
        String command) {

    public BackfillRecord {
        if (!from.type().equals(cursor.type()) || !to.type().equals(cursor.type())) {
            throw new IllegalArgumentException("a plan over " + cursor + " from " + from.type() + " to " + to.type());
        }
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    }

    /** What its chunks move under. */
    public BackfillKey key() {
        return new BackfillKey(project, backfillId, restart);
    }
}
