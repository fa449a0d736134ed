package dev.weir.connector.sqlite;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Sink;
import dev.weir.connector.Source;
import dev.weir.connector.TypeMapping;
import dev.weir.connector.jdbc.DuckType;
import dev.weir.fault.Code;
import dev.weir.slicing.Strategy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Reads from and writes to SQLite files, also while other processes do.
 *
 * <p>Stateless and thread-safe. Source of the rules: contract, sections 2.4 and 3.1.
 */
public final class SqliteConnector implements Connector {

    /** How long a statement waits for another process's lock before it fails and is tried again. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    static final String PATH = "path";

    private final Clock clock;
    private final Duration patience;

    /** @param clock the runner's clock, since a file has none of its own */
    public SqliteConnector(Clock clock) {
        this(clock, PATIENCE);
    }

    SqliteConnector(Clock clock, Duration patience) {
        this.clock = clock;
        this.patience = patience;
    }

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public List<Option> options() {
        return List.of(new Option(PATH, true, false, "the SQLite file, relative to the project's folder"));
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, EnumSet.allOf(Strategy.class));
    }

    @Override
    public List<TypeMapping> types() {
        return KnownTypes.mappings();
    }

    @Override
    public Optional<String> createdFor(String weirType) {
        return SinkTypes.created(DuckType.named(weirType));
    }

    @Override
    public Optional<String> leadsTo(ConnectionSettings settings) {
        return settings.file(PATH).map(Path::toString);
    }

    @Override
    public boolean readsBesideWrites() {
        return false;
    }

    @Override
    public Source source(ConnectionSettings settings, DuckSession session) {
        return new SqliteSource(SqliteFile.of(settings, patience, Code.SOURCE), clock);
    }

    @Override
    public Sink sink(ConnectionSettings settings, DuckSession session) {
        return new SqliteSink(SqliteFile.of(settings, patience, Code.SINK), session);
    }
}
