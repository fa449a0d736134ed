package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.CoverageReport;
import dev.weir.run.Coverer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir coverage}. */
@Command(
        name = "coverage",
        description = {
            "Says which stretches of its cursors a pipeline has loaded, and the holes.",
            "For each sink: from where to where, by forward runs or by which backfill, how often, when, how many rows. The"
                    + " sinks are asked, and nothing is changed; of one that does not answer state's word is shown."
                    + " Rehearsals (--into) are left out."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:state cannot be read",
            "2:the project or the command line is wrong",
            "3:cancelled by Ctrl-C, SIGTERM or SIGHUP"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir coverage orders_out           what is loaded, and what is not",
            "  weir coverage orders_out --json    one JSON object, for machines"
        })
final class CoverageCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private ProjectOptions project;

    @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
    private String pipeline;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    CoverageCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        return Stoppable.run(console, cancellation -> {
            Plan plan = project.plan(console);
            CoverageReport report = new Coverer(console.clock(), cancellation).coverage(plan, pipeline);
            if (json) {
                console.out().println(new CoverageJson(console.redactor()).of(report));
            } else {
                new CoverageText(console.redactor()).of(report).forEach(console.out()::println);
            }
            return 0;
        });
    }
}
