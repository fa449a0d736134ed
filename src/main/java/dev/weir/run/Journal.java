package dev.weir.run;

import dev.weir.event.Event;
import dev.weir.event.EventSink;
import dev.weir.event.Incremental;
import dev.weir.event.NodeKind;
import dev.weir.event.Outcome;
import dev.weir.event.RunStatus;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.Redactor;
import dev.weir.fault.StackTrace;
import dev.weir.fault.WeirException;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what happens in one pass, and counts how its nodes came out.
 *
 * <p>Used by one thread.
 */
final class Journal {

    private static final long PROGRESS_NANOS = 1_000_000_000L;
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private final EventSink events;
    private final Clock clock;
    private final Cancellation cancellation;
    private final Redactor redactor;
    private final String runId;
    private final Instant began;
    private int succeeded;
    private int failed;
    private int skipped;
    private long rowsWritten;

    Journal(EventSink events, Clock clock, Cancellation cancellation, Redactor redactor, String runId) {
        this.events = events;
        this.clock = clock;
        this.cancellation = cancellation;
        this.redactor = redactor;
        this.runId = runId;
        this.began = clock.instant();
    }

    String runId() {
        return runId;
    }

    Instant began() {
        return began;
    }

    int succeeded() {
        return succeeded;
    }

    int failed() {
        return failed;
    }

    int skipped() {
        return skipped;
    }

    long rowsWritten() {
        return rowsWritten;
    }

    void passStarted(String project, int nodeCount, int pass, Instant now) {
        events.accept(new Event.RunStarted(began, runId, project, nodeCount, pass, now));
    }

    void passCompleted(RunStatus status) {
        Instant at = clock.instant();
        events.accept(new Event.RunCompleted(
                at,
                runId,
                status,
                succeeded,
                failed,
                skipped,
                Duration.between(began, at).toMillis()));
    }

    void watermarkAdvanced(String key, Cursor cursor, @Nullable CursorValue before, CursorValue after) {
        events.accept(new Event.WatermarkAdvanced(clock.instant(), runId, key, cursor, before, after));
    }

    /** Begins a node. */
    Node started(String id, NodeKind kind) {
        Instant at = clock.instant();
        events.accept(new Event.NodeStarted(at, runId, id, kind, id));
        return new Node(id, kind);
    }

    /** A node that never began because something above it failed. */
    void skipped(String id, NodeKind kind, String above) {
        started(id, kind).skipped(above);
    }

    /** A node that was not begun, for a reason of the run's own. */
    void leftOut(String id, NodeKind kind, String why) {
        started(id, kind).leftOut(why);
    }

    /** One node under way. Its duration is the time its own work took. */
    final class Node {
        private final String id;
        private final NodeKind kind;
        private long workNanos;
        private long began = System.nanoTime();
        private long lastProgress = began;

        private Node(String id, NodeKind kind) {
            this.id = id;
            this.kind = kind;
        }

        /** Its work is done for now: time spent by others does not count. */
        void paused() {
            workNanos += System.nanoTime() - began;
        }

        /** Its work goes on. */
        void resumed() {
            began = System.nanoTime();
        }

        /** At most once a second, so that a long read is seen and a short one is not buried. */
        void progress(long rows) {
            long now = System.nanoTime();
            if (now - lastProgress < PROGRESS_NANOS) {
                return;
            }
            lastProgress = now;
            events.accept(new Event.NodeProgress(clock.instant(), runId, id, id, rows, 0));
        }

        Retries.Listener retries() {
            return (attempt, delay, reason) -> events.accept(new Event.RetryScheduled(
                    clock.instant(), runId, id, id, attempt, Retries.ATTEMPTS, delay.toMillis(), reason.getMessage()));
        }

        void duplicates(List<String> keys, long groups, long extraRows) {
            events.accept(
                    new Event.MergeKeyDuplicatesDetected(clock.instant(), runId, id, id, keys, groups, extraRows));
        }

        void outside(OutsideCounts counts) {
            if (counts.any()) {
                events.accept(new Event.RowsOutsideWindows(
                        clock.instant(),
                        runId,
                        id,
                        counts.nullCursors(),
                        counts.infiniteCursors(),
                        counts.belowInitial(),
                        counts.future()));
            }
        }

        void succeeded(long rows, @Nullable Incremental incremental) {
            paused();
            succeeded++;
            if (kind == NodeKind.SINK_WRITE) {
                rowsWritten += rows;
            }
            completed(new Outcome.Success(), rows, incremental);
        }

        /** What fails once a cancellation is under way did not run to its end, and that is all. */
        void failed(RuntimeException failure) {
            paused();
            if (cancellation.isCancelled()) {
                skipped++;
                completed(new Outcome.Skipped("cancelled"), 0, null);
                return;
            }
            failed++;
            completed(new Outcome.Failed(fault(failure)), 0, null);
        }

        void skipped(String above) {
            paused();
            skipped++;
            completed(Outcome.Skipped.below(above), 0, null);
        }

        void leftOut(String why) {
            paused();
            skipped++;
            completed(new Outcome.Skipped(why), 0, null);
        }

        private void completed(Outcome outcome, long rows, @Nullable Incremental incremental) {
            events.accept(new Event.NodeCompleted(
                    clock.instant(), runId, id, kind, id, outcome, rows, 0, workNanos / 1_000_000, incremental));
        }

        /** Anything but a failure of ours is a bug, and is told as one. */
        private Fault fault(RuntimeException failure) {
            if (failure instanceof WeirException known) {
                return known.fault();
            }
            LOG.error("internal error at {}: {}", id, StackTrace.of(failure, redactor));
            return new Fault(
                    Code.INTERNAL,
                    id,
                    "an internal error: " + failure,
                    "nothing was committed by this step; please report it with the stack trace in the log");
        }
    }
}
