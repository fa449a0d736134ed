package dev.weir.connector.duckdb;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Sink;
import dev.weir.connector.Source;
import dev.weir.connector.TypeMapping;
import dev.weir.slicing.Strategy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** DuckDB files: sources read from one snapshot, sinks whose rows and marks commit together. */
public final class DuckDbConnector implements Connector {

    static final String PATH = "path";

    private final Clock clock;

    /** @param clock the runner's clock, since a file has none of its own */
    public DuckDbConnector(Clock clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return "duckdb";
    }

    @Override
    public List<Option> options() {
        return List.of(new Option(PATH, true, false, "the DuckDB file, relative to the project's folder"));
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, EnumSet.allOf(Strategy.class));
    }

    /** The types of DuckDB are weir's own. */
    @Override
    public List<TypeMapping> types() {
        return DuckTypes.all().stream()
                .map(type -> new TypeMapping(type, Optional.of(type), ""))
                .toList();
    }

    @Override
    public Optional<String> createdFor(String weirType) {
        return Optional.of(weirType);
    }

    @Override
    public Optional<String> leadsTo(ConnectionSettings settings) {
        return settings.file(PATH).map(Path::toString);
    }

    @Override
    public boolean isExclusive() {
        return true;
    }

    @Override
    public boolean readsBesideWrites() {
        return false;
    }

    @Override
    public Source source(ConnectionSettings settings, DuckSession session) {
        return new DuckDbSource(new DuckFile(settings, session), clock);
    }

    @Override
    public Sink sink(ConnectionSettings settings, DuckSession session) {
        return new DuckDbSink(new DuckFile(settings, session));
    }
}
