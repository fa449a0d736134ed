package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.SchemaDiff;
import dev.weir.run.SchemaDiffer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir schema diff}. */
@Command(
        name = "diff",
        description = {
            "Says where columns of pipelines differ from those of their tables.",
            "Changes nothing. For each sink: columns that are new, gone, or of another type, and what the next run does about them, as"
                    + " on_schema_change says. For each source whose columns are declared: what the source has besides."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the next run can begin",
            "1:it would be refused, or a system does not answer",
            "2:the project or the command line is wrong",
            "3:cancelled by Ctrl-C, SIGTERM or SIGHUP"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir schema diff --all           all pipelines",
            "  weir schema diff orders_out      one",
            "  weir schema diff --all --json    one JSON object, for machines"
        })
final class SchemaDiffCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private ProjectOptions project;

    @Mixin
    private SelectionOptions selected;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    SchemaDiffCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        return Stoppable.run(console, cancellation -> {
            Plan plan = project.plan(console);
            SchemaDiff diff = new SchemaDiffer(
                            console.clock(), cancellation, text -> Stoppable.note(console, text))
                    .diff(plan, selected.selection());
            SchemaDiffReport report = new SchemaDiffReport(console.redactor());
            if (json) {
                console.out().println(report.json(diff));
            } else {
                report.text(diff).forEach(console.out()::println);
            }
            return diff.canBegin() ? 0 : 1;
        });
    }
}
