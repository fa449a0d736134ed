package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.Source;
import dev.weir.engine.DuckEngine;
import dev.weir.engine.EngineSettings;
import dev.weir.plan.Plan;
import dev.weir.plan.SinkNode;
import dev.weir.state.StateStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Everything a command needs that looks at what there is, and writes nothing: neither sinks nor state. */
final class Looking implements AutoCloseable {

    private final Optional<StateStore> state;
    private final DuckEngine engine;
    private final Connections connections;
    private final Scope scope;
    private final Clock clock;
    private final Instant now;

    /**
     * @param whole all there is in the project
     * @param plan what is looked at
     */
    Looking(Plan whole, Plan plan, Clock clock, Cancellation cancellation) {
        this.clock = clock;
        this.now = clock.instant();
        this.state = StateStore.openForReading(plan.dir().resolve(".weir"), clock);
        this.engine = DuckEngine.start(settings(plan, cancellation));
        Plan readOnly = plan.connecting(connection -> connection.written(false));
        this.connections = new Connections(readOnly, engine, clock, cancellation);
        cancellation.onCancel(engine::cancel);
        Remembered remembered =
                state.map(store -> Remembered.of(store, plan.project())).orElseGet(Remembered::nothing);
        this.scope = new Scope(readOnly, whole, connections, remembered, clock, cancellation);
    }

    /** What spills goes to the system's temporary files: the project is left as it is. */
    private static EngineSettings settings(Plan plan, Cancellation cancellation) {
        Path spill = Path.of(
                System.getProperty("java.io.tmpdir"),
                "weir-" + ProcessHandle.current().pid());
        return Engines.settings(plan, spill).withPatience(Duration.ZERO, cancellation::pause);
    }

    /** What is remembered; empty where nothing ever was. */
    Optional<StateStore> state() {
        return state;
    }

    Scope scope() {
        return scope;
    }

    DuckEngine engine() {
        return engine;
    }

    /** When the command began. */
    Instant now() {
        return now;
    }

    /** @throws dev.weir.fault.UsageException with every problem of the project that shows only now */
    Bindings bind(Consumer<String> notes) {
        Bindings bindings = Bindings.of(
                scope.plan(), connections, PipelineBinder.of(engine, scope.plan()), scope.cancellation(), clock);
        bindings.sources().values().forEach(source -> source.notices().forEach(notes));
        return bindings;
    }

    /** Asks one source, trying again what may pass. */
    <T> T reading(BoundSource bound, Function<Source, T> work) {
        String connection = bound.node().connection();
        return connections
                .retries(connection)
                .run(() -> connections.reading(connection, work), Retries.Listener.SILENT);
    }

    /** The columns of a sink's table; empty: there is none. */
    Optional<List<Column>> describe(SinkNode sink) {
        String connection = sink.connection();
        return connections
                .retries(connection)
                .run(
                        () -> connections.writing(connection, opened -> opened.describe(sink.table())),
                        Retries.Listener.SILENT);
    }

    @Override
    public void close() {
        connections.close();
        engine.close();
        state.ifPresent(StateStore::close);
    }
}
