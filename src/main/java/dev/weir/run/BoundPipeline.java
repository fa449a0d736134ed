package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.SourceNode;
import java.util.List;

/**
 * A pipeline whose SQL was bound against the columns of what it reads.
 *
 * @param sources what it reads, directly or through other pipelines
 * @param columns what its SQL yields
 * @param sinks those it writes, in the order of the file
 */
record BoundPipeline(PipelineNode node, List<SourceNode> sources, List<Column> columns, List<BoundSink> sinks) {

    String name() {
        return node.name();
    }

    /** The sources whose slices or chunks drive it; empty: everything it reads is read whole. */
    List<SourceNode> scopedSources() {
        return sources.stream().filter(SourceNode::isScoped).toList();
    }

    /** The same with other sinks. */
    BoundPipeline writing(List<BoundSink> others) {
        return new BoundPipeline(node, sources, columns, others);
    }

    boolean reads(SourceNode source) {
        return sources.stream().anyMatch(read -> read.id().equals(source.id()));
    }
}
