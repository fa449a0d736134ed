package dev.weir.state;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The tables of state.db, and how the file tells whose it is and how old. */
final class Schema {

    /** "weir" in ASCII. */
    static final int APPLICATION_ID = 0x77656972;

    /** The newest form this version knows. */
    static final int VERSION = 2;

    /** A position without its key; {@code at} is an ISO-8601 instant. */
    private static final String POSITION = """
              cursor TEXT NOT NULL,
              cursor_type TEXT NOT NULL,
              generation INTEGER NOT NULL,
              generation_start TEXT,
              value TEXT,
              stood TEXT,
              run_id TEXT NOT NULL,
              at TEXT NOT NULL
            """;

    private static final String KEY = """
              project TEXT NOT NULL,
              source TEXT NOT NULL,
              pipeline TEXT NOT NULL,
              sink TEXT NOT NULL,
            """;

    /** Since the second form. */
    private static final String SETTLED = """
            CREATE TABLE settled (
              project TEXT NOT NULL,
              source TEXT NOT NULL,
              cursor TEXT NOT NULL,
              cursor_type TEXT NOT NULL,
              value TEXT NOT NULL,
              at TEXT NOT NULL,
              PRIMARY KEY (project, source)) STRICT
            """;

    private static final List<String> TABLES = List.of(
            "CREATE TABLE positions (" + KEY + POSITION
                    + ", pruned_through INTEGER NOT NULL DEFAULT 0"
                    + ", PRIMARY KEY (project, source, pipeline, sink)) STRICT",
            "CREATE TABLE position_history (id INTEGER PRIMARY KEY AUTOINCREMENT," + KEY + POSITION + ") STRICT",
            "CREATE INDEX position_history_by_key ON position_history (project, source, pipeline, sink, id)",
            "CREATE INDEX position_history_by_run ON position_history (run_id)",
            """
            CREATE TABLE edits (
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              project TEXT NOT NULL,
              source TEXT NOT NULL,
              kind TEXT NOT NULL,
              reason TEXT NOT NULL,
              who TEXT NOT NULL,
              at TEXT NOT NULL) STRICT
            """,
            // One row for the position before (absent where there was none) and one for the position after.
            "CREATE TABLE edit_positions (edit_id INTEGER NOT NULL, number INTEGER NOT NULL, side TEXT NOT NULL,"
                    + " pipeline TEXT NOT NULL, sink TEXT NOT NULL," + POSITION
                    + ", PRIMARY KEY (edit_id, number, side)) STRICT",
            """
            CREATE TABLE refreshes (
              project TEXT NOT NULL,
              source TEXT NOT NULL,
              number INTEGER NOT NULL,
              sink TEXT NOT NULL,
              at TEXT NOT NULL,
              PRIMARY KEY (project, source, number, sink)) STRICT
            """,
            SETTLED,
            """
            CREATE TABLE runs (
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              run_id TEXT NOT NULL UNIQUE,
              project TEXT NOT NULL,
              command TEXT NOT NULL,
              started_at TEXT NOT NULL,
              ended_at TEXT,
              status TEXT NOT NULL,
              passes INTEGER,
              exit_code INTEGER,
              host TEXT NOT NULL,
              pid INTEGER NOT NULL,
              succeeded INTEGER NOT NULL,
              failed INTEGER NOT NULL,
              skipped INTEGER NOT NULL,
              rows INTEGER NOT NULL,
              slot INTEGER,
              history_id INTEGER) STRICT
            """,
            """
            CREATE TABLE holders (
              lock TEXT PRIMARY KEY,
              host TEXT NOT NULL,
              pid INTEGER NOT NULL,
              run_id TEXT NOT NULL,
              since TEXT NOT NULL) STRICT
            """);

    private Schema() {}

    static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            for (String table : TABLES) {
                statement.execute(table);
            }
            statement.execute("PRAGMA application_id = " + APPLICATION_ID);
            statement.execute("PRAGMA user_version = " + VERSION);
            statement.execute("COMMIT");
        }
    }

    /** Whether a file that is only read has not been brought to this form yet. */
    static boolean isBeforeSettled(Connection connection) throws SQLException {
        return pragma(connection, "user_version") < 2;
    }

    /** Brings a file of an older form to this one, within a transaction; writes what is there already to one of this form. */
    static void upgrade(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (isBeforeSettled(connection)) {
                statement.execute(SETTLED);
            }
            statement.execute("PRAGMA user_version = " + VERSION);
        }
    }

    static long pragma(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA " + name)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** What SQLite finds wrong inside the file, or {@code ok}. */
    static String quickCheck(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA quick_check(1)")) {
            return row.next() ? row.getString(1) : "no answer";
        }
    }
}
