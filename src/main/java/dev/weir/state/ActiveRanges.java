package dev.weir.state;

import dev.weir.state.ActiveRows.Kind;
import dev.weir.state.ActiveRows.Owner;
import dev.weir.state.ActiveRows.Row;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that chunks of backfills, and forward runs beside them, never load overlapping ranges of one source into one
 * sink at the same time, in whatever process of this machine they are: not between snapshot and commit.
 *
 * <p>Everybody who loads has two OS locks, freed by the kernel when its process dies: one makes a slot its own for as
 * long as it is registered; the other, the slot's <em>on</em> lock, is held while it is at it. Rows in state.db, each
 * naming its slot, say what it loads; a row whose on lock nobody holds is dead, whoever wrote it. Rows stay when their
 * writer goes, and are removed by the slot's next owner.
 *
 * <ul>
 *   <li>A chunk takes its on lock, then writes its rows, whose numbers are its ticket, then waits until it finds no
 *       overlapping row that is on and is a chunk's of a lower number or a forward run's.
 *   <li>A forward run writes its rows once, as wide as it may ever read. For each pass it takes its on lock, then reads
 *       the rows, and is let in where no overlapping chunk is on; else it gives its on lock back, waits and tries again.
 *       So a pass writes nothing.
 * </ul>
 *
 * <p>Why no two overlap. <em>Two chunks</em>: their rows were committed one after the other, since one writes at a time.
 * The later one reads after its commit, hence sees the earlier one's row, of a lower number, whose on lock was taken before
 * it was written and is held until that chunk is over: the later waits. <em>A chunk and a forward run</em>: the chunk was
 * let in after it had read the rows and then found the run's on lock free, or no row of the run. In both cases the run
 * takes its on lock, and reads the rows, later than that, hence after the chunk's commit: it sees the chunk's row, on
 * until the chunk is over, and stays out. Two forward runs are kept apart by {@link EntityLocks}.
 *
 * <p>Why none waits for ever. A chunk waits for lower numbers and for passes that are under way; a forward run that waits
 * holds nothing. So there is no circle, the lowest number always gets in, and chunks are served in their order. A look
 * whether a lock is held may find it held by another look: it waits a moment longer than it must, never shorter.
 *
 * <p>Thread-safe. Source of the rule: contract, section 6.
 */
public final class ActiveRanges {

    private static final Duration FIRST_POLL = Duration.ofMillis(20);
    private static final Duration LONGEST_POLL = Duration.ofMillis(200);
    private static final Duration NOTE_AFTER = Duration.ofSeconds(1);

    /** Only looks hold an on lock that is not its owner's, each for a system call or two. */
    private static final Duration LOOK = Duration.ofMillis(1);

    private static final String RANGES = "the ranges being loaded were";

    private final Database database;
    private final LockFolder folder;
    private final ActiveRows rows;
    private final ProcessIdentity self;
    private final Clock clock;

    /** Keeps locks reachable: one whose objects were collected would be gone. */
    private final Set<Object> open = ConcurrentHashMap.newKeySet();

    ActiveRanges(Database database, LockFolder folder, ProcessIdentity self, Clock clock) {
        this.database = database;
        this.folder = folder;
        this.rows = new ActiveRows(database.file());
        this.self = self;
        this.clock = clock;
    }

    /** Ranges that nobody else loads until this is closed. Closing twice does nothing. */
    public final class Held implements AutoCloseable {
        private final LockFolder.Held on;
        private final @Nullable Slot slot;

        private Held(LockFolder.Held on, @Nullable Slot slot) {
            this.on = on;
            this.slot = slot;
            open.add(this);
        }

        @Override
        public void close() {
            if (open.remove(this)) {
                on.close();
                if (slot != null) {
                    slot.lock().close();
                }
            }
        }
    }

    /** A slot that is ours. */
    private record Slot(int number, LockFolder.Held lock) {}

    /**
     * Waits until a chunk may load, and keeps others away until it has.
     *
     * @param loadings all that it reads, from before its first snapshot to after its last commit
     * @param runId who, for the others' notes
     * @param note told once, when the wait has lasted about a second, for whom
     * @throws dev.weir.fault.RunException WR0527 when it cannot be written; WR0518 when state or the locks cannot be used
     * @throws InterruptedException when the wait was interrupted; nothing is held then
     */
    public Held enter(List<Loading> loadings, String runId, Sleeper sleeper, Consumer<String> note)
            throws InterruptedException {
        Slot slot = freeSlot();
        Held held = null;
        boolean entered = false;
        try {
            held = new Held(switchOn(slot, sleeper), slot);
            Owner owner = new Owner(Kind.CHUNK, slot.number(), self, runId, clock.instant());
            long ticket = database.change(RANGES, connection -> rows.replace(connection, owner, loadings));
            Wait wait = new Wait(sleeper, note);
            Predicate<Row> before = row -> row.owner().kind() == Kind.FORWARD || row.id() < ticket;
            for (Optional<Row> other = blocking(loadings, before);
                    other.isPresent();
                    other = blocking(loadings, before)) {
                wait.behind(other.get());
            }
            entered = true;
            return held;
        } finally {
            if (!entered) {
                release(held, slot);
            }
        }
    }

    private static void release(@Nullable Held held, Slot slot) {
        if (held == null) {
            slot.lock().close();
        } else {
            held.close();
        }
    }

    /**
     * Registers a forward run, once an invocation and whatever it loads as one.
     *
     * @param widest all that any of its passes may ever read
     * @throws dev.weir.fault.RunException WR0527 when it cannot be written; WR0518 when the locks cannot be used
     */
    public Forward register(List<Loading> widest, String runId) {
        Slot slot = freeSlot();
        boolean registered = false;
        try {
            Owner owner = new Owner(Kind.FORWARD, slot.number(), self, runId, clock.instant());
            database.change(RANGES, connection -> rows.replace(connection, owner, widest));
            Forward forward = new Forward(slot, owner, widest);
            open.add(forward);
            registered = true;
            return forward;
        } finally {
            if (!registered) {
                slot.lock().close();
            }
        }
    }

    /** A registered forward run, until this is closed: after its passes. Closing twice does nothing. */
    public final class Forward implements AutoCloseable {
        private final Slot slot;
        private final Owner owner;
        private List<Loading> widest;

        private Forward(Slot slot, Owner owner, List<Loading> widest) {
            this.slot = slot;
            this.owner = owner;
            this.widest = List.copyOf(widest);
        }

        /**
         * Waits until a pass may load, and keeps chunks away until it has. One pass at a time.
         *
         * @param now all that the pass reads. What was not registered is registered now, by another write
         * @param note told once, when the wait has lasted about a second, for whom
         * @throws dev.weir.fault.RunException WR0518 when state or the locks cannot be used
         * @throws InterruptedException when the wait was interrupted; nothing is held then
         */
        public Held enter(List<Loading> now, Sleeper sleeper, Consumer<String> note) throws InterruptedException {
            widen(now);
            Wait wait = new Wait(sleeper, note);
            Predicate<Row> chunks = row -> row.owner().kind() == Kind.CHUNK;
            while (true) {
                // First without the on lock: who waits for chunks must not hold up those that wait for passes.
                Optional<Row> other = blocking(now, chunks);
                if (other.isEmpty()) {
                    Held held = new Held(switchOn(slot, sleeper), null);
                    boolean entered = false;
                    try {
                        other = blocking(now, chunks);
                        entered = other.isEmpty();
                    } finally {
                        if (!entered) {
                            held.close();
                        }
                    }
                    if (other.isEmpty()) {
                        return held;
                    }
                }
                wait.behind(other.get());
            }
        }

        /**
         * Whether no chunk that overlaps anything registered is under way, or waits. While a pass is held it stays so, but
         * for those that wait: what was registered may be read then, in another pass too that is let in by the same {@link
         * Held}.
         */
        public boolean isAlone() {
            List<Loading> registered;
            synchronized (this) {
                registered = widest;
            }
            return blocking(registered, row -> row.owner().kind() == Kind.CHUNK).isEmpty();
        }

        /** Whether that was registered. */
        public synchronized boolean covers(List<Loading> now) {
            return now.stream().allMatch(loading -> widest.stream().anyMatch(registered -> registered.covers(loading)));
        }

        private synchronized void widen(List<Loading> now) {
            List<Loading> wider = now.stream()
                    .filter(loading -> widest.stream().noneMatch(registered -> registered.covers(loading)))
                    .toList();
            if (!wider.isEmpty()) {
                database.change(RANGES, connection -> rows.add(connection, owner, wider));
                widest = Stream.concat(widest.stream(), wider.stream()).toList();
            }
        }

        @Override
        public void close() {
            if (open.remove(this)) {
                slot.lock().close();
            }
        }
    }

    /** The first slot that nobody has: there are only ever as many files as there were loads at once. */
    private Slot freeSlot() {
        for (int number = 0; ; number++) {
            Optional<LockFolder.Held> lock = folder.tryLock("range-" + number + ".lock");
            if (lock.isPresent()) {
                return new Slot(number, lock.get());
            }
        }
    }

    private LockFolder.Held switchOn(Slot slot, Sleeper sleeper) throws InterruptedException {
        while (true) {
            Optional<LockFolder.Held> lock = folder.tryLock(onLock(slot.number()));
            if (lock.isPresent()) {
                return lock.get();
            }
            sleeper.sleep(LOOK);
        }
    }

    private static String onLock(int slot) {
        return "range-" + slot + "-on.lock";
    }

    /** Somebody who loads now what overlaps, of those that count; the rows are read before their locks are looked at. */
    private Optional<Row> blocking(List<Loading> loadings, Predicate<Row> counts) {
        List<Row> others = database.read(connection -> rows.about(connection, loadings));
        Map<Integer, Boolean> isOn = new HashMap<>();
        return others.stream()
                .filter(counts)
                .filter(row -> loadings.stream().anyMatch(row.loading()::overlaps))
                .filter(row -> isOn.computeIfAbsent(row.owner().slot(), slot -> folder.isHeld(onLock(slot))))
                .findFirst();
    }

    /** One wait: short naps first, and a word when it gets long. */
    private static final class Wait {
        private final Sleeper sleeper;
        private final Consumer<String> note;
        private Duration poll = FIRST_POLL;
        private Duration waited = Duration.ZERO;
        private boolean said;

        private Wait(Sleeper sleeper, Consumer<String> note) {
            this.sleeper = sleeper;
            this.note = note;
        }

        private void behind(Row other) throws InterruptedException {
            if (!said && waited.compareTo(NOTE_AFTER) >= 0) {
                said = true;
                note.accept(text(other));
            }
            sleeper.sleep(poll);
            waited = waited.plus(poll);
            poll = poll.multipliedBy(2).compareTo(LONGEST_POLL) > 0 ? LONGEST_POLL : poll.multipliedBy(2);
        }

        private static String text(Row other) {
            Owner owner = other.owner();
            String what = owner.kind() == Kind.CHUNK ? "a chunk of a backfill" : "a pass";
            return "waiting for " + what + " that loads rows of "
                    + other.loading().source() + " into "
                    + other.loading().sink() + " too: process "
                    + owner.process().pid() + " on "
                    + owner.process().host() + ", run " + owner.runId() + ", since " + owner.since();
        }
    }
}
