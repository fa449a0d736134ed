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
        Counts counts) {

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
    }

    /** A run that begins now. */
    public static RunRecord starting(String runId, String project, String command, Instant at, ProcessIdentity by) {
        return new RunRecord(runId, project, command, at, null, Status.RUNNING, null, null, by, Counts.NONE);
    }

    /** The same run, ended. */
    public RunRecord ended(Instant at, Status outcome, @Nullable Integer madePasses, int exit, Counts summary) {
        return new RunRecord(runId, project, command, startedAt, at, outcome, madePasses, exit, process, summary);
    }

    RunRecord died() {
        return new RunRecord(runId, project, command, startedAt, null, Status.DIED, passes, exitCode, process, counts);
    }
}
