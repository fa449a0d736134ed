package dev.weir.run;

import dev.weir.event.ChunkOutcome;
import dev.weir.event.ChunkTotals;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.slicing.Chunk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Works off the chunks of a plan, so many at once without a barrier, and finds out at the end whether the whole range is
 * covered, by whomever.
 *
 * <p>Each chunk is tried at most once. Source of the rules: contract, section 6.
 */
final class BackfillRun {

    private static final Duration LOOK = Duration.ofMillis(200);

    private final BackfillTarget target;
    private final ChunkAttempt attempt;
    private final ChunkLedger ledger;
    private final Cancellation cancellation;
    private final BackfillStart.Begun begun;
    private final boolean keepGoing;
    private final Consumer<String> notes;
    private final Map<Integer, ChunkOutcome> outcomes = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private volatile boolean failed;

    BackfillRun(
            BackfillTarget target,
            ChunkAttempt attempt,
            ChunkLedger ledger,
            Cancellation cancellation,
            BackfillStart.Begun begun,
            boolean keepGoing,
            Consumer<String> notes) {
        this.target = target;
        this.attempt = attempt;
        this.ledger = ledger;
        this.cancellation = cancellation;
        this.begun = begun;
        this.keepGoing = keepGoing;
        this.notes = notes;
    }

    /**
     * What came of it.
     *
     * @param covered whether every chunk is completed, in every sink
     * @param anyFailed whether a chunk failed for another reason than being interrupted
     * @param stateFailed whether an outcome could not be remembered
     */
    record Result(ChunkTotals totals, boolean covered, boolean anyFailed, boolean stateFailed) {}

    /**
     * @param concurrency how many chunks are in flight, at least 1
     * @param patience how long to wait at the end for chunks that others hold
     */
    Result run(int concurrency, Duration patience) {
        try (Workers workers = new Workers(concurrency)) {
            List<Supplier<Boolean>> work = new ArrayList<>();
            for (int i = 0; i < concurrency; i++) {
                work.add(this::workOff);
            }
            workers.all(work);
        }
        awaitHeld(patience);
        return result();
    }

    private boolean isOver() {
        return cancellation.isCancelled() || (failed && !keepGoing);
    }

    private boolean workOff() {
        while (!isOver()) {
            int number = next.getAndIncrement();
            if (number >= target.plan().count()) {
                break;
            }
            Chunk chunk = target.plan().chunk(number);
            keep(chunk, begun.completed().containsKey(chunk.id()) ? attempt.completedBefore(chunk) : attempt.at(chunk));
        }
        return true;
    }

    private void keep(Chunk chunk, ChunkOutcome outcome) {
        outcomes.put(chunk.number(), outcome);
        if (outcome instanceof ChunkOutcome.Failed) {
            failed = true;
        }
    }

    /** Takes what others have let go of, until nothing is held any more or time is up. */
    private void awaitHeld(Duration patience) {
        // Counted in pauses, not by the clock: a clock that steps neither ends a wait nor prolongs it.
        Duration waited = Duration.ZERO;
        List<Integer> held = numbers(ChunkOutcome.HeldElsewhere.class);
        while (!held.isEmpty() && !isOver() && waited.compareTo(patience) < 0) {
            try {
                cancellation.pause(LOOK);
            } catch (Cancellation.CancelledException e) {
                return;
            }
            waited = waited.plus(LOOK);
            for (int number : held) {
                Chunk chunk = target.plan().chunk(number);
                if (!isOver() && attempt.isFree(chunk)) {
                    keep(chunk, attempt.at(chunk));
                }
            }
            held = numbers(ChunkOutcome.HeldElsewhere.class);
        }
    }

    private List<Integer> numbers(Class<? extends ChunkOutcome> kind) {
        return outcomes.entrySet().stream()
                .filter(entry -> kind.isInstance(entry.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private Result result() {
        Set<String> covered = covered();
        int completed = 0;
        int heldElsewhere = 0;
        int notCompleted = 0;
        int coveredByOthers = 0;
        long rows = 0;
        boolean stateFailed = false;
        for (Chunk chunk : target.plan().chunks()) {
            ChunkOutcome outcome = outcomes.get(chunk.number());
            if (outcome instanceof ChunkOutcome.Completed done) {
                completed++;
                rows += done.rows();
            } else if (outcome instanceof ChunkOutcome.Failed failure
                    && failure.fault().code() == Code.STATE_NOT_WRITTEN) {
                stateFailed = true;
                notCompleted++;
            } else if (covered.contains(chunk.id()) || outcome instanceof ChunkOutcome.Skipped) {
                coveredByOthers++;
            } else if (outcome instanceof ChunkOutcome.Failed) {
                notCompleted++;
            } else if (outcome instanceof ChunkOutcome.HeldElsewhere) {
                heldElsewhere++;
            }
        }
        int count = target.plan().count();
        ChunkTotals totals = new ChunkTotals(count, completed, coveredByOthers, heldElsewhere, notCompleted, rows);
        return new Result(totals, covered.size() == count, anyFailed(), stateFailed);
    }

    /** What every sink keeps at the end; what is known of before, where they cannot be asked any more. */
    private Set<String> covered() {
        if (!cancellation.isCancelled()) {
            try {
                return ledger.look().completed(begun.plan().restart()).keySet();
            } catch (RunException e) {
                notes.accept("whether the range is covered cannot be told: " + e.getMessage());
            }
        }
        return begun.completed().keySet();
    }

    private boolean anyFailed() {
        return outcomes.values().stream()
                .anyMatch(outcome -> outcome instanceof ChunkOutcome.Failed failure
                        && failure.fault().code() != Code.CANCELLED);
    }
}
