package dev.weir.cli;

import dev.weir.connector.Connector;
import dev.weir.fault.UsageException;
import dev.weir.plan.Plan;
import dev.weir.plan.Planner;
import dev.weir.plan.Secrets;
import dev.weir.project.Problems;
import dev.weir.project.Project;
import dev.weir.project.ProjectLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Where the project is; shared by every command that needs one. */
final class ProjectOptions {

    @Option(
            names = "--project",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "The project's folder (default: the current one).")
    private Path directory = Path.of(".");

    @Option(
            names = "--var",
            paramLabel = "K=V",
            description = "Sets a variable of the project, over vars: in weir.yml. May be given several times.")
    private Map<String, String> variables = new LinkedHashMap<>();

    /** The project's folder, absolute. */
    Path directory(Console console) {
        return console.directory().resolve(directory).normalize();
    }

    /** @throws UsageException WR0108 when there is no project in the folder */
    void refuseOtherFolders(Console console) {
        if (!Files.exists(directory(console).resolve("connections.yml"))) {
            plan(console);
        }
    }

    /**
     * Loads and plans the project. From then on its secrets are hidden in whatever is told.
     *
     * @throws UsageException with every problem of the project
     */
    Plan plan(Console console) {
        Problems problems = new Problems();
        Map<String, Connector> connectors = Connectors.all(console.clock());
        Project project = ProjectLoader.load(directory(console), console.environment(), variables, problems);
        console.hide(Secrets.redactor(project, connectors));
        Plan plan = Planner.plan(project, connectors, problems);
        problems.throwIfAny();
        return plan;
    }
}
