package dev.weir.run;

import dev.weir.engine.DuckEngine;
import dev.weir.engine.EngineSettings;
import dev.weir.event.ChunkTotals;
import dev.weir.event.Event;
import dev.weir.event.EventSink;
import dev.weir.event.RunStatus;
import dev.weir.fault.Redactor;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.Plan;
import dev.weir.plan.Scoping;
import dev.weir.plan.SourceNode;
import dev.weir.plan.SyncText;
import dev.weir.slicing.CursorValue;
import dev.weir.slicing.Resumption;
import dev.weir.slicing.Spelling;
import dev.weir.state.PlanLease;
import dev.weir.state.StateStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * Carries out {@code weir backfill}: replays a range of a pipeline in chunks that survive whatever happens.
 *
 * <p>Source of the rules: contract, section 6.
 */
public final class Backfiller {

    /** Others of the same plan hold a file for a chunk's write, and let go of it. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Clock clock;
    private final Cancellation cancellation;
    private final Faults faults;
    private final EventSink console;
    private final Consumer<String> notes;
    private final Redactor redactor;

    /** As {@link Runner#Runner}. */
    public Backfiller(
            Clock clock,
            Cancellation cancellation,
            Faults faults,
            EventSink console,
            Consumer<String> notes,
            Redactor redactor) {
        this.clock = new ForwardClock(clock);
        this.cancellation = cancellation;
        this.faults = faults;
        this.console = console;
        this.notes = notes;
        this.redactor = redactor;
    }

    /**
     * Runs it, or what is left of it.
     *
     * @return the exit code
     * @throws UsageException when it must not run so: nothing ran, and nothing was written
     * @throws RunException when it could not begin
     */
    public int run(Plan whole, BackfillOptions options) {
        Scoping scoping = Scoping.of(whole, options.pipeline(), options.cursor(), options.into());
        BackfillBinder binder = new BackfillBinder(scoping, whole, options);
        Plan plan = binder.provisional();
        Path weirDir = plan.dir().resolve(".weir");
        RunIds runIds = new RunIds(clock);
        String firstRunId = runIds.next();
        Path spill = SpillFolders.of(plan).fresh(firstRunId);
        try (StateStore state = StateStore.openForLoading(weirDir, clock);
                PlanLease presence = presence(state, plan);
                DuckEngine engine = DuckEngine.start(settings(plan, options, spill));
                Connections connections = new Connections(plan, engine, clock, cancellation)) {
            cancellation.onCancel(engine::cancel);
            Bindings bindings = Bindings.of(plan, connections, PipelineBinder.of(engine, plan), cancellation, clock)
                    .upToNow();
            BackfillTarget target = binder.bind(bindings);
            bindings.sources().values().forEach(source -> source.notices().forEach(notes));
            Invocation invocation = new Invocation(
                    plan, whole, engine, connections, state, clock, clock.instant(), cancellation, faults, notes);
            return new Started(invocation, bindings, target, presence, options, runIds, firstRunId).run();
        } catch (RuntimeException e) {
            // What fails once it was asked to stop has stopped.
            if (cancellation.isCancelled()) {
                notes.accept("stopped: cancelled, before the first chunk");
                return LoopEnd.CANCELLED;
            }
            throw e;
        }
    }

    /** Shows the project's other backfills that one more is there, before it asks for a file that one of them has. */
    private PlanLease presence(StateStore state, Plan plan) {
        PlanLease presence = join(state, plan.project(), "any");
        presence.openGate();
        return presence;
    }

    private PlanLease join(StateStore state, String project, String backfillId) {
        try {
            return state.planLocks().join(project, backfillId, PATIENCE, cancellation::pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Cancellation.CancelledException();
        }
    }

    private EngineSettings settings(Plan plan, BackfillOptions options, Path spill) {
        Duration patience = options.patience().compareTo(PATIENCE) > 0 ? options.patience() : PATIENCE;
        EngineSettings engine = Engines.settings(plan, spill).withPatience(patience, cancellation::pause);
        return options.threads().isPresent()
                ? engine.withThreads(options.threads().getAsInt())
                : engine;
    }

    /** One invocation, from its place among others of the same plan to its exit code. */
    private final class Started {

        private final Invocation invocation;
        private final Bindings bindings;
        private final BackfillTarget target;
        private final PlanLease presence;
        private final BackfillOptions options;
        private final RunIds runIds;
        private final String firstRunId;
        private final ChunkLedger ledger;

        Started(
                Invocation invocation,
                Bindings bindings,
                BackfillTarget target,
                PlanLease presence,
                BackfillOptions options,
                RunIds runIds,
                String firstRunId) {
            this.invocation = invocation;
            this.bindings = bindings;
            this.target = target;
            this.presence = presence;
            this.options = options;
            this.runIds = runIds;
            this.firstRunId = firstRunId;
            this.ledger = new ChunkLedger(invocation.scope(), target);
        }

        int run() {
            new OutsideChunks(invocation, target).tell();
            try (Sharing sharing = new Sharing(invocation, presence);
                    PlanLease lease = join(invocation.state(), target.project(), target.id())) {
                BackfillStart.Begun begun = begin(lease);
                lease.openGate();
                faults.reached(Faults.Point.LOCKED);
                if (target.plan().isLarge()) {
                    notes.accept("the plan has " + target.plan().count() + " chunks; a larger --window makes fewer");
                }
                return begun.nothingToDo() ? nothingToDo(begun) : work(lease, begun);
            }
        }

        private BackfillStart.Begun begin(PlanLease lease) {
            BackfillStart start = new BackfillStart(
                    target,
                    options.wish(),
                    invocation.whole().settings().backfill().onExisting());
            BackfillStart.Found found = BackfillStart.Found.of(Optional.of(invocation.state()), target, ledger);
            Resumption resumption = start.decide(found, lease.othersLive());
            refuseDoubles(found, resumption);
            return start.write(invocation.state(), found, resumption, clock.instant(), options.command());
        }

        /** What would be appended a second time is refused before anything is written, as far as it shows by now. */
        private void refuseDoubles(BackfillStart.Found found, Resumption resumption) {
            new AppendGuard(invocation.scope(), target)
                    .beforehand(found.left(target, resumption))
                    .ifPresent(fault -> {
                        throw new UsageException(List.of(fault));
                    });
        }

        private int work(PlanLease lease, BackfillStart.Begun begun) {
            BoundPipeline pipeline = new TableChanges(invocation.connections(), notes).make(target.pipeline());
            Instant began = clock.instant();
            tellStarted(began, begun);
            ChunkReach reach = new ChunkReach(bindings, target, invocation.now(), Settling.of(invocation), notes);
            ChunkLoad.Shared shared = new ChunkLoad.Shared(
                    invocation,
                    bindings,
                    target.writing(pipeline),
                    begun.plan().restart(),
                    reach,
                    new FullReads(invocation, CurrentBindings.forGood(bindings)),
                    new ReentrantReadWriteLock(true));
            ChunkAttempt attempt = new ChunkAttempt(
                    shared,
                    begun.plan().key(),
                    lease,
                    ledger,
                    new OneRun.Telling(invocation, console, redactor),
                    runIds,
                    firstRunId,
                    options.command());
            BackfillRun.Result result = new BackfillRun(
                            target, attempt, ledger, cancellation, begun, options.keepGoing(), notes)
                    .run(concurrency(), options.patience());
            int exitCode = exitCode(result);
            tellPositions();
            tellCompleted(began, result.totals(), exitCode);
            forgetOldRuns(result.totals());
            return exitCode;
        }

        private int concurrency() {
            OptionalInt usual = invocation.whole().settings().backfill().concurrency();
            return options.concurrency().orElse(usual.orElse(1));
        }

        private int nothingToDo(BackfillStart.Begun begun) {
            Instant began = clock.instant();
            tellStarted(began, begun);
            notes.accept("nothing to do: every chunk is completed already; --restart replays all of them");
            int count = target.plan().count();
            tellCompleted(began, new ChunkTotals(count, 0, count, 0, 0, 0), LoopEnd.SUCCESS);
            return LoopEnd.SUCCESS;
        }

        private void tellStarted(Instant at, BackfillStart.Begun begun) {
            console.accept(new Event.BackfillStarted(
                    at,
                    firstRunId,
                    target.id(),
                    target.pipeline().name(),
                    Spelling.of(target.plan().from()),
                    Spelling.of(target.plan().to()),
                    target.plan().count(),
                    target.plan().count() - begun.completed().size()));
        }

        private int exitCode(BackfillRun.Result result) {
            if (cancellation.isCancelled() && !result.covered()) {
                return result.anyFailed() ? LoopEnd.FAILED : LoopEnd.CANCELLED;
            }
            return result.covered() && !result.stateFailed() ? LoopEnd.SUCCESS : LoopEnd.FAILED;
        }

        private void tellCompleted(Instant began, ChunkTotals totals, int exitCode) {
            Instant at = clock.instant();
            RunStatus status =
                    switch (exitCode) {
                        case LoopEnd.SUCCESS -> RunStatus.SUCCESS;
                        case LoopEnd.CANCELLED -> RunStatus.CANCELLED;
                        default -> RunStatus.COMPLETED_WITH_FAILURES;
                    };
            console.accept(new Event.BackfillCompleted(
                    at,
                    firstRunId,
                    target.id(),
                    status,
                    totals,
                    Duration.between(began, at).toMillis(),
                    exitCode));
        }

        /** Runs go on as if there had been no backfill, which is not what everybody expects. */
        private void tellPositions() {
            for (SourceNode source :
                    invocation.whole().sources(target.pipeline().node())) {
                if (source.isIncremental() && options.into() == null) {
                    Optional<CursorValue> lowest =
                            invocation.state().positions(target.project(), source.key()).entrySet().stream()
                                    .filter(position -> position.getKey()
                                            .pipeline()
                                            .equals(target.pipeline().name()))
                                    .flatMap(position -> Optional.ofNullable(
                                            position.getValue().value())
                                            .stream())
                                    .min(CursorValue::compareTo);
                    String initial = source.sync()
                            .flatMap(SyncText::initial)
                            .map(value -> " from " + value.value().text())
                            .orElse(" from its lowest value");
                    notes.accept("positions are where they were: runs go on with " + source.key()
                            + lowest.map(value -> " above " + Spelling.of(value))
                                    .orElse(initial));
                }
            }
        }

        private void forgetOldRuns(ChunkTotals totals) {
            if (!cancellation.isCancelled()) {
                new OldRuns(invocation.state(), invocation.plan().dir().resolve(".weir"), notes)
                        .forget(
                                invocation.plan().settings().retention(),
                                clock.instant(),
                                totals.completed() + totals.failed());
            }
        }
    }
}
