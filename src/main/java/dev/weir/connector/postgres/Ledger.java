package dev.weir.connector.postgres;

import dev.weir.connector.jdbc.Instants;
import dev.weir.connector.jdbc.MarkTable;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.postgresql.jdbc.PgConnection;

/**
 * The marks of one schema, in its table {@code _weir_positions}.
 *
 * <p>Who moves a mark, or asks whether a move took effect, first takes the position's lock. Source of the rules: contract,
 * section 2.4.
 */
final class Ledger {

    private final OwnTable table;
    private final MarkTable marks;

    /** @param schema where the sink's table is */
    Ledger(PgConnection connection, String place, String schema) {
        this.table = OwnTable.of(connection, schema, MarkTable.NAME);
        this.marks = new MarkTable(connection, place, table.sql(), Instants.TIMESTAMPTZ);
    }

    /** The mark of the newest generation. */
    Optional<Mark> newest(PositionKey key) throws SQLException {
        return table.exists() ? marks.newest(key) : Optional.empty();
    }

    /** The marks of all generations, newest first. */
    List<Mark> all(PositionKey key) throws SQLException {
        return table.exists() ? marks.all(key) : List.of();
    }

    /** The keys of all positions with a mark for that sink. */
    List<PositionKey> marked(String sink) throws SQLException {
        return table.exists() ? marks.marked(sink) : List.of();
    }

    private void lock(PositionKey key) throws SQLException {
        table.lock(key.project(), key.pipeline(), key.sink(), key.source());
    }

    /** Whether that very mark is there, once nobody is at work on it any more. */
    boolean holds(PositionKey key, Mark moved) throws SQLException {
        lock(key);
        if (!table.exists()) {
            return false;
        }
        marks.lockRows(key);
        return marks.holds(key, moved);
    }

    /** See {@link dev.weir.connector.SinkTransaction#move}. */
    void move(PositionKey key, Optional<Mark> former, Mark next) throws SQLException {
        lock(key);
        table.create(MarkTable.creation(table.sql()));
        // Its look comes after the locks, and sees what those we waited for have committed.
        marks.lockRows(key);
        marks.move(key, former, next);
    }
}
