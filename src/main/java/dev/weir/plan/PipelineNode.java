package dev.weir.plan;

import dev.weir.project.Place;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One pipeline: the sources and other pipelines it reads, the SQL over them, the sinks it writes.
 *
 * @param id its rows in {@code staging} while a pass runs; unique in any case, as a source's id is
 * @param place the pipeline's file
 * @param sources those it reads itself, in the order of their first call, none twice
 * @param refs the names of the pipelines it reads, in the order of their first call, none twice
 * @param sinks none twice; empty: an intermediate result, or one of whose sinks none is selected
 */
public record PipelineNode(
        String id,
        String name,
        Place place,
        CompiledSql sql,
        List<SourceNode> sources,
        List<String> refs,
        List<SinkNode> sinks) {

    public PipelineNode {
        sources = List.copyOf(sources);
        refs = List.copyOf(refs);
        sinks = List.copyOf(sinks);
    }

    /** Whether it writes something. */
    public boolean isLoaded() {
        return !sinks.isEmpty();
    }

    /** The same pipeline with other sources in place of these, under the same ids. */
    PipelineNode reading(UnaryOperator<SourceNode> change) {
        return new PipelineNode(
                id, name, place, sql, sources.stream().map(change).toList(), refs, sinks);
    }

    /** The same pipeline, writing these sinks alone. */
    PipelineNode writing(List<SinkNode> these) {
        return new PipelineNode(id, name, place, sql, sources, refs, these);
    }
}
