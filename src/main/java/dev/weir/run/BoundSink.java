package dev.weir.run;

import dev.weir.connector.Fit;
import dev.weir.connector.Staged;
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
 * @param fit how the pipeline's columns go into its table; empty: there was no table, or it was not asked
 * @param takesRaw whether rows are likely to go into its table as their source sends them
 */
record BoundSink(String pipeline, SinkNode node, Optional<String> orderBy, Optional<Fit> fit, boolean takesRaw) {

    BoundSink(String pipeline, SinkNode node, Optional<String> orderBy) {
        this(pipeline, node, orderBy, Optional.empty(), false);
    }

    /** The same, once it is known how the columns go into its table. */
    BoundSink with(Fit found) {
        return new BoundSink(pipeline, node, orderBy, Optional.of(found), takesRaw);
    }

    /** The same, once it is known whether rows may go into its table as their source sends them. */
    BoundSink with(boolean raw) {
        return new BoundSink(pipeline, node, orderBy, fit, raw);
    }

    /** Of a pipeline's rows, what its table takes. */
    Staged taken(Staged rows) {
        return fit.map(known -> known.of(rows)).orElse(rows);
    }

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
