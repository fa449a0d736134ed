package dev.weir.state;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The runs, as rows. Whether one that has not ended still lives is asked elsewhere. */
final class RunHistory {

    /** So many of the newest are kept however old they seem. */
    static final int NEWEST = 10;

    private static final String COLUMNS = "run_id, project, command, started_at, ended_at, status, passes, exit_code,"
            + " host, pid, succeeded, failed, skipped, rows";
    private static final String TRIGGER = "trigger, backfill_id, chunk_run_id";
    private static final String TRIGGER_BEFORE = "'run' AS trigger, NULL AS backfill_id, NULL AS chunk_run_id";
    private static final String SUPERSEDED = "EXISTS (SELECT 1 FROM runs AS later WHERE later.slot = r.slot"
            + " AND later.id > r.id AND later.ended_at IS NULL)";
    private static final String HISTORY_NOW = "(SELECT coalesce(max(id), 0) FROM position_history)";

    /**
     * A run as stored.
     *
     * @param slot the lock its process holds while it lives; null: none
     * @param superseded whether a later run that has not ended has the same slot, which this one must have lost
     */
    record Stored(RunRecord run, @Nullable Integer slot, boolean superseded) {}

    private final Path file;

    RunHistory(Path file) {
        this.file = file;
    }

    /** Writes a run, new or known. The length of the positions' history goes with it: a rollback goes back to there. */
    void write(Connection connection, RunRecord run, @Nullable Integer slot) throws SQLException {
        String sql = "INSERT INTO runs (" + COLUMNS + ", slot, " + TRIGGER + ", history_id)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + HISTORY_NOW + ")"
                + " ON CONFLICT (run_id) DO UPDATE SET ended_at = excluded.ended_at, status = excluded.status,"
                + " passes = excluded.passes, exit_code = excluded.exit_code, succeeded = excluded.succeeded,"
                + " failed = excluded.failed, skipped = excluded.skipped, rows = excluded.rows,"
                + " history_id = excluded.history_id";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, run.runId());
            statement.setString(2, run.project());
            statement.setString(3, run.command());
            statement.setString(4, run.startedAt().toString());
            Instant endedAt = run.endedAt();
            statement.setString(5, endedAt == null ? null : endedAt.toString());
            statement.setString(6, run.status().toString());
            set(statement, 7, run.passes());
            set(statement, 8, run.exitCode());
            statement.setString(9, run.process().host());
            statement.setLong(10, run.process().pid());
            statement.setInt(11, run.counts().succeeded());
            statement.setInt(12, run.counts().failed());
            statement.setInt(13, run.counts().skipped());
            statement.setLong(14, run.counts().rows());
            set(statement, 15, slot);
            statement.setString(16, run.trigger().toString());
            statement.setString(17, run.backfillId());
            statement.setString(18, run.chunkRunId());
            statement.executeUpdate();
        }
    }

    private static void set(PreparedStatement statement, int index, @Nullable Integer value) throws SQLException {
        if (value == null) {
            statement.setNull(index, Types.INTEGER);
        } else {
            statement.setInt(index, value);
        }
    }

    /**
     * A run and whether it is beyond what is kept.
     *
     * @param open whether it has not ended, or died
     * @param slot as in {@link Stored}
     * @param superseded as in {@link Stored}
     */
    record Aged(
            String runId,
            boolean old,
            boolean open,
            @Nullable Integer slot,
            boolean superseded) {}

    /** Every run; old are those behind the newest so many, and those before an instant but for the newest few. */
    List<Aged> aged(Connection connection, int kept, Instant since) throws SQLException {
        List<Aged> runs = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT run_id, started_at < ? AS aged, ended_at IS NULL AS open, slot, ended_at IS NULL AND "
                        + SUPERSEDED + " AS superseded FROM runs AS r ORDER BY id DESC")) {
            statement.setString(1, since.truncatedTo(ChronoUnit.SECONDS).toString());
            try (ResultSet rows = statement.executeQuery()) {
                for (int rank = 1; rows.next(); rank++) {
                    boolean old = rank > kept || (rank > NEWEST && rows.getBoolean("aged"));
                    runs.add(new Aged(
                            rows.getString("run_id"),
                            old,
                            rows.getBoolean("open"),
                            integer(rows, "slot"),
                            rows.getBoolean("superseded")));
                }
            }
        }
        return runs;
    }

    /** Removes the oldest so many of the runs that no position's history names. */
    void forget(Connection connection, Set<String> runIds, int most) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (PreparedStatement oldestFirst =
                        connection.prepareStatement("SELECT id, run_id FROM runs AS r WHERE NOT EXISTS"
                                + " (SELECT 1 FROM position_history AS h WHERE h.run_id = r.run_id) ORDER BY id");
                ResultSet rows = oldestFirst.executeQuery()) {
            while (ids.size() < most && rows.next()) {
                if (runIds.contains(rows.getString("run_id"))) {
                    ids.add(rows.getLong("id"));
                }
            }
        }
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM runs WHERE id = ?")) {
            for (long id : ids) {
                delete.setLong(1, id);
                delete.addBatch();
            }
            delete.executeBatch();
        }
    }

    /** The newest runs, newest first. */
    List<Stored> newest(Connection connection, int limit) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(select(connection, "ORDER BY id DESC LIMIT ?"))) {
            statement.setInt(1, limit);
            return stored(statement);
        }
    }

    Optional<Stored> find(Connection connection, String runId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select(connection, "WHERE run_id = ?"))) {
            statement.setString(1, runId);
            return stored(statement).stream().findFirst();
        }
    }

    /** The runs whose ids begin so, newest first; one of exactly that id before all others. */
    List<Stored> beginning(Connection connection, String prefix, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select(
                connection, "WHERE substr(run_id, 1, length(?1)) = ?1 ORDER BY run_id = ?1 DESC, id DESC LIMIT ?2"))) {
            statement.setString(1, prefix);
            statement.setInt(2, limit);
            return stored(statement);
        }
    }

    /** The attempts at the chunks of a plan, newest first. */
    List<Stored> ofBackfill(Connection connection, String project, String backfillId, int limit) throws SQLException {
        if (Schema.isBefore(Schema.WITH_BACKFILLS, connection)) {
            return List.of();
        }
        try (PreparedStatement statement = connection.prepareStatement(
                select(connection, "WHERE backfill_id = ? AND project = ? ORDER BY id DESC LIMIT ?"))) {
            statement.setString(1, backfillId);
            statement.setString(2, project);
            statement.setInt(3, limit);
            return stored(statement);
        }
    }

    private static String select(Connection connection, String rest) throws SQLException {
        String trigger = Schema.isBefore(Schema.WITH_BACKFILLS, connection) ? TRIGGER_BEFORE : TRIGGER;
        return "SELECT " + COLUMNS + ", slot, " + trigger + ", " + SUPERSEDED + " AS superseded FROM runs AS r " + rest;
    }

    private List<Stored> stored(PreparedStatement statement) throws SQLException {
        List<Stored> runs = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                runs.add(new Stored(run(rows), integer(rows, "slot"), rows.getBoolean("superseded")));
            }
        }
        return runs;
    }

    private RunRecord run(ResultSet row) throws SQLException {
        String endedAt = row.getString("ended_at");
        return new RunRecord(
                row.getString("run_id"),
                row.getString("project"),
                row.getString("command"),
                PositionColumns.instant(file, row.getString("started_at")),
                endedAt == null ? null : PositionColumns.instant(file, endedAt),
                status(row.getString("status")),
                integer(row, "passes"),
                integer(row, "exit_code"),
                new ProcessIdentity(row.getString("host"), row.getLong("pid")),
                new RunRecord.Counts(
                        row.getInt("succeeded"), row.getInt("failed"), row.getInt("skipped"), row.getLong("rows")),
                trigger(row.getString("trigger")),
                row.getString("backfill_id"),
                row.getString("chunk_run_id"));
    }

    private RunRecord.Trigger trigger(String text) {
        for (RunRecord.Trigger trigger : RunRecord.Trigger.values()) {
            if (trigger.toString().equals(text)) {
                return trigger;
            }
        }
        throw StateFaults.damaged(file, "it holds a run for a '" + text + "', which weir knows nothing of");
    }

    private RunRecord.Status status(String text) {
        for (RunRecord.Status status : RunRecord.Status.values()) {
            if (status.toString().equals(text.toLowerCase(Locale.ROOT))) {
                return status;
            }
        }
        throw StateFaults.damaged(file, "it holds a run that is '" + text + "', which is no status");
    }

    private static @Nullable Integer integer(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }

    /** How long the positions' history was after a run; empty where nothing is known of the run. */
    Optional<Long> historyAfter(Connection connection, String runId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT coalesce("
                // What a run left when it ended. A mark adopted later carries the run's id, and is no part of it.
                + "(SELECT history_id FROM runs WHERE run_id = ?1 AND ended_at IS NOT NULL),"
                + " (SELECT max(id) FROM (SELECT history_id AS id FROM runs WHERE run_id = ?1"
                + " UNION ALL SELECT id FROM position_history WHERE run_id = ?1)))")) {
            statement.setString(1, runId);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long id = row.getLong(1);
                return row.wasNull() ? Optional.empty() : Optional.of(id);
            }
        }
    }
}
