package dev.weir.run;

import dev.weir.connector.DuckSession;
import dev.weir.connector.Sink;
import dev.weir.connector.Source;
import dev.weir.plan.Plan;
import dev.weir.plan.PlannedConnection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sources and sinks of an invocation: one of each a connection, opened when first asked for, closed together.
 *
 * <p>Used by one thread; a cancellation reaches all of them from any thread.
 */
final class Connections implements AutoCloseable {

    private final Plan plan;
    private final DuckSession session;
    private final Cancellation cancellation;
    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Map<String, Sink> sinks = new LinkedHashMap<>();

    Connections(Plan plan, DuckSession session, Cancellation cancellation) {
        this.plan = plan;
        this.session = session;
        this.cancellation = cancellation;
    }

    Source source(String name) {
        return sources.computeIfAbsent(name, key -> {
            PlannedConnection connection = plan.connection(key);
            Source source = connection.connector().source(connection.settings(), session);
            cancellation.onCancel(source::cancel);
            return source;
        });
    }

    Sink sink(String name) {
        return sinks.computeIfAbsent(name, key -> {
            PlannedConnection connection = plan.connection(key);
            Sink sink = connection.connector().sink(connection.settings(), session);
            cancellation.onCancel(sink::cancel);
            return sink;
        });
    }

    /** Ends the connection's source, so that the next use opens it anew: after it was lost. */
    void resetSource(String name) {
        Source source = sources.remove(name);
        if (source != null) {
            source.close();
        }
    }

    /** Ends the connection's sink, so that the next use opens it anew: after it was lost. */
    void resetSink(String name) {
        Sink sink = sinks.remove(name);
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
