package dev.weir.run;

import dev.weir.connector.DuckSession;
import dev.weir.connector.Sink;
import dev.weir.connector.Source;
import dev.weir.plan.Plan;
import dev.weir.plan.PlannedConnection;
import dev.weir.project.Limits;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;

/**
 * The sources and sinks of an invocation: opened when first asked for, used again, closed together.
 *
 * <p>Several threads may read from one connection, at most as many at once as its {@code max_concurrency} allows, each
 * by a source of its own. A connection is written by one thread at a time: sinks in one connection commit one after
 * another. Thread-safe; a cancellation reaches all that is open.
 */
final class Connections implements AutoCloseable {

    private final Plan plan;
    private final DuckSession session;
    private final Clock clock;
    private final Cancellation cancellation;
    private final Map<String, Pool<Source>> sources = new ConcurrentHashMap<>();
    private final Map<String, Pool<Sink>> sinks = new ConcurrentHashMap<>();
    private final Map<String, Retries> retries = new ConcurrentHashMap<>();
    private final Map<String, Pace> paces = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, Connections::timing);

    Connections(Plan plan, DuckSession session, Clock clock, Cancellation cancellation) {
        this.plan = plan;
        this.session = session;
        this.clock = clock;
        this.cancellation = cancellation;
        timer.setRemoveOnCancelPolicy(true);
    }

    private static Thread timing(Runnable work) {
        Thread thread = new Thread(work, "weir-timeout");
        thread.setDaemon(true);
        return thread;
    }

    /** How work on a connection is tried again. */
    Retries retries(String name) {
        return retries.computeIfAbsent(name, key -> {
            Limits limits = plan.connection(key).limits();
            return new Retries(cancellation, limits.retry(), new Breaker(key, limits.breaker(), clock));
        });
    }

    /** Whether the plan uses such a connection. */
    boolean has(String name) {
        return plan.connections().containsKey(name);
    }

    /** Waits for as long as the connection's {@code rate_limit} wants, before a slice or a transaction is begun. */
    void pace(String name) {
        paces.computeIfAbsent(
                        name, key -> new Pace(plan.connection(key).limits().rate(), cancellation))
                .await();
    }

    /** Does something with a source of the connection. One that was lost is opened anew the next time. */
    <T> T reading(String name, Function<Source, T> work) {
        return sources.computeIfAbsent(name, this::sourcePool).use(work);
    }

    /** Does something with the sink of the connection, alone. One that was lost is opened anew the next time. */
    <T> T writing(String name, Function<Sink, T> work) {
        return sinks.computeIfAbsent(name, this::sinkPool).use(work);
    }

    /** Ends the connection's sink, so that the next use opens it anew: whatever it still does is of no interest. */
    void resetSink(String name) {
        Pool<Sink> pool = sinks.get(name);
        if (pool != null) {
            pool.reset();
        }
    }

    /** Ends the connection's sink once nobody uses it, and opens none for a while. */
    void rest(String name, Duration duration) {
        Pool<Sink> pool = sinks.get(name);
        if (pool != null) {
            pool.rest(duration);
        }
    }

    private Pool<Source> sourcePool(String name) {
        PlannedConnection connection = plan.connection(name);
        return new Pool<>(
                connection.limits().maxConcurrency().orElse(Integer.MAX_VALUE),
                () -> connection.connector().source(connection.settings(), session),
                Source::cancel,
                Source::close,
                limit(connection),
                cancellation);
    }

    private Pool<Sink> sinkPool(String name) {
        PlannedConnection connection = plan.connection(name);
        return new Pool<>(
                1,
                () -> connection.connector().sink(connection.settings(), session),
                Sink::cancel,
                Sink::close,
                limit(connection),
                cancellation);
    }

    private TimeLimit limit(PlannedConnection connection) {
        return new TimeLimit(connection.settings().name(), connection.limits().timeout(), timer);
    }

    /** Ends all that is open and not in use; what is asked for afterwards is opened anew. */
    void release() {
        sources.values().forEach(Pool::reset);
        sinks.values().forEach(Pool::reset);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        release();
    }
}
