package dev.weir.run;

import dev.weir.state.BackfillRecord;
import dev.weir.state.ChunkRecord;
import dev.weir.state.StateStore;
import java.util.List;
import java.util.Locale;

/**
 * How a backfill stands by state's word, told apart by whether those who work on it still live. The sinks decide when it
 * runs again.
 *
 * <p>Immutable. Source of the rule: contract, section 6.
 *
 * @param plan the plan
 * @param chunks all of its chunks, in their order
 */
public record PlanLook(BackfillRecord plan, List<Seen> chunks) {

    /** How a chunk stands, the more it wants to be looked at the earlier. */
    public enum Standing {
        /** Its last attempt failed; the next invocation tries it again. */
        FAILED,
        /** Claimed or running by state's word, and nobody who lives holds it; the next invocation takes it over. */
        INTERRUPTED,
        /** A living process holds it. */
        RUNNING,
        /** Nobody has taken it yet. */
        PENDING,
        /** Its rows are loaded. */
        COMPLETED;

        /** As it is printed: {@code interrupted}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A chunk as state keeps it, and how it stands. */
    public record Seen(ChunkRecord chunk, Standing standing) {}

    public PlanLook {
        chunks = List.copyOf(chunks);
    }

    /**
     * Looks at every chunk, joins nothing and changes nothing.
     *
     * @throws dev.weir.fault.RunException WR0518 when state cannot be read
     */
    public static PlanLook of(StateStore state, BackfillRecord plan) {
        List<ChunkRecord> chunks = state.backfills().chunks(plan.project(), plan.backfillId());
        return new PlanLook(
                plan, chunks.stream().map(chunk -> seen(state, plan, chunk)).toList());
    }

    private static Seen seen(StateStore state, BackfillRecord plan, ChunkRecord chunk) {
        Standing standing =
                switch (chunk.status()) {
                    case PENDING -> Standing.PENDING;
                    case COMPLETED -> Standing.COMPLETED;
                    case FAILED -> Standing.FAILED;
                    case CLAIMED, RUNNING -> isHeld(state, plan, chunk) ? Standing.RUNNING : Standing.INTERRUPTED;
                };
        if (standing != Standing.INTERRUPTED) {
            return new Seen(chunk, standing);
        }
        // Who held it may have written how it ended, and let go, since the chunk was read.
        ChunkRecord now = state.backfills()
                .chunk(plan.project(), plan.backfillId(), chunk.chunkId())
                .orElse(chunk);
        return now.equals(chunk) ? new Seen(chunk, standing) : seen(state, plan, now);
    }

    private static boolean isHeld(StateStore state, BackfillRecord plan, ChunkRecord chunk) {
        return state.planLocks().isClaimed(plan.project(), plan.backfillId(), Integer.parseInt(chunk.chunkId()));
    }

    /** How many chunks stand so. */
    public int count(Standing standing) {
        return Math.toIntExact(
                chunks.stream().filter(seen -> seen.standing() == standing).count());
    }

    /** The chunks that stand so, in their order. */
    public List<ChunkRecord> standing(Standing standing) {
        return chunks.stream()
                .filter(seen -> seen.standing() == standing)
                .map(Seen::chunk)
                .toList();
    }

    /** The rows that its completed chunks loaded. */
    public long recordsLoaded() {
        return chunks.stream()
                .map(seen -> seen.chunk().recordsLoaded())
                .filter(rows -> rows != null)
                .mapToLong(Long::longValue)
                .sum();
    }
}
