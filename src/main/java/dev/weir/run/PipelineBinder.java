package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.Fit;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkWrite;
import dev.weir.connector.SourceColumn;
import dev.weir.engine.DuckEngine;
import dev.weir.fault.Code;
import dev.weir.fault.RunException;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.Plan;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.OnSchemaChange;
import dev.weir.slicing.Strategy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Binds a pipeline's SQL against the columns of what it reads, and settles its output with its sinks. Runs nothing. */
final class PipelineBinder {

    private final DuckEngine engine;
    private final Plan plan;
    private final SliceRules rules;

    PipelineBinder(DuckEngine engine, Plan plan, SliceRules rules) {
        this.engine = engine;
        this.plan = plan;
        this.rules = rules;
    }

    /** One with rules of its own. */
    static PipelineBinder of(DuckEngine engine, Plan plan) {
        return new PipelineBinder(engine, plan, new SliceRules(engine, plan));
    }

    /**
     * @param read every source and every other pipeline that it reads, directly or not
     * @throws UsageException when the SQL does not bind, or lacks a column a sink needs
     */
    BoundPipeline bind(PipelineNode node, Bound read) {
        List<SourceNode> sources = plan.sources(node);
        Map<String, List<Column>> columns = new HashMap<>();
        Map<String, RenderContext.Watermark> watermarks = new HashMap<>();
        List<BoundSource.Incremental> cursors = new ArrayList<>();
        for (SourceNode source : sources) {
            BoundSource bound = read.sources().get(source.id());
            columns.put(source.id(), bound.columns());
            bound.incremental().ifPresent(incremental -> {
                cursors.add(incremental);
                watermarks.put(source.id(), incremental.watermark(Optional.empty()));
            });
        }
        for (String ref : node.refs()) {
            BoundPipeline other = read.pipelines().get(ref);
            columns.put(other.node().id(), other.columns());
        }
        RenderContext context = new RenderContext("bind", Instant.EPOCH, Map.of(), watermarks);
        List<Column> output = new WrittenSql(node.place(), node.sql(), context)
                .read(sql -> engine.bind(node.place().toString(), sql, columns));
        rules.check(node, context, columns);
        List<BoundSink> sinks = new ArrayList<>();
        for (SinkNode sink : node.sinks()) {
            checkOutput(sink, output, cursors);
            sink.deleteWhen()
                    .ifPresent(
                            condition -> engine.bindCondition(condition.place().toString(), condition.text(), output));
            sinks.add(new BoundSink(node.name(), sink, orderBy(sink, output, sources)));
        }
        return new BoundPipeline(node, sources, output, sinks, picks(node, read, output));
    }

    /** A source's columns that are read as what they are, where the pipeline does nothing but pick some of them. */
    private Optional<Map<String, SourceColumn>> picks(PipelineNode node, Bound read, List<Column> output) {
        List<SourceNode> sources = plan.sources(node);
        if (sources.size() != 1 || !node.refs().isEmpty() || node.sinks().isEmpty()) {
            return Optional.empty();
        }
        BoundSource source = read.sources().get(sources.get(0).id());
        if (source.incremental().isEmpty() || !node.sql().watermarks().isEmpty()) {
            return Optional.empty();
        }
        String sql = node.sql().render(new RenderContext("bind", Instant.EPOCH, Map.of(), Map.of()));
        return engine.picks(node.place().toString(), sql, source.node().id(), source.columns())
                .flatMap(names -> undeclared(names, source, output));
    }

    private static Optional<Map<String, SourceColumn>> undeclared(
            Map<String, String> names, BoundSource source, List<Column> output) {
        Map<String, SourceColumn> picks = new LinkedHashMap<>();
        for (Column column : output) {
            source.request().catalog().stream()
                    .filter(known -> known.name().equals(names.get(column.name()))
                            && known.type().equals(Optional.of(column.type())))
                    .findFirst()
                    .ifPresent(known -> picks.put(column.name(), known));
        }
        return picks.size() == output.size() && names.size() == output.size() ? Optional.of(picks) : Optional.empty();
    }

    /** What a pipeline may read: the sources by id, the pipelines by name. */
    record Bound(Map<String, BoundSource> sources, Map<String, BoundPipeline> pipelines) {}

    private static void checkOutput(SinkNode sink, List<Column> output, List<BoundSource.Incremental> cursors) {
        for (String key : sink.keys()) {
            require(sink, output, key, "the key");
        }
        sink.orderBy().ifPresent(column -> require(sink, output, column, "order_by"));
        if (sink.strategy() == Strategy.WINDOW && cursors.size() == 1) {
            Cursor cursor = cursors.get(0).cursor();
            Column column = require(sink, output, cursor.column(), "strategy window needs the cursor, and");
            Optional<CursorType> type = CursorType.named(column.type());
            if (!type.equals(Optional.of(cursors.get(0).column()))) {
                throw new UsageException(
                        Code.BAD_STRATEGY,
                        sink.place().toString(),
                        "strategy window deletes by the cursor " + cursor + ", and the SELECT gives it as "
                                + column.type(),
                        "select the cursor unchanged, or write strategy: 'merge' with keys");
            }
        }
    }

    private static Column require(SinkNode sink, List<Column> output, String name, String what) {
        return find(output, name)
                .orElseThrow(() -> new UsageException(
                        Code.BAD_STRATEGY,
                        sink.place().toString(),
                        what + " '" + name + "' is no column of the pipeline's output",
                        "the SELECT gives: "
                                + String.join(
                                        ", ", output.stream().map(Column::name).toList())));
    }

    private static Optional<Column> find(List<Column> columns, String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    /** By default the source's cursor, where the output has it and there is no other. */
    private static Optional<String> orderBy(SinkNode sink, List<Column> output, List<SourceNode> sources) {
        if (sink.strategy() != Strategy.MERGE) {
            return Optional.empty();
        }
        List<String> names = sources.stream()
                .flatMap(source -> source.orderCursor().stream())
                .distinct()
                .toList();
        return sink.orderBy().or(() -> Optional.of(names)
                .filter(cursor -> cursor.size() == 1)
                .map(cursor -> cursor.get(0))
                .filter(name -> find(output, name).isPresent()));
    }

    /** Finds out how the output goes into an existing table; one that cannot take it is refused: WR0523 or WR0503. */
    static BoundSink fitted(BoundPipeline pipeline, BoundSink bound, Sink sink) {
        SinkNode node = bound.node();
        boolean takesRaw = node.deleteWhen().isEmpty()
                && pipeline.picks()
                        .filter(picks -> sink.takesRaw(node.table(), picks))
                        .isPresent();
        return fit(pipeline, bound.with(takesRaw), sink);
    }

    private static BoundSink fit(BoundPipeline pipeline, BoundSink bound, Sink sink) {
        SinkNode node = bound.node();
        if (sink.describe(node.table()).isEmpty()) {
            return bound;
        }
        Fit fit = sink.fit(node.table(), pipeline.columns(), write(bound, Optional.empty()), node.onSchemaChange());
        if (node.strategy() == Strategy.WINDOW) {
            refuseWithoutCursor(pipeline, node, fit);
        }
        return bound.with(fit);
    }

    /** Rows that the table holds already could not be told from those of the window. */
    private static void refuseWithoutCursor(BoundPipeline pipeline, SinkNode node, Fit fit) {
        Stream.concat(fit.added().stream(), fit.ignored().stream())
                .map(Column::name)
                .filter(name -> pipeline.scopedSources().stream()
                        .anyMatch(source -> source.orderCursor().equals(Optional.of(name))))
                .findFirst()
                .ifPresent(cursor -> {
                    throw new RunException(
                            Code.SINK,
                            node.id(),
                            "the table has no column " + cursor + ", which its windows are cut by",
                            "add it to the table and fill it, or begin with a new table");
                });
    }

    /**
     * How a pipeline's rows go into a sink.
     *
     * @param deleted the cursor and range a window write deletes; empty where nothing is written yet
     */
    static SinkWrite write(BoundSink sink, Optional<Deleted> deleted) {
        SinkNode node = sink.node();
        boolean keeps = node.onSchemaChange() != OnSchemaChange.FAIL;
        return switch (node.strategy()) {
            case MERGE -> new SinkWrite.Merge(node.keys(), sink.orderBy(), node.keepColumns() || keeps);
            case APPEND -> new SinkWrite.Append(keeps);
            case REPLACE -> new SinkWrite.Replace(keeps);
            case WINDOW ->
                deleted.<SinkWrite>map(window -> new SinkWrite.Window(window.column(), window.range(), keeps))
                        .orElseGet(() -> new SinkWrite.Append(keeps));
        };
    }

    /** What a window write deletes. */
    record Deleted(String column, CursorRange range) {}
}
