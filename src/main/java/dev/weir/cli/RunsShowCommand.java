package dev.weir.cli;

import dev.weir.event.RunFiles;
import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import dev.weir.state.RunRecord;
import dev.weir.state.StateStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir runs show}. */
@Command(
        name = "show",
        description = {
            "Tells what one run did, node by node.",
            "Windows, watermarks, rows, and errors with what to do about them. Files that retention removed are said."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir runs show 20260902T091500118Z-9a1c",
            "  weir runs show 20260902T0915               as much of the id as tells it apart",
            "  weir runs show 20260902T0915 --json        for a program"
        })
final class RunsShowCommand implements Callable<Integer> {

    private static final int LISTED = 5;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ProjectFolder project;

    @Parameters(paramLabel = "RUN", description = "The run: its id, or the beginning of it.")
    private String asked;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    RunsShowCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Subcommands.refuseAnythingBefore(spec, "weir runs show RUN --project DIR");
        project.refuseOthers(console);
        Path weirDir = project.path(console).resolve(".weir");
        RunRecord run = find(weirDir);
        RunFiles.Results results = RunFiles.in(weirDir).results(run.runId());
        if (json) {
            console.out().println(RunReport.json(run, results));
        } else {
            RunReport.text(run, results).forEach(console.out()::println);
        }
        return 0;
    }

    private RunRecord find(Path weirDir) {
        Optional<StateStore> opened = StateStore.openForReading(weirDir, console.clock());
        try {
            List<RunRecord> found =
                    opened.map(state -> state.runsBeginning(asked, LISTED + 1)).orElse(List.of());
            if (found.isEmpty()) {
                throw new UsageException(
                        Code.BAD_VALUE, "RUN", "no run '" + asked + "' is known", "list the runs: weir runs");
            }
            Optional<RunRecord> exact =
                    found.stream().filter(run -> run.runId().equals(asked)).findFirst();
            if (exact.isEmpty() && found.size() > 1) {
                throw new UsageException(
                        Code.BAD_VALUE, "RUN", "'" + asked + "' is the beginning of several runs", listed(found));
            }
            return exact.orElseGet(() -> found.get(0));
        } finally {
            opened.ifPresent(StateStore::close);
        }
    }

    private static String listed(List<RunRecord> runs) {
        List<String> ids = runs.stream().map(RunRecord::runId).limit(LISTED).toList();
        return "say which: " + String.join(", ", ids) + (runs.size() > LISTED ? ", …" : "");
    }
}
