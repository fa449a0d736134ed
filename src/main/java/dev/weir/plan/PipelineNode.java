package dev.weir.plan;

import dev.weir.project.Place;
import java.util.List;
import java.util.Optional;

/**
 * One pipeline: the sources it reads, the SQL over them, the sink it writes.
 *
 * @param place the pipeline's file
 * @param sources in the order of their first call, none twice; at most one is incremental
 */
public record PipelineNode(String name, Place place, CompiledSql sql, List<SourceNode> sources, SinkNode sink) {

    public PipelineNode {
        sources = List.copyOf(sources);
    }

    /** The source whose slices drive the pipeline; empty: everything it reads is read whole. */
    public Optional<SourceNode> incrementalSource() {
        return sources.stream().filter(SourceNode::isIncremental).findFirst();
    }
}
