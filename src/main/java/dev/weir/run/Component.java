package dev.weir.run;

import dev.weir.slicing.Participation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Incremental sources whose slices go together, because some pipeline reads several of them, and all that is below them.
 *
 * <p>Components share nothing but connections, and what is read in full once for all passes: they can be loaded at the
 * same time.
 *
 * @param sources at least one
 * @param pipelines those that write, and read one of the sources, directly or not
 * @param intermediates the pipelines between the two, each behind those it reads
 * @param readsAnew whether the pass reads anew what is read in full: slices of a source may hold rows that were committed
 *     meanwhile, and what they refer to was committed meanwhile too
 */
record Component(
        List<BoundSource> sources,
        List<BoundPipeline> pipelines,
        List<BoundPipeline> intermediates,
        boolean readsAnew) {

    /** The components of all that was bound, in the order of their first sources. */
    static List<Component> of(Bindings bindings, Map<String, SourceTime> times) {
        return new Components(bindings, times).all();
    }

    /** The same without some pipelines, and without the sources that only those read. */
    Component without(Set<String> names) {
        List<BoundPipeline> left = pipelines.stream()
                .filter(pipeline -> !names.contains(pipeline.name()))
                .toList();
        List<BoundSource> read = sources.stream()
                .filter(source -> left.stream().anyMatch(pipeline -> pipeline.reads(source.node())))
                .toList();
        return new Component(read, left, intermediates, readsAnew);
    }

    /** The same as it is bound now, without what cannot be bound any more. */
    Component in(Bindings bindings) {
        return new Component(
                sources.stream()
                        .flatMap(source -> Optional.ofNullable(
                                bindings.sources().get(source.node().id()))
                                .stream())
                        .toList(),
                current(pipelines, bindings).stream()
                        .filter(pipeline -> !pipeline.sinks().isEmpty())
                        .toList(),
                current(intermediates, bindings),
                readsAnew);
    }

    private static List<BoundPipeline> current(List<BoundPipeline> before, Bindings bindings) {
        return before.stream()
                .flatMap(pipeline -> bindings.pipeline(pipeline.name()).stream())
                .toList();
    }

    /**
     * What a pass asks of one of its sources: rows that nobody needs decoded may stay as they are, the keys of others are
     * compared as soon as they are there.
     *
     * @param source of that width of windows; the rest is as for {@link SliceReader.Asked#of}
     */
    SliceReader.Asked asks(
            BoundSource source,
            SourceTime time,
            Participation participation,
            List<Comparison.Ready> sinks,
            boolean first) {
        SliceReader.Asked asked =
                SliceReader.Asked.of(source, time, participation, sinks, first).comparing(keys(source));
        return takesRaw(source) ? asked.undecoded() : asked;
    }

    /** The columns of a source whose rows are merged by them as they are. */
    private Set<List<String>> keys(BoundSource source) {
        return pipelines.stream()
                .filter(pipeline -> pipeline.reads(source.node()))
                .flatMap(pipeline -> pipeline.pickedKeys().values().stream())
                .collect(Collectors.toSet());
    }

    private boolean takesRaw(BoundSource source) {
        return intermediates.stream().noneMatch(pipeline -> pipeline.reads(source.node()))
                && pipelines.stream()
                        .filter(pipeline -> pipeline.reads(source.node()))
                        .allMatch(BoundPipeline::takesRaw);
    }

    /** The sinks below one of its sources. */
    List<BoundSink> sinks(BoundSource source) {
        return pipelines.stream()
                .filter(pipeline -> pipeline.reads(source.node()))
                .flatMap(pipeline -> pipeline.sinks().stream())
                .toList();
    }
}
