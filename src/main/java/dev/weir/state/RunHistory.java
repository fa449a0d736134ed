package dev.weir.state;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs, the newest {@value #KEPT}, as rows. Whether one that has not ended still lives is asked elsewhere. */
final class RunHistory {

    static final int KEPT = 10_000;

    private static final String COLUMNS = "run_id, project, command, started_at, ended_at, status, passes, exit_code,"
            + " host, pid, succeeded, failed, skipped, rows";
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
        String sql = "INSERT INTO runs (" + COLUMNS + ", slot, history_id)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + HISTORY_NOW + ")"
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

    void prune(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - " + KEPT)) {
            statement.executeUpdate();
        }
    }

    /** The newest runs, newest first. */
    List<Stored> newest(Connection connection, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select("ORDER BY id DESC LIMIT ?"))) {
            statement.setInt(1, limit);
            return stored(statement);
        }
    }

    Optional<Stored> find(Connection connection, String runId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select("WHERE run_id = ?"))) {
            statement.setString(1, runId);
            return stored(statement).stream().findFirst();
        }
    }

    private static String select(String rest) {
        return "SELECT " + COLUMNS + ", slot, EXISTS (SELECT 1 FROM runs AS later WHERE later.slot = r.slot"
                + " AND later.id > r.id AND later.ended_at IS NULL) AS superseded FROM runs AS r " + rest;
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
                        row.getInt("succeeded"), row.getInt("failed"), row.getInt("skipped"), row.getLong("rows")));
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
