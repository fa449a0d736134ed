package dev.weir.connector.sqlite;

import dev.weir.connector.Column;
import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.ConnectorKit;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Source;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A file and a source on it, which waits for locks only shortly. */
abstract class SqliteSourceBench extends ConnectorKit {

    Source source;

    SqliteSystem system() {
        return new SqliteSystem(folder, "wal");
    }

    @BeforeEach
    final void openSource() {
        source = connector().source(settings(), engine);
    }

    @AfterEach
    final void closeSource() {
        source.close();
    }

    @Override
    protected Connector connector() {
        return new SqliteConnector(Clock.systemUTC(), Duration.ofMillis(100));
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

    /** One column of a table, in order. */
    List<String> read(String table, String column, String type) {
        ReadRequest request = new ReadRequest(table(table), List.of(new Column(column, type)), Optional.empty());
        return read(source, request, Optional.empty()).rows();
    }
}
