package dev.weir.connector.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements with values in place of their question marks, on one connection.
 *
 * <p>A system that must know what runs, to cancel it, has its own. Used by one thread.
 */
public interface Statements {

    /** Reads the row a result stands on. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** @return how many rows were changed */
    long update(String sql, @Nullable Object... values) throws SQLException;

    /** All rows, in the order they come. */
    <T> List<T> query(String sql, Row<T> row, @Nullable Object... values) throws SQLException;

    /** Statements that need nothing but the connection. */
    static Statements on(Connection connection) {
        return new Statements() {
            @Override
            public long update(String sql, @Nullable Object... values) throws SQLException {
                try (PreparedStatement statement = prepared(connection, sql, values)) {
                    return statement.executeLargeUpdate();
                }
            }

            @Override
            public <T> List<T> query(String sql, Row<T> row, @Nullable Object... values) throws SQLException {
                try (PreparedStatement statement = prepared(connection, sql, values)) {
                    return rows(statement, row);
                }
            }
        };
    }

    /** A statement with its values, not yet run. */
    static PreparedStatement prepared(Connection connection, String sql, @Nullable Object... values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            set(statement, values);
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    /** Puts values in the place of the question marks. */
    static void set(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /** Runs a prepared query. */
    static <T> List<T> rows(PreparedStatement statement, Row<T> row) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                rows.add(row.read(result));
            }
        }
        return rows;
    }
}
