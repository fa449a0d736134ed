package dev.weir.connector.postgres;

import dev.weir.connector.TableName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.jdbc.PgConnection;

/**
 * A table that weir keeps for itself in a schema.
 *
 * <p>All work on one of its keys is done one after the other, under the key's advisory lock, which ends with the
 * transaction. It covers what a row lock cannot: a row, or the whole table, that another transaction has made and not yet
 * committed.
 *
 * @param sql the table in SQL
 */
record OwnTable(PgConnection connection, String sql) {

    static OwnTable of(PgConnection connection, String schema, String name) {
        return new OwnTable(connection, Sql.quote(new TableName(List.of(schema, name))));
    }

    boolean exists() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT pg_catalog.to_regclass(?) IS NOT NULL")) {
            statement.setString(1, sql);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() && result.getBoolean(1);
            }
        }
    }

    /** Waits until no other transaction is at work on the key. */
    void lock(String... key) throws SQLException {
        advisoryLock(String.join("\u001f", "weir", sql, String.join("\u001f", key)));
    }

    private void advisoryLock(String what) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(?, 0))")) {
            statement.setString(1, what);
            statement.execute();
        }
    }

    /** Two who create the table at once would end one of them with an error: the second waits, and finds it. */
    void create(String creation) throws SQLException {
        if (exists()) {
            return;
        }
        advisoryLock("weir " + sql);
        Session.execute(connection, creation);
    }
}
