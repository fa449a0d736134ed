package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.Editor;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir state adopt}. */
@Command(
        name = "adopt",
        description = {
            "Says where one sink stands, and writes that into the sink as its mark.",
            "For a table that was loaded by other means, or restored without its mark. The value itself counts as loaded."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir state adopt pg_prod.orders --sink lake.orders --value 2340000 \\",
            "      --reason 'loaded by the old job'"
        })
final class StateAdoptCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private EditOptions options;

    @Parameters(paramLabel = "KEY", description = "The entity: connection.entity, as in pg_prod.orders.")
    private String key;

    @Option(names = "--sink", paramLabel = "S", required = true, description = "The sink, as in lake.orders_synced.")
    private String sink;

    @Option(names = "--value", paramLabel = "V", required = true, description = "A value of the cursor.")
    private String value;

    StateAdoptCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Plan plan = options.project().plan(console);
        Editor editor = new Editor(plan, key, console.clock(), console.faults(), Notes.on(console));
        String reason = options.reason(console, "Say that " + sink + " holds " + key + " up to " + value);
        editor.adopt(sink, value, reason, EditOptions.who());
        console.out().println(sink + ": holds " + key + " up to " + value + ", which itself counts as loaded");
        return 0;
    }
}
