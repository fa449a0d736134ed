package dev.weir.event;

import org.jspecify.annotations.Nullable;

/** What one node has done in all passes of an invocation. Times are nanoseconds of one clock that never steps. */
final class NodeProgress {

    private final String name;
    private final NodeKind kind;
    private final long firstStarted;
    private final CursorProgress cursor = new CursorProgress();
    private boolean open;
    private long started;
    private long completed;
    private long rows;
    private long rowsUnderWay;
    private long counted;
    private boolean incremental;
    private @Nullable Outcome outcome;

    /** @param name as it is shown */
    NodeProgress(String name, NodeKind kind, long nanos) {
        this.name = name;
        this.kind = kind;
        this.firstStarted = nanos;
        this.completed = nanos;
    }

    void started(long nanos) {
        open = true;
        started = nanos;
        rowsUnderWay = 0;
        counted = nanos;
    }

    void progressed(long soFar, long nanos) {
        rowsUnderWay = soFar;
        counted = nanos;
    }

    void completed(Event.NodeCompleted event, long nanos) {
        boolean idle = cursor.isDone() && event.rows() == 0;
        long since = cursor.passes() == 0 ? started : completed;
        open = false;
        rows += event.rows();
        rowsUnderWay = 0;
        outcome = event.outcome();
        // Passes that others still need say nothing about a source that has nothing left.
        if (idle) {
            return;
        }
        completed = nanos;
        if (event.incremental() != null) {
            incremental = true;
            cursor.passed(event.incremental(), event.rows(), Amounts.seconds(nanos - since));
        }
    }

    String name() {
        return name;
    }

    NodeKind kind() {
        return kind;
    }

    /** Whether a pass of it is known to have read a window. */
    boolean isIncremental() {
        return incremental;
    }

    boolean isFailed() {
        return outcome instanceof Outcome.Failed;
    }

    @Nullable
    Outcome outcome() {
        return outcome;
    }

    CursorProgress cursor() {
        return cursor;
    }

    /** Rows of the passes that have ended, and of the one under way. */
    long rows() {
        return rows + rowsUnderWay;
    }

    long rowsUnderWay() {
        return rowsUnderWay;
    }

    boolean isOpenFor(long longer, long nanos) {
        return open && nanos - started > longer;
    }

    double openSeconds(long nanos) {
        return Amounts.seconds(nanos - started);
    }

    /** Of the pass under way, up to when rows were last counted. */
    double rowsPerSecondUnderWay() {
        double seconds = Amounts.seconds(counted - started);
        return seconds > 0 ? rowsUnderWay / seconds : 0;
    }

    /** From its first start to its last end. */
    double elapsedSeconds() {
        return Amounts.seconds(completed - firstStarted);
    }

    double secondsSinceCompleted(long nanos) {
        return Amounts.seconds(nanos - completed);
    }
}
