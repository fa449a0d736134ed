package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.Cancellation;
import dev.weir.run.RunOptions;
import dev.weir.run.Runner;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir run}. */
@Command(
        name = "run",
        description = {
            "Loads what is new: a slice of each windowed source, into every sink below it.",
            "A position moves together with its rows, so that a run can be killed at any moment and started again."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:something failed; what had committed stays",
            "2:the project or the command line is wrong; nothing ran",
            "3:cancelled by Ctrl-C, SIGTERM or SIGHUP",
            "4:--require-caught-up, and not caught up or held back"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir run orders_out                    one slice of one pipeline",
            "  weir run --all --until-caught-up       slices until nothing is left",
            "  weir run --all --until-caught-up --max-runs 1000 --require-caught-up",
            "                                         for a scheduler: exit 4 if not done",
            "  weir run --all --full-refresh --until-caught-up",
            "                                         all of it again, from initial",
            "  weir run orders_out --log-format json  events as NDJSON on stdout"
        })
final class RunCommand implements Callable<Integer> {

    enum LogFormat {
        TEXT,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ProjectOptions project;

    @Mixin
    private SelectionOptions selected;

    @Option(
            names = "--until-caught-up",
            description = "Repeat passes until every source with an until is caught up. Now is fixed when it starts, so"
                    + " that the loop ends.")
    private boolean untilCaughtUp;

    @Option(
            names = "--max-runs",
            paramLabel = "N",
            description = "Stop the loop after so many passes (default: " + RunOptions.DEFAULT_MAX_RUNS + ").")
    private Integer maxRuns;

    @Option(
            names = "--require-caught-up",
            description = "Exit with 4 unless the loop ended caught up, and nothing was held back: for schedulers.")
    private boolean requireCaughtUp;

    @Option(
            names = "--pause",
            paramLabel = "DUR",
            converter = Durations.class,
            description = "Wait between two passes of the loop, as in 500ms or 30s.")
    private Duration pause;

    @Option(
            names = "--full-refresh",
            description = "Start incremental sources at initial again, in the first pass. Nothing is cleared before.")
    private boolean fullRefresh;

    @Option(names = "--fail-fast", description = "Start nothing more after the first failure.")
    private boolean failFast;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "Load so many sources at once, and let DuckDB use as many threads (default: threads in weir.yml).")
    private Integer threads;

    @Option(
            names = "--wait",
            paramLabel = "DUR",
            converter = Durations.class,
            description = "Wait so long for an entity that another process loads (default: not at all).")
    private Duration patience = Duration.ZERO;

    @Option(
            names = "--log-format",
            paramLabel = "text|json",
            defaultValue = "text",
            description = "text for people, json for machines: events as NDJSON on stdout, notes on stderr.")
    private LogFormat logFormat = LogFormat.TEXT;

    @Option(names = "--no-progress", description = "Draw no live lines on a terminal: print the lines of every pass.")
    private boolean noProgress;

    RunCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        RunOptions options = options();
        Cancellation cancellation = new Cancellation();
        try (Signals signals = Signals.cancelling(cancellation, text -> Stoppable.note(console, text))) {
            Plan plan = project.plan(console);
            try (Display display = display()) {
                signals.showing(display::note, display::close);
                return new Runner(
                                console.clock(),
                                cancellation,
                                console.faults(),
                                display,
                                display::note,
                                console.redactor())
                        .run(plan, selected.selection(), options);
            }
        }
    }

    private Display display() {
        return logFormat == LogFormat.JSON ? Display.json(console) : Display.text(console, !noProgress, untilCaughtUp);
    }

    private RunOptions options() {
        if (!untilCaughtUp && (maxRuns != null || requireCaughtUp || pause != null)) {
            throw new ParameterException(
                    spec.commandLine(), "--max-runs, --require-caught-up and --pause need --until-caught-up");
        }
        if (maxRuns != null && maxRuns < 1) {
            throw new ParameterException(spec.commandLine(), "--max-runs is at least 1, not " + maxRuns);
        }
        if (threads != null && threads < 1) {
            throw new ParameterException(spec.commandLine(), "--threads is at least 1, not " + threads);
        }
        return new RunOptions(
                untilCaughtUp,
                maxRuns == null ? RunOptions.DEFAULT_MAX_RUNS : maxRuns,
                requireCaughtUp,
                pause == null ? Duration.ZERO : pause,
                fullRefresh,
                failFast,
                threads == null ? OptionalInt.empty() : OptionalInt.of(threads),
                patience,
                CommandWords.of(spec));
    }
}
