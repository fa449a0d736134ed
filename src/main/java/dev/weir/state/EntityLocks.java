package dev.weir.state;

import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sees to it that no two processes, and no two threads, load one entity at once.
 *
 * <p>An OS lock for each entity, freed by the kernel when its process dies, however it dies. Several are taken all or
 * none, so that two who want each other's never wait for ever. Thread-safe. Source of the rule: contract, section 4.
 */
public final class EntityLocks {

    private static final Duration POLL = Duration.ofMillis(50);

    /** Long enough for a look whether a lock is held, which holds it for a moment, and for a holder to give its name. */
    private static final Duration GRACE = Duration.ofMillis(250);

    private static final int NAME_BYTES = 16;

    private final LockFolder folder;
    private final Holders holders;
    private final ProcessIdentity self;
    private final Clock clock;

    /** Keeps every open lease reachable: a lock whose objects were collected would be gone. */
    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();

    EntityLocks(LockFolder folder, Holders holders, ProcessIdentity self, Clock clock) {
        this.folder = folder;
        this.holders = holders;
        this.self = self;
        this.clock = clock;
    }

    /** Entities that are ours until this is closed. Closing twice does nothing. */
    public final class Lease implements AutoCloseable {
        private final List<LockFolder.Held> held;
        private final List<Holder> notes;
        private boolean open = true;

        private Lease(List<LockFolder.Held> held, List<Holder> notes) {
            this.held = held;
            this.notes = notes;
        }

        /** What is locked, sorted. */
        public List<String> keys() {
            return notes.stream().map(Holder::lock).toList();
        }

        @Override
        public synchronized void close() {
            if (!open) {
                return;
            }
            open = false;
            holders.forget(notes);
            held.forEach(LockFolder.Held::close);
            leases.remove(this);
        }
    }

    /**
     * Takes all of the locks, or none.
     *
     * @param keys what to lock: {@code connection.entity}
     * @param runId who takes them, for the others' messages
     * @param wait how long to wait for another holder; zero: not at all
     * @throws RunException WR0520, with host, process, run and since when, when one is held elsewhere; WR0518 when the
     *     folder of the locks cannot be used
     * @throws InterruptedException when the wait was interrupted; nothing is locked then
     */
    public Lease acquire(Collection<String> keys, String runId, Duration wait, Sleeper sleeper)
            throws InterruptedException {
        SortedSet<String> sorted = new TreeSet<>(keys);
        Duration patience = wait.compareTo(GRACE) > 0 ? wait : GRACE;
        // Counted in sleeps, not by the clock: a clock that steps neither ends a wait nor prolongs it.
        Duration waited = Duration.ZERO;
        while (true) {
            List<LockFolder.Held> held = new ArrayList<>();
            Optional<String> refused = tryAll(sorted, held);
            if (refused.isEmpty()) {
                return noted(sorted, held, runId);
            }
            Optional<Holder> holder = holder(refused.get());
            boolean known = wait.isZero() && holder.isPresent();
            if (known || waited.compareTo(patience) >= 0) {
                throw heldElsewhere(refused.get(), holder);
            }
            sleeper.sleep(POLL);
            waited = waited.plus(POLL);
        }
    }

    /** Locks in order until one is refused, which is answered; those taken before it are given back. */
    private Optional<String> tryAll(SortedSet<String> keys, List<LockFolder.Held> held) {
        boolean complete = false;
        try {
            for (String key : keys) {
                Optional<LockFolder.Held> lock = folder.tryLock(fileName(key));
                if (lock.isEmpty()) {
                    return Optional.of(key);
                }
                held.add(lock.get());
            }
            complete = true;
            return Optional.empty();
        } finally {
            if (!complete) {
                held.forEach(LockFolder.Held::close);
            }
        }
    }

    private Lease noted(SortedSet<String> keys, List<LockFolder.Held> held, String runId) {
        Instant now = clock.instant();
        List<Holder> notes =
                keys.stream().map(key -> new Holder(key, self, runId, now)).toList();
        Lease lease = new Lease(held, notes);
        leases.add(lease);
        holders.note(notes);
        return lease;
    }

    /** Whether anybody, ourselves included, holds the lock now. */
    public boolean isHeld(String key) {
        return folder.isHeld(fileName(key));
    }

    /** Who said last to hold the lock; empty where nobody did, or that process of this machine is no more. */
    public Optional<Holder> holder(String key) {
        return holders.of(key).filter(holder -> !holder.process().isGone(self));
    }

    private static RunException heldElsewhere(String key, Optional<Holder> holder) {
        String who = holder.map(h -> "process " + h.process().pid() + " on "
                        + h.process().host() + ", run " + h.runId() + ", since " + h.since())
                .orElse("a process that has not said which it is");
        return new RunException(
                Code.HELD_ELSEWHERE,
                key,
                "it is being loaded, or edited, by " + who,
                "run again when that has ended, or with --wait and a time, as in --wait 10m; the lock ends with its"
                        + " process");
    }

    private static String fileName(String key) {
        return "entity-" + HexFormat.of().formatHex(LockFolder.digest(key), 0, NAME_BYTES) + ".lock";
    }
}
