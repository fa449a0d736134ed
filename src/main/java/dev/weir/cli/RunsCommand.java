package dev.weir.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.state.RunRecord;
import dev.weir.state.StateStore;
import java.nio.file.Path;
import java.time.Duration;
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
            "Lists the newest runs. A run that never ended and has no living process shows as died.",
            "What each run did is in .weir/runs/<run-id>/run_results.json."
        })
final class RunsCommand implements Callable<Integer> {

    private static final int NEWEST = 20;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ProjectOptions project;

    @Option(names = "--limit", paramLabel = "N", description = "How many (default: " + NEWEST + ").")
    private int limit = NEWEST;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    RunsCommand(Console console) {
        this.console = console;
    }

    static CommandLine commandLine(Console console) {
        return new CommandLine(new RunsCommand(console));
    }

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new ParameterException(spec.commandLine(), "--limit is at least 1, not " + limit);
        }
        Path folder = project.directory(console);
        Optional<StateStore> opened = StateStore.openForReading(folder.resolve(".weir"), console.clock());
        if (opened.isEmpty()) {
            project.refuseOtherFolders(console);
        }
        try {
            List<RunRecord> runs = opened.map(state -> state.runs(limit)).orElse(List.of());
            for (RunRecord run : runs) {
                console.out().println(json ? json(run) : text(run));
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
                + "  " + run.command();
    }

    private static String duration(RunRecord run) {
        return run.endedAt() == null
                ? "-"
                : Duration.between(run.startedAt(), run.endedAt()).toMillis() + "ms";
    }

    private static ObjectNode json(RunRecord run) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("runId", run.runId());
        node.put("project", run.project());
        node.put("command", run.command());
        node.put("status", run.status().toString());
        node.put("startedAt", run.startedAt().toString());
        node.put("endedAt", run.endedAt() == null ? null : run.endedAt().toString());
        node.put("pass", run.passes());
        node.put("exitCode", run.exitCode());
        node.put("host", run.process().host());
        node.put("pid", run.process().pid());
        node.put("succeeded", run.counts().succeeded());
        node.put("failed", run.counts().failed());
        node.put("skipped", run.counts().skipped());
        node.put("rows", run.counts().rows());
        return node;
    }
}
