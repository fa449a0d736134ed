package dev.weir.run;

import dev.weir.plan.SourceNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds out which incremental sources have to be loaded together. */
final class Components {

    private final Bindings bindings;
    private final Map<String, SourceTime> times;
    private final List<BoundPipeline> pipelines;

    /** Each source's id, with all that go together with it. */
    private final Map<String, List<String>> together = new LinkedHashMap<>();

    Components(Bindings bindings, Map<String, SourceTime> times) {
        this.bindings = bindings;
        this.times = times;
        this.pipelines = bindings.loaded().stream()
                .filter(pipeline -> !pipeline.scopedSources().isEmpty())
                .toList();
    }

    List<Component> all() {
        bindings.sources().values().stream()
                .filter(source -> source.incremental().isPresent())
                .map(source -> source.node().id())
                .forEach(id -> together.put(id, new ArrayList<>(List.of(id))));
        pipelines.forEach(pipeline -> join(incremental(pipeline)));
        joinThoseThatReadAnew();
        return together.values().stream()
                .distinct()
                .map(this::component)
                .filter(component -> !component.pipelines().isEmpty())
                .toList();
    }

    /** A source that is read anew in each pass must not be read anew below another component's feet. */
    private void joinThoseThatReadAnew() {
        Set<String> anew = new HashSet<>();
        boolean more = true;
        while (more) {
            for (BoundPipeline pipeline : pipelines) {
                if (readsAnew(together.get(incremental(pipeline).get(0)))) {
                    anew.addAll(full(pipeline));
                }
            }
            more = anew.stream().anyMatch(this::joinReaders);
        }
    }

    /** Whether anything had to be joined. */
    private boolean joinReaders(String fullSource) {
        List<String> readers = pipelines.stream()
                .filter(pipeline -> full(pipeline).contains(fullSource))
                .flatMap(pipeline -> incremental(pipeline).stream())
                .toList();
        return join(readers);
    }

    private boolean join(List<String> ids) {
        List<String> joined = together.get(ids.get(0));
        boolean any = false;
        for (String id : ids) {
            List<String> others = together.get(id);
            if (joined != others) {
                joined.addAll(others);
                others.forEach(other -> together.put(other, joined));
                any = true;
            }
        }
        return any;
    }

    private boolean readsAnew(List<String> ids) {
        return ids.stream().anyMatch(id -> times.get(id).readsLateComers());
    }

    private static List<String> incremental(BoundPipeline pipeline) {
        return pipeline.scopedSources().stream().map(SourceNode::id).toList();
    }

    private static List<String> full(BoundPipeline pipeline) {
        return pipeline.sources().stream()
                .filter(source -> !source.isScoped())
                .map(SourceNode::id)
                .toList();
    }

    private Component component(List<String> ids) {
        List<BoundSource> sources = bindings.sources().values().stream()
                .filter(source -> ids.contains(source.node().id()))
                .toList();
        List<BoundPipeline> below = bindings.pipelines().stream()
                .filter(pipeline -> sources.stream().anyMatch(source -> pipeline.reads(source.node())))
                .toList();
        return new Component(
                sources,
                below.stream().filter(pipeline -> !pipeline.sinks().isEmpty()).toList(),
                below.stream()
                        .filter(pipeline -> pipeline.node().sinks().isEmpty())
                        .toList(),
                readsAnew(ids));
    }
}
