package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.MarkTable;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The marks of a file, in its table {@code _weir_positions}.
 *
 * <p>A transaction that writes is alone in the file, so that what it reads stays true until it commits. Source of the rules:
 * contract, section 2.4.
 */
final class Ledger {

    private static final String TABLE = "main." + MarkTable.NAME;

    /** Spelled like every other TIMESTAMPTZ of a sink. */
    private static final MarkTable.Instants TEXT = new MarkTable.Instants() {
        @Override
        public void bind(PreparedStatement statement, int place, Instant instant) throws SQLException {
            statement.setString(
                    place, TimeText.timestamp(instant.getEpochSecond(), instant.getNano() / 1_000, 6) + "Z");
        }

        @Override
        public Instant read(ResultSet result, int column) throws SQLException {
            long micros =
                    TimeText.of(result.getString(column), "TIMESTAMPTZ", true).micros();
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        }
    };

    private final Connection connection;
    private final MarkTable marks;

    Ledger(Connection connection, String place) {
        this.connection = connection;
        this.marks = new MarkTable(connection, place, TABLE, TEXT);
    }

    private boolean exists() throws SQLException {
        return Session.number(
                        connection,
                        "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = "
                                + Sql.literal(MarkTable.NAME))
                > 0;
    }

    /** The mark of the newest generation. */
    Optional<Mark> newest(PositionKey key) throws SQLException {
        return exists() ? marks.newest(key) : Optional.empty();
    }

    /** The keys of all positions with a mark for that sink. */
    List<PositionKey> marked(String sink) throws SQLException {
        return exists() ? marks.marked(sink) : List.of();
    }

    /** Whether that very mark is there, in a transaction that nobody else is writing beside. */
    boolean holds(PositionKey key, Mark moved) throws SQLException {
        return exists() && marks.holds(key, moved);
    }

    /** See {@link dev.weir.connector.SinkTransaction#move}. */
    void move(PositionKey key, Optional<Mark> former, Mark next) throws SQLException {
        Session.execute(
                connection,
                "CREATE TABLE IF NOT EXISTS " + TABLE
                        + " (project TEXT NOT NULL, pipeline TEXT NOT NULL, sink TEXT NOT NULL, source TEXT NOT NULL,"
                        + " generation INTEGER NOT NULL, generation_start TEXT, seq INTEGER NOT NULL,"
                        + " cursor TEXT NOT NULL, cursor_type TEXT NOT NULL, value TEXT,"
                        + " rows_delivered INTEGER NOT NULL, table_empty BOOLEAN NOT NULL, run_id TEXT NOT NULL,"
                        + " committed_at TIMESTAMPTZ NOT NULL,"
                        + " PRIMARY KEY (project, pipeline, sink, source, generation))");
        marks.move(key, former, next);
    }
}
