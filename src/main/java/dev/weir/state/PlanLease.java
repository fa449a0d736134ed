package dev.weir.state;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * One living invocation of a plan, until it is closed or its process ends: from {@link PlanLocks#join}.
 *
 * <p>Thread-safe. Closing twice does nothing. Source of the rule: contract, section 6.
 */
public final class PlanLease implements AutoCloseable {

    private final RangeFile file;
    private final long living;
    private final Set<Claim> claims = new HashSet<>();
    private boolean gateClosed = true;
    private boolean open = true;

    /** Takes over the byte of an invocation and the gate, which it holds. */
    PlanLease(RangeFile file, long living) {
        this.file = file;
        this.living = living;
    }

    /** A chunk that is ours alone, until this or its lease is closed. Closing twice does nothing. */
    public final class Claim implements AutoCloseable {
        private final int chunk;

        private Claim(int chunk) {
            this.chunk = chunk;
        }

        /** The chunk's place in its plan, from 0. */
        public int chunk() {
            return chunk;
        }

        @Override
        public void close() {
            synchronized (PlanLease.this) {
                if (claims.remove(this)) {
                    file.unlock(chunk);
                }
            }
        }
    }

    /**
     * Whether another invocation of the plan lives, in this process or another. Asked before the gate opens, the answer
     * stays no until it does: nobody else joins.
     */
    public synchronized boolean othersLive() {
        mustBeOpen();
        return file.isHeld(PlanLocks.LIVING, PlanLocks.MOST_LIVING, living);
    }

    /** Lets the next invocation start. Twice does nothing. */
    public synchronized void openGate() {
        if (gateClosed) {
            gateClosed = false;
            file.unlock(PlanLocks.GATE);
        }
    }

    /**
     * Claims a chunk, or answers that somebody who lives has it, another claim of this lease included.
     *
     * @param chunk its place in the plan, from 0
     */
    public synchronized Optional<Claim> tryClaim(int chunk) {
        mustBeOpen();
        if (!PlanLocks.tryLock(file, place(chunk))) {
            return Optional.empty();
        }
        Claim claim = new Claim(chunk);
        claims.add(claim);
        return Optional.of(claim);
    }

    /** Whether anybody who lives, ourselves included, has claimed a chunk. */
    public synchronized boolean isHeld(int chunk) {
        mustBeOpen();
        return file.isHeld(place(chunk), 1, -1);
    }

    private static long place(int chunk) {
        if (chunk < 0) {
            throw new IllegalArgumentException("chunk " + chunk);
        }
        return chunk;
    }

    private void mustBeOpen() {
        if (!open) {
            throw new IllegalStateException("the lease is closed");
        }
    }

    /** Gives up the claims that are left, opens the gate, and lives no longer. */
    @Override
    public synchronized void close() {
        if (!open) {
            return;
        }
        open = false;
        claims.forEach(claim -> file.unlock(claim.chunk));
        claims.clear();
        openGate();
        file.unlock(living);
        file.leave();
    }
}
