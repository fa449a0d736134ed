package dev.weir.run;

import dev.weir.engine.DuckEngine;
import dev.weir.engine.EngineSettings;
import dev.weir.event.Event;
import dev.weir.event.EventSink;
import dev.weir.event.RunStatus;
import dev.weir.fault.Redactor;
import dev.weir.fault.RunException;
import dev.weir.plan.Plan;
import dev.weir.plan.Selection;
import dev.weir.plan.SourceNode;
import dev.weir.state.EntityLocks;
import dev.weir.state.ProcessIdentity;
import dev.weir.state.RunRecord;
import dev.weir.state.StateStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Carries out {@code weir run}: one pass, or passes until caught up.
 *
 * <p>Source of the rules: contract, section 4.
 */
public final class Runner {

    /** How many components may have slices read ahead, however few threads there are. */
    private static final int LEAST_AHEAD = 2;

    private final Clock clock;
    private final Cancellation cancellation;
    private final Faults faults;
    private final EventSink console;
    private final Consumer<String> notes;
    private final Redactor redactor;

    /**
     * @param console where events are shown
     * @param notes takes what a person should know, a sentence each
     * @param redactor hides secrets in everything that is written
     */
    public Runner(
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
     * Runs what is selected.
     *
     * @return the exit code
     * @throws dev.weir.fault.UsageException when something is wrong with the project: nothing ran
     * @throws RunException when the run could not begin
     */
    public int run(Plan whole, Selection selection, RunOptions options) {
        Plan plan = selection.in(whole, clock.instant());
        Path weirDir = plan.dir().resolve(".weir");
        RunIds runIds = new RunIds(clock);
        String firstRunId = runIds.next();
        try (StateStore state = StateStore.openForLoading(weirDir, clock);
                EntityLocks.Lease lease = lease(state, plan, firstRunId, options)) {
            faults.reached(Faults.Point.LOCKED);
            Path spill = SpillFolders.of(plan).fresh(firstRunId);
            try (DuckEngine engine = DuckEngine.start(settings(plan, options, spill));
                    Connections connections = new Connections(plan, engine, clock, cancellation)) {
                cancellation.onCancel(engine::cancel);
                Invocation invocation = new Invocation(
                        plan, whole, engine, connections, state, clock, clock.instant(), cancellation, faults, notes);
                return run(invocation, options, runIds, firstRunId);
            }
        } catch (RuntimeException e) {
            // What fails once it was asked to stop has stopped.
            if (cancellation.isCancelled()) {
                return cancelledBeforeAnything();
            }
            throw e;
        }
    }

    private int cancelledBeforeAnything() {
        notes.accept("stopped: cancelled, before the first pass");
        return LoopEnd.CANCELLED;
    }

    private EntityLocks.Lease lease(StateStore state, Plan plan, String runId, RunOptions options) {
        List<String> keys = plan.sources().stream().map(SourceNode::key).toList();
        try {
            return state.locks().acquire(keys, runId, options.patience(), cancellation::pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Cancellation.CancelledException();
        }
    }

    private EngineSettings settings(Plan plan, RunOptions options, Path spill) {
        EngineSettings engine =
                Engines.settings(plan, spill).withPatience(EngineSettings.DEFAULT_PATIENCE, cancellation::pause);
        return options.threads().isPresent()
                ? engine.withThreads(options.threads().getAsInt())
                : engine;
    }

    private static OptionalInt threads(Plan plan, RunOptions options) {
        return options.threads().isPresent()
                ? options.threads()
                : plan.settings().threads();
    }

    private int run(Invocation invocation, RunOptions options, RunIds runIds, String firstRunId) {
        PipelineBinder binder = PipelineBinder.of(invocation.engine(), invocation.plan());
        TableChanges changes = new TableChanges(invocation.connections(), notes);
        Bindings bindings = Bindings.of(invocation.plan(), invocation.connections(), binder, cancellation, clock);
        bindings.sources().values().forEach(source -> source.notices().forEach(notes));
        bindings = changes.make(bindings);
        CurrentBindings current = new CurrentBindings(
                bindings,
                (before, source) -> changes.make(
                        before.anew(source, invocation.plan(), invocation.connections(), binder, cancellation, clock)),
                notes);
        if (options.fullRefresh()) {
            forgetSettled(invocation, bindings);
        }
        Map<String, SourceTime> times = SourceTime.of(bindings, invocation.now(), Settling.of(invocation), notes);
        FullReads fullReads = new FullReads(invocation, current);
        WindowWidths widths =
                new WindowWidths(options.fullRefresh() ? WindowWidths.Earlier.NONE : keptWidths(invocation));
        int threads = threads(invocation.plan(), options).orElse(1);
        try (Workers workers = new Workers(threads);
                ForwardRanges ranges = new ForwardRanges(invocation);
                ReadAhead ahead = new ReadAhead(invocation, widths, Math.max(threads, LEAST_AHEAD))) {
            Pass.Shared shared = new Pass.Shared(current, times, fullReads, ranges, ahead, widths, workers, options);
            return run(new Passes(invocation, shared, runIds, firstRunId), options);
        } finally {
            keep(invocation, widths);
        }
    }

    private static WindowWidths.Earlier keptWidths(Invocation invocation) {
        return invocation.scope().remembered()::width;
    }

    /** How wide windows were is a hint for the next invocation, and not worth failing this one. */
    private void keep(Invocation invocation, WindowWidths widths) {
        String project = invocation.plan().project();
        try {
            widths.keep((source, cursor, target, width) ->
                    invocation.state().keepWidth(project, source, cursor, target, width));
        } catch (RunException e) {
            notes.accept(e.getMessage());
        }
    }

    /** Who reads a table from its beginning again may do so because it is not what it was. */
    private static void forgetSettled(Invocation invocation, Bindings bindings) {
        bindings.sources().values().stream()
                .filter(source -> source.incremental().isPresent())
                .forEach(source -> invocation
                        .state()
                        .forgetSettled(
                                invocation.plan().project(), source.node().key()));
    }

    private int run(Passes passes, RunOptions options) {
        if (!options.untilCaughtUp()) {
            Pass.Result result = passes.run(1);
            LoopEnd end = result.failed()
                    ? LoopEnd.runFailed()
                    : result.cancelled() ? LoopEnd.cancelled(false) : LoopEnd.caughtUp();
            passes.finish(end.exitCode());
            return end.exitCode();
        }
        CatchUpLoop.Ended ended = new CatchUpLoop(options, cancellation).run(passes::run, passes::closed);
        passes.loopCompleted(ended);
        passes.finish(ended.end().exitCode());
        return ended.end().exitCode();
    }

    /** Runs passes, each a run of its own. */
    private final class Passes {

        private final Invocation invocation;
        private final Pass.Shared shared;
        private final RunIds runIds;
        private final OneRun.Telling telling;
        private final ProcessIdentity process = ProcessIdentity.current();
        private OneRun run;
        private RunStatus status = RunStatus.FATAL;
        private int made;

        Passes(Invocation invocation, Pass.Shared shared, RunIds runIds, String firstRunId) {
            this.invocation = invocation;
            this.shared = shared;
            this.runIds = runIds;
            this.telling = new OneRun.Telling(invocation, console, redactor);
            this.run = open(firstRunId);
        }

        private OneRun open(String runId) {
            return new OneRun(
                    telling,
                    RunRecord.starting(
                            runId, invocation.plan().project(), shared.options().command(), clock.instant(), process));
        }

        Pass.Result run(int number) {
            made = number;
            if (number > 1) {
                run = open(runIds.next());
            }
            shared.times().values().forEach(SourceTime::look);
            run.begin(number);
            status = RunStatus.FATAL;
            try {
                Pass.Result result = new Pass(invocation, shared, run.journal(), number).run();
                status = status(result);
                return result;
            } finally {
                run.completed(status, number);
            }
        }

        private RunStatus status(Pass.Result result) {
            if (result.failed()) {
                return RunStatus.COMPLETED_WITH_FAILURES;
            }
            return result.cancelled() ? RunStatus.CANCELLED : RunStatus.SUCCESS;
        }

        /** The pass is over and another follows. */
        void closed() {
            run.finish(status, null);
            if (!shared.options().pause().isZero()) {
                // Files that only one process at a time can open are free for others meanwhile.
                invocation.connections().release();
            }
        }

        void loopCompleted(CatchUpLoop.Ended ended) {
            run.accept(new Event.LoopCompleted(
                    clock.instant(),
                    run.id(),
                    ended.passes(),
                    ended.end().stopped(),
                    ended.end().exitCode()));
        }

        void finish(int exitCode) {
            run.finish(status, exitCode);
            if (!cancellation.isCancelled()) {
                new OldRuns(invocation.state(), invocation.plan().dir().resolve(".weir"), notes)
                        .forget(invocation.plan().settings().retention(), clock.instant(), made);
            }
        }
    }
}
