package dev.weir.run;

import dev.weir.event.Event;
import dev.weir.event.EventSink;
import dev.weir.event.RunFolder;
import dev.weir.event.RunStatus;
import dev.weir.fault.Redactor;
import dev.weir.fault.RunException;
import dev.weir.plan.Plan;
import dev.weir.state.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run under way: a pass, or an attempt at a chunk, with an id, a folder and a row in the history of its own.
 *
 * <p>The history and the folder are worth a note, and no reason to fail. Used by one thread at a time.
 */
final class OneRun {

    private final Invocation invocation;
    private final RunRecord record;
    private final RunFolder folder;
    private final EventSink events;
    private final Journal journal;

    /** What the runs of one invocation share. */
    record Telling(Invocation invocation, EventSink console, Redactor redactor) {}

    /** @param record as it begins; its start is when the run began */
    OneRun(Telling telling, RunRecord record) {
        this.invocation = telling.invocation();
        this.record = record;
        Path weirDir = invocation.plan().dir().resolve(".weir");
        this.folder = RunFolder.open(weirDir, record.runId(), telling.redactor(), invocation.notes());
        this.events = EventSink.all(List.of(telling.console(), folder));
        this.journal = new Journal(
                events,
                invocation.clock(),
                invocation.cancellation(),
                telling.redactor(),
                record.runId(),
                record.startedAt());
    }

    String id() {
        return record.runId();
    }

    Journal journal() {
        return journal;
    }

    /** Shows something that happened in the run, and keeps it in its folder. */
    void accept(Event event) {
        events.accept(event);
    }

    /** @param pass which one of the invocation, from 1 */
    void begin(int pass) {
        history(() -> invocation.state().started(record));
        journal.passStarted(invocation.plan().project(), nodes(), pass, invocation.now());
    }

    private int nodes() {
        Plan plan = invocation.plan();
        long intermediates =
                plan.pipelines().stream().filter(node -> !node.isLoaded()).count();
        return Math.toIntExact(plan.sources().size() + plan.sinks().size() + intermediates);
    }

    /** @param passes how many passes its invocation has made; null: it makes none */
    void completed(RunStatus status, @Nullable Integer passes) {
        invocation.faults().reached(Faults.Point.BEFORE_FINAL_STATUS);
        journal.passCompleted(status);
        history(() -> invocation.state().finished(ended(status, passes)));
    }

    private RunRecord ended(RunStatus status, @Nullable Integer passes) {
        int exitCode =
                switch (status) {
                    case SUCCESS -> LoopEnd.SUCCESS;
                    case CANCELLED -> LoopEnd.CANCELLED;
                    case COMPLETED_WITH_FAILURES, FATAL -> LoopEnd.FAILED;
                };
        return record.ended(
                invocation.clock().instant(),
                RunRecord.Status.valueOf(status.name()),
                passes,
                exitCode,
                new RunRecord.Counts(journal.succeeded(), journal.failed(), journal.skipped(), journal.rowsWritten()));
    }

    private void history(Runnable write) {
        try {
            write.run();
        } catch (RunException e) {
            invocation.notes().accept(e.getMessage());
        }
    }

    /**
     * Writes the final status, last of all.
     *
     * @param exitCode the invocation's; null: another run follows
     */
    void finish(RunStatus status, @Nullable Integer exitCode) {
        folder.finish(status, invocation.clock().instant(), exitCode);
    }
}
