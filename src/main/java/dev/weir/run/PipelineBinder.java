package dev.weir.run;

import dev.weir.connector.Column;
import dev.weir.connector.Sink;
import dev.weir.connector.SinkWrite;
import dev.weir.engine.DuckEngine;
import dev.weir.fault.Code;
import dev.weir.fault.UsageException;
import dev.weir.plan.PipelineNode;
import dev.weir.plan.RenderContext;
import dev.weir.plan.SinkNode;
import dev.weir.plan.SourceNode;
import dev.weir.slicing.Cursor;
import dev.weir.slicing.CursorRange;
import dev.weir.slicing.CursorType;
import dev.weir.slicing.Strategy;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Binds a pipeline's SQL against its sources' columns, and settles its output with its sink. Runs nothing. */
final class PipelineBinder {

    private final DuckEngine engine;

    PipelineBinder(DuckEngine engine) {
        this.engine = engine;
    }

    /**
     * @param sources every source of the pipeline, by id
     * @throws UsageException when the SQL does not bind, or lacks a column the sink needs
     */
    BoundPipeline bind(PipelineNode node, Map<String, BoundSource> sources) {
        Map<String, List<Column>> columns = new HashMap<>();
        Map<String, RenderContext.Watermark> watermarks = new HashMap<>();
        for (SourceNode source : node.sources()) {
            BoundSource bound = sources.get(source.id());
            columns.put(source.id(), bound.columns());
            bound.incremental()
                    .ifPresent(incremental -> watermarks.put(
                            source.id(),
                            new RenderContext.Watermark(incremental.cursor().type(), Optional.empty())));
        }
        String sql = node.sql().render(new RenderContext("bind", Instant.EPOCH, watermarks));
        List<Column> output = engine.bind(node.place().toString(), sql, columns);
        Optional<Cursor> cursor = node.incrementalSource()
                .map(source -> sources.get(source.id()))
                .flatMap(BoundSource::incremental)
                .map(BoundSource.Incremental::cursor);
        checkOutput(node, output, cursor);
        return new BoundPipeline(node, output, orderBy(node.sink(), output, cursor));
    }

    private static void checkOutput(PipelineNode node, List<Column> output, Optional<Cursor> cursor) {
        SinkNode sink = node.sink();
        for (String key : sink.keys()) {
            require(node, output, key, "the key");
        }
        sink.orderBy().ifPresent(column -> require(node, output, column, "order_by"));
        if (sink.strategy() == Strategy.WINDOW && cursor.isPresent()) {
            Column column = require(node, output, cursor.get().column(), "strategy window needs the cursor, and");
            Optional<CursorType> type = CursorType.named(column.type());
            if (!type.equals(Optional.of(cursor.get().type()))) {
                throw new UsageException(
                        Code.BAD_STRATEGY,
                        sink.place().toString(),
                        "strategy window deletes by the cursor " + cursor.get() + ", and the SELECT gives it as "
                                + column.type(),
                        "select the cursor unchanged, or write strategy: 'merge' with keys");
            }
        }
    }

    private static Column require(PipelineNode node, List<Column> output, String name, String what) {
        return find(output, name)
                .orElseThrow(() -> new UsageException(
                        Code.BAD_STRATEGY,
                        node.sink().place().toString(),
                        what + " '" + name + "' is no column of the pipeline's output",
                        "the SELECT gives: "
                                + String.join(
                                        ", ", output.stream().map(Column::name).toList())));
    }

    private static Optional<Column> find(List<Column> columns, String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    /** By default the source's cursor, where the output has it. */
    private static Optional<String> orderBy(SinkNode sink, List<Column> output, Optional<Cursor> cursor) {
        if (sink.strategy() != Strategy.MERGE) {
            return Optional.empty();
        }
        return sink.orderBy().or(() -> cursor.map(Cursor::column)
                .filter(name -> find(output, name).isPresent()));
    }

    /** Refuses an existing table that cannot take the output: WR0523 or WR0503. */
    static void checkSink(BoundPipeline pipeline, Sink sink) {
        SinkNode node = pipeline.node().sink();
        if (sink.describe(node.table()).isPresent()) {
            sink.check(node.table(), pipeline.columns(), write(pipeline, Optional.empty()));
        }
    }

    /**
     * How the pipeline's rows go into its sink.
     *
     * @param deleted the cursor and range a window write deletes; empty where nothing is written yet
     */
    static SinkWrite write(BoundPipeline pipeline, Optional<Deleted> deleted) {
        SinkNode node = pipeline.node().sink();
        return switch (node.strategy()) {
            case MERGE -> new SinkWrite.Merge(node.keys(), pipeline.orderBy(), node.keepColumns());
            case APPEND -> new SinkWrite.Append();
            case REPLACE -> new SinkWrite.Replace();
            case WINDOW ->
                deleted.<SinkWrite>map(window -> new SinkWrite.Window(window.column(), window.range()))
                        .orElseGet(SinkWrite.Append::new);
        };
    }

    /** What a window write deletes. */
    record Deleted(String column, CursorRange range) {}
}
