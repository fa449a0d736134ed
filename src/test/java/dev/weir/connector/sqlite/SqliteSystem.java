package dev.weir.connector.sqlite;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.ConnectorKit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteLimits;

/**
 * The file of a test, used behind weir's back, and how SQLite spells DuckDB's types and values.
 *
 * @param journal its journal mode: {@code wal} or {@code delete}
 */
record SqliteSystem(Path folder, String journal) {

    private static final String FILE = "lake.sqlite";
    private static final int LONGEST_SQL = 100_000_000;
    private static final Pattern BYTE = Pattern.compile("\\\\x([0-9A-F]{2})|(.)", Pattern.DOTALL);

    ConnectionSettings settings(boolean written) {
        return new ConnectionSettings("sys", Map.of(SqliteConnector.PATH, FILE), folder, written);
    }

    Path file() {
        return folder.resolve(FILE);
    }

    Connection connect() {
        try {
            Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA busy_timeout = 10000");
                connection.unwrap(SQLiteConnection.class).setLimit(SQLiteLimits.SQLITE_LIMIT_SQL_LENGTH, LONGEST_SQL);
                statement.execute("PRAGMA journal_mode = " + journal);
            }
            return connection;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    List<String> query(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return ConnectorKit.rows(result);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    static Optional<String> typeName(String duckType) {
        if (duckType.startsWith("DECIMAL(")) {
            return Optional.of(duckType.replace("DECIMAL", "DECIMAL_TEXT"));
        }
        return switch (duckType) {
            case "SMALLINT" -> Optional.of("INT2");
            case "INTEGER" -> Optional.of("INT4");
            case "BIGINT" -> Optional.of("INTEGER");
            case "UBIGINT" -> Optional.of("UBIG_TEXT");
            case "FLOAT" -> Optional.of("FLOAT4");
            case "VARCHAR" -> Optional.of("TEXT");
            case "TIMESTAMP WITH TIME ZONE" -> Optional.of("TIMESTAMPTZ");
            case "BOOLEAN", "UINTEGER", "DOUBLE", "BLOB", "UUID", "DATE", "TIME", "TIMESTAMP" -> Optional.of(duckType);
            default -> Optional.empty();
        };
    }

    /** NaN becomes NULL, and a REAL column drops the sign of a zero. */
    static boolean holds(String text) {
        return !text.equals("nan") && !text.equals("-0.0");
    }

    static String value(String duckType, String text) {
        return switch (duckType) {
            case "BOOLEAN" -> text.equals("true") ? "1" : "0";
            case "SMALLINT", "INTEGER", "UINTEGER", "BIGINT" -> text;
            case "FLOAT", "DOUBLE" -> text.replace("inf", "9e999");
            case "BLOB" -> hex(text);
            case "TIMESTAMP" -> "'" + (text.contains(".") ? text : text + ".000000") + "'";
            case "TIMESTAMP WITH TIME ZONE" -> "'" + text.replace("+00", "Z") + "'";
            default -> "'" + text.replace("'", "''") + "'";
        };
    }

    private static String hex(String printed) {
        StringBuilder hex = new StringBuilder("x'");
        Matcher bytes = BYTE.matcher(printed);
        while (bytes.find()) {
            hex.append(
                    bytes.group(1) != null
                            ? bytes.group(1)
                            : HexFormat.of().formatHex(bytes.group(2).getBytes(StandardCharsets.US_ASCII)));
        }
        return hex.append("'").toString();
    }
}
