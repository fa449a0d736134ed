package dev.weir.cli;

import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.project.Nearest;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir compile}. */
@Command(
        name = "compile",
        description = {
            "Prints the SQL of pipelines as it will run in DuckDB.",
            "Templates are expanded, what is read stands in the schema staging, and watermarks are NULL of their type, as"
                    + " in a first run. Nothing is connected to. Secrets are hidden."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir compile                              all pipelines",
            "  weir compile orders_out                   one",
            "  weir compile orders_out --var country=DE  with a variable"
        })
final class CompileCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private ProjectOptions project;

    @Parameters(paramLabel = "PIPELINE", arity = "0..1", description = "The pipeline; none: all of them.")
    private String pipeline;

    CompileCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Plan plan = project.plan(console);
        Statement statement = new Statement(plan, console.clock().instant());
        for (PipelineNode node : selected(plan)) {
            console.out().println(console.redactor().redact(statement.of(node)));
        }
        return 0;
    }

    private List<PipelineNode> selected(Plan plan) {
        if (pipeline == null) {
            return plan.pipelines();
        }
        List<PipelineNode> found = plan.pipelines().stream()
                .filter(node -> node.name().equals(pipeline))
                .toList();
        if (found.isEmpty()) {
            throw new UsageException(
                    Code.BAD_SELECTION,
                    "selection",
                    "there is no pipeline '" + pipeline + "'",
                    Nearest.hint(
                            pipeline,
                            plan.pipelines().stream().map(PipelineNode::name).toList()));
        }
        return found;
    }
}
