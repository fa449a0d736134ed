package dev.weir.plan;

import dev.weir.fault.Code;
import dev.weir.project.Call;
import dev.weir.project.Nearest;
import dev.weir.project.PipelineSpec;
import dev.weir.project.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which pipeline reads which: the edges that {@code ref()} makes. Source of the rules: contract, section 2.2. */
final class Graph {

    private final Map<String, PipelineSpec> specs = new LinkedHashMap<>();
    private final Map<String, Set<String>> refs = new LinkedHashMap<>();
    private final Problems problems;

    Graph(List<PipelineSpec> pipelines, Problems problems) {
        this.problems = problems;
        pipelines.forEach(pipeline -> specs.put(pipeline.name(), pipeline));
        pipelines.forEach(this::resolve);
    }

    private void resolve(PipelineSpec pipeline) {
        Set<String> read = new LinkedHashSet<>();
        for (Call.Ref call : pipeline.calls(Call.Ref.class)) {
            String name = call.pipeline().text();
            if (specs.containsKey(name)) {
                read.add(name);
            } else {
                problems.add(
                        Code.UNKNOWN_PIPELINE,
                        call.pipeline().place(),
                        "there is no pipeline '" + name + "'",
                        "a pipeline is named after its file; " + Nearest.hint(name, specs.keySet()));
            }
        }
        refs.put(pipeline.name(), read);
    }

    /** Every pipeline of the project. */
    List<PipelineSpec> specs() {
        return List.copyOf(specs.values());
    }

    /** The pipelines that one reads itself; those that do not exist are left out. */
    List<String> refs(PipelineSpec pipeline) {
        return List.copyOf(refs.get(pipeline.name()));
    }

    /** Every pipeline behind those it reads, else by name; one in a cycle or behind one is missing, and a problem. */
    List<PipelineSpec> ordered() {
        List<PipelineSpec> ordered = new ArrayList<>();
        Set<String> done = new LinkedHashSet<>();
        boolean found = true;
        while (found) {
            found = false;
            for (PipelineSpec spec : specs.values()) {
                if (!done.contains(spec.name()) && done.containsAll(refs.get(spec.name()))) {
                    done.add(spec.name());
                    ordered.add(spec);
                    found = true;
                }
            }
        }
        refuseCycles(done);
        return ordered;
    }

    private void refuseCycles(Set<String> done) {
        Set<String> told = new LinkedHashSet<>(done);
        for (String name : specs.keySet()) {
            List<String> path = new ArrayList<>();
            String next = name;
            while (!told.contains(next) && !path.contains(next)) {
                path.add(next);
                next = firstOutside(done, next);
            }
            if (!told.contains(next)) {
                refuse(path.subList(path.indexOf(next), path.size()));
            }
            told.addAll(path);
        }
    }

    /** One that is not ordered reads another that is not. */
    private String firstOutside(Set<String> done, String name) {
        return refs.get(name).stream()
                .filter(ref -> !done.contains(ref))
                .findFirst()
                .orElseThrow();
    }

    private void refuse(List<String> cycle) {
        PipelineSpec first = specs.get(cycle.get(0));
        String second = cycle.size() > 1 ? cycle.get(1) : cycle.get(0);
        Call.Ref call = first.calls(Call.Ref.class).stream()
                .filter(ref -> ref.pipeline().text().equals(second))
                .findFirst()
                .orElseThrow();
        problems.add(
                Code.CYCLE,
                call.place(),
                "the pipelines read each other in a circle: " + String.join(" → ", cycle) + " → " + cycle.get(0),
                "take one of these ref() calls out");
    }
}
