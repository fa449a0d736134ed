package dev.weir.state;

import static dev.weir.slicing.ChunkStatus.CLAIMED;
import static dev.weir.slicing.ChunkStatus.COMPLETED;
import static dev.weir.slicing.ChunkStatus.FAILED;
import static dev.weir.slicing.ChunkStatus.PENDING;
import static dev.weir.slicing.ChunkStatus.RUNNING;

import dev.weir.slicing.ChunkStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What state remembers of backfills: their plans, and how each chunk stands.
 *
 * <p>Each method that writes is one transaction that is on the disk when it returns, all or nothing; it throws {@link
 * dev.weir.fault.RunException} WR0527 when it is not written. Each that moves chunks throws WR0520 when the plan was
 * started over under another restart number, and WR0518 when the plan is gone. Each that reads throws WR0518 when state
 * cannot be read. For a transactional sink these rows are a cache: the sink's own say what is loaded. Thread-safe.
 * Source of the rule: contract, section 6.
 */
public final class Backfills {

    /** So much of an error is kept. */
    static final int ERROR_LENGTH = 4_000;

    private static final String CHUNK = "the chunk's status was";

    private final Database database;
    private final Clock clock;
    private final PlanRows plans;
    private final ChunkRows chunks;

    Backfills(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.plans = new PlanRows(database.file());
        this.chunks = new ChunkRows(database.file());
    }

    /**
     * What an attempt to claim a chunk came to.
     *
     * @param taken whether it is claimed now; false: it was completed already
     * @param chunk the chunk as it stands now
     */
    public record Claimed(boolean taken, ChunkRecord chunk) {}

    /** The plan of exactly that id. */
    public Optional<BackfillRecord> find(String project, String backfillId) {
        return database.read(connection -> plans.find(connection, project, backfillId));
    }

    /** The plans whose ids begin so, newest first. */
    public List<BackfillRecord> beginning(String project, String prefix, int limit) {
        return database.read(connection -> plans.beginning(connection, project, prefix, limit));
    }

    /** The newest plans, newest first. */
    public List<BackfillSummary> list(String project, int limit) {
        return database.read(connection -> {
            List<BackfillSummary> summaries = new ArrayList<>();
            for (BackfillRecord plan : plans.newest(connection, project, limit)) {
                summaries.add(plans.summary(connection, plan));
            }
            return summaries;
        });
    }

    /** Every chunk of a plan, in their order; empty where there is no such plan. */
    public List<ChunkRecord> chunks(String project, String backfillId) {
        return database.read(connection -> {
            Optional<BackfillRecord> plan = plans.find(connection, project, backfillId);
            return plan.isEmpty() ? List.of() : chunks.of(connection, plan.get());
        });
    }

    /** One chunk of a plan. */
    public Optional<ChunkRecord> chunk(String project, String backfillId, String chunkId) {
        return database.read(connection -> {
            Optional<BackfillRecord> plan = plans.find(connection, project, backfillId);
            return plan.isEmpty() ? Optional.empty() : chunks.find(connection, plan.get(), chunkId);
        });
    }

    /** The completed chunks of every plan of a pipeline, the newest plan first; plans without any are absent. */
    public List<BackfillChunks> completed(String project, String pipeline) {
        return database.read(connection -> {
            List<BackfillChunks> completed = new ArrayList<>();
            for (BackfillRecord plan : plans.ofPipeline(connection, project, pipeline)) {
                List<ChunkRecord> ofPlan = chunks.completed(connection, plan);
                if (!ofPlan.isEmpty()) {
                    completed.add(new BackfillChunks(plan, ofPlan));
                }
            }
            return completed;
        });
    }

    /**
     * Writes a plan where there is none, and such of its chunks as are not there, as pending. What is there stays.
     *
     * @param plan its restart number must be the stored one where it is stored
     * @param ofPlan all of its chunks; only id, ends and run id count
     * @return the plan as it is stored: other inputs under the same id are for the caller to refuse
     * @throws dev.weir.fault.RunException WR0520 under another restart number; WR0518 when a stored chunk has other
     *     ends; WR0527 when it is not written
     */
    public BackfillRecord begin(BackfillRecord plan, Iterable<ChunkRecord> ofPlan) {
        return database.change("the plan was", connection -> {
            Optional<BackfillRecord> stored = plans.find(connection, plan.project(), plan.backfillId());
            if (stored.isEmpty()) {
                plans.insert(connection, plan);
            } else if (stored.get().restart() != plan.restart()) {
                throw BackfillFaults.startedOver(plan.key(), stored.get().restart());
            }
            chunks.addMissing(connection, plan, ofPlan);
            return stored.orElse(plan);
        });
    }

    /**
     * Starts a plan over: its row, but for when it was first written, and all of its chunks are replaced, each pending
     * and never attempted. From now on nothing moves under the former restart number.
     *
     * @param plan its restart number is higher than the stored one; a plan that is not stored is written
     * @throws dev.weir.fault.RunException WR0520 when the stored number is as high already; WR0527 when it is not
     *     written
     */
    public void restart(BackfillRecord plan, Iterable<ChunkRecord> ofPlan) {
        database.write("the plan was", connection -> {
            Optional<BackfillRecord> stored = plans.find(connection, plan.project(), plan.backfillId());
            if (stored.isPresent() && stored.get().restart() >= plan.restart()) {
                throw BackfillFaults.startedOver(plan.key(), stored.get().restart());
            }
            plans.replace(connection, plan);
            chunks.replace(connection, plan, ofPlan);
        });
    }

    /**
     * Claims a chunk in whatever status but completed. Only for who holds its lock ({@link PlanLease#tryClaim}): a
     * chunk found claimed or running then belongs to nobody who lives.
     *
     * @param claimedBy who, for people: a host, a process, a run
     */
    public Claimed claim(BackfillKey key, String chunkId, String claimedBy) {
        return database.change(CHUNK, connection -> {
            BackfillRecord plan = current(connection, key);
            boolean taken = ChunkRows.move(
                    connection,
                    key,
                    chunkId,
                    "status = 'claimed', claimed_by = ?, claimed_at = ?",
                    List.of(PENDING, FAILED, CLAIMED, RUNNING),
                    claimedBy,
                    now());
            ChunkRecord chunk = chunks.find(connection, plan, chunkId)
                    .orElseThrow(() -> new IllegalArgumentException("no chunk " + chunkId + " in " + key));
            return new Claimed(taken, chunk);
        });
    }

    /** A claimed chunk begins to run: one more attempt. False, and nothing changed: it is not claimed. */
    public boolean running(BackfillKey key, String chunkId) {
        return move(
                key,
                chunkId,
                "status = 'running', attempts = attempts + 1, started_at = ?, error = NULL",
                List.of(CLAIMED),
                now());
    }

    /**
     * A running chunk is loaded. False, and nothing changed: it is not running; completed, say, because another
     * invocation found it in the sinks.
     */
    public boolean completed(BackfillKey key, String chunkId, long records) {
        return move(
                key,
                chunkId,
                "status = 'completed', completed_at = ?, records_loaded = ?, error = NULL",
                List.of(RUNNING),
                now(),
                records);
    }

    /**
     * A claimed or running chunk failed. False, and nothing changed: it is neither.
     *
     * @param error why, free of secrets; its first {@value #ERROR_LENGTH} characters are kept
     */
    public boolean failed(BackfillKey key, String chunkId, String error) {
        return move(key, chunkId, "status = 'failed', error = ?", List.of(CLAIMED, RUNNING), cut(error));
    }

    private static String cut(String error) {
        if (error.length() <= ERROR_LENGTH) {
            return error;
        }
        int end = Character.isHighSurrogate(error.charAt(ERROR_LENGTH - 1)) ? ERROR_LENGTH - 1 : ERROR_LENGTH;
        return error.substring(0, end);
    }

    /** A claimed or running chunk cannot be loaded yet and is pending again. False, and nothing changed: it is neither. */
    public boolean released(BackfillKey key, String chunkId) {
        return move(
                key,
                chunkId,
                "status = 'pending', claimed_by = NULL, claimed_at = NULL, started_at = NULL",
                List.of(CLAIMED, RUNNING));
    }

    /**
     * Chunks are completed in whatever status they are, because every sink that keeps chunks says so.
     *
     * @param records the rows of each, by chunk id
     * @return how many were not completed before
     */
    public int found(BackfillKey key, Map<String, Long> records) {
        return database.change(CHUNK, connection -> {
            current(connection, key);
            int changed = 0;
            for (Map.Entry<String, Long> chunk : records.entrySet()) {
                boolean moved = ChunkRows.move(
                        connection,
                        key,
                        chunk.getKey(),
                        "status = 'completed', completed_at = ?, records_loaded = ?, error = NULL",
                        List.of(PENDING, CLAIMED, RUNNING, FAILED),
                        now(),
                        chunk.getValue());
                changed += moved ? 1 : 0;
            }
            return changed;
        });
    }

    /**
     * Completed chunks are pending again, because a sink that keeps chunks lacks them.
     *
     * @return how many were completed before
     */
    public int missing(BackfillKey key, List<String> chunkIds) {
        return database.change(CHUNK, connection -> {
            current(connection, key);
            int changed = 0;
            for (String chunkId : chunkIds) {
                boolean moved = ChunkRows.move(
                        connection,
                        key,
                        chunkId,
                        "status = 'pending', claimed_by = NULL, claimed_at = NULL, started_at = NULL,"
                                + " completed_at = NULL, records_loaded = NULL",
                        List.of(COMPLETED));
                changed += moved ? 1 : 0;
            }
            return changed;
        });
    }

    private boolean move(BackfillKey key, String chunkId, String set, List<ChunkStatus> from, Object... values) {
        return database.change(CHUNK, connection -> {
            current(connection, key);
            return ChunkRows.move(connection, key, chunkId, set, from, values);
        });
    }

    /** The plan, under the restart number it is thought to be under. */
    private BackfillRecord current(Connection connection, BackfillKey key) throws SQLException {
        BackfillRecord plan = plans.find(connection, key.project(), key.backfillId())
                .orElseThrow(() -> BackfillFaults.gone(database.file(), key));
        if (plan.restart() != key.restart()) {
            throw BackfillFaults.startedOver(key, plan.restart());
        }
        return plan;
    }

    private String now() {
        return clock.instant().toString();
    }
}
