package dev.weir.connector.sqlite;

import dev.weir.slicing.CursorRange;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lowest time in a range, day by day, so that not each row above a position is looked at for every slice.
 *
 * <p>The first text tells a day, by an index where there is one; the times spelled with that day, and with those an offset
 * could move before it, are compared exactly. A day without a time in the range is followed by the next that has a text.
 */
final class LowestTime {

    private final Connection connection;
    private final String from;
    private final CursorSql cursor;

    LowestTime(Connection connection, String from, CursorSql cursor) {
        this.connection = connection;
        this.from = from;
        this.cursor = cursor;
    }

    /** In units. */
    Optional<BigInteger> in(CursorRange range) throws SQLException {
        BigInteger last = cursor.day(range.to().units()).add(cursor.slack());
        BigInteger first = cursor.day(range.from().units()).subtract(cursor.slack());
        Optional<BigInteger> lowest = Optional.empty();
        Optional<BigInteger> day = nextDay(first, last);
        while (day.isPresent() && !range.isEmpty()) {
            BigInteger end = day.get().add(cursor.slack()).add(cursor.slack());
            if (lowest.isPresent() && isBefore(lowest.get(), day.get())) {
                return lowest;
            }
            lowest = min(lowest, lowestSpelled(range, day.get(), end));
            day = nextDay(end.add(BigInteger.ONE), last);
        }
        return lowest;
    }

    /** Whether no text of that day or a later one can be a lower time. */
    private boolean isBefore(BigInteger lowest, BigInteger day) {
        return cursor.day(lowest).compareTo(day.subtract(cursor.slack())) < 0;
    }

    private static Optional<BigInteger> min(Optional<BigInteger> a, Optional<BigInteger> b) {
        return a.isEmpty() ? b : b.isEmpty() ? a : Optional.of(a.get().min(b.get()));
    }

    private Optional<BigInteger> nextDay(BigInteger first, BigInteger last) throws SQLException {
        String sql = "SELECT min(" + cursor.column() + ") FROM " + from + " WHERE " + cursor.spelledWithin(first, last);
        Object text = single(sql);
        return Optional.ofNullable(text)
                .map(value -> BigInteger.valueOf(
                        Reading.spelledDay(value, cursor.type().toString())));
    }

    private Optional<BigInteger> lowestSpelled(CursorRange range, BigInteger first, BigInteger last)
            throws SQLException {
        String sql = "SELECT " + cursor.least() + " FROM " + from + " WHERE " + cursor.spelledWithin(first, last)
                + " AND " + cursor.within(range);
        return Optional.ofNullable(single(sql)).map(cursor::unitsOf);
    }

    private @Nullable Object single(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? result.getObject(1) : null;
        }
    }
}
