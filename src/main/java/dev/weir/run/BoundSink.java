package dev.weir.run;

import dev.weir.plan.SinkNode;
import dev.weir.slicing.PositionKey;
import java.util.Optional;

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

    /** Where its position in a source is kept. */
    PositionKey key(String project, String source) {
        return new PositionKey(project, pipeline, node.id(), source);
    }
}
