package dev.weir.cli;

import dev.weir.plan.Keys;
import dev.weir.plan.Plan;
import dev.weir.plan.SourceNode;
import dev.weir.state.StateStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir state show}. */
@Command(
        name = "show",
        description = {
            "Shows up to where entities are loaded.",
            "That is the lowest position of all sinks below each. With KEY, also how it came there. Reads state only;"
                    + " the sinks' own marks are compared by the next run."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir state show                   all entities",
            "  weir state show pg_prod.orders    one, with its moves and edits"
        })
final class StateShowCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private ProjectOptions project;

    @Parameters(paramLabel = "KEY", arity = "0..1", description = "The entity: connection.entity; none: all of them.")
    private String key;

    StateShowCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Plan plan = project.plan(console);
        List<SourceNode> sources = key == null
                ? plan.sources().stream().filter(SourceNode::isIncremental).toList()
                : List.of(Keys.resolve(plan, key));
        if (sources.isEmpty()) {
            console.out().println("no pipeline reads an entity incrementally, so there are no positions");
            return 0;
        }
        Optional<StateStore> opened = StateStore.openForReading(plan.dir().resolve(".weir"), console.clock());
        try {
            StateReport report = new StateReport(plan, opened);
            for (SourceNode source : sources) {
                report.of(source, key == null ? source.key() : key, key != null).forEach(console.out()::println);
            }
        } finally {
            opened.ifPresent(StateStore::close);
        }
        return 0;
    }
}
