package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.SourceColumn;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Strategy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pipeline whose SQL was bound against the columns of what it reads.
 *
 * @param sources what it reads, directly or through other pipelines
 * @param columns what its SQL yields
 * @param sinks those it writes, in the order of the file
 * @param picks the column of its one incremental source that each of its columns is, where it does nothing but pick them as
 *     they are; empty: it does more
 */
record BoundPipeline(
        PipelineNode node,
        List<SourceNode> sources,
        List<Column> columns,
        List<BoundSink> sinks,
        Optional<Map<String, SourceColumn>> picks) {

    String name() {
        return node.name();
    }

    /** The sources whose slices or chunks drive it; empty: everything it reads is read whole. */
    List<SourceNode> scopedSources() {
        return sources.stream().filter(SourceNode::isScoped).toList();
    }

    /** The name of the source's column that each of its columns is, by name; empty: it does more than pick them. */
    Optional<Map<String, String>> pickedNames() {
        return picks.map(picked -> {
            Map<String, String> names = new HashMap<>();
            picked.forEach((name, column) -> names.put(name, column.name()));
            return names;
        });
    }

    /** The keys its sinks merge by, and the columns of its one source that those are; none where it does more than pick. */
    Map<List<String>, List<String>> pickedKeys() {
        Map<List<String>, List<String>> keys = new HashMap<>();
        pickedNames().ifPresent(names -> sinks.stream()
                .map(sink -> sink.node())
                .filter(sink -> sink.strategy() == Strategy.MERGE)
                .forEach(sink -> keys.put(
                        sink.keys(), sink.keys().stream().map(names::get).toList())));
        return keys;
    }

    /** The same with other sinks. */
    BoundPipeline writing(List<BoundSink> others) {
        return new BoundPipeline(node, sources, columns, others, picks);
    }

    /** Whether its rows may go into all its sinks as the source sends them. */
    boolean takesRaw() {
        return !sinks.isEmpty() && sinks.stream().allMatch(BoundSink::takesRaw);
    }

    boolean reads(SourceNode source) {
        return sources.stream().anyMatch(read -> read.id().equals(source.id()));
    }
}
