package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Position;
import dev.weir.slicing.PositionKey;
import dev.weir.slicing.Reconciliation.Refresh;
import dev.weir.slicing.Step;
import dev.weir.slicing.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What weir remembers of one {@code .weir} folder, in {@code state.db}.
 *
 * <p>Each method that writes commits before it returns, all or nothing, and survives a power failure from then on, unless
 * it says otherwise. Each that reads throws {@link dev.weir.fault.RunException} WR0518 when state cannot be read, and
 * never takes unreadable state for an empty one. Thread-safe; several processes may have one folder open. Source of the
 * rules: contract, sections 2.4 and 5.
 */
public final class StateStore implements AutoCloseable {

    private final Database database;
    private final Clock clock;
    private final Positions positions;
    private final Edits edits;
    private final Stretches stretches;
    private final Refreshes refreshes = new Refreshes();
    private final Settlements settlements;
    private final ChosenWidths widths = new ChosenWidths();
    private final RunHistory history;
    private final LockFolder folder;
    private final EntityLocks locks;
    private final Backfills backfills;
    private final PlanLocks planLocks;
    private final ActiveRanges activeRanges;
    private final Map<String, Living> living = new HashMap<>();

    /** A run of this process, and the lock that shows it lives. */
    private record Living(int slot, LockFolder.Held lock) {}

    private StateStore(Path weirDir, Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.positions = new Positions(database.file());
        this.stretches = new Stretches(database.file());
        this.edits = new Edits(database.file());
        this.settlements = new Settlements(database.file());
        this.history = new RunHistory(database.file());
        this.folder = new LockFolder(weirDir.resolve("locks"));
        this.backfills = new Backfills(database, clock);
        this.planLocks = new PlanLocks(weirDir.resolve("locks"));
        ProcessIdentity self = ProcessIdentity.current();
        this.locks = new EntityLocks(folder, new Holders(database), self, clock);
        this.activeRanges = new ActiveRanges(database, folder, self, clock);
    }

    /**
     * Opens the state in a folder; makes both, for their owner's eyes only, where they are absent.
     *
     * @param weirDir the {@code .weir} folder; the folder it is in must exist
     * @param clock what the audit and the holders of locks are dated by
     * @throws dev.weir.fault.RunException WR0518 when it is unreadable, damaged, newer, or on a network file system
     */
    public static StateStore open(Path weirDir, Clock clock) {
        return open(weirDir, clock, StateStore::fileSystem);
    }

    /**
     * As {@link #open}, for a process that writes all the time: until the store is closed, a write takes a fraction, and
     * the newest moves are in {@code state.db-wal}, beside the file.
     */
    public static StateStore openForLoading(Path weirDir, Clock clock) {
        StateStore store = open(weirDir, clock);
        store.database.logAhead();
        return store;
    }

    static StateStore open(Path weirDir, Clock clock, StateFile.FileSystemType type) {
        return new StateStore(weirDir, StateFile.open(weirDir, type), clock);
    }

    /**
     * Opens the state in a folder to read it only; empty where there is none. Makes no file and changes nothing.
     *
     * @throws dev.weir.fault.RunException WR0518 as {@link #open} does
     */
    public static Optional<StateStore> openForReading(Path weirDir, Clock clock) {
        if (!StateFile.exists(weirDir)) {
            return Optional.empty();
        }
        return Optional.of(new StateStore(weirDir, StateFile.openForReading(weirDir, StateStore::fileSystem), clock));
    }

    private static String fileSystem(Path folder) throws java.io.IOException {
        return Files.getFileStore(folder).type();
    }

    /** The positions below a source, by pipeline and sink. */
    public Map<PositionKey, Position> positions(String project, String source) {
        return database.read(connection -> positions.of(connection, project, source));
    }

    /** Every position of a project, by source, pipeline and sink. */
    public Map<PositionKey, Position> allPositions(String project) {
        return database.read(connection -> positions.all(connection, project));
    }

    /** The newest moves of the positions below a source, newest first, edits included; the last 1000 of each are kept. */
    public List<Moved> history(String project, String source, int limit) {
        return database.read(connection -> positions.history(connection, project, source, limit));
    }

    /**
     * Keeps where positions are now, and what was loaded when they moved there.
     *
     * @throws dev.weir.fault.RunException WR0527 when the positions are not written; then none of them is
     */
    public void save(List<Moved> moves) {
        database.write("the positions were", connection -> {
            positions.save(connection, moves);
            stretches.save(connection, moves);
        });
    }

    /** What forward runs loaded from a source, by every pipeline into every sink, in the order in which it began. */
    public List<LoadedStretch> stretches(String project, String source) {
        return database.read(connection -> stretches.ofSource(connection, project, source));
    }

    /** What forward runs of a pipeline loaded, from every source into every sink, in the order in which it began. */
    public List<LoadedStretch> stretchesOf(String project, String pipeline) {
        return database.read(connection -> stretches.ofPipeline(connection, project, pipeline));
    }

    /**
     * Writes an operator's decision and its audit together, and forgets what settled and how wide windows were: the source
     * may not be what it was.
     *
     * @throws dev.weir.fault.RunException WR0527 when it is not written; then nothing of it is
     */
    public void edit(Edit edit) {
        List<Moved> moves = edit.changes().stream()
                .map(change -> new Moved(change.key(), change.after()))
                .toList();
        database.write("the edit was", connection -> {
            edits.write(connection, edit, clock.instant());
            positions.save(connection, moves);
            settlements.forget(connection, edit.project(), edit.source());
            widths.forget(connection, edit.project(), edit.source());
        });
    }

    /** Every edit of the positions below a source, newest first. */
    public List<Audited> edits(String project, String source) {
        return database.read(connection -> edits.of(connection, project, source));
    }

    /**
     * Where each sink below a source stood when a run had ended, or had died; sinks that stood nowhere yet are absent.
     * Empty where no such run is known.
     *
     * @throws dev.weir.fault.RunException WR0518 when that is so long ago that it is no longer kept
     */
    public Optional<Map<PositionKey, Position>> positionsAfter(String project, String source, String runId) {
        return database.read(connection -> {
            Optional<Long> end = history.historyAfter(connection, runId);
            return end.isEmpty() ? Optional.empty() : Optional.of(positions.at(connection, project, source, end.get()));
        });
    }

    /**
     * Notes a full refresh, before its first commit. One of the same number adds its sinks; an older one is forgotten.
     *
     * @throws dev.weir.fault.RunException WR0527 when it is not written
     */
    public void noteRefresh(String project, String source, Refresh refresh) {
        database.write(
                "the full refresh was",
                connection -> refreshes.note(connection, project, source, refresh, clock.instant()));
    }

    /** The newest full refresh noted for a source. */
    public Optional<Refresh> refresh(String project, String source) {
        return database.read(connection -> refreshes.newest(connection, project, source));
    }

    /**
     * Keeps the value at or below which nothing can appear in a source any more.
     *
     * @throws dev.weir.fault.RunException WR0527 when it is not written
     */
    public void settled(String project, String source, Cursor cursor, CursorValue value) {
        database.write(
                "the settled ceiling was",
                connection -> settlements.save(connection, project, source, cursor, value, clock.instant()));
    }

    /**
     * Forgets what settled in a source, as an edit of its positions does.
     *
     * @throws dev.weir.fault.RunException WR0527 when it is not written
     */
    public void forgetSettled(String project, String source) {
        database.write("the settled ceiling was", connection -> settlements.forget(connection, project, source));
    }

    /** The value last kept for that cursor of a source; empty where there is none, or it was forgotten. */
    public Optional<CursorValue> lastSettled(String project, String source, Cursor cursor) {
        return database.read(connection -> settlements.of(connection, project, source, cursor));
    }

    /**
     * Keeps how wide the next window of a source with {@code max_window: auto} is.
     *
     * @throws dev.weir.fault.RunException when it is not written: worth a note, and no reason to fail the run
     */
    public void keepWidth(String project, String source, Cursor cursor, Target target, Step width) {
        database.write(
                "the width of the next window was",
                connection -> widths.save(connection, project, source, cursor, target, width, clock.instant()));
    }

    /** The width last kept for that cursor and target of a source; empty where there is none, or it was forgotten. */
    public Optional<Step> keptWidth(String project, String source, Cursor cursor, Target target) {
        return database.read(connection -> widths.of(connection, project, source, cursor, target));
    }

    /**
     * Writes a run that begins into the history. From now on it shows as running, until it is {@link #finished}, this
     * store is closed, or the process ends. A store opened for loading may lose it to a power failure, with all of the
     * history that was written after the newest position.
     *
     * @throws dev.weir.fault.RunException when it is not written: worth a note, and no reason to fail the run
     */
    public synchronized void started(RunRecord run) {
        Living alive = freeSlot();
        boolean written = false;
        try {
            database.note("the run's history was", connection -> history.write(connection, run, alive.slot()));
            living.put(run.runId(), alive);
            written = true;
        } finally {
            if (!written) {
                alive.lock().close();
            }
        }
    }

    /** The first lock that no living run has: there are only ever as many files as there were runs at once. */
    private Living freeSlot() {
        for (int slot = 0; ; slot++) {
            Optional<LockFolder.Held> lock = folder.tryLock(slotName(slot));
            if (lock.isPresent()) {
                return new Living(slot, lock.get());
            }
        }
    }

    private static String slotName(int slot) {
        return "run-" + slot + ".lock";
    }

    /**
     * Writes a run's end into the history, the run too where its start could not be written.
     *
     * @throws dev.weir.fault.RunException when it is not written: worth a note, and no reason to fail the run
     */
    public synchronized void finished(RunRecord run) {
        Living alive = living.remove(run.runId());
        try {
            database.note(
                    "the run's history was",
                    connection -> history.write(connection, run, alive == null ? null : alive.slot()));
        } finally {
            if (alive != null) {
                alive.lock().close();
            }
        }
    }

    /** The newest runs, newest first; those that never ended and have no living process as died. */
    public List<RunRecord> runs(int limit) {
        return database.read(connection -> history.newest(connection, limit)).stream()
                .map(this::asItStands)
                .toList();
    }

    /** One run, as {@link #runs} shows it. */
    public Optional<RunRecord> run(String runId) {
        return database.read(connection -> history.find(connection, runId)).map(this::asItStands);
    }

    /** The runs whose ids begin so, as {@link #runs} shows them. */
    public List<RunRecord> runsBeginning(String prefix, int limit) {
        return database.read(connection -> history.beginning(connection, prefix, limit)).stream()
                .map(this::asItStands)
                .toList();
    }

    /** The attempts at the chunks of one plan, newest first, as {@link #runs} shows them. */
    public List<RunRecord> runsOf(String project, String backfillId, int limit) {
        return database.read(connection -> history.ofBackfill(connection, project, backfillId, limit)).stream()
                .map(this::asItStands)
                .toList();
    }

    /**
     * Which runs are kept when the newest so many are, and of those the ones since an instant. Runs that live are kept,
     * and the newest {@value RunHistory#NEWEST} of them however old: a clock that was wrong once takes not all of them.
     */
    public Retained retained(int runs, Instant since) {
        Set<String> kept = new HashSet<>();
        Set<String> released = new HashSet<>();
        for (RunHistory.Aged run : database.read(connection -> history.aged(connection, runs, since))) {
            boolean stays = !run.old() || (run.open() && isAlive(run.slot(), run.superseded()));
            (stays ? kept : released).add(run.runId());
        }
        return new Retained(kept, released);
    }

    /**
     * Removes runs from the history, the oldest so many of them. Those that the history of a position names stay: a
     * rollback to them needs to know how that history ended with them.
     *
     * @throws dev.weir.fault.RunException when it is not written: worth a note, and no reason to fail the run
     */
    public void forget(Set<String> runIds, int most) {
        if (!runIds.isEmpty()) {
            database.write("the run history was", connection -> history.forget(connection, runIds, most));
        }
    }

    private RunRecord asItStands(RunHistory.Stored stored) {
        if (stored.run().endedAt() != null) {
            return stored.run();
        }
        Integer slot = stored.slot();
        return isAlive(slot, stored.superseded()) ? stored.run() : stored.run().died();
    }

    private boolean isAlive(@Nullable Integer slot, boolean superseded) {
        return slot != null && !superseded && folder.isHeld(slotName(slot));
    }

    /** The locks of this folder's entities. */
    public EntityLocks locks() {
        return locks;
    }

    /** The plans of this folder's backfills and how their chunks stand. */
    public Backfills backfills() {
        return backfills;
    }

    /** The locks of this folder's plans. */
    public PlanLocks planLocks() {
        return planLocks;
    }

    /** Who of this folder's backfills and forward runs loads what. */
    public ActiveRanges activeRanges() {
        return activeRanges;
    }

    /** For tests that need a real failure of the database. */
    Database database() {
        return database;
    }

    /** Runs of this store that have not finished show as died from now on. Leases of entities stay as they are. */
    @Override
    public synchronized void close() {
        living.values().forEach(alive -> alive.lock().close());
        living.clear();
        folder.close();
        database.close();
    }
}
