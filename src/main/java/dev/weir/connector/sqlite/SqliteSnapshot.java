package dev.weir.connector.sqlite;

import dev.weir.connector.SliceRead;
import dev.weir.connector.Snapshot;
import dev.weir.connector.jdbc.Unrepresentable;
import dev.weir.fault.RunException;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorValue;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One read transaction, in which everything of a slice is asked. */
final class SqliteSnapshot implements Snapshot {

    private final Session session;
    private final String place;
    private final ReadPlan plan;
    private final Consumer<Session> afterwards;
    private @Nullable RowRead read;
    private boolean closed;

    /** @param afterwards who takes the session when the snapshot is closed */
    SqliteSnapshot(Session session, String place, ReadPlan plan, Consumer<Session> afterwards) {
        this.session = session;
        this.place = place;
        this.plan = plan;
        this.afterwards = afterwards;
    }

    /** @throws RunException when a cursor is no value of its type, so that no window would ever hold it */
    void checkCursors() {
        CursorSql cursor = plan.needCursor();
        ask(connection -> {
            boolean suspect = plan.mixed() || !cursor.units().areIntegers();
            for (String condition : suspect ? List.<String>of() : cursor.outside()) {
                suspect |= exists(connection, condition);
            }
            if (suspect) {
                throwOffender(connection);
            }
            return true;
        });
    }

    private boolean exists(Connection connection, String condition) throws SQLException {
        return Session.number(connection, counting(condition, 1)) > 0;
    }

    private String counting(String condition, long limit) {
        return "SELECT count(*) FROM (SELECT 1 FROM " + plan.from() + " WHERE " + condition + " LIMIT " + limit + ")";
    }

    /** Asks something about cursors; where one of them is none, the failure names its row. */
    <T> T ask(Session.Work<T> question) {
        return session.run(place, connection -> {
            try {
                return question.on(connection);
            } catch (SQLException e) {
                if (!String.valueOf(e.getMessage()).contains(CursorFunction.FAILED)) {
                    throw e;
                }
                throwOffender(connection);
                throw e;
            } catch (Unrepresentable e) {
                throwOffender(connection);
                throw e;
            }
        });
    }

    private void throwOffender(Connection connection) throws SQLException {
        CursorSql cursor = plan.needCursor();
        String names = plan.rowNames().isEmpty() ? "" : ", " + String.join(", ", plan.rowNames());
        String sql = "SELECT " + cursor.column() + names + " FROM " + plan.from() + " WHERE " + cursor.offending()
                + " LIMIT 1";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (row.next()) {
                Object value = row.getObject(1);
                String named = RowRead.rowName(row, 1, plan.rowLabels());
                throw RowRead.offending(
                        place,
                        cursor.name(),
                        Numbers.storage(value),
                        named.isEmpty() ? "a row" : "the row with " + named,
                        unrepresentable(value));
            }
        }
    }

    private Unrepresentable unrepresentable(Object value) {
        try {
            plan.needCursor().units().of(value);
            throw new IllegalStateException(value + " is a cursor, and was said to be none");
        } catch (Unrepresentable e) {
            return new Unrepresentable(e.value(), e.reason() + ", so no window would hold it");
        }
    }

    @Override
    public Optional<CursorValue> lowest(CursorRange range) {
        CursorSql cursor = plan.needCursor();
        boolean isSpelled = cursor.type().isInstant() && !cursor.type().isOfNumbers();
        return ask(connection -> isSpelled
                        ? new LowestTime(connection, plan.from(), cursor).in(range)
                        : least(connection, range))
                .map(cursor.type()::units);
    }

    private Optional<BigInteger> least(Connection connection, CursorRange range) throws SQLException {
        CursorSql cursor = plan.needCursor();
        String sql = "SELECT " + cursor.least() + " FROM " + plan.from() + " WHERE " + cursor.within(range);
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            Object least = result.next() ? result.getObject(1) : null;
            return Optional.ofNullable(least).map(cursor::unitsOf);
        }
    }

    @Override
    public long count(CursorRange range, long limit) {
        return count(plan.needCursor().within(range), limit);
    }

    @Override
    public long countNull(long limit) {
        return count(plan.needCursor().column() + " IS NULL", limit);
    }

    /** An infinity of SQLite's is a REAL, and so never a cursor: it is refused with its row. */
    @Override
    public long countInfinite(long limit) {
        return plan.needCursor()
                .infinite()
                .map(condition -> count(condition, limit))
                .orElse(0L);
    }

    private long count(String condition, long limit) {
        return ask(connection -> Session.number(connection, counting(condition, limit)));
    }

    @Override
    public Optional<Boolean> isIndexed(CursorRange range) {
        String sql = "EXPLAIN QUERY PLAN SELECT 1 FROM " + plan.from() + " WHERE "
                + plan.needCursor().foundAs(range);
        return ask(connection -> {
            boolean scans = false;
            try (Statement statement = connection.createStatement();
                    ResultSet steps = statement.executeQuery(sql)) {
                while (steps.next()) {
                    scans |= steps.getString("detail").startsWith("SCAN");
                }
            }
            return Optional.of(!scans);
        });
    }

    @Override
    public SliceRead read(Optional<CursorRange> range) {
        if (read != null && !read.isComplete()) {
            throw new IllegalStateException("the read before is not used up");
        }
        RowRead started = ask(connection -> start(connection, plan.select(range)));
        read = started;
        return started;
    }

    private RowRead start(Connection connection, String sql) throws SQLException {
        Statement statement = connection.createStatement();
        try {
            return new RowRead(this, place, plan, statement, statement.executeQuery(sql));
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (read != null && !read.isComplete()) {
                read.close();
            }
        } catch (SQLException e) {
            // Its transaction ends all the same, or its connection does.
        }
        afterwards.accept(session);
    }
}
