package dev.weir.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.weir.fault.Redactor;
import dev.weir.plan.Plan;
import dev.weir.plan.Selection;
import dev.weir.run.Doctor;
import dev.weir.run.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir doctor}. */
@Command(
        name = "doctor",
        description = {
            "Connects to everything a project uses, and says what is wrong and what to do.",
            "Credentials and tables, the clocks of sources, an index on each cursor, rows that no window holds, and"
                    + " sinks against state. Nothing is written."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing would fail; there may be warnings",
            "1:a run would fail",
            "2:the project or the command line is wrong",
            "3:cancelled by Ctrl-C, SIGTERM or SIGHUP"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir doctor                everything the project uses",
            "  weir doctor orders_out     one pipeline and what it uses",
            "  weir doctor --json         one JSON object a finding"
        })
final class DoctorCommand implements Callable<Integer> {

    private static final int FAILED = 1;
    private final Console console;

    @Mixin
    private ProjectOptions project;

    @Parameters(paramLabel = "PIPELINE", arity = "0..*", description = "Look at these alone.")
    private List<String> pipelines = new ArrayList<>();

    @Option(names = "--json", description = "Print one JSON object a finding.")
    private boolean json;

    private boolean failed;

    DoctorCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        return Stoppable.run(console, cancellation -> {
            Plan plan = project.plan(console);
            new Doctor(console.clock(), cancellation, this::tell)
                    .examine(plan, new Selection(pipelines, pipelines.isEmpty()));
            return failed ? FAILED : 0;
        });
    }

    private void tell(Finding finding) {
        failed |= finding.level() == Finding.Level.FAIL;
        console.out().println(json ? object(finding) : line(finding));
    }

    private String line(Finding finding) {
        Redactor redactor = console.redactor();
        String level = finding.level().name().toLowerCase(Locale.ROOT);
        String line = String.format(Locale.ROOT, "%-5s%s: %s", level, finding.place(), finding.what());
        return redactor.redact(finding.remedy().isEmpty() ? line : line + "\n     " + finding.remedy());
    }

    private String object(Finding finding) {
        Redactor redactor = console.redactor();
        return JsonNodeFactory.instance
                .objectNode()
                .put("level", finding.level().name().toLowerCase(Locale.ROOT))
                .put("place", redactor.redact(finding.place()))
                .put("what", redactor.redact(finding.what()))
                .put("remedy", redactor.redact(finding.remedy()))
                .toString();
    }
}
