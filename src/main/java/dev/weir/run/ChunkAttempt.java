package dev.weir.run;

import dev.weir.event.ChunkOutcome;
import dev.weir.event.ChunkRef;
import dev.weir.event.Event;
import dev.weir.event.RunStatus;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.fault.StackTrace;
import dev.weir.fault.WeirException;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.Spelling;
import dev.weir.state.BackfillKey;
import dev.weir.state.Backfills;
import dev.weir.state.PlanLease;
import dev.weir.state.ProcessIdentity;
import dev.weir.state.RunRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One invocation's attempts at chunks: each is claimed, compared with the sinks, loaded, and its outcome durable before it is
 * told. Thread-safe.
 *
 * <p>Source of the rules: contract, section 6.
 */
final class ChunkAttempt {

    private static final Logger LOG = LoggerFactory.getLogger(ChunkAttempt.class);

    private final ChunkLoad.Shared shared;
    private final BackfillKey key;
    private final PlanLease lease;
    private final ChunkLedger ledger;
    private final OneRun.Telling telling;
    private final RunIds runIds;
    private final String firstRunId;
    private final String command;

    /** @param firstRunId what is told where no run of an attempt is */
    ChunkAttempt(
            ChunkLoad.Shared shared,
            BackfillKey key,
            PlanLease lease,
            ChunkLedger ledger,
            OneRun.Telling telling,
            RunIds runIds,
            String firstRunId,
            String command) {
        this.shared = shared;
        this.key = key;
        this.lease = lease;
        this.ledger = ledger;
        this.telling = telling;
        this.runIds = runIds;
        this.firstRunId = firstRunId;
        this.command = command;
    }

    private Clock clock() {
        return shared.invocation().clock();
    }

    /** Who claims: this process, as others tell of it. */
    private static String worker() {
        ProcessIdentity self = ProcessIdentity.current();
        return self.host() + ":" + self.pid();
    }

    private Backfills backfills() {
        return shared.invocation().state().backfills();
    }

    /** Tries to bring a chunk to completion, and tells what came of it. */
    ChunkOutcome at(Chunk chunk) {
        Optional<PlanLease.Claim> claim = lease.tryClaim(chunk.number());
        if (claim.isEmpty()) {
            return told(chunk, new ChunkOutcome.HeldElsewhere());
        }
        try (PlanLease.Claim held = claim.get()) {
            return claimed(chunk);
        }
    }

    /** Whether nobody holds a chunk now. */
    boolean isFree(Chunk chunk) {
        return !lease.isHeld(chunk.number());
    }

    /** A chunk that was completed before this invocation began. */
    ChunkOutcome completedBefore(Chunk chunk) {
        return told(chunk, new ChunkOutcome.Skipped());
    }

    private ChunkOutcome told(Chunk chunk, ChunkOutcome outcome) {
        telling.console()
                .accept(new Event.ChunkCompleted(
                        clock().instant(), firstRunId, key.backfillId(), ref(chunk), runId(chunk), outcome, 0));
        return outcome;
    }

    private String runId(Chunk chunk) {
        return shared.target().identity().runId(chunk);
    }

    private ChunkRef ref(Chunk chunk) {
        return new ChunkRef(
                chunk.number() + 1,
                shared.target().plan().count(),
                chunk.id(),
                Spelling.of(chunk.from()),
                Spelling.of(chunk.to()));
    }

    private ChunkOutcome claimed(Chunk chunk) {
        List<BoundSink> lacking;
        try {
            shared.invocation().cancellation().check();
            boolean taken = backfills().claim(key, chunk.id(), worker()).taken();
            lacking = ledger.lacking(chunk, key.restart());
            if (lacking.isEmpty()) {
                // Whoever committed it into the last sink may have died before it could say so.
                if (taken) {
                    backfills().found(key, Map.of(chunk.id(), ledger.rows(chunk, key.restart())));
                }
                return told(chunk, new ChunkOutcome.Skipped());
            }
            if (!taken) {
                backfills().missing(key, List.of(chunk.id()));
                backfills().claim(key, chunk.id(), worker());
            }
            Optional<String> notYet = shared.reach().waitFor(chunk);
            if (notYet.isPresent()) {
                backfills().released(key, chunk.id());
                return told(chunk, new ChunkOutcome.Pending(notYet.get()));
            }
            backfills().running(key, chunk.id());
        } catch (RuntimeException e) {
            return told(chunk, failed(chunk, e));
        }
        return attempt(chunk, lacking);
    }

    private ChunkOutcome attempt(Chunk chunk, List<BoundSink> lacking) {
        Instant began = clock().instant();
        OneRun run = new OneRun(telling, record(chunk, began));
        run.begin(1);
        RunStatus status = RunStatus.FATAL;
        try {
            run.accept(new Event.ChunkStarted(began, run.id(), key.backfillId(), ref(chunk), runId(chunk)));
            ChunkLoad.Result result = new ChunkLoad(shared, run.journal(), chunk, lacking).run();
            ChunkOutcome outcome =
                    result.failure() == null ? completed(chunk, result.rows()) : failed(chunk, result.failure());
            status = status(outcome);
            run.completed(status, null);
            Instant ended = clock().instant();
            run.accept(new Event.ChunkCompleted(
                    ended,
                    run.id(),
                    key.backfillId(),
                    ref(chunk),
                    runId(chunk),
                    outcome,
                    Duration.between(began, ended).toMillis()));
            return outcome;
        } finally {
            run.finish(status, null);
        }
    }

    private RunRecord record(Chunk chunk, Instant began) {
        return RunRecord.startingChunk(
                runIds.next(),
                key.project(),
                command,
                began,
                ProcessIdentity.current(),
                key.backfillId(),
                runId(chunk));
    }

    private RunStatus status(ChunkOutcome outcome) {
        if (outcome instanceof ChunkOutcome.Failed) {
            return shared.invocation().cancellation().isCancelled()
                    ? RunStatus.CANCELLED
                    : RunStatus.COMPLETED_WITH_FAILURES;
        }
        return RunStatus.SUCCESS;
    }

    private ChunkOutcome completed(Chunk chunk, long rows) {
        try {
            shared.invocation().faults().reached(Faults.Point.BEFORE_STATE_WRITE);
            backfills().completed(key, chunk.id(), rows);
            shared.invocation().faults().reached(Faults.Point.AFTER_STATE_WRITE);
            return new ChunkOutcome.Completed(rows);
        } catch (RunException e) {
            return new ChunkOutcome.Failed(new Fault(
                    Code.STATE_NOT_WRITTEN,
                    e.fault().place(),
                    "the sinks keep the chunk, and that could not be remembered: "
                            + e.fault().what(),
                    e.fault().remedy()));
        }
    }

    private ChunkOutcome failed(Chunk chunk, RuntimeException failure) {
        Fault fault = fault(chunk, failure);
        try {
            backfills().failed(key, chunk.id(), telling.redactor().redact(fault.toString()));
        } catch (RunException e) {
            failure.addSuppressed(e);
        }
        return new ChunkOutcome.Failed(fault);
    }

    private Fault fault(Chunk chunk, RuntimeException failure) {
        if (shared.invocation().cancellation().isCancelled()) {
            return new Fault(
                    Code.CANCELLED,
                    "chunk " + chunk.id(),
                    "it was interrupted, and what was under way is rolled back",
                    "nothing has to be mended");
        }
        Throwable cause = failure instanceof Outputs.AboveFailed above ? above.getCause() : failure;
        if (cause instanceof WeirException known) {
            return known.fault();
        }
        LOG.error("internal error in chunk {}: {}", chunk.id(), StackTrace.of(cause, telling.redactor()));
        return new Fault(
                Code.INTERNAL,
                "chunk " + chunk.id(),
                "an internal error: " + cause,
                "nothing was committed by this step; please report it with the stack trace in the log");
    }
}
