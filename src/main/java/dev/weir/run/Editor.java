package dev.weir.run;

import dev.weir.engine.DuckEngine;
import dev.weir.engine.EngineSettings;
import dev.weir.plan.Keys;
import dev.weir.plan.Plan;
import dev.weir.plan.SourceNode;
import dev.weir.state.EntityLocks;
import dev.weir.state.StateStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Carries out {@code weir state set|clear|rollback|adopt}.
 *
 * <p>The entity is locked meanwhile; a run that loads it makes an edit fail with WR0520. Source of the rules: contract,
 * section 5.
 */
public final class Editor {

    private final Plan plan;
    private final SourceNode source;
    private final Clock clock;
    private final Faults faults;
    private final Consumer<String> notes;

    /** @param key the entity as users write it: {@code pg_prod.orders} */
    public Editor(Plan plan, String key, Clock clock, Faults faults, Consumer<String> notes) {
        this.plan = plan;
        this.source = Keys.resolve(plan, key);
        this.clock = clock;
        this.faults = faults;
        this.notes = notes;
    }

    /** Every position below the entity now stands at the value, which itself counts as loaded. */
    public void set(String value, String reason, String who) {
        edit(edits -> edits.set(value, new PositionEdits.Why(reason, who)));
    }

    /** Every position below the entity starts at {@code initial} again. */
    public void clear(String reason, String who) {
        edit(edits -> edits.clear(new PositionEdits.Why(reason, who)));
    }

    /** Every position below the entity stands where it stood after the run. */
    public void rollback(String runId, String reason, String who) {
        edit(edits -> edits.rollback(runId, new PositionEdits.Why(reason, who)));
    }

    /** One sink stands at the value, by its own mark. */
    public void adopt(String sink, String value, String reason, String who) {
        edit(edits -> edits.adopt(sink, value, new PositionEdits.Why(reason, who)));
    }

    private void edit(Consumer<PositionEdits> work) {
        Path weirDir = plan.dir().resolve(".weir");
        Cancellation cancellation = new Cancellation();
        String id = PositionEdits.BY_HAND + new RunIds(clock).next();
        try (StateStore state = StateStore.open(weirDir, clock);
                EntityLocks.Lease lease =
                        state.locks().acquire(List.of(source.key()), id, Duration.ZERO, cancellation::pause)) {
            EngineSettings settings =
                    Engines.settings(plan, SpillFolders.of(plan).fresh(id));
            faults.reached(Faults.Point.LOCKED);
            try (DuckEngine engine = DuckEngine.start(settings);
                    Connections connections = new Connections(writable(), engine, clock, cancellation)) {
                work.accept(new PositionEdits(plan, source, state, connections, clock.instant(), faults, notes));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Cancellation.CancelledException();
        }
    }

    /** Sinks below the entity may be written to: adopting writes a mark. */
    private Plan writable() {
        Set<String> written = new HashSet<>();
        plan.below(source).forEach(pipeline -> pipeline.sinks().forEach(sink -> written.add(sink.connection())));
        return plan.connecting(
                connection -> written.contains(connection.settings().name()) ? connection.written(true) : connection);
    }
}
