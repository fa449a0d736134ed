package dev.weir.cli;

import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import dev.weir.plan.Plan;
import dev.weir.project.Nearest;
import dev.weir.run.PlanLook;
import dev.weir.state.BackfillRecord;
import dev.weir.state.RunRecord;
import dev.weir.state.StateStore;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir backfill show}. */
@Command(
        name = "show",
        description = {
            "Shows one backfill: a picture of its range, and what failed.",
            "A character stands for a chunk: completed, running, failed, pending, or interrupted, which is under way by"
                    + " state's word and held by nobody who lives. This is state's word; the sinks decide when it runs"
                    + " again."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir backfill show 42cf85d3f6adb217",
            "  weir backfill show 42cf               as much of the id as tells it apart",
            "  weir backfill show 42cf --json        for a program: all of its chunks and runs"
        })
final class BackfillShowCommand implements Callable<Integer> {

    private static final int LISTED = 5;
    private static final int COMPARED = 1_000;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ProjectOptions project;

    @Parameters(paramLabel = "ID", description = "The backfill: its id, or the beginning of it.")
    private String asked;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    BackfillShowCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Subcommands.refuseAnythingBefore(
                spec,
                "weir backfill show ID --project DIR; for a pipeline of that name: weir backfill --from F --to T -- show");
        Plan plan = project.plan(console);
        Optional<StateStore> opened = StateStore.openForReading(plan.dir().resolve(".weir"), console.clock());
        try {
            if (opened.isEmpty()) {
                throw unknown(List.of());
            }
            StateStore state = opened.get();
            PlanLook look = PlanLook.of(state, find(state, plan.project()));
            if (json) {
                List<RunRecord> runs = state.runsOf(plan.project(), look.plan().backfillId(), Integer.MAX_VALUE);
                console.out().println(new BackfillJson(console.redactor()).all(look, runs));
            } else {
                new BackfillShowText(PlanPicture.on(console)).of(look).forEach(line -> console.out()
                        .println(console.redactor().redact(line)));
            }
        } finally {
            opened.ifPresent(StateStore::close);
        }
        return 0;
    }

    private BackfillRecord find(StateStore state, String name) {
        String prefix = asked.toLowerCase(Locale.ROOT);
        List<BackfillRecord> found = state.backfills().beginning(name, prefix, LISTED + 1);
        if (found.isEmpty()) {
            throw unknown(state.backfills().list(name, COMPARED).stream()
                    .map(summary -> summary.plan().backfillId())
                    .toList());
        }
        if (found.size() > 1) {
            List<String> ids =
                    found.stream().map(BackfillRecord::backfillId).limit(LISTED).toList();
            throw new UsageException(
                    Code.BAD_VALUE,
                    "ID",
                    "'" + asked + "' is the beginning of several backfills",
                    "say which: " + String.join(", ", ids) + (found.size() > LISTED ? ", …" : ""));
        }
        return found.get(0);
    }

    private UsageException unknown(List<String> known) {
        String near =
                Nearest.to(asked, known).map(id -> "did you mean " + id + "? ").orElse("");
        return new UsageException(
                Code.BAD_VALUE, "ID", "no backfill '" + asked + "' is known", near + "list them: weir backfill list");
    }
}
