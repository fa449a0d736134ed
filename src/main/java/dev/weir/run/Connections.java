package dev.weir.run;

import dev.weir.connector.Connector;
import dev.weir.connector.ConnectionSettings;
import dev.weir.connector.DuckSession;
import dev.weir.connector.Sink;
import dev.weir.connector.Source;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The sources and sinks of an invocation: one of each a connection, opened when first asked for, closed together.
 *
 * <p>Used by one thread; a cancellation reaches all of them from any thread.
 */
final class Connections implements AutoCloseable {

    private final Map<String, Connector> connectors;
    private final Function<String, ConnectionSettings> settings;
    private final Function<String, String> connectorOf;
    private final DuckSession session;
    private final Cancellation cancellation;
    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Map<String, Sink> sinks = new LinkedHashMap<>();

    /**
     * @param settings the settings of a connection, by its name
     * @param connectorOf the connector's name of a connection, by its name
     */
    Connections(
            Map<String, Connector> connectors,
            Function<String, ConnectionSettings> settings,
            Function<String, String> connectorOf,
            DuckSession session,
            Cancellation cancellation) {
        this.connectors = connectors;
        this.settings = settings;
        this.connectorOf = connectorOf;
        this.session = session;
        this.cancellation = cancellation;
    }

    Source source(String connection) {
        return sources.computeIfAbsent(connection, name -> {
            Source source = connector(name).source(settings.apply(name), session);
            cancellation.onCancel(source::cancel);
            return source;
        });
    }

    Sink sink(String connection) {
        return sinks.computeIfAbsent(connection, name -> {
            Sink sink = connector(name).sink(settings.apply(name), session);
            cancellation.onCancel(sink::cancel);
            return sink;
        });
    }

    private Connector connector(String connection) {
        return connectors.get(connectorOf.apply(connection));
    }

    /** Closes the connection's source and sink, so that the next use opens them anew: after they were lost. */
    void reset(String connection) {
        Source source = sources.remove(connection);
        if (source != null) {
            source.close();
        }
        Sink sink = sinks.remove(connection);
        if (sink != null) {
            sink.close();
        }
    }

    @Override
    public void close() {
        sources.values().forEach(Source::close);
        sinks.values().forEach(Sink::close);
        sources.clear();
        sinks.clear();
    }
}
