package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.Forecast;
import dev.weir.run.Forecaster;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir plan}. */
@Command(
        name = "plan",
        description = {
            "Says what the next pass would read and write, and changes nothing.",
            "For each source: its watermark, the window of the next pass, how many rows that is, and what is left up"
                    + " to the ceiling. For each sink: where it stands, and what is promised."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:a run can begin",
            "1:a source does not answer, or a sink would be refused",
            "2:the project or the command line is wrong",
            "3:cancelled by Ctrl-C, SIGTERM or SIGHUP"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir plan                      the next pass of a project with one pipeline",
            "  weir plan --all                of all pipelines",
            "  weir plan --select source:pg.orders",
            "                                 of all that read one table",
            "  weir plan --all --full-refresh",
            "                                 what starting over would read first",
            "  weir plan --all --json         one JSON object, for machines"
        })
final class PlanCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private ProjectOptions project;

    @Mixin
    private SelectionOptions selected;

    @Option(names = "--full-refresh", description = "As if the run were started with --full-refresh.")
    private boolean fullRefresh;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    PlanCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        return Stoppable.run(console, cancellation -> {
            Plan plan = project.plan(console);
            Forecast forecast = new Forecaster(console.clock(), cancellation, text -> Stoppable.note(console, text))
                    .forecast(plan, selected.selection(), fullRefresh);
            if (json) {
                console.out().println(new ForecastJson(console.redactor()).of(forecast));
            } else {
                new ForecastText(console.redactor()).of(forecast).forEach(console.out()::println);
            }
            return forecast.canBegin() ? 0 : 1;
        });
    }
}
