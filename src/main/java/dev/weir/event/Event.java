package dev.weir.event;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened in a run. Immutable.
 *
 * <p>Order per node: started, progress, retries, warnings, completed. Fields are only ever added. Source of the names
 * and fields: contract, section 4.3.
 */
public sealed interface Event {

    /** When it happened, by the runner's clock. */
    Instant at();

    /** The run it happened in. */
    String runId();

    /** The event's name as users see it: {@code node_completed}. */
    String event();

    /**
     * A pass begins.
     *
     * @param pass which one of the invocation, from 1
     * @param now the invocation's fixed now
     */
    record RunStarted(Instant at, String runId, String projectName, int nodeCount, int pass, Instant now)
            implements Event {
        @Override
        public String event() {
            return "run_started";
        }
    }

    /**
     * @param nodeId unique in the run, stable between runs
     * @param name as it is printed: {@code src_pg_prod__public_orders}, {@code lake.orders_synced}
     */
    record NodeStarted(Instant at, String runId, String nodeId, NodeKind kind, String name) implements Event {
        @Override
        public String event() {
            return "node_started";
        }
    }

    /** @param rows how many so far, like {@code bytes} */
    record NodeProgress(Instant at, String runId, String nodeId, String name, long rows, long bytes) implements Event {
        @Override
        public String event() {
            return "node_progress";
        }
    }

    /**
     * An attempt failed in a way that may pass, and another follows.
     *
     * @param attempt the attempt that failed, from 1
     * @param delayMs how long until the next one
     * @param reason what failed; secrets in it are hidden when it is rendered
     */
    record RetryScheduled(
            Instant at,
            String runId,
            String nodeId,
            String name,
            int attempt,
            int maxAttempts,
            long delayMs,
            String reason)
            implements Event {
        @Override
        public String event() {
            return "retry_scheduled";
        }
    }

    /**
     * Rows of one slice had equal merge keys, and the greatest of each stays.
     *
     * @param sink as it is printed
     * @param duplicateGroups how many keys came more than once
     * @param extraRows how many rows were left out for it
     */
    record MergeKeyDuplicatesDetected(
            Instant at,
            String runId,
            String nodeId,
            String sink,
            List<String> keys,
            long duplicateGroups,
            long extraRows)
            implements Event {
        public MergeKeyDuplicatesDetected {
            keys = List.copyOf(keys);
        }

        @Override
        public String event() {
            return "merge_key_duplicates_detected";
        }
    }

    /** Rows that no window holds; each number is counted up to 1,000. */
    record RowsOutsideWindows(
            Instant at,
            String runId,
            String nodeId,
            long nullCursors,
            long infiniteCursors,
            long belowInitial,
            long future)
            implements Event {
        /** Where counting stops. */
        public static final long COUNTED = 1_000;

        @Override
        public String event() {
            return "rows_outside_windows";
        }
    }

    /**
     * A node has ended.
     *
     * @param rows read from a source, produced by a pipeline, written to a sink
     * @param incremental what an incremental source read; null for every other node, and where nothing is known because
     *     it failed or was skipped
     */
    record NodeCompleted(
            Instant at,
            String runId,
            String nodeId,
            NodeKind kind,
            String name,
            Outcome outcome,
            long rows,
            long bytes,
            long durationMs,
            @Nullable Incremental incremental)
            implements Event {
        @Override
        public String event() {
            return "node_completed";
        }
    }

    /**
     * A watermark has moved: all sinks below the entity have committed.
     *
     * @param key {@code connection.entity}
     * @param before null: none
     */
    record WatermarkAdvanced(
            Instant at,
            String runId,
            String key,
            Cursor cursor,
            @Nullable CursorValue before,
            CursorValue after) implements Event {
        @Override
        public String event() {
            return "watermark_advanced";
        }
    }

    /** A pass has ended. */
    record RunCompleted(
            Instant at, String runId, RunStatus status, int succeeded, int failed, int skipped, long durationMs)
            implements Event {
        @Override
        public String event() {
            return "run_completed";
        }
    }

    /**
     * The loop has ended.
     *
     * @param stopped why, in the words of the contract, section 4.1: {@code caught up}
     */
    record LoopCompleted(Instant at, String runId, int passes, String stopped, int exitCode) implements Event {
        @Override
        public String event() {
            return "loop_completed";
        }
    }

    /**
     * A backfill begins: everything that refuses it lies behind.
     *
     * @param runId the first run of the invocation
     * @param from the whole range's lower end, inclusive, as it is printed
     * @param to its upper end, exclusive
     * @param chunks how many the plan has
     * @param pending how many of them are not completed
     */
    record BackfillStarted(
            Instant at,
            String runId,
            String backfillId,
            String pipeline,
            String from,
            String to,
            int chunks,
            int pending)
            implements Event {
        @Override
        public String event() {
            return "backfill_started";
        }
    }

    /**
     * A chunk is claimed, and an attempt at it begins.
     *
     * @param runId the attempt's run
     * @param chunkRunId names the chunk, in every attempt
     */
    record ChunkStarted(Instant at, String runId, String backfillId, ChunkRef chunk, String chunkRunId)
            implements Event {
        @Override
        public String event() {
            return "chunk_started";
        }
    }

    /**
     * A chunk is done with, in whatever way, as far as this invocation goes; its outcome is durable.
     *
     * @param runId the attempt's run; where there was no attempt the first run of the invocation
     * @param chunkRunId names the chunk, in every attempt
     * @param durationMs 0 where there was no attempt
     */
    record ChunkCompleted(
            Instant at,
            String runId,
            String backfillId,
            ChunkRef chunk,
            String chunkRunId,
            ChunkOutcome outcome,
            long durationMs)
            implements Event {
        @Override
        public String event() {
            return "chunk_completed";
        }
    }

    /**
     * An invocation of a backfill has ended.
     *
     * @param runId the first run of the invocation
     */
    record BackfillCompleted(
            Instant at,
            String runId,
            String backfillId,
            RunStatus status,
            ChunkTotals totals,
            long durationMs,
            int exitCode)
            implements Event {
        @Override
        public String event() {
            return "backfill_completed";
        }
    }
}
