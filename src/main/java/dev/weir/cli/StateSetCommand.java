package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.Editor;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir state set}. */
@Command(
        name = "set",
        description = {
            "Moves every position below an entity to a value.",
            "The value itself counts as loaded. Rows above it are loaded, again or for the first time, by the next run."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir state set pg_prod.orders --value 2000000 --reason 'rows above are wrong'",
            "  weir state set pg_prod.events --value 2026-09-01T00:00:00Z \\",
            "      --reason 'the source was restored'"
        })
final class StateSetCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private EditOptions options;

    @Parameters(paramLabel = "KEY", description = "The entity: connection.entity, as in pg_prod.orders.")
    private String key;

    @Option(names = "--value", paramLabel = "V", required = true, description = "A value of the cursor.")
    private String value;

    StateSetCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Plan plan = options.project().plan(console);
        Editor editor = new Editor(plan, key, console.clock(), console.faults(), Notes.on(console));
        String reason = options.reason(console, "Move " + key + " to " + value);
        editor.set(value, reason, EditOptions.who());
        console.out()
                .println(key + ": set to " + value + ", which itself counts as loaded; the next run goes on above it");
        return 0;
    }
}
