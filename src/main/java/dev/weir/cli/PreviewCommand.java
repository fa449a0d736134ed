package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.run.Preview;
import dev.weir.run.Previewer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir preview}. */
@Command(
        name = "preview",
        description = {
            "Shows rows of a pipeline's next slice, after its SQL. Nothing is written.",
            "An intermediate result, a pipeline without a sink, can be previewed too."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:a source does not answer, or the SQL fails on a row",
            "2:the project or the command line is wrong, SQL that does not bind included",
            "3:cancelled by Ctrl-C, SIGTERM or SIGHUP"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir preview orders_out             20 rows as a table",
            "  weir preview orders_out --limit 3",
            "  weir preview orders_out --json      one JSON object a row"
        })
final class PreviewCommand implements Callable<Integer> {

    private static final int MOST = 100_000;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ProjectOptions project;

    @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
    private String pipeline;

    @Option(names = "--limit", paramLabel = "N", description = "Show so many rows (default: ${DEFAULT-VALUE}).")
    private int limit = 20;

    @Option(names = "--json", description = "Print one JSON object a row, its values as texts.")
    private boolean json;

    PreviewCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (limit < 1 || limit > MOST) {
            throw new ParameterException(spec.commandLine(), "--limit is from 1 to " + MOST + ", not " + limit);
        }
        return Stoppable.run(console, cancellation -> {
            Plan plan = project.plan(console);
            Preview preview = new Previewer(console.clock(), cancellation, text -> Stoppable.note(console, text))
                    .preview(plan, pipeline, limit);
            RowTable table = new RowTable(preview, console.redactor());
            (json ? table.json() : table.lines()).forEach(console.out()::println);
            return 0;
        });
    }
}
