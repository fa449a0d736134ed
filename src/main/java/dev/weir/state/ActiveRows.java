package dev.weir.state;

import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.CursorValue;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who says to load what, as rows. Whether one of them still lives, and is at it, is asked of its lock. */
final class ActiveRows {

    /** Who loads. */
    enum Kind {
        CHUNK,
        FORWARD
    }

    /**
     * Who says so.
     *
     * @param slot the number of its locks
     */
    record Owner(Kind kind, int slot, ProcessIdentity process, String runId, Instant since) {}

    /** @param id counts up over all rows that ever were */
    record Row(long id, Owner owner, Loading loading) {}

    private static final String COLUMNS =
            "lock, kind, host, pid, run_id, since, sink, source, cursor, cursor_type, range_from, from_inclusive, range_to";

    private final Path file;

    ActiveRows(Path file) {
        this.file = file;
    }

    /** Puts what the owner loads in the place of what the former owner of its locks left; answers the first number. */
    long replace(Connection connection, Owner owner, List<Loading> loadings) throws SQLException {
        try (PreparedStatement stale = connection.prepareStatement("DELETE FROM active_ranges WHERE lock = ?")) {
            stale.setString(1, Integer.toString(owner.slot()));
            stale.executeUpdate();
        }
        return add(connection, owner, loadings);
    }

    /** Adds to what an owner loads; answers the first number. */
    long add(Connection connection, Owner owner, List<Loading> loadings) throws SQLException {
        long first = Long.MAX_VALUE;
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO active_ranges (" + COLUMNS
                + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id")) {
            for (Loading loading : loadings) {
                insert.setString(1, Integer.toString(owner.slot()));
                insert.setString(2, owner.kind().name());
                insert.setString(3, owner.process().host());
                insert.setLong(4, owner.process().pid());
                insert.setString(5, owner.runId());
                insert.setString(6, owner.since().toString());
                insert.setString(7, loading.sink());
                insert.setString(8, loading.source());
                bind(insert, loading.cursor(), loading.range());
                try (ResultSet row = insert.executeQuery()) {
                    row.next();
                    first = Math.min(first, row.getLong(1));
                }
            }
        }
        return first;
    }

    private static void bind(PreparedStatement insert, @Nullable Cursor cursor, @Nullable CursorRange range)
            throws SQLException {
        boolean everything = cursor == null || range == null;
        insert.setString(9, everything ? null : cursor.column());
        insert.setString(10, everything ? null : cursor.type().toString());
        insert.setString(11, everything ? null : range.from().toString());
        insert.setObject(12, everything ? null : Integer.valueOf(range.fromInclusive() ? 1 : 0));
        insert.setString(13, everything ? null : range.to().toString());
    }

    /** The rows of everybody about the sources and sinks of these loadings. */
    List<Row> about(Connection connection, List<Loading> loadings) throws SQLException {
        List<Row> found = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT id, " + COLUMNS + " FROM active_ranges WHERE sink = ? AND source = ? ORDER BY id")) {
            for (Loading loading : loadings) {
                select.setString(1, loading.sink());
                select.setString(2, loading.source());
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        found.add(row(rows));
                    }
                }
            }
        }
        return found;
    }

    private Row row(ResultSet row) throws SQLException {
        Owner owner = new Owner(
                kind(row.getString("kind")),
                slot(row.getString("lock")),
                new ProcessIdentity(row.getString("host"), row.getLong("pid")),
                row.getString("run_id"),
                PositionColumns.instant(file, row.getString("since")));
        return new Row(row.getLong("id"), owner, loading(row));
    }

    private Kind kind(String text) {
        for (Kind kind : Kind.values()) {
            if (kind.name().equals(text)) {
                return kind;
            }
        }
        throw StateFaults.damaged(file, "it holds a range of a '" + text + "', which weir knows nothing of");
    }

    private int slot(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw StateFaults.damaged(file, "it holds a range under lock '" + text + "', which is none");
        }
    }

    private Loading loading(ResultSet row) throws SQLException {
        String sink = row.getString("sink");
        String source = row.getString("source");
        String column = row.getString("cursor");
        if (column == null) {
            return new Loading(sink, source, null, null);
        }
        CursorType type = PositionColumns.type(file, row.getString("cursor_type"));
        CursorValue from = PositionColumns.known(file, type, row.getString("range_from"));
        CursorValue to = PositionColumns.known(file, type, row.getString("range_to"));
        return new Loading(
                sink, source, new Cursor(column, type), new CursorRange(from, row.getBoolean("from_inclusive"), to));
    }
}
