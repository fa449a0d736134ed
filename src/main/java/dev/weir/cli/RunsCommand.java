package dev.weir.cli;

import dev.weir.state.RunRecord;
import dev.weir.state.StateStore;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir runs}. */
@Command(
        name = "runs",
        description = {
            "Lists the newest runs; weir runs show tells of one.",
            "A pass of a loop is a run, and so is an attempt at a chunk of a backfill. One that never ended and has no living process shows as died."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir runs                          the newest 20",
            "  weir runs --limit 200 --json       for a program: one JSON object a line",
            "  weir runs show 20260902T0915       what one run did"
        })
final class RunsCommand implements Callable<Integer> {

    private static final int NEWEST = 20;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ProjectFolder project;

    @Option(names = "--limit", paramLabel = "N", description = "How many (default: " + NEWEST + ").")
    private int limit = NEWEST;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    RunsCommand(Console console) {
        this.console = console;
    }

    static CommandLine commandLine(Console console) {
        return new CommandLine(new RunsCommand(console)).addSubcommand(new RunsShowCommand(console));
    }

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new ParameterException(spec.commandLine(), "--limit is at least 1, not " + limit);
        }
        Path folder = project.path(console);
        Optional<StateStore> opened = StateStore.openForReading(folder.resolve(".weir"), console.clock());
        if (opened.isEmpty()) {
            project.refuseOthers(console);
        }
        try {
            List<RunRecord> runs = opened.map(state -> state.runs(limit)).orElse(List.of());
            for (RunRecord run : runs) {
                console.out().println(json ? RunReport.json(run).toString() : text(run));
            }
            if (runs.isEmpty() && !json) {
                console.out().println("no runs yet");
            }
        } finally {
            opened.ifPresent(StateStore::close);
        }
        return 0;
    }

    private static String text(RunRecord run) {
        RunRecord.Counts counts = run.counts();
        return run.runId() + "  " + run.startedAt().truncatedTo(ChronoUnit.SECONDS) + "  "
                + String.format(Locale.ROOT, "%-23s", run.status()) + "  " + counts.rows() + " rows  "
                + counts.succeeded()
                + " succeeded, " + counts.failed() + " failed, " + counts.skipped() + " skipped  " + duration(run)
                + "  " + run.command() + trigger(run);
    }

    private static String trigger(RunRecord run) {
        return run.trigger() == RunRecord.Trigger.BACKFILL
                ? "  (backfill " + run.backfillId() + ", run_id=" + run.chunkRunId() + ")"
                : "";
    }

    private static String duration(RunRecord run) {
        return RunReport.duration(run).map(took -> took + "ms").orElse("-");
    }
}
