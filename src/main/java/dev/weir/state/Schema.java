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

    private static final List<String> FIRST = List.of(
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

    private static final List<String> SECOND = List.of("""
            CREATE TABLE settled (
              project TEXT NOT NULL,
              source TEXT NOT NULL,
              cursor TEXT NOT NULL,
              cursor_type TEXT NOT NULL,
              value TEXT NOT NULL,
              at TEXT NOT NULL,
              PRIMARY KEY (project, source)) STRICT
            """);

    private static final List<String> THIRD = List.of(
            """
            CREATE TABLE backfills (
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              project TEXT NOT NULL,
              backfill_id TEXT NOT NULL,
              pipeline TEXT NOT NULL,
              range_from TEXT NOT NULL,
              range_to TEXT NOT NULL,
              chunk TEXT NOT NULL,
              cursor TEXT NOT NULL,
              cursor_type TEXT NOT NULL,
              zone TEXT NOT NULL,
              into_connection TEXT,
              fingerprint TEXT NOT NULL,
              restart INTEGER NOT NULL,
              chunks INTEGER NOT NULL,
              created_at TEXT NOT NULL,
              command TEXT NOT NULL,
              UNIQUE (project, backfill_id)) STRICT
            """,
            """
            CREATE TABLE backfill_inputs (
              project TEXT NOT NULL,
              backfill_id TEXT NOT NULL,
              number INTEGER NOT NULL,
              name TEXT NOT NULL,
              value TEXT NOT NULL,
              PRIMARY KEY (project, backfill_id, number)) STRICT
            """,
            """
            CREATE TABLE backfill_chunks (
              project TEXT NOT NULL,
              backfill_id TEXT NOT NULL,
              chunk_id TEXT NOT NULL,
              chunk_from TEXT NOT NULL,
              chunk_to TEXT NOT NULL,
              status TEXT NOT NULL,
              claimed_by TEXT,
              claimed_at TEXT,
              attempts INTEGER NOT NULL,
              started_at TEXT,
              completed_at TEXT,
              records_loaded INTEGER,
              run_id TEXT NOT NULL,
              error TEXT,
              PRIMARY KEY (project, backfill_id, chunk_id)) STRICT, WITHOUT ROWID
            """,
            // No row may ever get the number of one that is gone: the numbers say who came first.
            """
            CREATE TABLE active_ranges (
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              lock TEXT NOT NULL,
              kind TEXT NOT NULL,
              host TEXT NOT NULL,
              pid INTEGER NOT NULL,
              run_id TEXT NOT NULL,
              since TEXT NOT NULL,
              sink TEXT NOT NULL,
              source TEXT NOT NULL,
              cursor TEXT,
              cursor_type TEXT,
              range_from TEXT,
              from_inclusive INTEGER,
              range_to TEXT) STRICT
            """,
            "CREATE INDEX active_ranges_by_place ON active_ranges (sink, source)",
            "CREATE INDEX active_ranges_by_lock ON active_ranges (lock)",
            "CREATE TABLE stretches (id INTEGER PRIMARY KEY AUTOINCREMENT," + KEY + """
              generation INTEGER NOT NULL,
              cursor TEXT NOT NULL,
              cursor_type TEXT NOT NULL,
              range_from TEXT,
              from_inclusive INTEGER NOT NULL,
              range_to TEXT NOT NULL,
              first_run TEXT NOT NULL,
              last_run TEXT NOT NULL,
              first_at TEXT NOT NULL,
              last_at TEXT NOT NULL,
              slices INTEGER NOT NULL,
              rows INTEGER NOT NULL) STRICT
            """,
            "CREATE INDEX stretches_by_key ON stretches (project, source, pipeline, sink, generation, id)",
            "ALTER TABLE runs ADD COLUMN trigger TEXT NOT NULL DEFAULT 'run'",
            "ALTER TABLE runs ADD COLUMN backfill_id TEXT",
            "ALTER TABLE runs ADD COLUMN chunk_run_id TEXT",
            "CREATE INDEX runs_by_backfill ON runs (backfill_id, id)");

    private static final List<String> FOURTH = List.of("""
            CREATE TABLE chosen_widths (
              project TEXT NOT NULL,
              source TEXT NOT NULL,
              cursor TEXT NOT NULL,
              cursor_type TEXT NOT NULL,
              target TEXT NOT NULL,
              units TEXT NOT NULL,
              at TEXT NOT NULL,
              PRIMARY KEY (project, source)) STRICT
            """);

    /** What each form adds to the one before: a new file is made the way an old one is brought up. */
    private static final List<List<String>> FORMS = List.of(FIRST, SECOND, THIRD, FOURTH);

    /** The newest form this version knows. */
    static final int VERSION = FORMS.size();

    /** The form since which there is a note of what settled. */
    static final int WITH_SETTLED = 2;

    /** The form since which there are backfills, active ranges and stretches, and runs know what triggered them. */
    static final int WITH_BACKFILLS = 3;

    /** The form since which there is a note of how wide windows were chosen. */
    static final int WITH_CHOSEN_WIDTHS = 4;

    private Schema() {}

    static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("PRAGMA application_id = " + APPLICATION_ID);
            upgrade(connection);
            statement.execute("COMMIT");
        }
    }

    /** Whether a file that is only read has not been brought to that form yet. */
    static boolean isBefore(int form, Connection connection) throws SQLException {
        return pragma(connection, "user_version") < form;
    }

    /** Brings a file of an older form to this one, within a transaction; writes what is there already to one of this form. */
    static void upgrade(Connection connection) throws SQLException {
        int form = Math.toIntExact(pragma(connection, "user_version"));
        try (Statement statement = connection.createStatement()) {
            for (List<String> added : FORMS.subList(form, VERSION)) {
                for (String sql : added) {
                    statement.execute(sql);
                }
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
