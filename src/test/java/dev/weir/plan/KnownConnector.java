package dev.weir.plan;

import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.Connector;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Sink;
import dev.weir.connector.Source;
import dev.weir.connector.TypeMapping;
import dev.weir.slicing.Strategy;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a plan needs to know of a connector; it opens nothing. */
record KnownConnector(String name, List<Option> options, Capabilities capabilities) implements Connector {

    static final Map<String, Connector> ALL = Stream.of(
                    new KnownConnector(
                            "postgres",
                            List.of(
                                    new Option("host", true, false, "the server's name"),
                                    new Option("port", false, false, "its port"),
                                    new Option("database", true, false, "the database"),
                                    new Option("user", true, false, "the user"),
                                    new Option("password", false, true, "the password"),
                                    new Option("ssl_key", false, true, "the key")),
                            new Capabilities(true, true, EnumSet.allOf(Strategy.class))),
                    new KnownConnector(
                            "duckdb",
                            List.of(new Option("path", true, false, "the file")),
                            new Capabilities(true, true, EnumSet.allOf(Strategy.class))),
                    new KnownConnector("readonly", List.of(), new Capabilities(true, false, Set.of())),
                    new KnownConnector(
                            "bucket",
                            List.of(),
                            new Capabilities(false, false, Set.of(Strategy.APPEND, Strategy.MERGE))))
            .collect(Collectors.toMap(KnownConnector::name, Function.identity()));

    @Override
    public List<TypeMapping> types() {
        return List.of();
    }

    @Override
    public Optional<String> createdFor(String weirType) {
        return Optional.empty();
    }

    @Override
    public Source source(ConnectionSettings settings, DuckSession session) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Sink sink(ConnectionSettings settings, DuckSession session) {
        throw new UnsupportedOperationException();
    }
}
