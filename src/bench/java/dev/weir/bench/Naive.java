package dev.weir.bench;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** What one writes first: a ResultSet read row by row, and appended row by row. Says how many milliseconds that took. */
final class Naive {

    private static final int FETCHED_AT_ONCE = 10_000;

    private Naive() {}

    public static void main(String[] arguments) throws Exception {
        try (Connection source = Orders.connect(Orders.postgres(Orders.source()));
                DuckDBConnection target = DriverManager.getConnection(Orders.duckdb(Path.of(arguments[0])))
                        .unwrap(DuckDBConnection.class)) {
            try (Statement statement = target.createStatement()) {
                statement.execute(
                        "CREATE TABLE orders (id BIGINT, customer_id BIGINT, status VARCHAR, amount DOUBLE,"
                                + " price DECIMAL(12, 2), note VARCHAR, created_at TIMESTAMPTZ, updated_at TIMESTAMP, paid BOOLEAN)");
            }
            long start = System.nanoTime();
            copy(source, target);
            System.out.println((System.nanoTime() - start) / 1e6);
        }
    }

    private static void copy(Connection source, DuckDBConnection target) throws Exception {
        source.setAutoCommit(false);
        try (Statement statement = source.createStatement();
                DuckDBAppender appender = target.createAppender("main", "orders")) {
            statement.setFetchSize(FETCHED_AT_ONCE);
            try (ResultSet rows = statement.executeQuery("SELECT * FROM orders")) {
                while (rows.next()) {
                    appender.beginRow();
                    appender.append(rows.getLong(1));
                    appender.append(rows.getLong(2));
                    appender.append(rows.getString(3));
                    appender.append(rows.getDouble(4));
                    appender.append(rows.getObject(5, BigDecimal.class));
                    appender.append(rows.getString(6));
                    appender.append(rows.getObject(7, OffsetDateTime.class));
                    appender.append(rows.getObject(8, LocalDateTime.class));
                    appender.append(rows.getBoolean(9));
                    appender.endRow();
                }
            }
        }
    }
}
