package dev.weir.connector.postgres;

import dev.weir.connector.TableName;
import dev.weir.connector.jdbc.MarkTable;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.postgresql.jdbc.PgConnection;

/**
 * The marks of one schema, in its table {@code _weir_positions}.
 *
 * <p>All work on one position is done one after the other: who moves a mark, or asks whether a move took effect, first takes
 * the position's advisory lock, which ends with the transaction. It covers what a row lock cannot: a mark, or the whole
 * table, that another transaction has made and not yet committed. Source of the rules: contract, section 2.4.
 */
final class Ledger {

    private static final MarkTable.Instants TIMESTAMPTZ = new MarkTable.Instants() {
        @Override
        public void bind(PreparedStatement statement, int place, Instant instant) throws SQLException {
            statement.setObject(place, instant.atOffset(ZoneOffset.UTC));
        }

        @Override
        public Instant read(ResultSet result, int column) throws SQLException {
            return result.getObject(column, OffsetDateTime.class).toInstant();
        }
    };

    private final PgConnection connection;
    private final String table;
    private final MarkTable marks;

    /** @param schema where the sink's table is */
    Ledger(PgConnection connection, String place, String schema) {
        this.connection = connection;
        this.table = Sql.quote(new TableName(List.of(schema, MarkTable.NAME)));
        this.marks = new MarkTable(connection, place, table, TIMESTAMPTZ);
    }

    private boolean exists() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT pg_catalog.to_regclass(?) IS NOT NULL")) {
            statement.setString(1, table);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() && result.getBoolean(1);
            }
        }
    }

    /** The mark of the newest generation. */
    Optional<Mark> newest(PositionKey key) throws SQLException {
        return exists() ? marks.newest(key) : Optional.empty();
    }

    /** The keys of all positions with a mark for that sink. */
    List<PositionKey> marked(String sink) throws SQLException {
        return exists() ? marks.marked(sink) : List.of();
    }

    /** Waits until no other transaction is at work on the position. */
    private void lock(PositionKey key) throws SQLException {
        advisoryLock(String.join("\u001f", "weir", table, key.project(), key.pipeline(), key.sink(), key.source()));
    }

    private void advisoryLock(String what) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(?, 0))")) {
            statement.setString(1, what);
            statement.execute();
        }
    }

    /** Whether that very mark is there, once nobody is at work on it any more. */
    boolean holds(PositionKey key, Mark moved) throws SQLException {
        lock(key);
        if (!exists()) {
            return false;
        }
        marks.lockRows(key);
        return marks.holds(key, moved);
    }

    /** See {@link dev.weir.connector.SinkTransaction#move}. */
    void move(PositionKey key, Optional<Mark> former, Mark next) throws SQLException {
        lock(key);
        create();
        // Its look comes after the locks, and sees what those we waited for have committed.
        marks.lockRows(key);
        marks.move(key, former, next);
    }

    /** Two who create the table at once would end one of them with an error: the second waits, and finds it. */
    private void create() throws SQLException {
        if (exists()) {
            return;
        }
        advisoryLock("weir " + table);
        Session.execute(
                connection,
                "CREATE TABLE IF NOT EXISTS " + table
                        + " (project text NOT NULL, pipeline text NOT NULL, sink text NOT NULL,"
                        + " source text NOT NULL, generation bigint NOT NULL, generation_start text, seq bigint NOT NULL,"
                        + " cursor text NOT NULL, cursor_type text NOT NULL, value text, rows_delivered bigint NOT NULL,"
                        + " table_empty boolean NOT NULL, run_id text NOT NULL, committed_at timestamptz NOT NULL,"
                        + " PRIMARY KEY (project, pipeline, sink, source, generation))");
    }
}
