package dev.weir.run;

import dev.weir.plan.SinkNode;
import dev.weir.slicing.PositionKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One sink of a bound pipeline.
 *
 * @param pipeline the pipeline's name
 * @param orderBy the column that decides between rows of one key; empty: none does
 */
record BoundSink(String pipeline, SinkNode node, Optional<String> orderBy) {

    /** What tells the sinks below one source apart. */
    String name() {
        return name(pipeline, node);
    }

    static String name(String pipeline, SinkNode node) {
        return pipeline + "/" + node.id();
    }

    /** The columns that tell which stored row a row stands for, and which of the two is newer. */
    List<String> keyColumns() {
        return Stream.concat(node.keys().stream(), orderBy.stream()).distinct().toList();
    }

    /** Where its position in a source is kept. */
    PositionKey key(String project, String source) {
        return new PositionKey(project, pipeline, node.id(), source);
    }
}
