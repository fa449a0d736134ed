package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.Editor;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir state clear}. */
@Command(
        name = "clear",
        description = {
            "Starts every position below an entity at initial again.",
            "Nothing is deleted from the sinks: the next runs read all of its rows again."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir state clear pg_prod.orders --reason 'amounts were wrong'",
            "  weir state clear pg_prod.orders    asks at the terminal"
        })
final class StateClearCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private EditOptions options;

    @Parameters(paramLabel = "KEY", description = "The entity: connection.entity, as in pg_prod.orders.")
    private String key;

    StateClearCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Plan plan = options.project().plan(console);
        Editor editor = new Editor(plan, key, console.clock(), console.faults(), Notes.on(console));
        String reason = options.reason(console, "Start " + key + " over at initial");
        editor.clear(reason, EditOptions.who());
        console.out().println(key + ": cleared; the next run starts at initial");
        return 0;
    }
}
