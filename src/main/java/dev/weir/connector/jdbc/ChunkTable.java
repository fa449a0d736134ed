package dev.weir.connector.jdbc;

import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.RunException;
import dev.weir.slicing.ChunkKey;
import dev.weir.slicing.ChunkMark;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.PlanKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a {@code _weir_chunks} table, in SQL that every system with {@code ON CONFLICT} speaks.
 *
 * <p>Takes no lock: those are the system's own, and {@link #complete} is called when nobody else can be at work on the
 * chunk, or where the system makes two who insert it collide. Instants are kept to the microsecond. Used by one thread.
 * Source of the rules: contract, section 6.
 */
public final class ChunkTable {

    /** What the table is called, beside the tables whose chunks it holds. */
    public static final String NAME = "_weir_chunks";

    private static final String COLUMNS = "project, pipeline, sink, backfill_id, restart, chunk_id, source, cursor,"
            + " cursor_type, chunk_from, chunk_to, fingerprint, records_loaded, run_id, committed_at";
    private static final String OF_PIPELINE = " WHERE project = ? AND pipeline = ? AND sink = ?";
    private static final String IN_ORDER = " ORDER BY backfill_id, restart, chunk_id";

    private final Statements statements;
    private final String place;
    private final String table;
    private final Instants instants;
    private final KeptValues values;
    private final String select;

    /**
     * @param place what failures name
     * @param table the table in SQL
     */
    public ChunkTable(Statements statements, String place, String table, Instants instants) {
        this.statements = statements;
        this.place = place;
        this.table = table;
        this.instants = instants;
        this.values = new KeptValues(
                place,
                "a chunk in " + table,
                "Restore the row; or delete it together with the rows it stands for, and the backfill loads them again");
        this.select = "SELECT " + COLUMNS + " FROM " + table + OF_PIPELINE;
    }

    /** The statement that makes the table where it is missing. */
    public static String creation(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (project text NOT NULL, pipeline text NOT NULL,"
                + " sink text NOT NULL, backfill_id text NOT NULL, restart bigint NOT NULL, chunk_id text NOT NULL,"
                + " source text NOT NULL, cursor text NOT NULL, cursor_type text NOT NULL, chunk_from text NOT NULL,"
                + " chunk_to text NOT NULL, fingerprint text NOT NULL, records_loaded bigint NOT NULL,"
                + " run_id text NOT NULL, committed_at timestamptz NOT NULL,"
                + " PRIMARY KEY (project, pipeline, sink, backfill_id, restart, chunk_id))";
    }

    /** See {@link dev.weir.connector.Sink#chunks}. */
    public List<ChunkMark> ofPlan(PlanKey plan) throws SQLException {
        return statements.query(
                select + " AND backfill_id = ?" + IN_ORDER,
                this::read,
                plan.project(),
                plan.pipeline(),
                plan.sink(),
                plan.backfillId());
    }

    /** See {@link dev.weir.connector.Sink#chunksOfOthers}; in two ranges, so that the plan's own are not even passed over. */
    public List<ChunkMark> ofOthers(PlanKey plan) throws SQLException {
        return statements.query(
                select + " AND backfill_id < ? UNION ALL " + select + " AND backfill_id > ?" + IN_ORDER,
                this::read,
                plan.project(),
                plan.pipeline(),
                plan.sink(),
                plan.backfillId(),
                plan.project(),
                plan.pipeline(),
                plan.sink(),
                plan.backfillId());
    }

    /** See {@link dev.weir.connector.Sink#chunksOfAll}. */
    public List<ChunkMark> ofAll(String project, String pipeline, String sink) throws SQLException {
        return statements.query(select + IN_ORDER, this::read, project, pipeline, sink);
    }

    /** The chunk, where it was committed. */
    public Optional<ChunkMark> find(ChunkKey key) throws SQLException {
        return statements
                .query(
                        select + " AND backfill_id = ? AND restart = ? AND chunk_id = ?",
                        this::read,
                        key.plan().project(),
                        key.plan().pipeline(),
                        key.plan().sink(),
                        key.plan().backfillId(),
                        key.restart(),
                        key.chunkId())
                .stream()
                .findFirst();
    }

    /** Whether that run committed the chunk. */
    public boolean holds(ChunkKey key, String runId) throws SQLException {
        return find(key).filter(found -> found.runId().equals(runId)).isPresent();
    }

    /** See {@link dev.weir.connector.SinkTransaction#complete}. */
    public void complete(ChunkMark done) throws SQLException {
        Optional<ChunkMark> found = find(done.key());
        if (found.isPresent()) {
            throw new RunException(heldElsewhere(
                    done.key(),
                    "run " + found.get().runId() + " committed it at "
                            + found.get().committedAt()));
        }
        if (insert(done) != 1) {
            throw new RunException(heldElsewhere(done.key(), "another process has just committed it"));
        }
    }

    private long insert(ChunkMark done) throws SQLException {
        ChunkKey key = done.key();
        PlanKey plan = key.plan();
        return statements.update(
                "INSERT INTO " + table + " (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT DO NOTHING",
                plan.project(),
                plan.pipeline(),
                plan.sink(),
                plan.backfillId(),
                key.restart(),
                key.chunkId(),
                done.source(),
                done.cursor().column(),
                done.cursor().type().toString(),
                done.from().toString(),
                done.to().toString(),
                done.fingerprint(),
                done.rows(),
                done.runId(),
                instants.written(done.committedAt().truncatedTo(ChronoUnit.MICROS)));
    }

    private ChunkMark read(ResultSet row) throws SQLException {
        PlanKey plan = new PlanKey(row.getString(1), row.getString(2), row.getString(3), row.getString(4));
        Cursor cursor = values.cursor(row.getString(8), row.getString(9));
        return new ChunkMark(
                new ChunkKey(plan, values.whole(row, 5), row.getString(6)),
                row.getString(7),
                cursor,
                values.value(cursor.type(), row.getString(10)),
                values.value(cursor.type(), row.getString(11)),
                row.getString(12),
                values.whole(row, 13),
                row.getString(14),
                values.instant(instants, row, 15));
    }

    /**
     * Another process has committed the chunk, or is about to.
     *
     * @param by what is known of it
     */
    public Fault heldElsewhere(ChunkKey key, String by) {
        return new Fault(
                Code.HELD_ELSEWHERE,
                place,
                "chunk " + key.chunkId() + " of backfill " + key.plan().backfillId() + " is loaded already: " + by,
                "nothing of it was written a second time; run the same backfill again, which goes on with what is left");
    }
}
