package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.Editor;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir state rollback}. */
@Command(
        name = "rollback",
        description = {
            "Moves every position below an entity back to where it stood after a run.",
            "weir runs lists the runs. That position itself counts as loaded; nothing is deleted from the sinks."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir state rollback pg_prod.orders --to-run 20260902T091500118Z-9a1c \\",
            "      --reason 'loaded while the source was broken'"
        })
final class StateRollbackCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private EditOptions options;

    @Parameters(paramLabel = "KEY", description = "The entity: connection.entity, as in pg_prod.orders.")
    private String key;

    @Option(names = "--to-run", paramLabel = "RUN", required = true, description = "The run, by its id.")
    private String runId;

    StateRollbackCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Plan plan = options.project().plan(console);
        Editor editor = new Editor(plan, key, console.clock(), console.faults(), Notes.on(console));
        String reason = options.reason(console, "Move " + key + " back to where it stood after " + runId);
        editor.rollback(runId, reason, EditOptions.who());
        console.out()
                .println(key + ": back to where it stood after " + runId
                        + "; that value itself counts as loaded, and the next run goes on above it");
        return 0;
    }
}
