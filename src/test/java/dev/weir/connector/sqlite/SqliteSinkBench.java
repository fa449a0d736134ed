package dev.weir.connector.sqlite;

import dev.weir.slicing.OnSchemaChange;
import dev.weir.connector.Column;
import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.ConnectorKit;
import dev.weir.connector.ReadRequest;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkTransaction;
import dev.weir.connector.SinkTransaction.Written;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.Source;
import dev.weir.connector.Staged;
import dev.weir.connector.TableName;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A file and a sink on it, which waits for locks only shortly. */
abstract class SqliteSinkBench extends ConnectorKit {

    static final TableName T = TableName.parse("t");
    static final SinkWrite APPEND = new SinkWrite.Append();

    Sink sink;

    SqliteSystem system() {
        return new SqliteSystem(folder, "delete");
    }

    @BeforeEach
    final void openSink() {
        sink = connector().sink(settings(), engine);
    }

    @AfterEach
    final void closeSink() {
        sink.close();
    }

    @Override
    protected Connector connector() {
        return new SqliteConnector(Clock.systemUTC(), Duration.ofMillis(100));
    }

    @Override
    protected ConnectionSettings settings() {
        return system().settings(true);
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

    static SinkWrite.Merge merge(String... keys) {
        return new SinkWrite.Merge(List.of(keys), Optional.empty(), false);
    }

    static SinkWrite.Merge mergeBy(String order, String... keys) {
        return new SinkWrite.Merge(List.of(keys), Optional.of(order), false);
    }

    Staged rows(String select) {
        return engine.run("out", select);
    }

    Written write(Staged rows, SinkWrite how) {
        Optional<List<Column>> existing = sink.describe(T);
        existing.ifPresent(columns -> sink.fit(T, rows.columns(), how, OnSchemaChange.FAIL));
        try (SinkTransaction transaction = sink.begin()) {
            if (existing.isEmpty()) {
                transaction.create(T, rows.columns(), how instanceof SinkWrite.Merge merge ? merge.keys() : List.of());
            }
            Written written = transaction.write(T, rows, how);
            transaction.commit();
            return written;
        }
    }

    /** The table as our own source reads it. */
    List<String> readBack() {
        try (Source source = connector().source(settings(), engine)) {
            return read(
                            source,
                            new ReadRequest(table("t"), all(source, table("t")), Optional.empty()),
                            Optional.empty())
                    .rows();
        }
    }
}
