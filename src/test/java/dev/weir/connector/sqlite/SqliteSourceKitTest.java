package dev.weir.connector.sqlite;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.SourceValuesKit;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

class SqliteSourceKitTest extends SourceValuesKit {

    private SqliteSystem system() {
        return new SqliteSystem(folder, "wal");
    }

    @BeforeEach
    void makeTheFile() {
        execute("SELECT 1");
    }

    @Override
    protected Connector connector() {
        return new SqliteConnector(Clock.systemUTC());
    }

    @Override
    protected ConnectionSettings settings() {
        return system().settings(false);
    }

    @Override
    protected void execute(String sql) {
        system().execute(sql);
    }

    @Override
    protected List<String> query(String sql) {
        return system().query(sql);
    }

    @Override
    protected Optional<String> typeName(String duckType) {
        return SqliteSystem.typeName(duckType);
    }

    @Override
    protected String value(String duckType, String text) {
        return SqliteSystem.value(duckType, text);
    }

    @Override
    protected boolean holds(String duckType, String text) {
        return SqliteSystem.holds(text);
    }

    @Override
    protected String endlessQuery() {
        return "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT max(n) AS n FROM n";
    }

    /** An infinity of SQLite's is a REAL, which no cursor is; a text says none. */
    @Override
    protected boolean hasInfinity(String duckType) {
        return false;
    }
}
