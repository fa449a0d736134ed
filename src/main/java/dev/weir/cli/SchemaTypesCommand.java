package dev.weir.cli;

import dev.weir.connector.Connector;
import dev.weir.project.Nearest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir schema types}. */
@Command(
        name = "types",
        description = {
            "Shows what each type is read as, and what it becomes in a new table.",
            "Of all connectors or of one. Needs no project, and connects to nothing. A type that is not read, or that no new"
                    + " table can hold, is refused: never approximated."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir schema types                all connectors",
            "  weir schema types postgres       one",
            "  weir schema types --markdown     as the page of types has them"
        })
final class SchemaTypesCommand implements Callable<Integer> {

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "CONNECTOR", arity = "0..1", description = "The connector; none: all of them.")
    private String connector;

    @Option(names = "--markdown", description = "Tables in Markdown.")
    private boolean markdown;

    SchemaTypesCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Map<String, Connector> connectors = Connectors.all(console.clock());
        if (connector != null && !connectors.containsKey(connector)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'" + connector + "' is no connector; " + Nearest.hint(connector, connectors.keySet()));
        }
        List<Connector> asked = connectors.values().stream()
                .filter(each -> connector == null || each.name().equals(connector))
                .toList();
        TypeTables tables = new TypeTables(asked, Connectors.weirTypes(console.clock()));
        (markdown ? tables.markdown() : tables.text()).forEach(console.out()::println);
        return 0;
    }
}
