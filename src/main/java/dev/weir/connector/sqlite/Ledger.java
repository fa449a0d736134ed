package dev.weir.connector.sqlite;

import dev.weir.connector.jdbc.MarkTable;
import dev.weir.slicing.Mark;
import dev.weir.slicing.PositionKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The marks of a file, in its table {@code _weir_positions}.
 *
 * <p>A transaction that writes is alone in the file, so that what it reads stays true until it commits. Source of the rules:
 * contract, section 2.4.
 */
final class Ledger {

    private static final String TABLE = OwnTable.sql(MarkTable.NAME);

    private final Connection connection;
    private final MarkTable marks;

    Ledger(Connection connection, String place) {
        this.connection = connection;
        this.marks = new MarkTable(connection, place, TABLE, OwnTable.INSTANTS);
    }

    private boolean exists() throws SQLException {
        return OwnTable.exists(connection, MarkTable.NAME);
    }

    /** The mark of the newest generation. */
    Optional<Mark> newest(PositionKey key) throws SQLException {
        return exists() ? marks.newest(key) : Optional.empty();
    }

    /** The marks of all generations, newest first. */
    List<Mark> all(PositionKey key) throws SQLException {
        return exists() ? marks.all(key) : List.of();
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
        Session.execute(connection, MarkTable.creation(TABLE));
        marks.move(key, former, next);
    }
}
