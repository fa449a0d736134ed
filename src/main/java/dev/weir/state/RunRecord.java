package dev.weir.state;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One run in the history.
 *
 * @param command the command line's words, without secrets: {@code run --all --until-caught-up}
 * @param endedAt null: still running, or died
 * @param passes how many passes it made; null: not known yet, or not in passes
 * @param exitCode null while there is none
 * @param process the process that ran it
 * @param trigger what it was run for
 * @param backfillId the plan it replayed a chunk of, 16 hex digits; null unless the trigger is a backfill
 * @param chunkRunId the identity of that chunk, 16 hex digits, the same in each attempt; null unless the trigger is a
 *     backfill
 */
public record RunRecord(
        String runId,
        String project,
        String command,
        Instant startedAt,
        @Nullable Instant endedAt,
        Status status,
        @Nullable Integer passes,
        @Nullable Integer exitCode,
        ProcessIdentity process,
        Counts counts,
        Trigger trigger,
        @Nullable String backfillId,
        @Nullable String chunkRunId) {

    /** What a run was made for. */
    public enum Trigger {
        /** Forward: {@code weir run}. */
        RUN,
        /** An attempt at one chunk of a backfill. */
        BACKFILL;

        /** As it is stored and printed: {@code backfill}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a run stands. */
    public enum Status {
        RUNNING,
        SUCCESS,
        COMPLETED_WITH_FAILURES,
        CANCELLED,
        FATAL,
        /** It never ended, and no living process runs it. Never stored: found out when read. */
        DIED;

        /** As it is stored and printed: {@code completed_with_failures}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What came of its nodes.
     *
     * @param rows rows written to sinks
     */
    public record Counts(int succeeded, int failed, int skipped, long rows) {
        public static final Counts NONE = new Counts(0, 0, 0, 0);
    }

    public RunRecord {
        boolean open = status == Status.RUNNING || status == Status.DIED;
        if (open != (endedAt == null)) {
            throw new IllegalArgumentException("a run that is " + status + " ended at " + endedAt);
        }
        boolean replay = trigger == Trigger.BACKFILL;
        if (replay != (backfillId != null) || replay != (chunkRunId != null)) {
            throw new IllegalArgumentException("a " + trigger + " of plan " + backfillId + ", chunk " + chunkRunId);
        }
    }

    /** A forward run that begins now. */
    public static RunRecord starting(String runId, String project, String command, Instant at, ProcessIdentity by) {
        return starting(runId, project, command, at, by, Trigger.RUN, null, null);
    }

    /** An attempt at one chunk of a backfill that begins now. */
    public static RunRecord startingChunk(
            String runId,
            String project,
            String command,
            Instant at,
            ProcessIdentity by,
            String backfillId,
            String chunkRunId) {
        return starting(runId, project, command, at, by, Trigger.BACKFILL, backfillId, chunkRunId);
    }

    private static RunRecord starting(
            String runId,
            String project,
            String command,
            Instant at,
            ProcessIdentity by,
            Trigger trigger,
            @Nullable String backfillId,
            @Nullable String chunkRunId) {
        return new RunRecord(
                runId,
                project,
                command,
                at,
                null,
                Status.RUNNING,
                null,
                null,
                by,
                Counts.NONE,
                trigger,
                backfillId,
                chunkRunId);
    }

    /** The same run, ended. */
    public RunRecord ended(Instant at, Status outcome, @Nullable Integer madePasses, int exit, Counts summary) {
        return as(at, outcome, madePasses, exit, summary);
    }

    RunRecord died() {
        return as(null, Status.DIED, passes, exitCode, counts);
    }

    private RunRecord as(
            @Nullable Instant end,
            Status outcome,
            @Nullable Integer madePasses,
            @Nullable Integer exit,
            Counts summary) {
        return new RunRecord(
                runId,
                project,
                command,
                startedAt,
                end,
                outcome,
                madePasses,
                exit,
                process,
                summary,
                trigger,
                backfillId,
                chunkRunId);
    }
}
