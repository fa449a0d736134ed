package dev.weir.plan;

import dev.weir.connector.ConnectionSettings;
import dev.weir.fault.Code;
import dev.weir.fault.Fault;
import dev.weir.fault.UsageException;
import dev.weir.project.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which pipelines of a plan are meant.
 *
 * @param names pipelines by name
 * @param all whether all of them are meant
 */
public record Selection(List<String> names, boolean all) {

    public Selection {
        names = List.copyOf(names);
    }

    public static Selection everything() {
        return new Selection(List.of(), true);
    }

    public static Selection of(String... names) {
        return new Selection(List.of(names), false);
    }

    /**
     * The plan of the selected pipelines alone, with the sources and connections they use.
     *
     * @throws UsageException {@code WR0208} for names that select nothing, and when nothing is selected, except in a
     *     project with one pipeline, which nothing selects
     */
    public Plan in(Plan plan) {
        List<String> known = plan.pipelines().stream().map(PipelineNode::name).toList();
        if (known.isEmpty()) {
            throw refused("the project has no pipelines", "add one as pipelines/NAME.sql");
        }
        if (all && !names.isEmpty()) {
            throw refused("both --all and " + String.join(", ", names) + " are given", "keep one of the two");
        }
        List<Fault> faults = new ArrayList<>();
        for (String name : names) {
            if (!known.contains(name)) {
                faults.add(fault("there is no pipeline '" + name + "'", Nearest.hint(name, known)));
            }
        }
        if (!faults.isEmpty()) {
            throw new UsageException(faults);
        }
        if (!all && names.isEmpty() && known.size() > 1) {
            throw refused(
                    "nothing is selected",
                    "name pipelines, or take all of them with --all; known: " + String.join(", ", known));
        }
        boolean every = all || names.isEmpty();
        return restrict(
                plan,
                plan.pipelines().stream()
                        .filter(pipeline -> every || names.contains(pipeline.name()))
                        .toList());
    }

    private static Plan restrict(Plan plan, List<PipelineNode> pipelines) {
        List<SourceNode> sources = plan.sources().stream()
                .filter(source -> pipelines.stream()
                        .anyMatch(pipeline -> pipeline.sources().contains(source)))
                .toList();
        Map<String, PlannedConnection> connections = new HashMap<>();
        sources.forEach(source -> connections.put(source.connection(), as(plan, source.connection(), false)));
        pipelines.forEach(pipeline -> connections.put(
                pipeline.sink().connection(), as(plan, pipeline.sink().connection(), true)));
        return new Plan(plan.project(), plan.dir(), plan.settings(), connections, sources, pipelines);
    }

    private static PlannedConnection as(Plan plan, String name, boolean written) {
        PlannedConnection connection = plan.connection(name);
        ConnectionSettings settings = connection.settings();
        return new PlannedConnection(
                new ConnectionSettings(settings.name(), settings.options(), settings.projectDir(), written),
                connection.connector());
    }

    private static UsageException refused(String what, String remedy) {
        return new UsageException(List.of(fault(what, remedy)));
    }

    private static Fault fault(String what, String remedy) {
        return new Fault(Code.BAD_SELECTION, "selection", what, remedy);
    }
}
