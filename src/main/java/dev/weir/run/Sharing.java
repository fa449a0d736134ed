package dev.weir.run;

import dev.weir.plan.PlannedConnection;
import dev.weir.state.PlanLease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Lets other backfills of the project at the sinks that one process at a time can open: now and then, between two uses, such
 * a sink is closed for a moment. While nobody else is there it stays open.
 *
 * <p>Source of the rule: contract, section 6, "a DuckDB sink is released between chunks then".
 */
final class Sharing implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMillis(250);

    /** Longer than others wait between two looks at a file. */
    private static final Duration REST = Duration.ofMillis(150);

    private final Connections connections;
    private final PlanLease presence;
    private final List<String> exclusive;
    private final ScheduledExecutorService timer;

    /** @param presence by which backfills of the project see each other */
    Sharing(Invocation invocation, PlanLease presence) {
        this.connections = invocation.connections();
        this.presence = presence;
        this.exclusive = invocation.plan().connections().values().stream()
                .filter(connection -> connection.connector().isExclusive())
                .map(PlannedConnection::settings)
                .map(settings -> settings.name())
                .toList();
        this.timer = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "weir-sharing");
            thread.setDaemon(true);
            return thread;
        });
        if (!exclusive.isEmpty()) {
            timer.scheduleWithFixedDelay(this::share, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void share() {
        try {
            if (presence.othersLive()) {
                exclusive.forEach(name -> connections.rest(name, REST));
            }
        } catch (RuntimeException e) {
            // A cancellation, or state that cannot be asked: those at work meet it themselves.
        }
    }

    @Override
    public void close() {
        // Never interrupted: an interrupt would close the channel that holds the plan's locks.
        timer.shutdown();
    }
}
