package dev.weir.cli;

import dev.weir.plan.Plan;
import dev.weir.project.Problems;
import dev.weir.run.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code weir validate}. */
@Command(
        name = "validate",
        description = {
            "Checks everything that can be checked without connecting, all at once.",
            "Files, variables, pairings of sources and sinks, windows, and the SQL. SQL over sources that declare their"
                    + " columns is bound; other SQL is read, and bound by the run."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:nothing is wrong", "2:something is; every problem is listed once"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir validate                         this project",
            "  weir validate --project my-project    another one"
        })
final class ValidateCommand implements Callable<Integer> {

    private final Console console;

    @Mixin
    private ProjectOptions project;

    ValidateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Problems problems = new Problems();
        ProjectOptions.Loaded loaded = project.load(console, problems);
        Validation.Checked checked = Validation.check(loaded.draft(), problems);
        problems.throwIfAny();
        console.out().println(summary(loaded, checked));
        return 0;
    }

    private static String summary(ProjectOptions.Loaded loaded, Validation.Checked checked) {
        Plan plan = loaded.plan();
        List<String> parts = new ArrayList<>();
        parts.add(count(loaded.project().connections().size(), "connection"));
        parts.add(count(plan.sources().size(), "source"));
        parts.add(count(plan.sinks().size(), "sink"));
        parts.add(count(plan.pipelines().size(), "pipeline"));
        String sql = checked.read() == 0
                ? "; all SQL checked against its columns"
                : "; the SQL of " + checked.read() + " is read, and checked against the source's columns when it runs";
        return "ok: " + String.join(", ", parts) + sql;
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
