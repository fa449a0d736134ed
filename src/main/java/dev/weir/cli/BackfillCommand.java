package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.BackfillForecast;
import dev.weir.run.BackfillForecaster;
import dev.weir.run.BackfillOptions;
import dev.weir.run.Backfiller;
import dev.weir.run.Cancellation;
import dev.weir.slicing.Resumption;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir backfill}. */
@Command(
        name = "backfill",
        synopsisSubcommandLabel = "[list | show]",
        description = {
            "Replays a range of a pipeline in chunks, beside what runs load.",
            "The range is [from, to), and positions stay where they are. Each chunk is committed with its rows, so that the"
                    + " same command goes on after any crash, and several may share the work. weir backfill list and"
                    + " show tell of it; a pipeline of such a name goes last, behind --."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the whole range is covered, by whomever",
            "1:a chunk failed, is held elsewhere, or cannot be read yet",
            "2:the project or the command line is wrong, or the plan must not run so; nothing ran",
            "3:cancelled by Ctrl-C, SIGTERM or SIGHUP"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir backfill orders --from 2026-06-01 --to 2026-07-01 --window 1d --dry-run",
            "                                 the chunks, how they stand, how many rows",
            "  weir backfill orders --from 2026-06-01 --to 2026-07-01 --window 1d \\",
            "      --concurrency 4            June, four days at once",
            "  weir backfill orders --from 1 --to 5000001 --window 10000",
            "                                 a range of numbers",
            "  weir backfill orders --from 2026-06-01 --to 2026-07-01 --window 1d \\",
            "      --into rehearsal           into another connection first",
            "  weir backfill list             the plans there are, and how far they are",
            "  weir backfill show 42cf        a picture of one, and what failed"
        })
final class BackfillCommand implements Callable<Integer> {

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ProjectOptions project;

    @Parameters(
            paramLabel = "PIPELINE",
            arity = "0..1",
            description = "The pipeline to replay; in a project with one pipeline that one.")
    private @Nullable String pipeline;

    @Option(
            names = "--from",
            paramLabel = "F",
            description =
                    "Where the range starts, inclusive: a value of the cursor; for times a date, or RFC 3339 with an"
                            + " offset, as in 2026-06-01T00:00:00Z.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "T", description = "Where it ends, exclusive.")
    private @Nullable String to;

    @Option(
            names = {"--window", "--chunk"},
            paramLabel = "W",
            description =
                    "How far a chunk reaches: 45s, 30m, 6h elapsed; 1d, 1w, 1mo by the calendar; a number for numbers"
                            + " (default: window under backfill in weir.yml, else one chunk).")
    private @Nullable String window;

    @Option(
            names = "--timezone",
            paramLabel = "ZONE",
            description = "Whose dates, days and months count, as in Europe/Berlin (default: timezone under backfill in"
                    + " weir.yml, else UTC).")
    private @Nullable String timezone;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "How many chunks are in flight (default: concurrency under backfill in weir.yml, else 1).")
    private @Nullable Integer concurrency;

    @Option(names = "--dry-run", description = "Print the plan and how its chunks stand, and change nothing.")
    private boolean dryRun;

    @Option(names = "--resume", description = "Insist that the plan exists: go on with it.")
    private boolean resume;

    @Option(names = "--restart", description = "Forget what came of its chunks, and replay all of them.")
    private boolean restart;

    @Option(
            names = "--into",
            paramLabel = "CONN",
            description = "Write to the same tables in another connection: a rehearsal.")
    private @Nullable String into;

    @Option(names = "--keep-going", description = "Begin further chunks after one has failed.")
    private boolean keepGoing;

    @Option(
            names = "--cursor",
            paramLabel = "COLUMN",
            description = "Scope by this column, in place of the source's cursor.")
    private @Nullable String cursor;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Let DuckDB use as many threads (default: threads in weir.yml).")
    private @Nullable Integer threads;

    @Option(
            names = "--wait",
            paramLabel = "DUR",
            converter = Durations.class,
            description = "Wait so long at the end for chunks that others hold (default: not at all).")
    private Duration patience = Duration.ZERO;

    @Option(names = "--json", description = "With --dry-run: print one JSON object.")
    private boolean json;

    @Option(
            names = "--log-format",
            paramLabel = "text|json",
            defaultValue = "text",
            description = "text for people, json for machines: events as NDJSON on stdout, notes on stderr.")
    private RunCommand.LogFormat logFormat = RunCommand.LogFormat.TEXT;

    @Option(names = "--no-progress", description = "Draw no live line on a terminal.")
    private boolean noProgress;

    BackfillCommand(Console console) {
        this.console = console;
    }

    static CommandLine commandLine(Console console) {
        return new CommandLine(new BackfillCommand(console))
                .addSubcommand(new BackfillListCommand(console))
                .addSubcommand(new BackfillShowCommand(console));
    }

    @Override
    public Integer call() {
        BackfillOptions options = options();
        return dryRun ? forecast(options) : run(options);
    }

    private int run(BackfillOptions options) {
        Cancellation cancellation = new Cancellation();
        try (Signals signals = Signals.cancelling(cancellation, text -> Stoppable.note(console, text))) {
            Plan plan = project.plan(console);
            try (Display display = display()) {
                signals.showing(display::note, display::close);
                return new Backfiller(
                                console.clock(),
                                cancellation,
                                console.faults(),
                                display,
                                display::note,
                                console.redactor())
                        .run(plan, options);
            }
        }
    }

    private Display display() {
        return logFormat == RunCommand.LogFormat.JSON
                ? Display.json(console)
                : Display.text(console, !noProgress, true);
    }

    private int forecast(BackfillOptions options) {
        return Stoppable.run(console, cancellation -> {
            Plan plan = project.plan(console);
            BackfillForecast forecast = new BackfillForecaster(
                            console.clock(), cancellation, text -> Stoppable.note(console, text))
                    .forecast(plan, options);
            BackfillReport report = new BackfillReport(console.redactor());
            if (json) {
                console.out().println(report.json(forecast));
            } else {
                report.text(forecast).forEach(console.out()::println);
            }
            return forecast.refusal().isEmpty() ? 0 : 1;
        });
    }

    private BackfillOptions options() {
        if (from == null || to == null) {
            throw wrong("--from and --to are both needed: the range is [from, to)");
        }
        if (resume && restart) {
            throw wrong("--resume and --restart exclude each other");
        }
        if (concurrency != null && (concurrency < 1 || concurrency > 64)) {
            throw wrong("--concurrency is 1 to 64, not " + concurrency);
        }
        if (threads != null && threads < 1) {
            throw wrong("--threads is at least 1, not " + threads);
        }
        if (json && !dryRun) {
            throw wrong("--json needs --dry-run; events as JSON are --log-format json");
        }
        return new BackfillOptions(
                pipeline,
                from,
                to,
                window,
                timezone,
                concurrency == null ? OptionalInt.empty() : OptionalInt.of(concurrency),
                restart ? Resumption.Wish.RESTART : resume ? Resumption.Wish.RESUME : Resumption.Wish.NONE,
                into,
                cursor,
                keepGoing,
                threads == null ? OptionalInt.empty() : OptionalInt.of(threads),
                patience,
                CommandWords.of(spec));
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
