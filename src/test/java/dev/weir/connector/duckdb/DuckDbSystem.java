package dev.weir.connector.duckdb;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.ConnectorKit;
import dev.weir.connector.DuckSession;
import dev.weir.connector.DuckSession.Attachment;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** The file of a test, used behind weir's back through the same session: only one process can have it open. */
record DuckDbSystem(Path folder, DuckSession session) {

    ConnectionSettings settings() {
        return new ConnectionSettings("sys", Map.of(DuckDbConnector.PATH, "lake.duckdb"), folder, true);
    }

    void execute(String sql) {
        with(statement -> statement.execute(sql));
    }

    List<String> query(String sql) {
        return with(statement -> {
            try (ResultSet result = statement.executeQuery("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + sql + ")")) {
                return ConnectorKit.rows(result);
            }
        });
    }

    private interface Use<T> {
        T with(Statement statement) throws SQLException;
    }

    private <T> T with(Use<T> use) {
        try (Attachment attachment = session.attach(folder.resolve("lake.duckdb"), true, "sys");
                Connection connection = session.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("USE " + DuckSession.quoted(attachment.catalog()));
            T result = use.with(statement);
            statement.execute("USE memory");
            return result;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
