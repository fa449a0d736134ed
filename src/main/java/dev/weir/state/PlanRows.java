package dev.weir.state;

import dev.weir.slicing.ChunkStatus;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Plans as rows, one each, and the inputs of their fingerprints beside them. */
final class PlanRows {

    private static final String COLUMNS = "project, backfill_id, pipeline, range_from, range_to, chunk, cursor,"
            + " cursor_type, zone, into_connection, fingerprint, restart, chunks, created_at, command";

    private final Path file;

    PlanRows(Path file) {
        this.file = file;
    }

    Optional<BackfillRecord> find(Connection connection, String project, String backfillId) throws SQLException {
        return query(connection, "project = ? AND backfill_id = ?", 1, project, backfillId).stream()
                .findFirst();
    }

    List<BackfillRecord> beginning(Connection connection, String project, String prefix, int limit)
            throws SQLException {
        return query(connection, "project = ?1 AND substr(backfill_id, 1, length(?2)) = ?2", limit, project, prefix);
    }

    List<BackfillRecord> newest(Connection connection, String project, int limit) throws SQLException {
        return query(connection, "project = ?", limit, project);
    }

    List<BackfillRecord> ofPipeline(Connection connection, String project, String pipeline) throws SQLException {
        return query(connection, "project = ? AND pipeline = ?", Integer.MAX_VALUE, project, pipeline);
    }

    private List<BackfillRecord> query(Connection connection, String where, int limit, String... arguments)
            throws SQLException {
        if (Schema.isBefore(Schema.WITH_BACKFILLS, connection)) {
            return List.of();
        }
        List<BackfillRecord> plans = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT " + COLUMNS + " FROM backfills WHERE " + where + " ORDER BY id DESC LIMIT " + limit)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setString(i + 1, arguments[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    plans.add(plan(connection, rows));
                }
            }
        }
        return plans;
    }

    private BackfillRecord plan(Connection connection, ResultSet row) throws SQLException {
        CursorType type = PositionColumns.type(file, row.getString("cursor_type"));
        String project = row.getString("project");
        String backfillId = row.getString("backfill_id");
        return new BackfillRecord(
                project,
                backfillId,
                row.getString("pipeline"),
                PositionColumns.known(file, type, row.getString("range_from")),
                PositionColumns.known(file, type, row.getString("range_to")),
                row.getString("chunk"),
                new Cursor(row.getString("cursor"), type),
                row.getString("zone"),
                row.getString("into_connection"),
                row.getString("fingerprint"),
                inputs(connection, project, backfillId),
                row.getLong("restart"),
                row.getInt("chunks"),
                PositionColumns.instant(file, row.getString("created_at")),
                row.getString("command"));
    }

    private static Map<String, String> inputs(Connection connection, String project, String backfillId)
            throws SQLException {
        Map<String, String> inputs = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT name, value FROM backfill_inputs WHERE project = ? AND backfill_id = ? ORDER BY number")) {
            statement.setString(1, project);
            statement.setString(2, backfillId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    inputs.put(rows.getString("name"), rows.getString("value"));
                }
            }
        }
        return inputs;
    }

    /** How many chunks of a plan stand how, and what they loaded. */
    BackfillSummary summary(Connection connection, BackfillRecord plan) throws SQLException {
        Map<ChunkStatus, Integer> counts = new EnumMap<>(ChunkStatus.class);
        long records = 0;
        try (PreparedStatement statement = connection.prepareStatement("SELECT status, count(*) AS chunks,"
                + " coalesce(sum(records_loaded), 0) AS records FROM backfill_chunks"
                + " WHERE project = ? AND backfill_id = ? GROUP BY status")) {
            statement.setString(1, plan.project());
            statement.setString(2, plan.backfillId());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    counts.put(ChunkRows.status(file, rows.getString("status")), rows.getInt("chunks"));
                    records += rows.getLong("records");
                }
            }
        }
        return new BackfillSummary(plan, counts, records);
    }

    void insert(Connection connection, BackfillRecord plan) throws SQLException {
        write(
                connection,
                plan,
                "INSERT INTO backfills (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    }

    /** Replaces what a plan is, and keeps its place among the others and when it was first written. */
    void replace(Connection connection, BackfillRecord plan) throws SQLException {
        write(
                connection,
                plan,
                "INSERT INTO backfills (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT (project, backfill_id) DO UPDATE SET fingerprint = excluded.fingerprint,"
                        + " cursor = excluded.cursor, cursor_type = excluded.cursor_type,"
                        + " range_from = excluded.range_from, range_to = excluded.range_to, zone = excluded.zone,"
                        + " restart = excluded.restart, chunks = excluded.chunks, command = excluded.command");
    }

    private static void write(Connection connection, BackfillRecord plan, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, plan.project());
            statement.setString(2, plan.backfillId());
            statement.setString(3, plan.pipeline());
            statement.setString(4, plan.from().toString());
            statement.setString(5, plan.to().toString());
            statement.setString(6, plan.chunk());
            statement.setString(7, plan.cursor().column());
            statement.setString(8, plan.cursor().type().toString());
            statement.setString(9, plan.zone());
            statement.setString(10, plan.into());
            statement.setString(11, plan.fingerprint());
            statement.setLong(12, plan.restart());
            statement.setInt(13, plan.chunks());
            statement.setString(14, plan.createdAt().toString());
            statement.setString(15, plan.command());
            statement.executeUpdate();
        }
        try (PreparedStatement former =
                connection.prepareStatement("DELETE FROM backfill_inputs WHERE project = ? AND backfill_id = ?")) {
            former.setString(1, plan.project());
            former.setString(2, plan.backfillId());
            former.executeUpdate();
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO backfill_inputs (project, backfill_id, number, name, value) VALUES (?, ?, ?, ?, ?)")) {
            int number = 0;
            for (Map.Entry<String, String> input : plan.inputs().entrySet()) {
                insert.setString(1, plan.project());
                insert.setString(2, plan.backfillId());
                insert.setInt(3, number++);
                insert.setString(4, input.getKey());
                insert.setString(5, Objects.requireNonNull(input.getValue(), input.getKey()));
                insert.executeUpdate();
            }
        }
    }
}
