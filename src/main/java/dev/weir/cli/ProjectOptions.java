package dev.weir.cli;

import dev.weir.connector.Connector;
import dev.weir.fault.UsageException;
import dev.weir.plan.Plan;
import dev.weir.plan.Planner;
import dev.weir.plan.Secrets;
import dev.weir.project.Problems;
import dev.weir.project.Project;
import dev.weir.project.ProjectLoader;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which project, and what its variables are; shared by every command that reads one. */
final class ProjectOptions {

    @Mixin
    private ProjectFolder folder;

    @Option(
            names = "--var",
            paramLabel = "K=V",
            description = "Sets a variable, over vars: in weir.yml. May be given several times.")
    private Map<String, String> variables = new LinkedHashMap<>();

    /**
     * Loads and plans the project. From then on its secrets are hidden in whatever is told.
     *
     * @throws UsageException with every problem of the project
     */
    Plan plan(Console console) {
        return load(console).plan();
    }

    /** What the files say, and the plan made of it. */
    record Loaded(Project project, Planner.Draft draft) {
        Plan plan() {
            return draft.plan();
        }
    }

    /**
     * The same, with what the plan leaves out.
     *
     * @throws UsageException with every problem of the project
     */
    Loaded load(Console console) {
        Problems problems = new Problems();
        Loaded loaded = load(console, problems);
        problems.throwIfAny();
        return loaded;
    }

    /** As much as is free of problems; all of them are added. Secrets are hidden from then on. */
    Loaded load(Console console, Problems problems) {
        Map<String, Connector> connectors = Connectors.all(console.clock());
        Project project = ProjectLoader.load(folder.path(console), console.environment(), variables, problems);
        console.hide(Secrets.redactor(project, connectors));
        return new Loaded(project, Planner.draft(project, connectors, problems));
    }
}
