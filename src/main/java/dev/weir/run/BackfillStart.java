package dev.weir.run;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.slicing.Chunk;
import dev.weir.slicing.ChunkStatus;
import dev.weir.slicing.ChunkStep;
import dev.weir.slicing.Resumption;
import dev.weir.state.BackfillRecord;
import dev.weir.state.ChunkRecord;
import dev.weir.state.StateStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what there is of a plan, in state and in its sinks, decides what is done about it, and writes that into state.
 *
 * <p>Source of the rule: contract, section 6, "Found again".
 */
final class BackfillStart {

    private final BackfillTarget target;
    private final Resumption.OnExisting onExisting;
    private final Resumption.Wish wish;

    BackfillStart(BackfillTarget target, Resumption.Wish wish, Resumption.OnExisting onExisting) {
        this.target = target;
        this.wish = wish;
        this.onExisting = onExisting;
    }

    /**
     * What there is.
     *
     * @param stored the plan in state; null: none
     * @param chunks its chunks in state
     * @param restart the highest restart number in state and sinks
     * @param completed the chunks that every sink keeps under that number, with their rows
     */
    record Found(
            @Nullable BackfillRecord stored,
            List<ChunkRecord> chunks,
            ChunkLedger.Look look,
            long restart,
            Map<String, Long> completed) {

        /** State is read first: what it calls completed by then the sinks keep, unless they have lost it. */
        static Found of(Optional<StateStore> state, BackfillTarget target, ChunkLedger ledger) {
            Optional<BackfillRecord> stored =
                    state.flatMap(store -> store.backfills().find(target.project(), target.id()));
            List<ChunkRecord> chunks = stored.isEmpty()
                    ? List.of()
                    : state.orElseThrow().backfills().chunks(target.project(), target.id());
            ChunkLedger.Look look = ledger.look();
            long restart = Math.max(stored.map(BackfillRecord::restart).orElse(0L), look.restart());
            return new Found(stored.orElse(null), chunks, look, restart, look.completed(restart));
        }

        /** The chunks that have yet to be loaded. */
        List<Chunk> left(BackfillTarget target, Resumption resumption) {
            return resumption instanceof Resumption.Restart
                    ? target.plan().chunks()
                    : target.plan().chunks().stream()
                            .filter(chunk -> !completed.containsKey(chunk.id()))
                            .toList();
        }

        private boolean isPlan() {
            return stored != null || look.knowsPlan();
        }

        private long failed() {
            return chunks.stream()
                    .filter(chunk -> chunk.status() == ChunkStatus.FAILED && !completed.containsKey(chunk.chunkId()))
                    .count();
        }
    }

    /**
     * How the plan stands once it is begun.
     *
     * @param nothingToDo whether every chunk is completed
     */
    record Begun(BackfillRecord plan, Map<String, Long> completed, boolean nothingToDo) {}

    /**
     * Decides, and writes nothing.
     *
     * @param othersLive whether another invocation of the plan lives
     * @throws UsageException {@code WR0604}, {@code WR0605}, {@code WR0602} for a plan that must not run so
     * @throws RunException {@code WR0520} for a restart while another invocation lives; {@code WR0528} where a table that
     *     was loaded is gone
     */
    Resumption decide(Found found, boolean othersLive) {
        Resumption resumption = Resumption.decide(
                found.isPlan()
                        ? new Resumption.Found(
                                differences(found),
                                found.completed().size() == target.plan().count(),
                                othersLive)
                        : null,
                wish,
                onExisting);
        if (resumption instanceof Resumption.Refused refused) {
            throw refused(refused, found);
        }
        if (resumption instanceof Resumption.Restart) {
            refuseToDouble(found.look());
        } else {
            found.look().checkTables(found.restart());
        }
        return resumption;
    }

    /** What differs from the inputs the plan was begun with, a line each. */
    private List<String> differences(Found found) {
        BackfillRecord stored = found.stored();
        List<String> differences =
                stored == null ? List.of() : target.fingerprint().differences(stored.inputs());
        boolean inSinks = found.look()
                .hasOtherInputs(found.restart(), target.fingerprint().sha256());
        return differences.isEmpty() && inSinks
                ? List.of("the chunks that the sinks keep were made of other inputs; which, is not known any more")
                : differences;
    }

    private RuntimeException refused(Resumption.Refused refused, Found found) {
        String plan = "backfill " + target.id();
        return switch (refused.reason()) {
            case NO_PLAN ->
                new UsageException(
                        Code.PLAN_EXISTENCE,
                        "--resume",
                        "there is no " + plan + " of " + target.identity().text(),
                        "see weir backfill list; without --resume the same command begins it");
            case EXISTS ->
                new UsageException(
                        Code.PLAN_EXISTENCE,
                        plan,
                        "it exists, " + found.completed().size() + " of "
                                + target.plan().count() + " chunks completed, " + found.failed()
                                + " failed, and on_existing is error",
                        "say --resume to go on with it, or --restart to replay all of it");
            case OTHER_INPUTS ->
                new UsageException(
                        Code.OTHER_INPUTS,
                        plan,
                        "it exists with different inputs:\n    "
                                + String.join("\n", refused.differences()).replace("\n", "\n    "),
                        "put that back, or replay all of it with --restart");
            case LIVES ->
                new RunException(
                        Code.HELD_ELSEWHERE,
                        plan,
                        "--restart, and another invocation of it is running",
                        "wait until that has ended, or stop it, then run again");
        };
    }

    private void refuseToDouble(ChunkLedger.Look look) {
        target.pipeline().sinks().stream()
                .filter(sink -> AppendGuard.doubles(sink) && look.hasRows(sink))
                .findFirst()
                .ifPresent(sink -> {
                    throw new UsageException(
                            Code.WOULD_DOUBLE,
                            sink.node().id(),
                            "--restart would append rows of backfill " + target.id() + " a second time",
                            "empty the table first, make the sink a merge, or say duplicates: 'accept'");
                });
    }

    /** Writes what was decided. */
    Begun write(StateStore state, Found found, Resumption resumption, Instant now, String command) {
        boolean restarts = resumption instanceof Resumption.Restart;
        BackfillRecord plan = record(restarts ? found.restart() + 1 : found.restart(), now, command);
        Iterable<ChunkRecord> chunks =
                () -> target.plan().chunks().stream().map(this::record).iterator();
        if (restarts) {
            state.backfills().restart(plan, chunks);
            return new Begun(plan, Map.of(), false);
        }
        BackfillRecord stored = found.stored();
        if (stored != null && stored.restart() < found.restart()) {
            // Another state.db, or this one before it was restored, has started the plan over.
            state.backfills().restart(plan, chunks);
        } else {
            state.backfills().begin(plan, chunks);
        }
        state.backfills().found(plan.key(), found.completed());
        state.backfills()
                .missing(
                        plan.key(),
                        found.chunks().stream()
                                .filter(chunk -> chunk.status() == ChunkStatus.COMPLETED)
                                .map(ChunkRecord::chunkId)
                                .filter(id -> !found.completed().containsKey(id))
                                .toList());
        return new Begun(plan, found.completed(), resumption instanceof Resumption.NothingToDo);
    }

    private BackfillRecord record(long restart, Instant now, String command) {
        ChunkStep step = target.plan().step();
        return new BackfillRecord(
                target.project(),
                target.id(),
                target.pipeline().name(),
                target.plan().from(),
                target.plan().to(),
                step == null ? "whole" : step.toString(),
                target.cursor(),
                target.plan().zone().toString(),
                target.identity().into(),
                target.fingerprint().sha256(),
                target.fingerprint().inputs(),
                restart,
                target.plan().count(),
                now,
                command);
    }

    private ChunkRecord record(Chunk chunk) {
        return ChunkRecord.pending(
                chunk.id(), chunk.from(), chunk.to(), target.identity().runId(chunk));
    }
}
