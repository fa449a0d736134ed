package dev.weir.run;

import dev.weir.connector.SinkTransaction.Written;
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
import dev.weir.plan.PipelineNode;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
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
 * <p>Thread-safe; each node is told of by one thread at a time.
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

    Journal(EventSink events, Clock clock, Cancellation cancellation, Redactor redactor, String runId, Instant began) {
        this.events = events;
        this.clock = clock;
        this.cancellation = cancellation;
        this.redactor = redactor;
        this.runId = runId;
        this.began = began;
    }

    String runId() {
        return runId;
    }

    Instant began() {
        return began;
    }

    synchronized int succeeded() {
        return succeeded;
    }

    synchronized int failed() {
        return failed;
    }

    synchronized int skipped() {
        return skipped;
    }

    synchronized long rowsWritten() {
        return rowsWritten;
    }

    void passStarted(String project, int nodeCount, int pass, Instant now) {
        tell(new Event.RunStarted(began, runId, project, nodeCount, pass, now));
    }

    void passCompleted(RunStatus status) {
        Instant at = clock.instant();
        tell(new Event.RunCompleted(
                at,
                runId,
                status,
                succeeded,
                failed,
                skipped,
                Duration.between(began, at).toMillis()));
    }

    void watermarkAdvanced(String key, Cursor cursor, @Nullable CursorValue before, CursorValue after) {
        tell(new Event.WatermarkAdvanced(clock.instant(), runId, key, cursor, before, after));
    }

    private synchronized void tell(Event event) {
        events.accept(event);
    }

    /** Begins a source. */
    Node started(SourceNode source) {
        return started(source.id(), source.id(), NodeKind.SOURCE_LOAD);
    }

    /** Begins an intermediate result. */
    Node started(PipelineNode pipeline) {
        return started(pipeline.id(), pipeline.name(), NodeKind.PIPELINE);
    }

    /** Begins a sink. */
    Node started(SinkNode sink) {
        return started(sink.nodeId(), sink.id(), NodeKind.SINK_WRITE);
    }

    private synchronized void count(int more, int failures, int skips, long rows) {
        succeeded += more;
        failed += failures;
        skipped += skips;
        rowsWritten += rows;
    }

    private Node started(String id, String name, NodeKind kind) {
        tell(new Event.NodeStarted(clock.instant(), runId, id, kind, name));
        return new Node(id, name, kind);
    }

    /** One node under way. Its duration is the time its own work took. */
    final class Node {
        private final String id;
        private final String name;
        private final NodeKind kind;
        private long workNanos;
        private long began = System.nanoTime();
        private long lastProgress = began;

        private Node(String id, String name, NodeKind kind) {
            this.id = id;
            this.name = name;
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
            tell(new Event.NodeProgress(clock.instant(), runId, id, name, rows, 0));
        }

        Retries.Listener retries() {
            return (attempt, attempts, delay, reason) -> tell(new Event.RetryScheduled(
                    clock.instant(), runId, id, name, attempt, attempts, delay.toMillis(), reason.getMessage()));
        }

        void duplicates(List<String> keys, long groups, long extraRows) {
            tell(new Event.MergeKeyDuplicatesDetected(clock.instant(), runId, id, name, keys, groups, extraRows));
        }

        void outside(OutsideCounts counts) {
            if (counts.any()) {
                tell(new Event.RowsOutsideWindows(
                        clock.instant(),
                        runId,
                        id,
                        counts.nullCursors(),
                        counts.infiniteCursors(),
                        counts.belowInitial(),
                        counts.future()));
            }
        }

        /** A source or a pipeline. */
        void succeeded(long rows, @Nullable Incremental incremental) {
            paused();
            count(1, 0, 0, 0);
            completed(new Outcome.Success(), rows, incremental);
        }

        /** A sink. */
        void succeeded(Written written) {
            paused();
            count(1, 0, 0, written.rows());
            completed(new Outcome.Success(written.deleted()), written.rows(), null);
        }

        /** What fails once a cancellation is under way did not run to its end, and that is all. */
        void failed(RuntimeException failure) {
            paused();
            if (cancellation.isCancelled()) {
                count(0, 0, 1, 0);
                completed(new Outcome.Skipped("cancelled"), 0, null);
                return;
            }
            count(0, 1, 0, 0);
            completed(new Outcome.Failed(fault(failure)), 0, null);
        }

        /** It never began because something above it failed. */
        void skipped(String above) {
            paused();
            count(0, 0, 1, 0);
            completed(Outcome.Skipped.below(above), 0, null);
        }

        /** It did not begin, or was undone, for a reason that lies elsewhere. */
        void leftOut(String why) {
            paused();
            count(0, 0, 1, 0);
            completed(new Outcome.Skipped(why), 0, null);
        }

        private void completed(Outcome outcome, long rows, @Nullable Incremental incremental) {
            tell(new Event.NodeCompleted(
                    clock.instant(), runId, id, kind, name, outcome, rows, 0, workNanos / 1_000_000, incremental));
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
