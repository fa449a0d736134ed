package dev.weir.state;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;

/**
 * Sees to it that of all invocations of one plan, in this process and in others, one at a time works on a chunk, one at a
 * time starts, and each knows whether others live.
 *
 * <p>OS locks, freed by the kernel when their process dies, however it dies: one file a plan, of which byte n is the
 * claim of chunk n, a byte far beyond is the gate, and each invocation holds one of the bytes behind that while it lives.
 * Thread-safe. Source of the rule: contract, section 6.
 */
public final class PlanLocks {

    /** Where invocations start, one at a time. */
    static final long GATE = 1L << 40;

    /** The first of the bytes that living invocations hold. */
    static final long LIVING = GATE + 1;

    /** How many of those there are: more invocations of one plan than a machine has room for. */
    static final int MOST_LIVING = 4_096;

    private static final Duration POLL = Duration.ofMillis(20);

    /** A gate is closed for as long as an invocation reads its plan and what its sinks hold of it. */
    private static final Duration GRACE = Duration.ofMillis(500);

    /** How often what a look may hold is tried, and how long after the first try the second is; then twice as long. */
    private static final int TRIES = 6;

    private static final Duration LOOK = Duration.ofMillis(1);
    private static final int NAME_BYTES = 16;

    private final Path folder;

    PlanLocks(Path folder) {
        this.folder = folder;
    }

    /**
     * Joins the living invocations of a plan, through its gate, which stays closed for others until {@link
     * PlanLease#openGate()}.
     *
     * @param wait how long to wait for another invocation that is starting; less than half a second counts as that
     * @throws dev.weir.fault.RunException WR0520 when the gate stays closed; WR0518 when the folder of the locks cannot be
     *     used
     * @throws InterruptedException when the wait was interrupted; nothing is locked then
     */
    public PlanLease join(String project, String backfillId, Duration wait, Sleeper sleeper)
            throws InterruptedException {
        RangeFile file = RangeFile.enter(folder, fileName(project, backfillId));
        boolean joined = false;
        try {
            passGate(file, backfillId, wait, sleeper);
            try {
                PlanLease lease = new PlanLease(file, freeByte(file, backfillId));
                joined = true;
                return lease;
            } finally {
                if (!joined) {
                    file.unlock(GATE);
                }
            }
        } finally {
            if (!joined) {
                file.leave();
            }
        }
    }

    private static void passGate(RangeFile file, String backfillId, Duration wait, Sleeper sleeper)
            throws InterruptedException {
        Duration patience = wait.compareTo(GRACE) > 0 ? wait : GRACE;
        // Counted in sleeps, not by the clock: a clock that steps neither ends a wait nor prolongs it.
        Duration waited = Duration.ZERO;
        while (!file.tryLock(GATE)) {
            if (waited.compareTo(patience) >= 0) {
                throw BackfillFaults.busy(backfillId, "another invocation of it is still starting");
            }
            sleeper.sleep(POLL);
            waited = waited.plus(POLL);
        }
    }

    private static long freeByte(RangeFile file, String backfillId) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            for (long place = LIVING; place < LIVING + MOST_LIVING; place++) {
                if (file.tryLock(place)) {
                    return place;
                }
            }
            waitForLook(attempt);
        }
        throw BackfillFaults.busy(backfillId, MOST_LIVING + " invocations of it are under way");
    }

    /** Takes a byte, unless somebody holds it for longer than a look takes. */
    static boolean tryLock(RangeFile file, long place) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            if (file.tryLock(place)) {
                return true;
            }
            if (file.isOurs(place)) {
                return false;
            }
            waitForLook(attempt);
        }
        return false;
    }

    /** A look holds what it looks at for a system call or two. */
    private static void waitForLook(int attempt) {
        LockSupport.parkNanos(LOOK.toNanos() << attempt);
    }

    /** Whether anybody, ourselves included, has claimed a chunk and lives. Joins nothing and makes no file. */
    public boolean isClaimed(String project, String backfillId, int chunk) {
        return RangeFile.isHeld(folder, fileName(project, backfillId), chunk, 1);
    }

    /** Whether any invocation of a plan, our own included, lives. Joins nothing and makes no file. */
    public boolean lives(String project, String backfillId) {
        return RangeFile.isHeld(folder, fileName(project, backfillId), LIVING, MOST_LIVING);
    }

    private static String fileName(String project, String backfillId) {
        byte[] digest = LockFolder.digest(project.length() + ":" + project + backfillId);
        return "backfill-" + HexFormat.of().formatHex(digest, 0, NAME_BYTES) + ".lock";
    }
}
